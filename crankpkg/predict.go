package crankpkg

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/crank-ml/crank/crankpkg/decision"
	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/internal/among"
	"github.com/crank-ml/crank/crankpkg/internal/forest"
	"github.com/crank-ml/crank/crankpkg/internal/groups"
	"github.com/crank-ml/crank/crankpkg/internal/labeling"
	"github.com/crank-ml/crank/crankpkg/internal/linear"
	"github.com/crank-ml/crank/crankpkg/internal/parallel"
	"github.com/crank-ml/crank/crankpkg/internal/table"
	"gonum.org/v1/gonum/floats"
)

// Predictor is a Model made ready to predict raw rows: the scaling is folded into the weights, and the
// labels of a forest stand in an order in which one pass up and one pass down finds the best labeling. It
// does not see later changes of the model. It is safe for concurrent use and, but for Fourier features and
// kernels, allocates nothing for a prediction once warm.
//
// On a forest the prediction is exact, and so it is among the Labelings of a model that has them, on any
// graph. Else, on a graph with cycles it is that of the LP relaxation, where a label at one half is rounded
// by its unary score alone: to 1 if w_i . x > 0. Ties go to 0. Of labels in groups, exactly one is on in
// each; on a graph of groups with cycles, that of largest marginal.
//
// The Rule of the model changes the scores first. What it expects is of the Labelings, by their
// probabilities, or of the labels, by those of its Calibration; margins stay those of the scores. Its
// limits on the number of labels are met exactly on a forest; on a graph with cycles by a search, where the
// labels do not meet them, which is exact for up to infer.EnumerableLabels labels. Of several best
// labelings within limits it takes one with few labels, and of labels that are as good the smallest.
//
// PredictTo, Predict, PredictLabels, PredictAll, ScoresTo and MarginsTo are fast: they demand a row of the
// model's length with finite values and look at the length alone, so that a NaN or an infinite value gives
// labels that mean nothing. PredictRow, MarginsRow, PredictRows and MarginsRows take any row and return an
// error for a bad one. PredictRecord, MarginsRecord and EncodeRecord take raw records: values by the names
// of columns, as they stood in the file that the model was trained on.
type Predictor struct {
	numLabels, numFeatures int
	labelNames             []string
	featureNames           []string // of the raw rows
	encoder                func() *table.Encoder
	rowMap                 *feature.RowMap // of raw rows to the rows below; nil: those are the raw rows
	// Position p of what follows belongs to the label order[p].
	order  []int32
	scorer *linear.Scorer
	nodes  []forest.Node    // by position, parents first; nil: use graph
	graph  *infer.PairGraph // nil: a forest
	pairs  *pairScorer      // nil: the weights of the edges do not depend on x
	among  *among.Scorer    // nil: all labelings
	groups *groups.Scorer   // nil: the labels are free
	cuts   []float64        // of the model's rule; nil: none
	limits *[2]int          // likewise, the least and the greatest number of labels
	rule   decision.Rule    // what it expects
	small  *forest.Small    // one row of few labels on a forest, where nothing more is asked; else nil

	workspaces sync.Pool
}

// predictWorkspace is what one goroutine needs.
type predictWorkspace struct {
	gain   []float64     // by position, and one more for the parent of the roots
	on     []uint8       // likewise
	row    []float64     // w_i . x by position, without bias and scaling
	tile   []float64     // the same of the rows of a batch
	lanes  *forest.Lanes // for batches on a forest; nil: one row after the other
	oracle infer.Oracle  // for graphs with cycles
	y      Labeling
	// With features on the edges: w_ij . z(x), and where they go.
	pairs []float64
	nodes []forest.Node
	graph *infer.PairGraph
	group *groups.Workspace // for labels in groups
	// With limits on the number of labels: the scores before a search has changed them.
	limiter *labeling.Limiter
	scores  []float64
	// With something to expect of the labelings, or of calibrated labels.
	expecter *among.Expecter
	decider  *decision.Decider

	margins *marginWorkspace // nil until margins are asked for
}

// Predictor returns m frozen for prediction. It panics when the parts of m do
// not fit together.
func (m *Model) Predictor() *Predictor {
	if err := m.Validate(); err != nil {
		panic(err.Error())
	}
	rowMap, featureNames, coding := m.rowMap(), slices.Clone(m.FeatureNames), m.Coding.Clone()
	m = m.ofInputs().ruled()
	n, d := m.NumLabels(), m.NumFeatures()
	p := &Predictor{
		numLabels: n, numFeatures: d, rowMap: rowMap,
		labelNames: slices.Clone(m.LabelNames), featureNames: featureNames,
		encoder: sync.OnceValue(func() *table.Encoder { return table.NewEncoder(&coding, featureNames) }),
		order:   make([]int32, n),
	}
	for i := range p.order {
		p.order[i] = int32(i) // but on a forest
	}
	g := infer.NewPairGraph(n, m.Edges, m.PairNorms())
	if len(m.EdgeFeatures.Columns) == 0 {
		g = m.Graph()
	}
	switch order, isForest := infer.ForestOrder(g); {
	case m.Groups != nil:
		p.groups = groups.NewScorer(m.Groups, m.Edges, m.Pair)
	case isForest:
		p.nodes = forest.New(g, order)
		for pos, node := range p.nodes {
			p.order[pos] = node.Label
		}
	default:
		p.graph = g
	}
	if len(m.EdgeFeatures.Columns) > 0 {
		p.pairs = &pairScorer{m.edgeScorer(), labeling.NewPlaces(m.Edges, p.nodes)}
	}
	if len(m.Labelings) > 0 {
		p.among = among.New(m.Labelings, m.LabelingScores, p.order, m.Edges, m.Pair)
	}
	p.freezeRule(m.Rule)
	weights, bias := make([]float64, 0, n*d+1), make([]float64, n)
	for pos, i := range p.order {
		w := append(weights[pos*d:pos*d], m.UnaryWeights(int(i))...)
		m.Scaler.Fold(w)
		weights, bias[pos] = weights[:(pos+1)*d], w[d]
	}
	p.scorer = linear.New(weights, bias, d, Scaler{Kind: m.Scaler.Kind})
	if p.plain() && n <= forest.SmallLabels && rowMap == nil {
		p.small = &forest.Small{Nodes: p.nodes, Scorer: p.scorer, Cuts: p.cuts}
	}
	p.workspaces.New = func() any { return p.newWorkspace() }
	return p
}

// freezeRule keeps the rule's cuts by position, and its limits.
func (p *Predictor) freezeRule(r decision.Rule) {
	p.rule = r.Clone()
	if cuts := r.LabelCuts(p.numLabels); cuts != nil {
		for _, i := range p.order {
			p.cuts = append(p.cuts, cuts[i])
		}
	}
	if least, most, limited := r.Bounds(p.numLabels); limited && p.among == nil && !r.Calibrated() {
		p.limits = &[2]int{least, most}
	}
}

// plain: the best labeling of a forest is all that is asked for.
func (p *Predictor) plain() bool {
	return p.nodes != nil && p.pairs == nil && p.among == nil && p.limits == nil && !p.rule.Calibrated()
}

func (p *Predictor) newWorkspace() *predictWorkspace {
	ws := &predictWorkspace{
		gain: make([]float64, p.numLabels+1),
		on:   make([]uint8, p.numLabels+1),
		row:  make([]float64, p.scorer.Width()),
	}
	ws.nodes, ws.graph = p.nodes, p.graph
	if p.pairs != nil {
		p.pairs.prepare(ws)
	}
	if p.graph != nil {
		ws.oracle, ws.y = infer.NewLPOracle(ws.graph), make(Labeling, p.numLabels)
	}
	if p.groups != nil {
		ws.group = p.groups.NewWorkspace(ws.gain)
	}
	if p.plain() {
		ws.lanes = forest.NewLanes(p.nodes)
	}
	if p.limits != nil {
		ws.limiter, ws.scores = labeling.NewLimiter(p.numLabels, p.limits[0], p.limits[1]), make([]float64, p.numLabels)
	}
	switch {
	case p.rule.Calibrated():
		ws.decider = decision.NewDecider(p.rule, p.numLabels)
	case p.rule.Expect != "":
		ws.expecter = among.NewExpecter(p.among, p.rule.Expect, p.rule.Temperature)
	}
	return ws
}

// NumLabels returns n.
func (p *Predictor) NumLabels() int { return p.numLabels }

// NumFeatures returns d, without the constant for the bias.
func (p *Predictor) NumFeatures() int {
	if p.rowMap != nil {
		return p.rowMap.NumFeatures
	}
	return p.numFeatures
}

// PredictTo writes the labels predicted for the raw row x to y, n zeros and
// ones, and reports whether they are certainly the best: always on a forest, on a graph
// with cycles where the relaxation is tight or the search within limits has ended. It
// panics when x or y has the wrong length; every value of x has to be finite.
func (p *Predictor) PredictTo(y []uint8, x Row) (optimal bool) {
	p.checkLengths(len(y), x)
	if p.small != nil {
		p.small.LabelTo(y, x)
		return true
	}
	ws, x := p.scored(x)
	optimal = p.label(y, ws, x)
	p.workspaces.Put(ws)
	return optimal
}

// Predict returns the labels predicted for the raw row x, n zeros and ones. It panics
// when x has the wrong length; every value of x has to be finite, which PredictRow checks.
func (p *Predictor) Predict(x Row) []uint8 {
	y := make([]uint8, p.numLabels)
	p.PredictTo(y, x)
	return y
}

// PredictLabels returns the names of the labels predicted for the raw row x, as Predict does.
func (p *Predictor) PredictLabels(x Row) []string {
	return p.namesOf(p.Predict(x))
}

// namesOf returns the names of the labels that are on.
func (p *Predictor) namesOf(y []uint8) (names []string) {
	for i, v := range y {
		if v == 1 {
			names = append(names, p.labelNames[i])
		}
	}
	return names
}

// ScoresTo writes the unary scores w_i . x of the raw row x, bias included, to
// c. It panics when x or c has the wrong length; every value of x has to be finite.
func (p *Predictor) ScoresTo(c []float64, x Row) {
	p.checkLengths(len(c), x)
	ws, _ := p.scored(x)
	for pos, i := range p.order {
		c[i] = ws.gain[pos]
	}
	p.workspaces.Put(ws)
}

// label writes the best labeling of the row x for the scores in ws.gain, and
// reports whether it is certainly the best.
func (p *Predictor) label(y []uint8, ws *predictWorkspace, x Row) (optimal bool) {
	if ws.decider != nil {
		optimal = p.margins(ws.decider.Margins, ws, x)
		ws.decider.LabelTo(y)
		return optimal
	}
	p.prepare(ws, x)
	switch {
	case ws.expecter != nil:
		ws.expecter.LabelTo(y, ws.gain[:p.numLabels], ws.pairs)
	case p.among != nil:
		p.among.LabelTo(y, ws.gain, ws.pairs)
	case p.groups != nil:
		return p.groups.LabelTo(y, ws.group, ws.pairs)
	case p.graph != nil:
		return p.labelByRelaxation(y, ws)
	case ws.limiter != nil:
		copy(ws.scores, ws.gain)
		forest.Label(y, ws.nodes, ws.gain, ws.on)
		ws.limiter.Forest(y, ws.nodes, ws.scores, ws.gain, ws.on)
	default:
		forest.Label(y, ws.nodes, ws.gain, ws.on)
	}
	return true
}

// prepare changes the scores in ws by the model's rule, and weighs the pairs for the row x.
func (p *Predictor) prepare(ws *predictWorkspace, x Row) {
	if p.cuts != nil {
		floats.Sub(ws.gain[:p.numLabels], p.cuts)
	}
	if p.pairs != nil {
		p.pairs.weigh(ws, x)
	}
}

func (p *Predictor) labelByRelaxation(y []uint8, ws *predictWorkspace) (tight bool) {
	c := ws.gain[:p.numLabels]
	ws.oracle.Maximize(ws.y, c)
	ws.y.RoundTo(y, c)
	if ws.limiter != nil {
		if changed, best := ws.limiter.Graph(y, ws.graph, c); changed {
			return best
		}
	}
	return ws.y.IsIntegral()
}

func (p *Predictor) checkLengths(labels int, x Row) {
	switch last := len(x.Index) - 1; {
	case labels != p.numLabels:
		panic("crankpkg: unequal numbers of labels")
	case x.Index == nil && len(x.Value) != p.NumFeatures() && len(x.Value) != 0:
		panic(fmt.Sprintf("crankpkg: a row of %d features for a model of %d", len(x.Value), p.NumFeatures()))
	case last >= 0 && int(x.Index[last]) >= p.NumFeatures():
		panic(fmt.Sprintf("crankpkg: a row with feature %d for a model of %d", x.Index[last], p.NumFeatures()))
	}
}

// A batch has so many rows: the weights stay in the cache while they pass by.
const batchRows = 64

// PredictAll returns the labels predicted for all raw rows of x, row after
// row, M x n, on all processors. It panics when the rows have the wrong length; their
// values have to be finite, which PredictRows checks.
func (p *Predictor) PredictAll(x *Matrix) []uint8 {
	y := make([]uint8, x.NumRows*p.numLabels)
	p.PredictAllTo(y, x, 0)
	return y
}

// PredictAllTo is PredictAll into y, on at most the given number of goroutines;
// zero means all processors. The number does not change the result. It panics
// when y or the rows have the wrong length.
func (p *Predictor) PredictAllTo(y []uint8, x *Matrix, workers int) {
	if len(y) != x.NumRows*p.numLabels || x.NumCols != p.NumFeatures() {
		panic(fmt.Sprintf("crankpkg: %d values for %d rows of %d features and a model of %d features and %d labels",
			len(y), x.NumRows, x.NumCols, p.NumFeatures(), p.numLabels))
	}
	batches := (x.NumRows + batchRows - 1) / batchRows
	if workers == 1 {
		for k := range batches { // a closure would be allocated
			p.predictBatch(y, x, k)
		}
		return
	}
	parallel.ForEach(context.Background(), workers, batches, func(_, k int) { p.predictBatch(y, x, k) })
}

// predictBatch predicts batch k of the rows.
func (p *Predictor) predictBatch(y []uint8, x *Matrix, k int) {
	ws := p.workspaces.Get().(*predictWorkspace)
	n, first := p.numLabels, k*batchRows
	last := min(first+batchRows, x.NumRows)
	rows, at := x, first // the position of the batch in rows
	if p.rowMap != nil {
		rows, at = p.rowMap.Rows(x, first, last), 0
	}
	width, dense := p.scorer.Width(), !rows.IsSparse()
	if dense {
		if ws.tile == nil {
			ws.tile = make([]float64, batchRows*width)
		}
		p.scorer.MultiplyTo(ws.tile, rows.Value[at*rows.NumCols:(at+last-first)*rows.NumCols], last-first)
	}
	inLanes := 0
	if ws.lanes != nil {
		inLanes = (last - first) / forest.Width * forest.Width
	}
	y = y[first*n : last*n]
	for m := range last - first {
		row := rows.Row(at + m)
		if dense {
			p.scorer.FinishTo(ws.gain, ws.tile[m*width:(m+1)*width], row)
		} else {
			p.scorer.ScoreTo(ws.gain, ws.row, row)
		}
		if m >= inLanes {
			p.label(y[m*n:(m+1)*n], ws, row)
			continue
		}
		p.prepare(ws, row)
		lane := m % forest.Width
		ws.lanes.Set(lane, ws.gain[:n])
		if lane == forest.Width-1 {
			ws.lanes.Label(y[(m-lane)*n : (m+1)*n])
		}
	}
	p.workspaces.Put(ws)
}

// pairScorer brings the pair weights of a row to where they are needed.
type pairScorer struct {
	*feature.EdgeScorer
	*labeling.Places
}

// prepare gives a workspace nodes, or a graph, and scores of its own.
func (s pairScorer) prepare(ws *predictWorkspace) {
	ws.pairs = make([]float64, len(s.Edges))
	ws.nodes = slices.Clone(ws.nodes)
	if ws.graph != nil {
		ws.graph = infer.NewPairGraph(ws.graph.N, nil, nil)
	}
}

// weigh gives the edges in ws the weights of the row x.
func (s pairScorer) weigh(ws *predictWorkspace, x Row) {
	s.ScoresTo(ws.pairs, x)
	s.Weigh(ws.nodes, ws.graph, ws.pairs)
}
