package crankpkg

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/crank-ml/crank/crankpkg/envelope"
	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"gonum.org/v1/gonum/floats"
)

// randomObjective returns a problem of few examples, dense or sparse rows.
func randomObjective(rng *rand.Rand, examples, d, n int, sparse bool) *Objective {
	x, y := testkit.RandomExamples(rng, examples, d, n, sparse)
	ds := &Dataset{Name: "random", FeatureNames: numberedNames("x", d), LabelNames: numberedNames("y", n), X: x, Y: y}
	return NewObjective(ds, Scaler{}, 0.05+rng.Float64())
}

// randomPenalty gives o a random beta and v.
func randomPenalty(rng *rand.Rand, o *Objective) {
	o.Beta = rng.Float64()
	o.V = make([]float64, labelgraph.NumPairs(o.data.NumLabels()))
	for k := range o.V {
		o.V[k] = float64(rng.IntN(3) - 1)
	}
}

// hingeByEnumeration follows eq. (1): the maximum is over all 2^n labelings.
func hingeByEnumeration(m *Model, x Row, truth []uint8) float64 {
	y, best := make([]uint8, len(truth)), math.Inf(-1)
	for code := range 1 << len(truth) {
		for i := range y {
			y[i] = uint8(code >> i & 1)
		}
		best = max(best, scoreByDefinition(m, x, y)+float64(infer.HammingLoss(y, truth)))
	}
	return best - scoreByDefinition(m, x, truth)
}

func TestHingesAgainstEnumeration(t *testing.T) {
	rng := rand.New(rand.NewPCG(51, 1))
	above := 0
	for round := range 60 {
		n, d := 2+rng.IntN(5), 1+rng.IntN(3)
		o := randomObjective(rng, 8, d, n, round%2 == 0)
		edges := testkit.RandomForest(n, 0.9, rng)
		if round%3 == 0 {
			edges = labelgraph.AllPairs(n)
		}
		m := randomModel(n, d, edges, rng)
		for k, got := range o.Hinges(m) {
			want := hingeByEnumeration(m, o.data.Row(k), o.data.Labels(k))
			switch {
			case got < -1e-9 || got < want-1e-9:
				t.Fatalf("hinge %v, by enumeration %v", got, want)
			case got > want+1e-9 && labelgraph.IsForest(n, edges):
				t.Fatalf("hinge %v on a forest, by enumeration %v", got, want)
			case got > want+1e-9:
				above++
			}
		}
	}
	if above == 0 {
		t.Error("no relaxation was above the hinge: the test has no cycle that matters")
	}
}

func TestPrimalAgainstDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(52, 1))
	for range 30 {
		const n, d = 4, 3
		o := randomObjective(rng, 6, d, n, false)
		randomPenalty(rng, o)
		m := randomModel(n, d, labelgraph.RandomTree(n, rng), rng)
		m.Lambda = 99 // the model's own lambda must not matter
		var loss, squares, linear float64
		for k := range o.data.Len() {
			loss += hingeByEnumeration(m, o.data.Row(k), o.data.Labels(k)) / 6
		}
		for _, w := range [][]float64{m.Unary, m.Pair} {
			for _, x := range w {
				squares += x * x
			}
		}
		loss += o.Lambda / 2 * squares
		for k, e := range m.Edges {
			linear += math.Abs(m.Pair[k]) - o.V[e.Index()]*m.Pair[k]
		}
		if got := o.Loss(m); !testkit.Near(got, loss, 1e-12) {
			t.Fatalf("l(w) = %v, want %v", got, loss)
		}
		if got, want := o.Primal(m), loss+o.Beta*linear; !testkit.Near(got, want, 1e-12) {
			t.Fatalf("h(w) = %v, want %v", got, want)
		}
		if got := o.Regularized(m); got != o.Loss(m) {
			t.Fatalf("l + beta f = %v on a forest, l = %v", got, loss)
		}
	}
}

// TestLinearizationIsAbove checks what CCCP rests on: with v a subgradient of
// f2 at w^t, h^t(w) is at least l + beta f, with equality at w^t.
func TestLinearizationIsAbove(t *testing.T) {
	rng := rand.New(rand.NewPCG(53, 1))
	for range 40 {
		n, d := 3+rng.IntN(3), 2
		o := randomObjective(rng, 5, d, n, false)
		at := randomModel(n, d, labelgraph.AllPairs(n), rng)
		o.Beta, o.V = rng.Float64(), make([]float64, labelgraph.NumPairs(n))
		var r envelope.Regularizer
		r.SubgradientTo(o.V, n, at.Edges, at.Pair)
		if h, f := o.Primal(at), o.Regularized(at); !testkit.Near(h, f, 1e-12) {
			t.Fatalf("h(w^t) = %v, l + beta f = %v", h, f)
		}
		other := randomModel(n, d, labelgraph.AllPairs(n), rng)
		if h, f := o.Primal(other), o.Regularized(other); h < f-1e-12*f {
			t.Fatalf("h(w) = %v is below l + beta f = %v", h, f)
		}
	}
}

func TestHingesDoNotDependOnWorkers(t *testing.T) {
	rng := rand.New(rand.NewPCG(54, 1))
	o := randomObjective(rng, 200, 3, 5, true)
	m := randomModel(5, 3, labelgraph.AllPairs(5), rng)
	o.Workers = 1
	want := o.Primal(m)
	for _, o.Workers = range []int{0, 2, 7} {
		if got := o.Primal(m); got != want {
			t.Errorf("%d workers: %v, one worker: %v", o.Workers, got, want)
		}
	}
}

func TestPrimalScalesRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(55, 1))
	o := randomObjective(rng, 20, 3, 4, false)
	m := randomModel(4, 3, labelgraph.RandomTree(4, rng), rng)
	for _, m.Scaler = range scalings(t, o.data.X) {
		scaled := *o.data
		scaled.X = m.Scaler.Apply(o.data.X)
		if got, want := Primal(o.data, m, 0.3), NewObjective(&scaled, Scaler{}, 0.3).Loss(m); got != want {
			t.Errorf("scaling %q: %v, want %v", m.Scaler.Kind, got, want)
		}
	}
}

// randomDualPoint returns a valid point with labels at one half among its
// labelings.
func randomDualPoint(rng *rand.Rand, examples, n int) DualPoint {
	mu := make(DualPoint, examples)
	for m := range mu {
		var total float64
		for range 1 + rng.IntN(3) {
			a := DualAtom{Y: make(Labeling, n), Weight: rng.Float64()}
			for i := range a.Y {
				a.Y[i] = uint8(rng.IntN(3))
			}
			for _, e := range labelgraph.AllPairs(n) {
				if a.Y[e.I] == infer.Half && a.Y[e.J] == infer.Half && rng.IntN(2) == 0 {
					a.HalfPairs = append(a.HalfPairs, e)
				}
			}
			total += a.Weight
			mu[m] = append(mu[m], a)
		}
		for k := range mu[m] {
			mu[m][k].Weight /= total
		}
	}
	return mu
}

// halves returns y_ij of an atom, in halves.
func halves(a *DualAtom, e Edge) uint8 {
	for _, half := range a.HalfPairs {
		if half == e {
			return 1
		}
	}
	return infer.PairHalves(a.Y[e.I], a.Y[e.J], -1)
}

// valueAt returns Delta(mu_m, y^m) + w . [phi(x^m, mu_m) - phi(x^m, y^m)].
func valueAt(mu DualPoint, ds *Dataset, m *Model, k int) float64 {
	x, truth := ds.Row(k), ds.Labels(k)
	var value float64
	for _, a := range mu[k] {
		for i, v := range a.Y {
			diff := float64(v)/2 - float64(truth[i])
			value += a.Weight * (math.Abs(diff) + diff*(x.Dot(m.UnaryWeights(i))+m.Bias(i)))
		}
		for q, e := range m.Edges {
			value += a.Weight * m.Pair[q] * (float64(halves(&a, e))/2 - float64(truth[e.I]*truth[e.J]))
		}
	}
	return value
}

// TestDualIsTheMinimum holds the closed form of D(mu) and w(u) against what
// they stand for: D(mu) = min_w r(w) + (1/M) sum_m [the value at mu_m], where
// r collects the terms without data.
func TestDualIsTheMinimum(t *testing.T) {
	rng := rand.New(rand.NewPCG(56, 1))
	for round := range 40 {
		n, d, examples := 2+rng.IntN(4), 2, 5
		o := randomObjective(rng, examples, d, n, round%2 == 0)
		if round%4 > 0 {
			randomPenalty(rng, o)
			o.Beta *= 0.1
		}
		if round%3 == 0 {
			o.Edges = labelgraph.RandomTree(n, rng)
		}
		mu := randomDualPoint(rng, examples, n)
		dual, w := o.Dual(mu)
		lagrangian := func(m *Model) float64 {
			var hinges, atMu float64
			for _, h := range o.Hinges(m) {
				hinges += h / float64(examples)
			}
			for k := range mu {
				atMu += valueAt(mu, o.data, m, k) / float64(examples)
			}
			return o.Primal(m) - hinges + atMu
		}
		if got := lagrangian(w); !(math.Abs(got-dual) <= 1e-10*(1+math.Abs(dual))) {
			t.Fatalf("D(mu) = %v, the Lagrangian at w(u) is %v", dual, got)
		}
		edges := o.Edges
		if edges == nil {
			edges = labelgraph.AllPairs(n)
		}
		for range 20 {
			other := randomModel(n, d, edges, rng)
			scale := math.Exp(2 * rng.NormFloat64())
			floats.AddScaledTo(other.Unary, w.Unary, scale, other.Unary)
			for k, e := range other.Edges {
				other.Pair[k] = scale*other.Pair[k] + infer.NewPairGraph(n, w.Edges, w.Pair).Weight(e)
			}
			if got := lagrangian(other); got < dual-1e-10*(1+math.Abs(dual)) {
				t.Fatalf("the Lagrangian is %v at some w, below D(mu) = %v", got, dual)
			}
			if got := o.Primal(other); got < dual-1e-10*(1+math.Abs(dual)) {
				t.Fatalf("the primal %v is below the dual %v", got, dual)
			}
		}
	}
}

// TestBlockGapsAddUp checks sum_m gap_m = primal - dual at w(u), where gap_m is
// what the maximizer is worth more than mu_m, divided by M.
func TestBlockGapsAddUp(t *testing.T) {
	rng := rand.New(rand.NewPCG(57, 1))
	for round := range 40 {
		n, examples := 2+rng.IntN(4), 6
		o := randomObjective(rng, examples, 2, n, false)
		if round%2 == 0 {
			randomPenalty(rng, o)
			o.Beta *= 0.1
		}
		mu := randomDualPoint(rng, examples, n)
		dual, w := o.Dual(mu)
		var gaps float64
		for k, h := range o.Hinges(w) {
			gap := (h - valueAt(mu, o.data, w, k)) / float64(examples)
			if gap < -1e-10 {
				t.Fatalf("example %d: gap %v", k, gap)
			}
			gaps += gap
		}
		if primal := o.Primal(w); !(math.Abs(primal-dual-gaps) <= 1e-10*(1+math.Abs(primal))) {
			t.Fatalf("primal %v - dual %v, but the gaps add up to %v", primal, dual, gaps)
		}
	}
}

func TestDualPointValidate(t *testing.T) {
	good := func() DualPoint {
		return DualPoint{{
			{Y: Labeling{infer.Off, infer.On, infer.Half, infer.Half}, HalfPairs: []Edge{{I: 2, J: 3}}, Weight: 0.25},
			{Y: Labeling{infer.On, infer.On, infer.Off, infer.Off}, Weight: 0.75},
		}}
	}
	if err := good().Validate(1, 4); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(a *DualAtom){
		"too short":             func(a *DualAtom) { a.Y = a.Y[:3] },
		"more than one":         func(a *DualAtom) { a.Y[0] = 3 },
		"negative weight":       func(a *DualAtom) { a.Weight = -0.25 },
		"NaN":                   func(a *DualAtom) { a.Weight = math.NaN() },
		"weights not one":       func(a *DualAtom) { a.Weight = 0.3 },
		"integral end":          func(a *DualAtom) { a.HalfPairs[0] = Edge{I: 1, J: 2} },
		"pair twice":            func(a *DualAtom) { a.HalfPairs = []Edge{{I: 2, J: 3}, {I: 2, J: 3}} },
		"pair of one label":     func(a *DualAtom) { a.HalfPairs[0] = Edge{I: 2, J: 2} },
		"pair the wrong way up": func(a *DualAtom) { a.HalfPairs[0] = Edge{I: 3, J: 2} },
		"pair out of range":     func(a *DualAtom) { a.HalfPairs[0] = Edge{I: 2, J: 4} },
	} {
		mu := good()
		spoil(&mu[0][0])
		if err := mu.Validate(1, 4); !errors.Is(err, ErrData) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if err := good().Validate(2, 4); !errors.Is(err, ErrData) {
		t.Errorf("an example is missing: error %v", err)
	}
	// Atoms are points of the local polytope whatever the halves are.
	for _, mu := range randomDualPoint(rand.New(rand.NewPCG(58, 1)), 100, 5) {
		for _, a := range mu {
			for _, e := range labelgraph.AllPairs(5) {
				yi, yj, yij := a.Y[e.I], a.Y[e.J], halves(&a, e)
				if yij > min(yi, yj) || int(yij) < int(yi)+int(yj)-2 {
					t.Fatalf("y_ij = %d halves between %d and %d", yij, yi, yj)
				}
			}
		}
	}
}

// TestTracesAgainstObjective holds what the methods report to the definition
// of l(w) at the model that they return.
func TestTracesAgainstObjective(t *testing.T) {
	rng := rand.New(rand.NewPCG(60, 1))
	o := randomObjective(rng, 60, 3, 5, false)
	o.data.X.Value[7] = 30 // so that scaling matters
	for _, scaling := range []Scaling{NoScaling, ZScore, UnitRows} {
		set := Settings{Gap: 1e-3, Scaling: scaling, Workers: 1}
		for _, method := range []Trainer{
			Empty{Lambda: 0.05, Settings: set}, Full{Lambda: 0.05, Settings: set}, CRANK{Lambda: 0.05, Settings: set, Restarts: 2},
			Greedy{Lambda: 0.05, Settings: set}, MST{Lambda: 0.05, Settings: set}, ChowLiu{Lambda: 0.05, Settings: set}, Project{Lambda: 0.05, Settings: set},
		} {
			m, trace, err := method.Train(context.Background(), o.data)
			if err != nil {
				t.Fatalf("%s: %v", method.Name(), err)
			}
			if primal := Primal(o.data, m, 0.05); !testkit.Near(primal, trace.Primal, 1e-9) {
				t.Errorf("%s, scaling %q: reports a primal of %v, by definition it is %v", method.Name(), scaling, trace.Primal, primal)
			}
		}
	}
}

func ExamplePrimal() {
	ds := &Dataset{
		Name: "two points", FeatureNames: []string{"x"}, LabelNames: []string{"positive"},
		X: feature.NewDense(1, [][]float64{{-1}, {1}}), Y: []uint8{0, 1},
	}
	for _, w := range []float64{0, 0.5, 1, 2} {
		m := &Model{FeatureNames: ds.FeatureNames, LabelNames: ds.LabelNames, Unary: []float64{w, 0}}
		fmt.Println(w, Primal(ds, m, 0.1))
	}
	// Output:
	// 0 1
	// 0.5 0.5125
	// 1 0.05
	// 2 0.2
}

// TestPrimalOfVectorsAgainstDefinition is TestPrimalAgainstDefinition with
// features on the edges: w_ij and v_ij are vectors.
func TestPrimalOfVectorsAgainstDefinition(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(61, 1))
	for round := range 30 {
		const n, d, examples = 4, 3, 6
		o := randomObjective(rng, examples, d, n, round%2 == 0)
		f, err := []EdgeFeatures{{All: true}, {Columns: []int{1}, Scale: 0.3}, {Columns: []int{0, 2}}}[round%3].Resolve(d)
		if err != nil {
			t.Fatal(err)
		}
		k := f.Size()
		o.Beta, o.V = rng.Float64(), make([]float64, labelgraph.NumPairs(n)*k)
		for e := range o.V {
			o.V[e] = 2*rng.Float64() - 1
		}
		m := randomModel(n, d, labelgraph.RandomTree(n, rng), rng)
		m.EdgeFeatures = f
		for range len(m.Edges) * (k - 1) {
			m.PairFeatures = append(m.PairFeatures, rng.NormFloat64())
		}
		var loss, linear float64
		for q := range o.data.Len() {
			at := *m // the model with the scalars that the vectors are at this row
			at.Pair = make([]float64, len(m.Edges))
			x := Row{Value: make([]float64, d)}
			o.data.Row(q).AddScaledTo(x.Value, 1)
			for e := range m.Edges {
				at.Pair[e] = m.Pair[e]
				for p, column := range f.Columns {
					at.Pair[e] += m.PairFeatures[e*(k-1)+p] * f.Scale * x.Value[column]
				}
			}
			loss += hingeByEnumeration(&at, x, o.data.Labels(q)) / examples
		}
		for _, w := range [][]float64{m.Unary, m.Pair, m.PairFeatures} {
			for _, v := range w {
				loss += o.Lambda / 2 * v * v
			}
		}
		for q, e := range m.Edges {
			w := append([]float64{m.Pair[q]}, m.PairFeatures[q*(k-1):(q+1)*(k-1)]...)
			for p, v := range w {
				linear += math.Abs(v) - o.V[e.Index()*k+p]*v
			}
		}
		if got := o.Loss(m); !testkit.Near(got, loss, 1e-12) {
			t.Fatalf("%+v: l(w) = %v, want %v", f, got, loss)
		}
		if got, want := o.Primal(m), loss+o.Beta*linear; !testkit.Near(got, want, 1e-12) {
			t.Fatalf("%+v: h(w) = %v, want %v", f, got, want)
		}
	}
}
