package results

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"github.com/crank-ml/crank/internal/cputime"
	"github.com/crank-ml/crank/internal/peakmemory"
)

// Job is one training.
type Job struct {
	Part string `json:"part"` // what it is for
	// Set is a set of the catalog; empty for planted data.
	Set     string           `json:"set,omitempty"`
	Scaling crankpkg.Scaling `json:"scaling,omitempty"`
	// HoldOut trains on four fifths of the training examples and tests on the
	// fifth, to choose Lambda.
	HoldOut bool `json:"holdOut,omitempty"`
	// M, D, N and Dependencies describe planted data. M, where not zero, is how many of the
	// training examples of a Set are drawn.
	M            int `json:"m,omitempty"`
	D            int `json:"d,omitempty"`
	N            int `json:"n,omitempty"`
	Dependencies int `json:"dependencies,omitempty"`
	// Seed draws the data. Zero means 1.
	Seed uint64 `json:"seed,omitempty"`

	Method string  `json:"method"`
	Lambda float64 `json:"lambda"`
	Target float64 `json:"target"` // relative gap asked for
	// Limit bounds the time of the training.
	Limit time.Duration `json:"limit"`
}

func (j Job) String() string {
	what := j.Set
	if what == "" {
		what = fmt.Sprintf("M=%d d=%d n=%d, %d dependencies", j.M, j.D, j.N, j.Dependencies)
	}
	if j.Set != "" && j.M > 0 {
		what += fmt.Sprintf(" M=%d", j.M)
	}
	if j.HoldOut {
		what += ", held out"
	}
	if j.Seed > 1 {
		what += fmt.Sprintf(", seed %d", j.Seed)
	}
	return fmt.Sprintf("%s: %s, %s, lambda %g", j.Part, what, j.Method, j.Lambda)
}

// JobResult is what came out of a job.
type JobResult struct {
	Job
	// CPU and Wall are the seconds of the training: of all processors, and on the
	// wall. Memory is the peak of the whole process, data included, in megabytes.
	CPU    float64 `json:"cpu"`
	Wall   float64 `json:"wall"`
	Memory float64 `json:"memory"`
	// Primal and Gap are certified by crankpkg.Objective at the final weights.
	Primal      float64         `json:"primal"`
	Gap         float64         `json:"gap"`
	Status      crankpkg.Status `json:"status"`
	Passes      int             `json:"passes"`
	OracleCalls int             `json:"oracleCalls"`
	Edges       int             `json:"edges"` // with a weight that is not zero
	Forest      bool            `json:"forest"`
	Right       int             `json:"right"` // of planted edges: how many the model has
	Scores      crankpkg.Scores `json:"scores"`
}

// trainer returns the job's method.
func (j Job) trainer() (crankpkg.Trainer, error) {
	s := crankpkg.Settings{Gap: j.Target, MaxTime: j.Limit, Scaling: j.Scaling}
	for _, t := range []crankpkg.Trainer{
		crankpkg.Empty{Settings: s}, crankpkg.ChowLiu{Settings: s}, crankpkg.MST{Settings: s},
		crankpkg.Greedy{Settings: s}, crankpkg.Full{Settings: s},
		crankpkg.CRANK{Restarts: 1, Settings: s},
		crankpkg.Named("CRANK, beta grows", crankpkg.CRANK{Restarts: 1, Path: crankpkg.GrowBeta, Settings: s}),
	} {
		if t.Name() == j.Method {
			return t.WithLambda(j.Lambda), nil
		}
	}
	return nil, fmt.Errorf("there is no method %q", j.Method)
}

// data returns the job's examples, and the planted edges.
func (j Job) data(sets Sets) (train, test *crankpkg.Dataset, planted []crankpkg.Edge, err error) {
	if j.Set == "" {
		p := crankpkg.PlantedTree{N: j.N, D: j.D, Removed: j.N - 1 - j.Dependencies, Noise: 0.02, Seed: cmp.Or(j.Seed, 1)}
		train, test, truth := p.Generate(j.M, 1000)
		return train, test, truth.Edges, nil
	}
	train, test, err = sets.Split(j.Set)
	if err == nil && j.HoldOut {
		train, test = train.Split(0.8, 1)
	}
	if err == nil && j.M > 0 && j.M < train.Len() {
		train, _ = train.Split(float64(j.M)/float64(train.Len()), cmp.Or(j.Seed, 1))
	}
	return train, test, nil, err
}

// Do trains and tests in this process.
func (j Job) Do(ctx context.Context, sets Sets) (JobResult, error) {
	t, err := j.trainer()
	if err != nil {
		return JobResult{}, err
	}
	train, test, planted, err := j.data(sets)
	if err != nil {
		return JobResult{}, err
	}
	begin, cpu := time.Now(), cputime.Seconds()
	m, trace, err := t.Train(ctx, train)
	if err != nil && !errors.Is(err, crankpkg.ErrNotConverged) {
		return JobResult{}, err
	}
	r := JobResult{
		Job: j, CPU: cputime.Seconds() - cpu, Wall: time.Since(begin).Seconds(), Memory: peakmemory.Own(),
		Primal: crankpkg.Primal(train, m, j.Lambda),
		Status: trace.Status, Passes: trace.Passes, OracleCalls: trace.OracleCalls,
		Edges: len(m.Edges), Forest: labelgraph.IsForest(m.NumLabels(), m.Edges), Right: common(m.Edges, planted),
		Scores: crankpkg.Evaluate(m, test),
	}
	r.Gap = crankpkg.TracePoint{Primal: r.Primal, Dual: trace.Dual}.Gap()
	return r, nil
}

// Spawn does a job in a process of its own, which tells its processor time and its
// peak of memory apart from all others: this program, called with the arguments
// and the job as JSON behind them, has to print the result.
func Spawn(ctx context.Context, j Job, args ...string) (JobResult, error) {
	self, err := os.Executable()
	if err != nil {
		return JobResult{}, err
	}
	text, err := json.Marshal(j)
	if err != nil {
		return JobResult{}, err
	}
	cmd := exec.CommandContext(ctx, self, append(args, string(text))...)
	var said strings.Builder
	cmd.Stderr = &said
	output, err := cmd.Output()
	switch {
	case ctx.Err() != nil:
		return JobResult{}, ctx.Err()
	case err != nil:
		return JobResult{}, errors.New(cmp.Or(strings.TrimPrefix(strings.TrimSpace(said.String()), "crank: "), err.Error()))
	}
	var r JobResult
	if err := json.Unmarshal(output, &r); err != nil {
		return JobResult{}, err
	}
	r.Memory = cmp.Or(r.Memory, peakmemory.Of(cmd.ProcessState))
	return r, nil
}

// jobLimit is the longest time of one training.
const jobLimit = 20 * time.Minute

// run returns the result of a job, which it runs unless it is kept.
func (mk *maker) run(ctx context.Context, j Job) (JobResult, error) {
	j.Limit = jobLimit
	return kept(ctx, mk, []string{j.String()}, []any{j}, func() (JobResult, error) { return mk.Run(ctx, j) })
}
