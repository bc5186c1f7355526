package results

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/experiment"
	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/simplex"
)

// timing is an entry of table2.json.
type timing struct {
	Method string `json:"method"`
	// Phase is train; or test, all of a prediction; or inference, the part of
	// it that comes after the scores w_i . x.
	Phase    string   `json:"phase"`
	Solver   string   `json:"solver"` // of Full's LP relaxation
	Relative float64  `json:"relative"`
	Paper    *float64 `json:"paper"`
	// Seconds are for the whole training, or for one test example.
	Seconds float64 `json:"seconds"`
}

// The times are those of one set, all methods at the same lambda and gap.
const (
	timeSet = "yeast"
	timeGap = 0.01
)

// phases are what is timed, and by which solver. The last one is a prediction where
// Full takes the simplex method.
var phases = [...]struct{ name, solver string }{
	{"train", "roof duality"}, {"test", "roof duality"}, {"inference", "roof duality"}, {"test", "simplex"},
}

// times are the seconds of a method in the phases.
type times [len(phases)]float64

// table2 makes table2.json. It takes times one after the other.
func (mk *maker) table2(ctx context.Context) error {
	train, test, err := mk.Sets.Split(timeSet)
	if err != nil {
		return err
	}
	var names []string
	of := map[string]times{}
	single := crankpkg.CRANK{Restarts: 1, Settings: crankpkg.Settings{Gap: timeGap}}
	for _, t := range append(mk.methods(timeGap), crankpkg.Named("CRANK, one start", single)) {
		t = standing[timeSet].fit(t)
		names = append(names, t.Name())
		of[t.Name()], err = kept(ctx, mk, []string{t.Name()}, []any{train, test, t},
			func() (times, error) { return mk.times(ctx, t, train, test) })
		if err != nil {
			return err
		}
	}
	return writeRows(mk, "table2.json", timings(names, of))
}

// timings lists the times by phase, beside those of the paper.
func timings(names []string, of map[string]times) []timing {
	var rows []timing
	for k, p := range phases {
		for _, name := range names {
			rows = append(rows, timing{name, p.name, p.solver, of[name][k] / of["Full"][k], paperTime(name, p.name), of[name][k]})
		}
	}
	return rows
}

// paperTime returns the paper's relative time, nil where it has none.
func paperTime(method, phase string) *float64 {
	for _, p := range experiment.PaperTable2() {
		if p.Method == method {
			return map[string]*float64{"train": &p.Train, "test": &p.Test}[phase]
		}
	}
	return nil
}

// times trains t a few times and predicts with it.
func (mk *maker) times(ctx context.Context, t crankpkg.Trainer, train, test *crankpkg.Dataset) (s times, err error) {
	var m *crankpkg.Model
	s[0] = fastest(pick(mk, 5, 1), func() {
		if err == nil {
			m, _, _, err = mk.train(ctx, t, train)
		}
	})
	if err != nil {
		return s, err
	}
	s[1], s[2] = predictionTime(m, test), inferenceTime(m, test)
	s[3] = s[1]
	if t.Name() == "Full" {
		s[3], err = simplexTime(m, test, pick(mk, 8, 2))
	}
	return s, err
}

// fastest returns the shortest time of f in seconds: what other work on the
// machine disturbs least.
func fastest(repeats int, f func()) float64 {
	best := math.Inf(1)
	for range repeats {
		begin := time.Now()
		f()
		best = min(best, time.Since(begin).Seconds())
	}
	return best
}

// predictions is how many passes over the test examples are timed.
const predictions = 200

// predictionTime returns the time of one prediction on one processor, from the
// fastest of many passes over the test examples.
func predictionTime(m *crankpkg.Model, test *crankpkg.Dataset) float64 {
	p := m.Predictor()
	y := make([]uint8, len(test.Y))
	return fastest(predictions, func() { p.PredictAllTo(y, test.X, 1) }) / float64(test.Len())
}

// inferenceTime is predictionTime without the scores.
func inferenceTime(m *crankpkg.Model, test *crankpkg.Dataset) float64 {
	n := m.NumLabels()
	p, oracle := m.Predictor(), infer.NewAutoOracle(m.Graph())
	scores, y := make([]float64, n*test.Len()), make(crankpkg.Labeling, n)
	for k := range test.Len() {
		p.ScoresTo(scores[k*n:][:n], test.Row(k))
	}
	return fastest(predictions, func() {
		for k := range test.Len() {
			oracle.Maximize(y, scores[k*n:][:n])
		}
	}) / float64(test.Len())
}

// simplexTime returns the mean time that the simplex method takes to predict one
// of the first examples of test. It checks each optimum against the oracle.
func simplexTime(m *crankpkg.Model, test *crankpkg.Dataset, sample int) (float64, error) {
	g := m.Graph()
	oracle, y, c := infer.NewLPOracle(g), make(crankpkg.Labeling, m.NumLabels()), make([]float64, m.NumLabels())
	predictor := m.Predictor()
	var total time.Duration
	for k := range sample {
		predictor.ScoresTo(c, test.Row(k))
		begin := time.Now()
		value, err := simplex.Value(g, c)
		total += time.Since(begin)
		if err != nil {
			return 0, fmt.Errorf("the simplex method on example %d: %w", k, err)
		}
		if want := oracle.Maximize(y, c); math.Abs(value-want) > 1e-6*(1+math.Abs(want)) {
			return 0, fmt.Errorf("example %d: the simplex method has the optimum %v and roof duality %v", k, value, want)
		}
	}
	return total.Seconds() / float64(sample), nil
}
