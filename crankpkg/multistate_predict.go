package crankpkg

// MultiStatePredictor is a MultiStateModel made ready to predict raw rows. It
// does not see later changes of the model, and each goroutine needs its own.
//
// Where the edges form a forest the prediction is exact, by max-product. On a
// graph with cycles it is that of the linear programming relaxation, where each
// variable takes the state of largest marginal.
type MultiStatePredictor struct {
	layout *stateLayout
	scores *Predictor // of the labels, without pairs
	worth  []float64
	unary  [][]float64
	edges  []Edge
	pair   [][]float64
	tree   *MultiStateTree // nil: lp
	lp     *MultiStateLP
	y      []int
	// With features on the edges: the scores of pairs of labels, and where in
	// which table they go.
	pairs    *pairScorer
	numbers  []float64
	table    []int32
	position []int32
}

// Predictor returns m frozen for prediction. It panics when the parts of m do
// not fit together.
func (m *MultiStateModel) Predictor() *MultiStatePredictor {
	if err := m.Validate(); err != nil {
		panic(err.Error())
	}
	single := *m.Indicators
	single.Edges, single.Pair, single.PairFeatures = nil, nil, nil
	single.EdgeFeatures = EdgeFeatures{}
	l := m.layout()
	p := &MultiStatePredictor{
		layout: l, scores: single.Predictor(), worth: make([]float64, l.numLabels()), y: make([]int, l.numVariables()),
	}
	for i := range l.states {
		p.unary = append(p.unary, p.worth[l.start[i]:l.start[i+1]])
	}
	p.edges, p.pair = m.tablesOf(m.Indicators.Pair)
	if len(m.Indicators.EdgeFeatures.Columns) > 0 {
		p.scorePairs(m)
	}
	var err error
	if IsForest(len(l.states), p.edges) {
		p.tree, err = NewMultiStateTree(l.states, p.edges)
	} else {
		p.lp, err = NewMultiStateLP(l.states, p.edges)
	}
	if err != nil {
		panic(err.Error()) // the model is valid
	}
	return p
}

// scorePairs prepares for tables that depend on x.
func (p *MultiStatePredictor) scorePairs(m *MultiStateModel) {
	p.pairs, p.numbers = newPairScorer(m.Indicators), make([]float64, len(m.Indicators.Edges))
	number := make(map[Edge]int32)
	for k, e := range p.edges {
		number[e] = int32(k)
	}
	for _, pair := range m.Indicators.Edges {
		e := p.layout.edgeOf(pair)
		p.table = append(p.table, number[e])
		at := (pair.I-p.layout.start[e.I])*p.layout.states[e.J] + pair.J - p.layout.start[e.J]
		p.position = append(p.position, int32(at))
	}
}

// PredictTo writes the states predicted for the raw row x to y, n values, and
// reports whether they are certainly optimal: on a graph with cycles, whether
// the relaxation is tight. It panics when x or y has the wrong length.
func (p *MultiStatePredictor) PredictTo(y []uint8, x Row) (optimal bool) {
	if len(y) != len(p.y) {
		panic("crankpkg: unequal numbers of variables")
	}
	p.scores.ScoresTo(p.worth, x)
	if p.pairs != nil {
		p.pairs.scoresTo(p.numbers, x)
		for k, v := range p.numbers {
			p.pair[p.table[k]][p.position[k]] = v
		}
	}
	if p.tree != nil {
		optimal = true
		p.tree.Maximize(p.y, p.unary, p.pair)
	} else {
		value, bound := p.lp.Maximize(p.unary, p.pair)
		p.lp.LabelingTo(p.y)
		optimal = p.lp.Integral() && bound-value <= 10*p.lp.tolerance(bound)
	}
	for i, s := range p.y {
		y[i] = uint8(s)
	}
	return optimal
}

// MultiStateScores are the measures of a predictor of several states on a test
// set, in percent and the larger the better.
type MultiStateScores struct {
	Hamming float64 // share of the variables with the right state
	ZeroOne float64 // share of the examples with every variable right
	Optimal float64 // share of the examples whose prediction is certainly the model's optimum
}

// EvaluateMultiState returns the measures of m on test, whose rows are raw. It
// panics when m and test have different variables or features, or test no
// examples.
func EvaluateMultiState(m *MultiStateModel, test *MultiStateDataset) MultiStateScores {
	n := m.NumLabels()
	if n != test.NumLabels() || n == 0 || test.Len() == 0 {
		panic("crankpkg: a model and data of different variables, or nothing to measure")
	}
	var right, all, optimal int
	p, y := m.Predictor(), make([]uint8, n)
	for k := range test.Len() {
		if p.PredictTo(y, test.Row(k)) {
			optimal++
		}
		correct := 0
		for i, s := range test.Labels(k) {
			if y[i] == s {
				correct++
			}
		}
		right += correct
		if correct == n {
			all++
		}
	}
	percent := 100 / float64(test.Len())
	return MultiStateScores{
		Hamming: percent * float64(right) / float64(n), ZeroOne: percent * float64(all), Optimal: percent * float64(optimal),
	}
}
