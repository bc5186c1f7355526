package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/internal/cputime"
)

// childArgument makes the command the child that runs one job, which it reads
// from its standard input.
const childArgument = "-job"

// job is one training.
type job struct {
	Part string `json:"part"` // what it is for
	// Set is a set of the catalog; empty for planted data.
	Set     string           `json:"set,omitempty"`
	Scaling crankpkg.Scaling `json:"scaling,omitempty"`
	// HoldOut trains on four fifths of the training examples and tests on the
	// fifth, to choose Lambda.
	HoldOut bool `json:"holdOut,omitempty"`
	// M, D, N and Dependencies describe planted data.
	M            int `json:"m,omitempty"`
	D            int `json:"d,omitempty"`
	N            int `json:"n,omitempty"`
	Dependencies int `json:"dependencies,omitempty"`

	Method string  `json:"method"`
	Lambda float64 `json:"lambda"`
	Target float64 `json:"target"` // relative gap asked for
	// Limit bounds the time of the training.
	Limit time.Duration `json:"limit"`
}

func (j job) String() string {
	what := j.Set
	if what == "" {
		what = fmt.Sprintf("M=%d d=%d n=%d, %d dependencies", j.M, j.D, j.N, j.Dependencies)
	}
	if j.HoldOut {
		what += ", held out"
	}
	return fmt.Sprintf("%s: %s, %s, lambda %g", j.Part, what, j.Method, j.Lambda)
}

// result is what came out of a job.
type result struct {
	job
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
func (j job) trainer() (crankpkg.Trainer, error) {
	s := crankpkg.Settings{Gap: j.Target, MaxTime: j.Limit, Scaling: j.Scaling}
	for _, t := range []crankpkg.Trainer{
		crankpkg.Empty{Settings: s}, crankpkg.ChowLiu{Settings: s}, crankpkg.MST{Settings: s},
		crankpkg.Greedy{Settings: s}, crankpkg.Full{Settings: s},
		crankpkg.CRANK{Restarts: 1, Settings: s},
		crankpkg.Named("CRANK, beta grows", crankpkg.CRANK{Restarts: 1, Path: crankpkg.GrowBeta, Settings: s}),
		crankpkg.Named("CRANK, beta shrinks", crankpkg.CRANK{Restarts: 1, Path: crankpkg.ShrinkBeta, Settings: s}),
	} {
		if t.Name() == j.Method {
			return t.WithLambda(j.Lambda), nil
		}
	}
	return nil, fmt.Errorf("there is no method %q", j.Method)
}

// data returns the job's examples, and the planted edges.
func (j job) data() (train, test *crankpkg.Dataset, planted []crankpkg.Edge, err error) {
	if j.Set == "" {
		p := crankpkg.PlantedTree{N: j.N, D: j.D, Removed: j.N - 1 - j.Dependencies, Noise: 0.02, Seed: 1}
		train, test, truth := p.Generate(j.M, 1000)
		return train, test, truth.Edges, nil
	}
	train, test, err = crankpkg.LoadSplit(j.Set)
	if err == nil && j.HoldOut {
		train, test = train.Split(0.8, 1)
	}
	return train, test, nil, err
}

// runChild runs the job that it reads and writes its result.
func runChild(ctx context.Context, in io.Reader, out io.Writer) error {
	var j job
	if err := json.NewDecoder(in).Decode(&j); err != nil {
		return err
	}
	res, err := j.run(ctx)
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(res)
}

// run trains and tests.
func (j job) run(ctx context.Context) (*result, error) {
	t, err := j.trainer()
	if err != nil {
		return nil, err
	}
	train, test, planted, err := j.data()
	if err != nil {
		return nil, err
	}
	begin, cpu := time.Now(), cputime.Seconds()
	m, trace, err := t.Train(ctx, train)
	if err != nil {
		return nil, err
	}
	res := &result{
		job: j, CPU: cputime.Seconds() - cpu, Wall: time.Since(begin).Seconds(),
		Primal: crankpkg.Primal(train, m, j.Lambda),
		Status: trace.Status, Passes: trace.Passes, OracleCalls: trace.OracleCalls,
		Edges: len(m.Edges), Forest: crankpkg.IsForest(m.NumLabels(), m.Edges),
		Scores: crankpkg.Evaluate(m, test),
	}
	res.Gap = (res.Primal - trace.Dual) / res.Primal
	has := map[crankpkg.Edge]bool{}
	for _, e := range m.Edges {
		has[e] = true
	}
	for _, e := range planted {
		if has[e] {
			res.Right++
		}
	}
	return res, nil
}
