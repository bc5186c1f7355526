package crankpkg

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// labelingsOf returns every labeling that m can predict and what to add to its score.
func labelingsOf(m *Model) (labelings [][]uint8, extra []float64) {
	n := m.NumLabels()
	if len(m.LabelingScores) > 0 {
		for y := range slices.Chunk(m.Labelings, n) {
			labelings = append(labelings, y)
		}
		return labelings, m.LabelingScores
	}
	for code := range 1 << n {
		y := make([]uint8, n)
		for i := range y {
			y[i] = uint8(code >> i & 1)
		}
		if onePerGroup(y, m.Groups) {
			labelings = append(labelings, y)
		}
	}
	return labelings, make([]float64, len(labelings))
}

func onePerGroup(y []uint8, groups []int) bool {
	for _, size := range groups {
		on := 0
		for _, v := range y[:size] {
			on += int(v)
		}
		if on != 1 {
			return false
		}
		y = y[size:]
	}
	return true
}

// marginsByDefinition looks at every labeling that m can predict.
func marginsByDefinition(m *Model, x Row) []float64 {
	n := m.NumLabels()
	best := [2][]float64{make([]float64, n), make([]float64, n)}
	for i := range n {
		best[0][i], best[1][i] = math.Inf(-1), math.Inf(-1)
	}
	labelings, extra := labelingsOf(m)
	for k, y := range labelings {
		score := m.Score(x, y) + extra[k]
		for i, v := range y {
			best[v][i] = max(best[v][i], score)
		}
	}
	margins := make([]float64, n)
	for i := range margins {
		margins[i] = best[1][i] - best[0][i]
	}
	return margins
}

// TestMarginsAgainstDefinition takes models of all kinds: the margins of one row, of a
// batch, and of the form that returns errors are those of the definition where they are
// said to be exact.
func TestMarginsAgainstDefinition(t *testing.T) {
	t.Parallel()
	free, test := planted(t, 5, 25, 6)
	seen := Settings{Powerset: LabelPowerset{Only: true, Prior: 0.4}}
	for name, c := range map[string]struct {
		method Trainer
		groups bool
	}{
		"no pairs":              {Empty{Lambda: 0.01}, false},
		"tree":                  {CRANK{Lambda: 0.01, Restarts: 2}, false},
		"cycles":                {Full{Lambda: 0.01}, false},
		"edge features":         {CRANK{Lambda: 0.01, Restarts: 2, Settings: Settings{EdgeFeatures: EdgeFeatures{All: true}}}, false},
		"cycles, edge features": {Full{Lambda: 0.01, Settings: Settings{EdgeFeatures: EdgeFeatures{All: true}}}, false},
		"Fourier":               {CRANK{Lambda: 0.01, Restarts: 2, Settings: Settings{Fourier: FourierFeatures{Count: 10}}}, false},
		"seen labelings":        {CRANK{Lambda: 0.01, Restarts: 2, Settings: seen}, false},
		"groups":                {CRANK{Lambda: 0.01, Restarts: 2}, true},
		"groups, edge features": {CRANK{Lambda: 0.01, Restarts: 2, Settings: Settings{EdgeFeatures: EdgeFeatures{All: true}}}, true},
		"groups with cycles":    {Full{Lambda: 0.01}, true},
	} {
		train, x := free, test.X.Subset([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19})
		if c.groups {
			train, x = grouped(60, 1), grouped(20, 2).X
		}
		m, _, err := c.method.Train(context.Background(), train)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		checkMargins(t, name, m, x)
	}
}

func checkMargins(t *testing.T, name string, m *Model, x *Matrix) {
	t.Helper()
	p, n, certain := m.Predictor(), m.NumLabels(), 0
	all, err := p.MarginsRows(x)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if batch := p.MarginsAll(x); !slices.Equal(batch, all) {
		t.Fatalf("%s: the margins of a batch differ from those of checked rows", name)
	}
	got := make([]float64, n)
	for k := range x.NumRows {
		exact := p.MarginsTo(got, x.Row(k))
		if !slices.Equal(got, all[k*n:(k+1)*n]) || !slices.Equal(got, p.Margins(x.Row(k))) {
			t.Fatalf("%s: row %d: %v alone, %v in a batch", name, k, got, all[k*n:(k+1)*n])
		}
		if !exact {
			continue
		}
		certain++
		for i, want := range marginsByDefinition(m, x.Row(k)) {
			if got[i] != want && math.Abs(got[i]-want) > 1e-6*(1+math.Abs(want)) { // equal infinities have no difference
				t.Fatalf("%s: row %d, label %d: margin %v, want %v", name, k, i, got[i], want)
			}
		}
	}
	if certain < x.NumRows/2 {
		t.Errorf("%s: only %d of %d rows have certain margins", name, certain, x.NumRows)
	}
}

// TestMarginsOfNarrowLabelings has labels that all labelings agree on.
func TestMarginsOfNarrowLabelings(t *testing.T) {
	m := randomModel(3, 2, nil, rand.New(rand.NewPCG(41, 1)))
	m.Labelings, m.LabelingScores = []uint8{1, 0, 1 /**/, 1, 0, 0}, []float64{0, 0}
	got := m.Predictor().Margins(Row{Value: []float64{1, 2}})
	want := m.Scores(Row{Value: []float64{1, 2}})[2]
	if !math.IsInf(got[0], 1) || !math.IsInf(got[1], -1) || math.Abs(got[2]-want) > 1e-12 {
		t.Errorf("margins %v, want +Inf, -Inf and %v", got, want)
	}
}

// TestMarginsAgreeWithInfer has forests of many labels, with ties.
func TestMarginsAgreeWithInfer(t *testing.T) {
	rng := rand.New(rand.NewPCG(42, 1))
	for range 100 {
		n := 1 + rng.IntN(40)
		m := randomModel(n, 0, testkit.RandomForest(n, rng.Float64()*1.3, rng), rng)
		for _, w := range [][]float64{m.Unary, m.Pair} {
			for k := range w {
				w[k] = float64(rng.IntN(5) - 2) // sums without rounding
			}
		}
		got, want := m.Predictor().Margins(Row{}), make([]float64, n)
		infer.NewMaxMarginals(m.Graph()).MarginsTo(want, m.Scores(Row{}))
		if !slices.Equal(got, want) {
			t.Fatalf("margins %v, want %v, for %v %v", got, want, m.Edges, m.Pair)
		}
	}
}

func TestMarginsAllocateNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("under the race detector sync.Pool drops items at random")
	}
	rng := rand.New(rand.NewPCG(43, 1))
	const n, d = 14, 20
	dense, _ := randomRows(3, d, rng)
	seen := randomModel(n, d, nil, rng)
	seen.Labelings, seen.LabelingScores = testkit.RandomLabels(rng, 5*n), make([]float64, 5)
	dst := make([]float64, n)
	for name, m := range map[string]*Model{
		"tree":           randomModel(n, d, labelgraph.RandomTree(n, rng), rng),
		"cycles":         randomModel(n, d, labelgraph.AllPairs(n), rng),
		"seen labelings": seen,
	} {
		p := m.Predictor()
		run := func() { p.MarginsTo(dst, dense.Row(1)) }
		run()
		if a := testing.AllocsPerRun(20, run); a != 0 {
			t.Errorf("%s: %v allocations", name, a)
		}
	}
}

func TestMarginsPanic(t *testing.T) {
	p := randomModel(3, 2, nil, rand.New(rand.NewPCG(44, 1))).Predictor()
	for name, f := range map[string]func(){
		"short row":     func() { p.Margins(Row{Value: []float64{1}}) },
		"short margins": func() { p.MarginsTo(make([]float64, 2), Row{}) },
		"columns":       func() { p.MarginsAll(&Matrix{NumRows: 0, NumCols: 3}) },
		"size":          func() { p.MarginsAllTo(make([]float64, 2), &Matrix{NumRows: 1, NumCols: 2, Value: []float64{1, 2}}, 1) },
	} {
		if !testkit.Panics(f) {
			t.Errorf("%s: no panic", name)
		}
	}
}
