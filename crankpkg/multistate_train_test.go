package crankpkg

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// multiStateMethods are the methods for variables of several states.
func multiStateMethods() []Trainer {
	return []Trainer{
		Empty{}, Full{}, Greedy{}, Project{}, MST{}, ChowLiu{}, CRANK{Restarts: 2}, FixedGraph{Edges: []Edge{{0, 1}, {1, 2}, {0, 3}}},
	}
}

// withTestSettings returns t with a lambda and settings.
func withTestSettings(t Trainer, lambda float64, change func(*Settings)) Trainer {
	t, _ = adjust(t, change)
	return t.WithLambda(lambda)
}

// bruteHinge is the hinge of eq. (1) by its definition, over all states.
func bruteHinge(m *MultiStateModel, x Row, truth []uint8, loss Loss) float64 {
	loss = loss.orHamming()
	best := math.Inf(-1)
	states, y := m.States(), make([]int, m.NumLabels())
	bytes := make([]uint8, len(y))
	for {
		wrong := 0
		for i, s := range y {
			bytes[i] = uint8(s)
			if bytes[i] != truth[i] {
				wrong++
			}
		}
		value := m.Score(x, bytes) + loss.Hamming*float64(wrong)
		if wrong > 0 {
			value += loss.ZeroOne
		}
		best = max(best, value)
		if !nextLabeling(y, states) {
			return best - m.Score(x, truth)
		}
	}
}

func bruteObjective(m *MultiStateModel, ds *MultiStateDataset, lambda float64, loss Loss) float64 {
	var hinge, squares float64
	for k := range ds.Len() {
		hinge += bruteHinge(m, ds.Row(k), ds.Labels(k), loss)
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
	train, _, _ := PlantedMultiState{N: 4, D: 3, Noise: 0.1, Seed: 1}.Generate(16, 0)
	train.StateNames[2] = []string{"0", "1", "2", "never"} // counts may differ
	const lambda = 0.02
	for _, loss := range []Loss{{}, {ZeroOne: 2}, {Hamming: 0.5, ZeroOne: 1}} {
		for _, features := range []EdgeFeatures{{}, {Columns: []int{0, 2}, Scale: 0.5}} {
			for _, method := range multiStateMethods() {
				method = withTestSettings(method, lambda, func(s *Settings) { s.Loss, s.EdgeFeatures = loss, features })
				m, trace, err := TrainMultiState(context.Background(), method, train)
				if err != nil {
					t.Fatalf("%s: %v", method.Name(), err)
				}
				if trace.Status != Converged || trace.Gap() > 0.01 || trace.Gap() < -1e-9 || trace.Method != method.Name() {
					t.Errorf("%s, loss %v: %s, gap %v", trace.Method, loss, trace.Status, trace.Gap())
				}
				if err := m.Validate(); err != nil {
					t.Error(err)
				}
				want := bruteObjective(m, train, lambda, loss)
				exact := IsForest(4, m.Edges()) || !loss.isSum()
				if want > trace.Primal+1e-6 || exact && math.Abs(want-trace.Primal) > 1e-6 {
					t.Errorf("%s, loss %v: primal %v, by definition %v", method.Name(), loss, trace.Primal, want)
				}
				if name := method.Name(); name != "Full" && !IsForest(4, m.Edges()) {
					t.Errorf("%s: %v is no forest", name, m.Edges())
				}
			}
		}
	}
}

// The dual of each solve never falls, and stays below every primal.
func TestMultiStateDualNeverFalls(t *testing.T) {
	t.Parallel()
	train, _, _ := PlantedMultiState{N: 6, Noise: 0.2, Seed: 2}.Generate(30, 0)
	for _, method := range []Trainer{Full{}, FixedGraph{Edges: []Edge{{0, 1}, {1, 2}, {0, 2}, {2, 3}}}, Project{}} {
		method = withTestSettings(method, 0.01, func(s *Settings) { s.EveryPass, s.Gap = true, 0.01 })
		_, trace, err := TrainMultiState(context.Background(), method, train)
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

// Weights on cycles lead to fractional optima; the gap closes nevertheless.
func TestMultiStateFullMeetsFractions(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	train, _, _ := PlantedMultiState{N: 5, Seed: 3}.Generate(30, 0)
	for k := range train.Y {
		train.Y[k] = uint8(rng.IntN(3)) // nothing to learn: the pairs fit noise
	}
	s := newMultiStateSolver(t, train, 3e-3)
	b, status := s.solve(context.Background(), stopRule{gap: 0.01, workers: 1})
	fractional := 0
	for m := range s.ex {
		for _, a := range s.ex[m].atoms {
			if slices.ContainsFunc(a.labels, func(t term) bool { return t.value != 1 && t.value != -1 }) {
				fractional++
			}
		}
	}
	if status != Converged || b.gap() > 0.01 || fractional == 0 {
		t.Errorf("%s, gap %v, %d fractional atoms", status, b.gap(), fractional)
	}
}

// newMultiStateSolver returns the solver of all pairs.
func newMultiStateSolver(t *testing.T, ds *MultiStateDataset, lambda float64) *solver {
	t.Helper()
	if err := ds.Validate(); err != nil {
		t.Fatal(err)
	}
	one := ds.indicators()
	p := newProblem(one.X, one.Y, one.NumLabels())
	p.states = newStateLayout(ds.States())
	return newSolver(p, p.pairsOf(AllPairs(ds.NumLabels())), lambda)
}

// The hinge is never negative, and its bound never below the truth, whatever
// the weights.
func TestMultiStateHinges(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	train, _, _ := PlantedMultiState{N: 4, Noise: 0.3, Seed: 4}.Generate(20, 0)
	for _, loss := range []Loss{{}, {ZeroOne: 1}} {
		s := newMultiStateSolver(t, train, 1)
		s.p.loss = loss
		s.ws = nil
		s.addWorkspace()
		for range 5 {
			for k := range s.pw.w {
				s.pw.w[k] = rng.NormFloat64()
			}
			s.bounds(1, false)
			layout := s.p.states
			for m, h := range s.hinges {
				if h < 0 {
					t.Fatalf("hinge %v", h)
				}
				best := math.Inf(-1)
				y := make([]int, 4)
				for {
					sum := 0.0
					wrong := 0
					for i, v := range y {
						if v != int(train.Labels(m)[i]) {
							wrong++
						}
					}
					for e, edge := range s.pairs.tables.edges {
						sum += s.pw.w[s.pairs.tables.at[e][y[edge.I]*layout.states[edge.J]+y[edge.J]]]
						truth := train.Labels(m)
						sum -= s.pw.w[s.pairs.tables.at[e][int(truth[edge.I])*layout.states[edge.J]+int(truth[edge.J])]]
					}
					sum += loss.orHamming().Hamming * float64(wrong)
					if wrong > 0 {
						sum += loss.ZeroOne
					}
					best = max(best, sum)
					if !nextLabeling(y, layout.states) {
						break
					}
				}
				if h < best-1e-9 || !loss.isSum() && h > best+1e-9 {
					t.Fatalf("loss %v: hinge %v, brute force %v", loss, h, best)
				}
			}
		}
	}
}

// On two states every scalar model is one of tables, with the same objective
// and predictions, and every model of tables predicts like a scalar one.
func TestMultiStateOnBinaryLabels(t *testing.T) {
	binary, test, _ := PlantedTree{N: 4, D: 3, Seed: 5}.Generate(80, 200)
	train := FromBinary(binary)
	const lambda = 0.01
	edges := []Edge{{0, 1}, {1, 2}, {2, 3}}
	scalar, scalarTrace, err := FixedGraph{Lambda: lambda, Edges: edges, Settings: Settings{Gap: 1e-3}}.Train(context.Background(), binary)
	if err != nil {
		t.Fatal(err)
	}
	m, trace, err := TrainMultiState(context.Background(), FixedGraph{Lambda: lambda, Edges: edges, Settings: Settings{Gap: 1e-3}}, train)
	if err != nil {
		t.Fatal(err)
	}
	// Every scalar model is one of tables: its optimum bounds that of tables.
	if trace.Dual > scalarTrace.Primal+1e-9 {
		t.Errorf("tables have a dual of %v, scalars a primal of %v", trace.Dual, scalarTrace.Primal)
	}
	embedded := embedBinary(scalar, train)
	if got := bruteObjective(embedded, train, lambda, Loss{}); math.Abs(got-scalarTrace.Primal) > 1e-6 {
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
func embedBinary(m *Model, ds *MultiStateDataset) *MultiStateModel {
	n, d := m.NumLabels(), m.NumFeatures()
	one := &Model{
		FeatureNames: m.FeatureNames, LabelNames: indicatorNames(ds.LabelNames, ds.StateNames), Unary: make([]float64, 2*n*(d+1)),
	}
	for i := range n {
		copy(one.UnaryWeights(2*i+1), m.UnaryWeights(i))
	}
	for k, e := range m.Edges {
		one.Edges = append(one.Edges, Edge{2*e.I + 1, 2*e.J + 1})
		one.Pair = append(one.Pair, m.Pair[k])
	}
	return &MultiStateModel{LabelNames: ds.LabelNames, StateNames: ds.StateNames, Indicators: one}
}

// scalarOf returns the binary model with the score of m up to a function of x.
func scalarOf(m *MultiStateModel) *Model {
	n, d := m.NumLabels(), m.NumFeatures()
	b := &Model{FeatureNames: m.Indicators.FeatureNames, LabelNames: m.LabelNames, Unary: make([]float64, n*(d+1))}
	for i := range n {
		for k := range d + 1 {
			b.UnaryWeights(i)[k] = m.UnaryWeights(i, 1)[k] - m.UnaryWeights(i, 0)[k]
		}
	}
	edges := m.Edges()
	for k, t := range m.Tables(Row{}) {
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
	train, test, _ := PlantedMultiState{N: 4, Noise: 0.05, Seed: 6}.Generate(25, 100)
	turn := func(ds *MultiStateDataset) *MultiStateDataset {
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
		method = withTestSettings(method, 0.01, func(s *Settings) { s.Gap = 1e-4 })
		m, trace, err := TrainMultiState(context.Background(), method, train)
		if err != nil {
			t.Fatal(err)
		}
		turned, turnedTrace, err := TrainMultiState(context.Background(), method, turn(train))
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(trace.Primal-turnedTrace.Primal) > 3e-4*trace.Primal {
			t.Errorf("%s: objective %v, in another order %v", method.Name(), trace.Primal, turnedTrace.Primal)
		}
		var edges []Edge
		for _, e := range turned.Edges() {
			edges = append(edges, NewEdge(3-e.I, 3-e.J))
		}
		sorted, err := sortEdges(edges, 4)
		if err != nil || !slices.Equal(sorted, m.Edges()) {
			t.Errorf("%s: edges %v, in another order %v", method.Name(), m.Edges(), sorted)
		}
		same := EvaluateMultiState(m, test).Hamming - EvaluateMultiState(turned, turn(test)).Hamming
		if math.Abs(same) > 3 {
			t.Errorf("%s: scores differ by %v", method.Name(), same)
		}
	}
}

func TestMultiStateSameBits(t *testing.T) {
	t.Parallel()
	train, _, _ := PlantedMultiState{N: 4, Noise: 0.1, Seed: 7}.Generate(70, 0)
	for _, method := range multiStateMethods() {
		var models []*MultiStateModel
		for _, workers := range []int{1, 2, 5} {
			m, _, err := TrainMultiState(context.Background(), withTestSettings(method, 0.01, func(s *Settings) { s.Workers, s.Seed = workers, 3 }), train)
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
	p := PlantedMultiState{N: 6, Seed: 9}
	train, test, truth := p.Generate(300, 500)
	m, trace, err := TrainMultiState(context.Background(), CRANK{Lambda: 1e-3, Restarts: 2}, train)
	if err != nil {
		t.Fatal(err)
	}
	empty, _, err := TrainMultiState(context.Background(), Empty{Lambda: 1e-3}, train)
	if err != nil {
		t.Fatal(err)
	}
	got, base := EvaluateMultiState(m, test), EvaluateMultiState(empty, test)
	t.Logf("CRANK %+v, Empty %+v, %d steps", got, base, len(trace.Steps))
	if !slices.Equal(m.Edges(), truth.Edges()) {
		t.Errorf("edges %v, planted %v", m.Edges(), truth.Edges())
	}
	if got.Hamming < base.Hamming+5 || got.ZeroOne < base.ZeroOne+20 {
		t.Errorf("CRANK %+v, Empty %+v", got, base)
	}
	if perfect := EvaluateMultiState(truth, test); perfect != (MultiStateScores{100, 100, 100}) {
		t.Errorf("the truth scores %+v", perfect)
	}
	for k, step := range trace.Steps {
		if step.CircuitRank != CircuitRank(6, step.Edges) || len(step.Edges) != len(step.Weights) {
			t.Errorf("step %d: circuit rank %d of %v", k, step.CircuitRank, step.Edges)
		}
	}
}

func TestTrainMultiStateRefuses(t *testing.T) {
	good, _, _ := PlantedMultiState{N: 3, Seed: 1}.Generate(5, 0)
	change := func(f func(ds *MultiStateDataset)) *MultiStateDataset {
		ds := good.Subset([]int{0, 1, 2, 3, 4})
		ds.StateNames = slices.Clone(ds.StateNames)
		f(ds)
		return ds
	}
	large, _, _ := PlantedMultiState{N: 11, Seed: 1}.Generate(5, 0)
	for name, c := range map[string]struct {
		ds     *MultiStateDataset
		method Trainer
		want   error
		text   string
	}{
		"state out of range": {change(func(ds *MultiStateDataset) { ds.Y[4] = 3 }), Empty{}, ErrData, `row 1, variable "y1": state 3 is none of 3`},
		"one state":          {change(func(ds *MultiStateDataset) { ds.StateNames[1] = []string{"only"} }), Empty{}, ErrData, `variable "y1": 1 states`},
		"names missing":      {change(func(ds *MultiStateDataset) { ds.StateNames = ds.StateNames[:2] }), Empty{}, ErrData, "states of 2 variables"},
		"states missing":     {change(func(ds *MultiStateDataset) { ds.Y = ds.Y[:14] }), Empty{}, ErrData, "14 states for 5 rows of 3 variables"},
		"not a number":       {change(func(ds *MultiStateDataset) { ds.X.Value[5] = math.NaN() }), Empty{}, ErrData, `row 1, feature "x1"`},
		"nothing":            {nil, Empty{}, ErrData, "no data set"},
		"method":             {good, BestTree{}, ErrSettings, "two states only"},
		"shrinking beta":     {good, CRANK{Path: ShrinkBeta}, ErrSettings, "shrink"},
		"F1 loss":            {good, Empty{Settings: Settings{Loss: Loss{ExampleF1: 1}}}, ErrSettings, "F1"},
		"too many labelings": {large, Full{Settings: Settings{Loss: Loss{ZeroOne: 1}}}, ErrSettings, "labelings"},
		"edge out of range":  {good, FixedGraph{Edges: []Edge{{0, 3}}}, ErrSettings, "3 labels"},
		"lambda":             {good, Full{Lambda: -1}, ErrSettings, "Lambda"},
	} {
		m, _, err := TrainMultiState(context.Background(), c.method, c.ds)
		if m != nil || !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		} else if !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: %q does not say %q", name, err, c.text)
		}
	}
}

func TestTrainMultiStateCancelled(t *testing.T) {
	train, _, _ := PlantedMultiState{Seed: 1}.Generate(50, 0)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	m, trace, err := TrainMultiState(ctx, CRANK{}, train)
	if !errors.Is(err, context.Canceled) || m == nil || trace == nil {
		t.Errorf("model %v, trace %v, error %v", m != nil, trace != nil, err)
	}
}
