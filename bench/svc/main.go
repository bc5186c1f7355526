// Command svc compares training and prediction with kernels with scikit-learn's SVC, one label
// against the rest, on the same rows, in turn on one thread, and writes what it finds to a file:
//
//	make bench-svc
//
// Scaling, kernel width, C, cut and "at least one label" are those that cross-validation chose
// for SVC in peers.json, by Hamming accuracy. Ours has the same kernel with all training rows as
// landmarks and lambda = 1 / (C M), which is the same problem where there are no pairs, but for
// the bias, which SVC does not penalize.
package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/crank-ml/crank/bench/internal/rival"
	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/decision"
	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/metrics"
	"github.com/crank-ml/crank/internal/atomicfile"
	"github.com/crank-ml/crank/internal/cputime"
	"github.com/crank-ml/crank/internal/origin"
)

// rounds is how often each is timed.
const rounds = 7

// results is the result file.
type results struct {
	Made        origin.Origin `json:"made"`
	Rounds      int           `json:"rounds"`
	ScikitLearn string        `json:"scikit_learn"`
	Rows        []row         `json:"rows"`
}

// row is one machine on one set. Times are medians; scores are those of all test examples.
type row struct {
	Set     string  `json:"set"`
	Machine string  `json:"machine"`
	Seconds seconds `json:"seconds"`
	// Train and test relative to SVC in the same round, medians.
	TrainRatio float64 `json:"train_ratio"`
	TestRatio  float64 `json:"test_ratio"`
	Gap        float64 `json:"gap,omitzero"` // certified
	// Plain predictions, and those with the cut and the least number of labels.
	Plain metrics.Scores `json:"plain"`
	Rule  metrics.Scores `json:"rule"`
}

// seconds are processor seconds.
type seconds struct {
	Train float64 `json:"train"`
	Test  float64 `json:"test"` // all test examples in one call
}

// choice is what SVC's users would choose.
type choice struct {
	Set, Peer string
	Measure   metrics.Measure
	Setting   struct {
		Scaling  string
		Gamma, C float64 // Gamma times 1 / (features times their variance)
	}
	Rule struct {
		Cut        float64
		AtLeastOne bool `json:"at_least_one"`
	}
}

func main() {
	out := flag.String("out", "", "the result file; empty means none")
	peers := flag.String("peers", "../notebooks/results/peers.json", "the file with SVC's settings")
	python := flag.String("python", "../build/svc/venv/bin/python", "a Python with scikit-learn")
	script := flag.String("script", "svc/svc.py", "the script that it runs")
	flag.Parse()
	if err := run(*out, *peers, *python, *script); err != nil {
		fmt.Fprintln(os.Stderr, "svc:", err)
		os.Exit(1)
	}
}

func run(out, peers, python, script string) error {
	runtime.GOMAXPROCS(1)
	r := results{Made: origin.Here("make bench-svc"), Rounds: rounds}
	for _, set := range []string{"scene", "yeast"} {
		c, err := chosen(peers, set)
		if err != nil {
			return err
		}
		if err := r.add(c, python, script); err != nil {
			return fmt.Errorf("%s: %w", set, err)
		}
	}
	for _, o := range r.Rows {
		fmt.Printf("%-6s %-26s train %.3f s, %.2f of SVC; test %.3f s, %.2f; plain %.1f / %.1f / %.1f, rule %.1f / %.1f / %.1f\n",
			o.Set, o.Machine, o.Seconds.Train, o.TrainRatio, o.Seconds.Test, o.TestRatio,
			o.Plain.HammingAccuracy, o.Plain.SubsetAccuracy, o.Plain.ExampleF1, o.Rule.HammingAccuracy, o.Rule.SubsetAccuracy, o.Rule.ExampleF1)
	}
	if out == "" {
		return nil
	}
	return atomicfile.WriteJSON(out, r)
}

// chosen returns what cross-validation has chosen for SVC on a set.
func chosen(peers, set string) (*choice, error) {
	raw, err := os.ReadFile(peers)
	if err != nil {
		return nil, err
	}
	var file struct{ Rows []choice }
	if err := json.Unmarshal(raw, &file); err != nil {
		return nil, fmt.Errorf("%s: %w", peers, err)
	}
	for _, c := range file.Rows {
		if c.Set == set && c.Peer == "binary relevance, RBF SVC" && c.Measure == metrics.HammingAccuracy {
			return &c, nil
		}
	}
	return nil, fmt.Errorf("%s: no SVC for %s", peers, set)
}

// scaling returns ours of the name that the peers have for it.
func (c *choice) scaling() (feature.Scaling, error) {
	of := map[string]feature.Scaling{"none": feature.NoScaling, "zscore": feature.ZScore, "minmax": feature.MinMax, "unit rows": feature.UnitRows}
	s, ok := of[c.Setting.Scaling]
	if !ok {
		return s, fmt.Errorf("no scaling is called %q", c.Setting.Scaling)
	}
	return s, nil
}

func (c *choice) rule() decision.Rule {
	r := decision.Rule{Cut: c.Rule.Cut}
	if c.Rule.AtLeastOne {
		r.Least = 1
	}
	return r
}

// add times all on one set.
func (r *results) add(c *choice, python, script string) error {
	train, test, err := crankpkg.LoadSplit(c.Set)
	if err != nil {
		return err
	}
	kind, err := c.scaling()
	if err != nil {
		return err
	}
	scaler, err := feature.FitScaler(kind, train.X)
	if err != nil {
		return err
	}
	x, testX := scaler.Apply(train.X), scaler.Apply(test.X)
	kernel := feature.KernelFeatures{Kind: feature.Gaussian}.Resolve(x)
	kernel.Gamma *= c.Setting.Gamma
	dir, err := os.MkdirTemp("", "svc")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	y := make([]float64, 0, len(train.Y))
	for _, v := range train.Y {
		y = append(y, float64(v))
	}
	if err := rival.WriteAll(dir, map[string][]float64{"x": x.Value, "y": y, "test": testX.Value}); err != nil {
		return err
	}
	args := []string{dir, fmt.Sprint(train.NumLabels()), fmt.Sprint(c.Setting.C), fmt.Sprint(kernel.Gamma)}
	other, err := rival.Start(python, script, args, &r.ScikitLearn)
	if err != nil {
		return err
	}
	settings := crankpkg.Settings{Scaling: kind, Kernel: kernel, Workers: 1}
	lambda := 1 / (c.Setting.C * float64(train.Len()))
	ours := []crankpkg.Trainer{crankpkg.Empty{Lambda: lambda, Settings: settings}, crankpkg.CRANK{Lambda: lambda, Settings: settings}}
	rows := []row{{Set: c.Set, Machine: "SVC"}, {Set: c.Set, Machine: "SVC, one kernel"}}
	for _, t := range ours {
		rows = append(rows, row{Set: c.Set, Machine: t.Name()})
	}
	times := make([][]seconds, len(rows))
	for range rounds {
		var own, shared seconds
		if err := other.Round(&own.Train, &own.Test, &shared.Train, &shared.Test); err != nil {
			return err
		}
		times[0], times[1] = append(times[0], own), append(times[1], shared)
		for k, t := range ours {
			m, trace, s, err := timed(t, train, test)
			if err != nil {
				return err
			}
			o := &rows[2+k]
			times[2+k], o.Gap = append(times[2+k], s), trace.Gap()
			o.Plain = crankpkg.Evaluate(m, test)
			m.Rule = c.rule()
			o.Rule = crankpkg.Evaluate(m, test)
		}
	}
	scores, err := scoresIn(dir, test.Len()*test.NumLabels())
	if err != nil {
		return err
	}
	for k := range rows {
		rows[k].summarize(times[k], times[0])
	}
	rows[0].Plain, rows[0].Rule = evaluate(scores, decision.Rule{}, test), evaluate(scores, c.rule(), test)
	rows[1].Plain, rows[1].Rule = rows[0].Plain, rows[0].Rule // svc.py has compared the scores
	r.Rows = append(r.Rows, rows...)
	return other.Stop()
}

// scoresIn returns the scores of the last round that svc.py has left in a folder, those of a test row after the other.
func scoresIn(dir string, size int) ([]float64, error) {
	raw, err := os.ReadFile(filepath.Join(dir, "scores"))
	if err != nil {
		return nil, err
	}
	s := make([]float64, size)
	return s, binary.Read(bytes.NewReader(raw), binary.NativeEndian, s)
}

// timed trains and predicts once.
func timed(t crankpkg.Trainer, train, test *crankpkg.Dataset) (*crankpkg.Model, *crankpkg.Trace, seconds, error) {
	begin := cputime.Seconds()
	m, trace, err := t.Train(context.Background(), train)
	if err != nil {
		return nil, nil, seconds{}, err
	}
	end := cputime.Seconds()
	m.PredictAll(test.X)
	return m, trace, seconds{end - begin, cputime.Seconds() - end}, nil
}

// summarize sets the medians of a row's times, and of them relative to those of SVC.
func (o *row) summarize(times, svc []seconds) {
	var train, test, trainRatio, testRatio []float64
	for k, s := range times {
		train, test = append(train, s.Train), append(test, s.Test)
		trainRatio, testRatio = append(trainRatio, s.Train/svc[k].Train), append(testRatio, s.Test/svc[k].Test)
	}
	o.Seconds = seconds{rival.Median(train), rival.Median(test)}
	o.TrainRatio, o.TestRatio = rival.Median(trainRatio), rival.Median(testRatio)
}

// evaluate returns how scores of single labels do with a rule: a label is predicted where its score is above the cut, and
// that with the highest score where there has to be one.
func evaluate(scores []float64, r decision.Rule, test *crankpkg.Dataset) metrics.Scores {
	n := test.NumLabels()
	y := make([]uint8, len(scores))
	for m := range test.Len() {
		row := scores[m*n : (m+1)*n]
		best := 0
		for i, s := range row {
			if s > row[best] {
				best = i
			}
			if s > r.Cut {
				y[m*n+i] = 1
			}
		}
		if r.Least == 1 {
			y[m*n+best] = 1
		}
	}
	return metrics.Evaluate(test.Y, y, n)
}
