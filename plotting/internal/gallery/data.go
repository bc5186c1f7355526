package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/crossval"
	"github.com/crank-ml/crank/crankpkg/envelope"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"github.com/crank-ml/crank/crankpkg/metrics"
	"github.com/crank-ml/crank/plotting"
)

// The data here is made, not learned: the pictures are golden images, and
// should not change whenever training does.

var (
	methods  = []string{"CRANK", "Full", "Greedy", "Project", "MST", "Chow-Liu", "Empty"}
	measures = []string{"Hamming, %", "zero-one, %", "example F1, %"}
	sizes    = []float64{25, 50, 100, 200, 400, 800}
)

func labelNames() []string {
	return []string{
		"beach", "sunset", "foliage", "field", "mountain", "urban", "sea", "sky", "people", "night", "portrait", "harbor", "snow", "festival",
	}
}

// tree returns a model whose graph is a tree.
func tree() *crankpkg.Model {
	parents := []int{-1, 0, 0, 2, 2, 0, 0, 1, 5, 1, 8, 6, 4, 8}
	weights := []float64{0, -0.7, -0.4, 1.1, 0.6, -1.2, 1.3, 0.9, 0.8, -0.3, 1.0, 0.5, 0.7, 0.35}
	return grown("CRANK", labelNames(), parents, weights)
}

// grown returns a model with an edge from each label to its parent.
func grown(method string, names []string, parents []int, weights []float64) *crankpkg.Model {
	m := &crankpkg.Model{Method: method, LabelNames: names, Unary: make([]float64, len(names))}
	for i, p := range parents {
		if p >= 0 {
			m.Edges = append(m.Edges, labelgraph.NewEdge(i, p))
			m.Pair = append(m.Pair, weights[i])
		}
	}
	return m
}

// manyLabels returns a tree over n labels.
func manyLabels(n int) *crankpkg.Model {
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	names, parents, weights := make([]string, n), make([]int, n), make([]float64, n)
	for i := range n {
		names[i] = fmt.Sprintf("tag-%03d", i+1)
		if parents[i] = -1; i > 0 {
			parents[i] = rng.IntN(i)
		}
		weights[i] = rng.NormFloat64()
	}
	return grown("CRANK", names, parents, weights)
}

// full returns a model with all pairs, the tree's pairs the strongest.
func full() *crankpkg.Model {
	rng := rand.New(rand.NewPCG(2, 1))
	m := tree()
	m.Method, m.Edges, m.Pair = "Full", labelgraph.AllPairs(m.NumLabels()), nil
	g := tree().Graph()
	for _, e := range m.Edges {
		w := g.Weight(e)
		if w == 0 {
			w = 0.15 * rng.NormFloat64()
		}
		m.Pair = append(m.Pair, w)
	}
	return m
}

// bounds returns bounds that close at the given rate.
func bounds(rate float64, passes int) []crankpkg.TracePoint {
	var points []crankpkg.TracePoint
	for pass := 1; pass <= passes; pass += 1 + pass/6 {
		x := float64(pass)
		points = append(points, crankpkg.TracePoint{
			Pass: pass, OracleCalls: 1500 * pass, Elapsed: time.Duration(pass) * 8 * time.Millisecond,
			Primal: 2.1 + 1.9/math.Pow(x, rate), Dual: 2.1 - 1.6/math.Pow(x, rate),
		})
	}
	return points
}

// crankTrace returns the trace of a training by CRANK: from full() to tree().
func crankTrace() *crankpkg.Trace {
	t := &crankpkg.Trace{Method: "CRANK", Lambda: 0.001, Points: bounds(1, 300), Primal: 2.106, Dual: 2.095}
	from, keep := full(), tree().Graph()
	beta := 1e-3
	for step := range 14 {
		st := crankpkg.Step{Beta: beta}
		for k, e := range from.Edges {
			w := from.Pair[k]
			if keep.Weight(e) == 0 {
				// Soft-thresholding by beta.
				w = math.Copysign(math.Max(0, math.Abs(w)-9*beta), w)
			}
			if w != 0 {
				st.Edges, st.Weights = append(st.Edges, e), append(st.Weights, w)
			}
		}
		p := envelope.EvaluatePenalty(from.NumLabels(), st.Edges, st.Weights)
		st.Envelope1, st.Envelope2, st.CircuitRank = p.Envelope1, p.Envelope2, p.CircuitRank
		st.Loss = 2.08 + 0.02*(1-math.Exp(-float64(step)/4))
		st.Objective = st.Loss + beta*p.Excess
		t.Steps = append(t.Steps, st)
		if step%2 == 1 {
			beta *= 2
		}
	}
	rng := rand.New(rand.NewPCG(3, 1))
	for k := range 10 {
		primal := 2.106 + 0.004*math.Abs(rng.NormFloat64())
		if k == 6 {
			primal = 2.1055
		}
		t.Restarts = append(t.Restarts, crankpkg.Restart{Seed: uint64(k), Primal: primal, Dual: primal - 0.002 - 0.001*rng.Float64()})
	}
	t.Winner = 6
	return t
}

func fullTrace() *crankpkg.Trace {
	return &crankpkg.Trace{Method: "Full", Points: bounds(0.75, 300)}
}

func emptyTrace() *crankpkg.Trace {
	return &crankpkg.Trace{Method: "Empty", Points: bounds(1.3, 120)}
}

// folds returns means and standard errors of all methods and measures.
func folds() (mean, stderr [][]float64) {
	mean = [][]float64{{80.1, 17.1, 60.4}, {80.2, 18.9, 61.0}, {80.1, 17.3, 60.5}, {80.1, 16.9, 60.5}, {80.0, 16.6, 60.3}, {79.9, 16.2, 60.1}, {80.1, 16.0, 60.5}}
	for range methods {
		stderr = append(stderr, []float64{0.15, 0.7, 0.35})
	}
	return mean, stderr
}

// learningCurve returns a measure of each method for each size of training set.
func learningCurve(measure int) (mean, stderr [][]float64) {
	rng := rand.New(rand.NewPCG(4, uint64(measure)))
	ceiling := []float64{97, 84, 95}[measure]
	speed := []float64{1, 1.25, 1.05, 1.1, 1.3, 1.35, 2.2}
	for i := range methods {
		var m, e []float64
		for k := range sizes {
			m = append(m, ceiling-speed[i]*float64(18+8*measure)*math.Exp(-0.55*float64(k))-4*math.Max(0, speed[i]-1.3)+0.4*rng.NormFloat64())
			e = append(e, 1.6*math.Exp(-0.25*float64(k)))
		}
		mean, stderr = append(mean, m), append(stderr, e)
	}
	return mean, stderr
}

// predictions returns the true and the predicted labels of n examples.
func predictions(n int) (truth, predicted []uint8) {
	rng := rand.New(rand.NewPCG(5, 1))
	g := tree().Graph()
	labels := g.N
	for range n {
		row := make([]uint8, labels)
		for i := range row {
			score := -1.5 + 0.5*rng.NormFloat64()
			for _, a := range g.Adj[i] {
				if int(a.To) < i {
					score += 2 * a.Weight * (2*float64(row[a.To]) - 1)
				}
			}
			if score > 0 || i == 0 && rng.IntN(2) == 0 || rng.IntN(6) == 0 {
				row[i] = 1
			}
		}
		truth = append(truth, row...)
		for _, v := range row {
			if rng.IntN(12) == 0 {
				v = 0
			}
			predicted = append(predicted, v)
		}
	}
	return truth, predicted
}

// margins returns margins around a mean.
func margins(n int, mean, spread float64) []float64 {
	rng := rand.New(rand.NewPCG(6, uint64(n)))
	values := make([]float64, n)
	for k := range values {
		values[k] = mean + spread*rng.NormFloat64()
	}
	return values
}

// xy is a line through points.
type xy struct{ x, y []float64 }

func (l xy) Len() int                { return len(l.x) }
func (l xy) XY(i int) (x, y float64) { return l.x[i], l.y[i] }

// selection returns the outcome of a cross-validation.
func selection() *crossval.Selection {
	s := &crossval.Selection{Method: "CRANK", Criterion: metrics.ExampleF1, Folds: 5, Best: 3, Chosen: 4}
	means := map[float64]float64{1e-4: 57.2, 3e-4: 58.9, 1e-3: 60.0, 3e-3: 60.4, 1e-2: 60.1, 3e-2: 55.1}
	for _, lambda := range []float64{1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2} {
		p := crossval.Point{Lambda: lambda}
		for _, d := range []float64{-1.1, -0.4, 0, 0.5, 1} {
			p.Folds = append(p.Folds, crankpkg.Scores{ExampleF1: means[lambda] + d})
		}
		s.Curve = append(s.Curve, p)
	}
	return s
}

// pairedDifferences returns those of several comparisons.
func pairedDifferences() (labels []string, differences []metrics.Difference) {
	labels = []string{"Full, 10 draws", "Greedy, 10 draws", "Project, 10 draws", "MST, 10 splits", "Chow-Liu, 10 draws", "Empty, 10 draws", "Empty, 3 draws"}
	differences = []metrics.Difference{
		{Mean: -0.42, Low: -1.31, High: 0.47, P: 0.314, N: 10, Test: "paired t"},
		{Mean: 0.18, Low: -0.55, High: 0.91, P: 0.589, N: 10, Test: "paired t"},
		{Mean: 1.87, Low: 0.92, High: 2.82, P: 0.0014, N: 10, Test: "paired t"},
		{Mean: 0.71, Low: -0.88, High: 2.3, P: 0.339, N: 10, Test: "corrected resampled t"},
		{Mean: -1.52, Low: -2.61, High: -0.43, P: 0.0115, N: 10, Test: "paired t"},
		{Mean: 4.31, Low: 3.29, High: 5.33, P: 0.0000063, N: 10, Test: "paired t"},
		{Mean: 4.05, Low: math.Inf(-1), High: math.Inf(1), P: 0.25, N: 3, Test: "sign flips"},
	}
	return labels, differences
}

// effects returns differences with intervals of one length.
func effects(means ...float64) []metrics.Difference {
	all := make([]metrics.Difference, len(means))
	for k, m := range means {
		all[k] = metrics.Difference{Mean: m, Low: m - 0.7, High: m + 0.7}
	}
	return all
}

// searchRun returns a search that gets better at some rate.
func searchRun(name string, seed uint64, rate float64) plotting.SearchRun {
	rng := rand.New(rand.NewPCG(seed, 14))
	run := plotting.SearchRun{Name: name}
	for k := 1; k <= 40; k++ {
		run.At = append(run.At, float64(k))
		run.Values = append(run.Values, 61-6*math.Exp(-rate*float64(k))-2*rng.ExpFloat64())
	}
	return run
}

// cells returns trainings of three methods by time and accuracy; the best of each has a name.
func cells() []plotting.ScatterGroup {
	rng := rand.New(rand.NewPCG(4, 14))
	var groups []plotting.ScatterGroup
	for k, method := range []string{"CRANK", "Full", "Empty"} {
		points, labels := xy{}, make([]string, 18)
		best := 0
		for i := range labels {
			points.x = append(points.x, math.Pow(10, []float64{0.2, 1, -0.8}[k]+0.25*rng.NormFloat64()))
			points.y = append(points.y, []float64{58.5, 59, 53}[k]+1.1*rng.NormFloat64())
			if points.y[i] > points.y[best] {
				best = i
			}
		}
		labels[best] = fmt.Sprintf("lambda %g", []float64{0.003, 0.001, 0.01}[k])
		groups = append(groups, plotting.ScatterGroup{Name: method, XYs: points, Labels: labels})
	}
	return groups
}
