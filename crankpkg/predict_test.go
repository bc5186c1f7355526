package crankpkg

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"sync"
	"testing"

	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"gonum.org/v1/gonum/floats"
)

// randomModel returns a model with random weights over the given edges.
func randomModel(n, d int, edges []Edge, rng *rand.Rand) *Model {
	m := &Model{
		Method: "random", Lambda: 0.1,
		FeatureNames: numberedNames("x", d), LabelNames: numberedNames("y", n),
		Unary: make([]float64, n*(d+1)), Edges: edges, Pair: make([]float64, len(edges)),
	}
	for k := range m.Unary {
		m.Unary[k] = rng.NormFloat64()
	}
	for k := range m.Pair {
		m.Pair[k] = 3 * rng.NormFloat64()
	}
	return m
}

func numberedNames(prefix string, count int) []string {
	names := make([]string, count)
	for k := range names {
		names[k] = fmt.Sprint(prefix, k)
	}
	return names
}

// randomRows returns the same rows, some of their values zero, one of the rows
// all zero, as a dense and as a sparse matrix.
func randomRows(rows, d int, rng *rand.Rand) (dense, sparse *Matrix) {
	sparse = feature.NewSparse(d)
	values := make([][]float64, rows)
	for m := range values {
		values[m] = make([]float64, d)
		var index []int32
		var stored []float64
		for k := range d {
			if m > 0 && rng.IntN(3) > 0 {
				values[m][k] = 2 + 3*rng.NormFloat64()
				index = append(index, int32(k))
				stored = append(stored, values[m][k])
			}
		}
		sparse.AppendSparse(index, stored)
	}
	return feature.NewDense(d, values), sparse
}

// scalings returns a scaler of each kind fitted to the rows.
func scalings(t *testing.T, x *Matrix) []Scaler {
	var all []Scaler
	y := make([]uint8, x.NumRows)
	for m := range y {
		y[m] = uint8(m % 2)
	}
	for _, kind := range feature.Scalings() {
		s, err := feature.FitScalerTo(kind, x, y)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	return all
}

// scoreByDefinition scales the row and applies the formula of the model.
func scoreByDefinition(m *Model, scaled Row, y []uint8) float64 {
	var score float64
	for i := range y {
		w := m.UnaryWeights(i)
		score += float64(y[i]) * (scaled.Dot(w) + w[len(w)-1])
	}
	for k, e := range m.Edges {
		score += m.Pair[k] * float64(y[e.I]) * float64(y[e.J])
	}
	return score
}

func TestScoreAgainstDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 1))
	const n, d = 5, 7
	dense, sparse := randomRows(12, d, rng)
	m := randomModel(n, d, labelgraph.AllPairs(n)[:4], rng)
	for _, fitted := range []*Matrix{dense, sparse} {
		for _, m.Scaler = range scalings(t, fitted) {
			for _, x := range []*Matrix{dense, sparse} {
				scaled := m.Scaler.Apply(x)
				for r := range x.NumRows {
					y := testkit.RandomLabels(rng, n)
					y[rng.IntN(n)] = 1
					got, want := m.Score(x.Row(r), y), scoreByDefinition(m, scaled.Row(r), y)
					if !(math.Abs(got-want) <= 1e-10*(1+math.Abs(want))) {
						t.Fatalf("scaling %q, row %d: score %v, want %v", m.Scaler.Kind, r, got, want)
					}
				}
			}
		}
	}
}

// TestPredictForestIsBest compares the score of the prediction with that of
// all labelings.
func TestPredictForestIsBest(t *testing.T) {
	rng := rand.New(rand.NewPCG(32, 1))
	for round := range 60 {
		n, d := 1+rng.IntN(8), rng.IntN(6)
		m := randomModel(n, d, testkit.RandomForest(n, rng.Float64()*1.3, rng), rng)
		dense, sparse := randomRows(10, d, rng)
		m.Scaler = scalings(t, dense)[round%4]
		scaled := m.Scaler.Apply(dense)
		p := m.Predictor()
		for r := range dense.NumRows {
			best, y := math.Inf(-1), make([]uint8, n)
			for code := range 1 << n {
				for i := range y {
					y[i] = uint8(code >> i & 1)
				}
				best = max(best, scoreByDefinition(m, scaled.Row(r), y))
			}
			for _, x := range []Row{dense.Row(r), sparse.Row(r)} {
				p.PredictTo(y, x)
				if got := scoreByDefinition(m, scaled.Row(r), y); got < best-1e-10*(1+math.Abs(best)) {
					t.Fatalf("n = %d, edges %v: predicted %v of score %v, the best score is %v", n, m.Edges, y, got, best)
				}
			}
		}
	}
}

// TestPredictorAgreesWithTreeOracle includes ties: integral scores.
func TestPredictorAgreesWithTreeOracle(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 1))
	for range 200 {
		n := 1 + rng.IntN(10)
		m := randomModel(n, 0, testkit.RandomForest(n, rng.Float64()*1.3, rng), rng)
		for _, w := range [][]float64{m.Unary, m.Pair} {
			for k := range w {
				w[k] = float64(rng.IntN(5) - 2)
			}
		}
		want := make(Labeling, n)
		infer.NewTreeOracle(m.Graph()).Maximize(want, m.Unary)
		for i, v := range m.Predict(Row{}) {
			if 2*v != want[i] {
				t.Fatalf("unary %v, edges %v, %v: predicted %v, the oracle's labeling is %v", m.Unary, m.Edges, m.Pair, m.Predict(Row{}), want)
			}
		}
	}
}

// TestPredictRoundsHalves has two problems whose relaxation is best with every
// label at one half, which unary scores then decide.
func TestPredictRoundsHalves(t *testing.T) {
	for _, test := range []struct {
		c, w []float64 // pairs (0,1), (0,2), (1,2)
		want []uint8
	}{
		// At one half each: 3/2; the best labeling has one label on: 1.
		{[]float64{1, 1, 1}, []float64{-1.5, -1.5, -1.5}, []uint8{1, 1, 1}},
		// At one half each: -1 + 3/2 + 3/2; the best labeling (1,1,0): 1.1.
		{[]float64{-2, 0.1, -0.1}, []float64{3, 3, -3}, []uint8{0, 1, 0}},
	} {
		m := &Model{LabelNames: numberedNames("y", 3), Unary: test.c, Edges: labelgraph.AllPairs(3), Pair: test.w}
		if got := m.Predict(Row{}); !slices.Equal(got, test.want) {
			t.Errorf("unary %v, pairs %v: predicted %v, want %v", test.c, test.w, got, test.want)
		}
	}
}

// TestPredictWithCycles compares with the best of all labelings wherever the
// relaxation is integral, and so exact.
func TestPredictWithCycles(t *testing.T) {
	rng := rand.New(rand.NewPCG(44, 1))
	integral, rows := 0, 0
	for range 40 {
		n, d := 3+rng.IntN(5), 1+rng.IntN(4)
		m := randomModel(n, d, labelgraph.AllPairs(n), rng)
		floats.Scale(0.2, m.Pair)
		dense, sparse := randomRows(20, d, rng)
		p := m.Predictor()
		all := p.PredictAll(dense)
		for r := range dense.NumRows {
			c := m.Scores(dense.Row(r))
			y := p.Predict(dense.Row(r))
			if !slices.Equal(y, p.Predict(sparse.Row(r))) || !slices.Equal(y, all[r*n:(r+1)*n]) {
				t.Fatal("a dense row, a sparse row and a batch are predicted differently")
			}
			rows++
			relaxed := make(Labeling, n)
			if infer.NewLPOracle(m.Graph()).Maximize(relaxed, c); !relaxed.IsIntegral() {
				continue
			}
			integral++
			best, g := math.Inf(-1), m.Graph()
			for _, labeling := range infer.AllLabelings(n) {
				best = max(best, labeling.Value(g, c))
			}
			if got := m.Score(dense.Row(r), y); !(math.Abs(got-best) <= 1e-10*(1+math.Abs(best))) {
				t.Fatalf("predicted %v of score %v, the best score is %v", y, got, best)
			}
		}
	}
	if integral < rows/2 || integral == rows {
		t.Errorf("%d of %d relaxations are integral: the test needs both kinds", integral, rows)
	}
}

func TestPredictAllIsPredict(t *testing.T) {
	rng := rand.New(rand.NewPCG(34, 1))
	for _, n := range []int{1, 6, 14, 37} {
		const d = 9
		rows := 3*batchRows + 7
		dense, sparse := randomRows(rows, d, rng)
		m := randomModel(n, d, labelgraph.RandomTree(n, rng), rng)
		for _, m.Scaler = range scalings(t, dense) {
			p := m.Predictor()
			for _, x := range []*Matrix{dense, sparse} {
				want := make([]uint8, 0, rows*n)
				for r := range rows {
					want = append(want, p.Predict(x.Row(r))...)
				}
				got := make([]uint8, rows*n)
				for _, workers := range []int{0, 1, 2, 7} {
					clear(got)
					if p.PredictAllTo(got, x, workers); !slices.Equal(got, want) {
						t.Fatalf("n = %d, %d workers, scaling %q: a batch predicts otherwise than single rows", n, workers, m.Scaler.Kind)
					}
				}
			}
		}
	}
}

func TestPredictorConcurrently(t *testing.T) {
	rng := rand.New(rand.NewPCG(35, 1))
	const n, d, rows = 8, 5, 40
	dense, sparse := randomRows(rows, d, rng)
	m := randomModel(n, d, labelgraph.RandomTree(n, rng), rng)
	want := m.PredictAll(dense)
	p := m.Predictor()
	var wg sync.WaitGroup
	for g := range 8 {
		x := []*Matrix{dense, sparse}[g%2]
		wg.Go(func() {
			for r := range rows {
				if got := p.Predict(x.Row(r)); !slices.Equal(got, want[r*n:(r+1)*n]) {
					t.Errorf("row %d: %v, want %v", r, got, want[r*n:(r+1)*n])
				}
			}
		})
	}
	wg.Wait()
}

// TestPredictorIsFrozen changes the model after the predictor was made.
func TestPredictorIsFrozen(t *testing.T) {
	rng := rand.New(rand.NewPCG(36, 1))
	const n, d = 6, 4
	dense, sparse := randomRows(30, d, rng)
	m := randomModel(n, d, labelgraph.RandomTree(n, rng), rng)
	p := m.Predictor()
	want := p.PredictAll(dense)
	clear(m.Unary)
	clear(m.Pair)
	m.LabelNames[0] = "changed"
	for _, x := range []*Matrix{dense, sparse} {
		if !slices.Equal(p.PredictAll(x), want) {
			t.Error("the predictor sees a later change of its model")
		}
	}
}

func TestPredictLabels(t *testing.T) {
	m := &Model{LabelNames: []string{"sea", "sky", "city"}, FeatureNames: []string{"blue"}, Unary: []float64{1, 0, 1, 0, -1, 0}}
	if got, want := m.PredictLabels(Row{Value: []float64{2}}), []string{"sea", "sky"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := m.PredictLabels(Row{Value: []float64{0}}); got != nil {
		t.Errorf("got %v, want none: ties go to 0", got)
	}
}

func TestPredictorPanics(t *testing.T) {
	rng := rand.New(rand.NewPCG(37, 1))
	m := randomModel(3, 2, nil, rng)
	p := m.Predictor()
	y := make([]uint8, 3)
	for name, f := range map[string]func(){
		"short row":           func() { p.PredictTo(y, Row{Value: []float64{1}}) },
		"sparse out of range": func() { p.PredictTo(y, Row{Index: []int32{2}, Value: []float64{1}}) },
		"short labels":        func() { p.PredictTo(y[:2], Row{}) },
		"long labels":         func() { p.PredictTo(make([]uint8, 4), Row{}) },
		"short scores":        func() { p.ScoresTo(make([]float64, 2), Row{}) },
		"features of a batch": func() { p.PredictAll(feature.NewSparse(3)) },
		"size of a batch":     func() { p.PredictAllTo(y, feature.NewSparse(2), 1) },
		"labels of a score":   func() { m.Score(Row{}, y[:1]) },
		"broken model":        func() { (&Model{LabelNames: []string{"a"}}).Predictor() },
		"labels of test data": func() { Evaluate(m, &Dataset{LabelNames: []string{"a"}, X: feature.NewSparse(2)}) },
	} {
		if !testkit.Panics(f) {
			t.Errorf("%s: no panic", name)
		}
	}
}

func TestPredictorAllocatesNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("under the race detector sync.Pool drops items at random")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a collection empties sync.Pool
	rng := rand.New(rand.NewPCG(38, 1))
	const n, d = 14, 103
	dense, sparse := randomRows(70, d, rng)
	p := randomModel(n, d, labelgraph.RandomTree(n, rng), rng).Predictor()
	cyclic := randomModel(n, d, labelgraph.AllPairs(n), rng).Predictor()
	y := make([]uint8, n)
	all := make([]uint8, 70*n)
	for name, f := range map[string]func(){
		"dense row":    func() { p.PredictTo(y, dense.Row(1)) },
		"sparse row":   func() { p.PredictTo(y, sparse.Row(1)) },
		"dense batch":  func() { p.PredictAllTo(all, dense, 1) },
		"sparse batch": func() { p.PredictAllTo(all, sparse, 1) },
		"with cycles":  func() { cyclic.PredictAllTo(all, dense, 1) },
	} {
		f()
		if a := testing.AllocsPerRun(50, f); a != 0 {
			t.Errorf("%s: %v allocations", name, a)
		}
	}
}

func TestEvaluate(t *testing.T) {
	rng := rand.New(rand.NewPCG(39, 1))
	const n, d, rows = 4, 3, 50
	dense, _ := randomRows(rows, d, rng)
	m := randomModel(n, d, labelgraph.RandomTree(n, rng), rng)
	test := &Dataset{LabelNames: m.LabelNames, FeatureNames: m.FeatureNames, X: dense, Y: m.PredictAll(dense)}
	if got, want := Evaluate(m, test), (Scores{HammingAccuracy: 100, SubsetAccuracy: 100, ExampleF1: 100, MicroF1: 100, MacroF1: 100}); got != want {
		t.Errorf("a model against its own predictions: %v", got)
	}
	test.Y[0] ^= 1
	if got, want := Evaluate(m, test).HammingAccuracy, 100*(1-1./(n*rows)); !testkit.Near(got, want, 1e-12) {
		t.Errorf("one label wrong: Hamming %v, want %v", got, want)
	}
}

func ExampleModel_Predictor() {
	// Label 1 has no evidence of its own; it follows label 0.
	m := &Model{
		FeatureNames: []string{"blue"}, LabelNames: []string{"sea", "beach"},
		Unary: []float64{1, 0, 0, -1}, Edges: []Edge{{I: 0, J: 1}}, Pair: []float64{1.5},
	}
	p := m.Predictor()
	y := make([]uint8, p.NumLabels())
	for _, blue := range []float64{-1, 1} {
		p.PredictTo(y, Row{Value: []float64{blue}})
		fmt.Println(y, p.PredictLabels(Row{Value: []float64{blue}}))
	}
	// Output:
	// [0 0] []
	// [1 1] [sea beach]
}

// TestPredictRoundsHalvesByDefinition draws graphs with cycles and whole scores,
// so that labels at one half have scores of either sign and of zero: only a
// positive one rounds up.
func TestPredictRoundsHalvesByDefinition(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(46, 1))
	seen := make(map[string]int) // halves by the sign of their scores
	for range 300 {
		n := 3 + rng.IntN(4)
		m := randomModel(n, 0, labelgraph.AllPairs(n), rng)
		for i := range m.Unary {
			m.Unary[i] = float64(rng.IntN(3) - 1)
		}
		for k := range m.Pair {
			m.Pair[k] = float64(4*rng.IntN(2) - 2)
		}
		relaxed := make(Labeling, n)
		infer.NewLPOracle(m.Graph()).Maximize(relaxed, m.Unary)
		want := make([]uint8, n)
		for i, v := range relaxed {
			switch c := m.Unary[i]; {
			case v == infer.On:
				want[i] = 1
			case v == infer.Half && c > 0:
				want[i] = 1
				seen["positive"]++
			case v == infer.Half && c == 0:
				seen["zero"]++
			case v == infer.Half:
				seen["negative"]++
			}
		}
		if got := m.Predict(Row{}); !slices.Equal(got, want) {
			t.Fatalf("unary %v, pairs %v: predicted %v, the relaxation has %v", m.Unary, m.Pair, got, relaxed)
		}
	}
	if len(seen) != 3 {
		t.Errorf("halves by the sign of their scores: %v: the test needs all", seen)
	}
}
