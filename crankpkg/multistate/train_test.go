package multistate

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// multiStateMethods are the methods for variables of several states.
func multiStateMethods() []crankpkg.Trainer {
	return []crankpkg.Trainer{
		crankpkg.Empty{}, crankpkg.Full{}, crankpkg.Greedy{}, crankpkg.Project{}, crankpkg.MST{}, crankpkg.ChowLiu{}, crankpkg.CRANK{Restarts: 2},
		crankpkg.FixedGraph{Edges: []crankpkg.Edge{{I: 0, J: 1}, {I: 1, J: 2}, {I: 0, J: 3}}},
	}
}

// withTestSettings returns t with a lambda and settings.
func withTestSettings(t crankpkg.Trainer, lambda float64, change func(*crankpkg.Settings)) crankpkg.Trainer {
	t, _ = crankpkg.Adjust(t, change)
	return t.WithLambda(lambda)
}

// scoreOf returns the score of states at a row, by its definition.
func scoreOf(m *Model, x crankpkg.Row) func(y []int) float64 {
	scores, edges, tables, states := m.Indicators.Scores(x), m.Edges(), m.Tables(x), m.States()
	return func(y []int) (sum float64) {
		first := 0
		for i, s := range y {
			sum += scores[first+s]
			first += states[i]
		}
		for k, e := range edges {
			sum += tables[k][y[e.I]*states[e.J]+y[e.J]]
		}
		return sum
	}
}

// bruteHinge is the hinge of eq. (1) by its definition, over all states.
func bruteHinge(t *testing.T, m *Model, x crankpkg.Row, truth []uint8, loss crankpkg.Loss) float64 {
	t.Helper()
	loss = loss.OrHamming()
	best := math.Inf(-1)
	states, y := m.States(), make([]int, m.NumLabels())
	score, right := scoreOf(m, x), m.Score(x, truth)
	for {
		wrong := 0
		for i, s := range y {
			if uint8(s) != truth[i] {
				wrong++
			}
		}
		value := score(y) + loss.Hamming*float64(wrong)
		if wrong > 0 {
			value += loss.ZeroOne
		} else if !(math.Abs(value-right) <= 1e-9*(1+math.Abs(value))) {
			t.Fatalf("the score of %v is %v, by definition %v", truth, right, value)
		}
		best = max(best, value)
		if !testkit.NextLabeling(y, states) {
			return best - right
		}
	}
}

func bruteObjective(t *testing.T, m *Model, ds *Dataset, lambda float64, loss crankpkg.Loss) float64 {
	t.Helper()
	var hinge, squares float64
	for k := range ds.Len() {
		hinge += bruteHinge(t, m, ds.Row(k), ds.Labels(k), loss)
	}
	for _, weights := range [][]float64{m.Indicators.Unary, m.Indicators.Pair, m.Indicators.PairFeatures} {
		for _, w := range weights {
			squares += w * w
		}
	}
	return lambda/2*squares + hinge/float64(ds.Len())
}

// Each method certifies its gap; the primal is the objective by its definition
// on forests and, for the relaxed Hamming loss, not below it on cycles.
func TestTrainMultiState(t *testing.T) {
	t.Parallel()
	train, _, _ := Planted{N: 4, D: 3, Noise: 0.1, Seed: 1}.Generate(9, 0)
	train.StateNames[2] = []string{"0", "1", "2", "never"} // counts may differ
	const lambda = 0.02
	for _, loss := range []crankpkg.Loss{{}, {ZeroOne: 2}, {Hamming: 0.5, ZeroOne: 1}} {
		for _, features := range []crankpkg.EdgeFeatures{{}, {Columns: []int{0, 2}, Scale: 0.5}} {
			for _, method := range multiStateMethods() {
				method = withTestSettings(method, lambda, func(s *crankpkg.Settings) { s.Loss, s.EdgeFeatures = loss, features })
				m, trace, err := Train(context.Background(), method, train)
				if err != nil {
					t.Fatalf("%s: %v", method.Name(), err)
				}
				if trace.Status != crankpkg.Converged || trace.Gap() > 0.01 || trace.Gap() < -1e-9 || trace.Method != method.Name() {
					t.Errorf("%s, loss %v: %s, gap %v", trace.Method, loss, trace.Status, trace.Gap())
				}
				if err := m.Validate(); err != nil {
					t.Error(err)
				}
				want := bruteObjective(t, m, train, lambda, loss)
				exact := labelgraph.IsForest(4, m.Edges()) || !loss.IsSum()
				if want > trace.Primal+1e-6 || exact && math.Abs(want-trace.Primal) > 1e-6 {
					t.Errorf("%s, loss %v: primal %v, by definition %v", method.Name(), loss, trace.Primal, want)
				}
				if name := method.Name(); name != "Full" && !labelgraph.IsForest(4, m.Edges()) {
					t.Errorf("%s: %v is no forest", name, m.Edges())
				}
			}
		}
	}
}

// The dual of each solve never falls, and stays below every primal.
func TestMultiStateDualNeverFalls(t *testing.T) {
	t.Parallel()
	train, _, _ := Planted{N: 5, Noise: 0.2, Seed: 2}.Generate(10, 0)
	cyclic := []crankpkg.Edge{{I: 0, J: 1}, {I: 1, J: 2}, {I: 0, J: 2}, {I: 2, J: 3}}
	for _, method := range []crankpkg.Trainer{crankpkg.Full{}, crankpkg.FixedGraph{Edges: cyclic}, crankpkg.Project{}} {
		method = withTestSettings(method, 0.01, func(s *crankpkg.Settings) { s.EveryPass, s.Gap = true, 0.01 })
		_, trace, err := Train(context.Background(), method, train)
		if err != nil {
			t.Fatal(err)
		}
		lowest, before := math.Inf(1), math.Inf(-1)
		for k, p := range trace.Points {
			if k > 0 && p.Solve != trace.Points[k-1].Solve {
				lowest, before = math.Inf(1), math.Inf(-1)
			}
			lowest = min(lowest, p.Primal)
			if p.Dual < before-1e-9 || p.Dual > lowest+1e-9 {
				t.Fatalf("%s: dual %v after %v, lowest primal %v", method.Name(), p.Dual, before, lowest)
			}
			before = p.Dual
		}
	}
}

// On two states every scalar model is one of tables, with the same objective
// and predictions, and every model of tables predicts like a scalar one.
func TestMultiStateOnBinaryLabels(t *testing.T) {
	t.Parallel()
	binary, test, _ := crankpkg.PlantedTree{N: 4, D: 3, Seed: 5}.Generate(80, 200)
	train := FromBinary(binary)
	const lambda = 0.01
	edges := []crankpkg.Edge{{I: 0, J: 1}, {I: 1, J: 2}, {I: 2, J: 3}}
	method := crankpkg.FixedGraph{Lambda: lambda, Edges: edges, Settings: crankpkg.Settings{Gap: 1e-3}}
	scalar, scalarTrace, err := method.Train(context.Background(), binary)
	if err != nil {
		t.Fatal(err)
	}
	m, trace, err := Train(context.Background(), method, train)
	if err != nil {
		t.Fatal(err)
	}
	// Every scalar model is one of tables: its optimum bounds that of tables.
	if trace.Dual > scalarTrace.Primal+1e-9 {
		t.Errorf("tables have a dual of %v, scalars a primal of %v", trace.Dual, scalarTrace.Primal)
	}
	embedded := embedBinary(scalar, train)
	if got := bruteObjective(t, embedded, train, lambda, crankpkg.Loss{}); math.Abs(got-scalarTrace.Primal) > 1e-6 {
		t.Errorf("the scalar model has objective %v as tables, %v as scalars", got, scalarTrace.Primal)
	}
	if !slices.Equal(embedded.PredictAll(test.X), scalar.PredictAll(test.X)) {
		t.Error("the scalar model predicts differently as tables")
	}
	// And every model of tables predicts like the scalar one of its differences.
	if !slices.Equal(m.PredictAll(test.X), scalarOf(m).PredictAll(test.X)) {
		t.Error("the tables predict differently as scalars")
	}
}

// embedBinary returns the model of tables with the score of m.
func embedBinary(m *crankpkg.Model, ds *Dataset) *Model {
	n, d := m.NumLabels(), m.NumFeatures()
	one := &crankpkg.Model{
		FeatureNames: m.FeatureNames, LabelNames: indicatorNames(ds.LabelNames, ds.StateNames), Unary: make([]float64, 2*n*(d+1)),
	}
	for i := range n {
		copy(one.UnaryWeights(2*i+1), m.UnaryWeights(i))
	}
	for k, e := range m.Edges {
		one.Edges = append(one.Edges, crankpkg.Edge{I: 2*e.I + 1, J: 2*e.J + 1})
		one.Pair = append(one.Pair, m.Pair[k])
	}
	one.Groups = ds.States()
	return &Model{LabelNames: ds.LabelNames, StateNames: ds.StateNames, Indicators: one}
}

// scalarOf returns the binary model with the score of m up to a function of x.
func scalarOf(m *Model) *crankpkg.Model {
	n, d := m.NumLabels(), m.NumFeatures()
	b := &crankpkg.Model{FeatureNames: m.Indicators.FeatureNames, LabelNames: m.LabelNames, Unary: make([]float64, n*(d+1))}
	for i := range n {
		for k := range d + 1 {
			b.UnaryWeights(i)[k] = m.UnaryWeights(i, 1)[k] - m.UnaryWeights(i, 0)[k]
		}
	}
	edges := m.Edges()
	for k, t := range m.Tables(crankpkg.Row{}) {
		e := edges[k]
		b.UnaryWeights(e.I)[d] += t[2] - t[0]
		b.UnaryWeights(e.J)[d] += t[1] - t[0]
		b.Edges, b.Pair = append(b.Edges, e), append(b.Pair, t[3]+t[0]-t[1]-t[2])
	}
	return b
}

// Neither the order of the variables nor that of their states matters.
func TestMultiStateOrder(t *testing.T) {
	t.Parallel()
	const gap = 4e-4
	train, test, _ := Planted{N: 4, Noise: 0.05, Seed: 6}.Generate(24, 100)
	turn := func(ds *Dataset) *Dataset {
		turned := *ds
		turned.Y = nil
		for m := range ds.Len() {
			for i := range 4 {
				turned.Y = append(turned.Y, (ds.Labels(m)[3-i]+1)%3)
			}
		}
		return &turned
	}
	for _, method := range multiStateMethods()[:6] { // CRANK's random starts see the order
		method = withTestSettings(method, 0.01, func(s *crankpkg.Settings) { s.Gap = gap })
		m, trace, err := Train(context.Background(), method, train)
		if err != nil {
			t.Fatal(err)
		}
		turned, turnedTrace, err := Train(context.Background(), method, turn(train))
		if err != nil {
			t.Fatal(err)
		}
		if !(math.Abs(trace.Primal-turnedTrace.Primal) <= gap*trace.Primal) {
			t.Errorf("%s: objective %v, in another order %v", method.Name(), trace.Primal, turnedTrace.Primal)
		}
		var edges []crankpkg.Edge
		for _, e := range turned.Edges() {
			edges = append(edges, labelgraph.NewEdge(3-e.I, 3-e.J))
		}
		slices.SortFunc(edges, func(a, b crankpkg.Edge) int { return a.Index() - b.Index() })
		if !slices.Equal(edges, m.Edges()) {
			t.Errorf("%s: edges %v, in another order %v", method.Name(), m.Edges(), edges)
		}
		same := Evaluate(m, test).HammingAccuracy - Evaluate(turned, turn(test)).HammingAccuracy
		if !(math.Abs(same) <= 3) {
			t.Errorf("%s: scores differ by %v", method.Name(), same)
		}
	}
}

func TestMultiStateSameBits(t *testing.T) {
	t.Parallel()
	train, _, _ := Planted{N: 4, Noise: 0.1, Seed: 7}.Generate(12, 0)
	for _, method := range multiStateMethods() {
		var models []*Model
		for _, workers := range []int{1, 2, 5} {
			m, _, err := Train(context.Background(), withTestSettings(method, 0.01, func(s *crankpkg.Settings) { s.Workers, s.Seed = workers, 3 }), train)
			if err != nil {
				t.Fatal(err)
			}
			models = append(models, m)
		}
		for _, m := range models[1:] {
			if !slices.Equal(m.Indicators.Unary, models[0].Indicators.Unary) || !slices.Equal(m.Indicators.Pair, models[0].Indicators.Pair) {
				t.Errorf("%s: the number of workers changes the model", method.Name())
			}
		}
	}
}

// CRANK finds a planted tree of three-state variables, and beats Empty by far.
func TestMultiStatePlantedTree(t *testing.T) {
	t.Parallel()
	p := Planted{N: 6, Seed: 9}
	train, test, truth := p.Generate(150, 300)
	m, trace, err := Train(context.Background(), crankpkg.CRANK{Lambda: 1e-3, Restarts: 2}, train)
	if err != nil {
		t.Fatal(err)
	}
	empty, _, err := Train(context.Background(), crankpkg.Empty{Lambda: 1e-3}, train)
	if err != nil {
		t.Fatal(err)
	}
	got, base := Evaluate(m, test), Evaluate(empty, test)
	t.Logf("CRANK %+v, Empty %+v, %d steps", got, base, len(trace.Steps))
	if !slices.Equal(m.Edges(), truth.Edges()) {
		t.Errorf("edges %v, planted %v", m.Edges(), truth.Edges())
	}
	if got.HammingAccuracy < base.HammingAccuracy+5 || got.SubsetAccuracy < base.SubsetAccuracy+20 {
		t.Errorf("CRANK %+v, Empty %+v", got, base)
	}
	if perfect := Evaluate(truth, test); perfect != (Scores{100, 100, 100}) {
		t.Errorf("the truth scores %+v", perfect)
	}
	for k, step := range trace.Steps {
		if step.CircuitRank != labelgraph.CircuitRank(6, step.Edges) || len(step.Edges) != len(step.Weights) {
			t.Errorf("step %d: circuit rank %d of %v", k, step.CircuitRank, step.Edges)
		}
	}
}

func TestTrainMultiStateRefuses(t *testing.T) {
	t.Parallel()
	good, _, _ := Planted{N: 3, Seed: 1}.Generate(5, 0)
	change := func(f func(ds *Dataset)) *Dataset {
		ds := good.Subset([]int{0, 1, 2, 3, 4})
		ds.StateNames = slices.Clone(ds.StateNames)
		f(ds)
		return ds
	}
	large, _, _ := Planted{N: 11, Seed: 1}.Generate(5, 0)
	for name, c := range map[string]struct {
		ds     *Dataset
		method crankpkg.Trainer
		want   error
		text   string
	}{
		"state out of range": {change(func(ds *Dataset) { ds.Y[4] = 3 }), crankpkg.Empty{}, crankpkg.ErrData, `row 1, variable "y1": state 3 is none of 3`},
		"one state":          {change(func(ds *Dataset) { ds.StateNames[1] = []string{"only"} }), crankpkg.Empty{}, crankpkg.ErrData, `variable "y1": 1 states`},
		"names missing":      {change(func(ds *Dataset) { ds.StateNames = ds.StateNames[:2] }), crankpkg.Empty{}, crankpkg.ErrData, "states of 2 variables"},
		"states missing":     {change(func(ds *Dataset) { ds.Y = ds.Y[:14] }), crankpkg.Empty{}, crankpkg.ErrData, "14 states for 5 rows of 3 variables"},
		"not a number":       {change(func(ds *Dataset) { ds.X.Value[5] = math.NaN() }), crankpkg.Empty{}, crankpkg.ErrData, `row 1, feature "x1"`},
		"nothing":            {nil, crankpkg.Empty{}, crankpkg.ErrData, "no data set"},
		"method":             {good, crankpkg.BestTree{}, crankpkg.ErrSettings, "without groups only"},
		"shrinking beta":     {good, crankpkg.CRANK{Path: crankpkg.ShrinkBeta}, crankpkg.ErrSettings, "shrink"},
		"F1 loss":            {good, crankpkg.Empty{Settings: crankpkg.Settings{Loss: crankpkg.Loss{ExampleF1: 1}}}, crankpkg.ErrSettings, "F1"},
		"too many labelings": {large, crankpkg.Full{Settings: crankpkg.Settings{Loss: crankpkg.Loss{ZeroOne: 1}}}, crankpkg.ErrSettings, "labelings"},
		"edge out of range":  {good, crankpkg.FixedGraph{Edges: []crankpkg.Edge{{I: 0, J: 3}}}, crankpkg.ErrSettings, "3 labels"},
		"lambda":             {good, crankpkg.Full{Lambda: -1}, crankpkg.ErrSettings, "Lambda"},
	} {
		m, _, err := Train(context.Background(), c.method, c.ds)
		if m != nil || !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		} else if !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: %q does not say %q", name, err, c.text)
		}
	}
}

func TestTrainMultiStateCancelled(t *testing.T) {
	t.Parallel()
	train, _, _ := Planted{Seed: 1}.Generate(50, 0)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	m, trace, err := Train(ctx, crankpkg.CRANK{}, train)
	if !errors.Is(err, context.Canceled) || m == nil || trace == nil {
		t.Errorf("model %v, trace %v, error %v", m != nil, trace != nil, err)
	}
}

func TestShardsMultiState(t *testing.T) {
	t.Parallel()
	train, _, _ := Planted{N: 4, Noise: 0.1, Seed: 7}.Generate(12, 0)
	for _, method := range multiStateMethods() {
		var models []*Model
		for _, workers := range []int{1, 3} {
			m, trace, err := Train(context.Background(), withTestSettings(method, 0.01, func(s *crankpkg.Settings) {
				s.Workers, s.Shards, s.Seed = workers, 2, 3
			}), train)
			if err != nil {
				t.Fatal(err)
			}
			if trace.Gap() > 0.011 {
				t.Errorf("%s: gap %v", method.Name(), trace.Gap())
			}
			models = append(models, m)
		}
		if !reflect.DeepEqual(models[0].Indicators, models[1].Indicators) {
			t.Errorf("%s: the number of workers changes the model", method.Name())
		}
	}
}
