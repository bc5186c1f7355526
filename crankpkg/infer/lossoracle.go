package infer

// LossOracle solves the maximization inside the hinge of eq. (1) for any label
// loss,
//
//	max over s  sum_i c_i s_i + sum_ij w_ij s_i s_j + Delta(s, truth),
//
// where the pairs and their weights are those of g at the time of the call. A
// loss that is a sum over the labels goes into the unary terms (and graphs with
// cycles are relaxed); the others take a maximizer of their own. Like an Oracle,
// it owns its workspace.
type LossOracle struct {
	Graph *PairGraph
	loss  Loss
	auto  autoOracle
	caug  []float64
	other otherTree
	count countTree
	all   enumeration
	few   bounded
}

func NewLossOracle(g *PairGraph, loss Loss) *LossOracle {
	return &LossOracle{
		Graph: g, loss: loss.OrHamming(), auto: autoOracle{tree: treeOracle{g: g}, lp: lpOracle{g: g}},
		caug:  make([]float64, g.N),
		other: otherTree{order: treeOrder{tree: treeOracle{g: g}}},
		count: countTree{order: treeOrder{tree: treeOracle{g: g}}},
	}
}

// Maximize writes a maximizer to y and returns its value. It panics when the
// graph has a cycle among more than EnumerableLabels labels and the loss is no
// sum.
func (o *LossOracle) Maximize(y Labeling, c []float64, truth []uint8) float64 {
	if o.loss.IsSum() {
		return o.auto.Maximize(y, o.augment(c, truth)) + o.loss.Hamming*AugmentConstant(truth)
	}
	switch {
	case !o.auto.forest():
		return o.overCycles(y, c, truth)
	case o.loss.ExampleF1 != 0 || o.loss.limited():
		return o.count.maximize(y, c, truth, o.loss)
	}
	value := o.other.maximize(y, o.augment(c, truth), truth) + o.loss.Hamming*AugmentConstant(truth) + o.loss.ZeroOne
	if own := o.valueOf(c, truth); own >= value {
		y.Set(truth)
		return own
	}
	return value
}

// overCycles maximizes over all labelings of a graph with cycles. Where the relaxation without
// the zero-one loss is tight, its labeling bounds the search.
func (o *LossOracle) overCycles(y Labeling, c []float64, truth []uint8) float64 {
	if o.loss.ExampleF1 == 0 && !o.loss.limited() && len(c) <= EnumerableLabels {
		o.auto.Maximize(y, o.augment(c, truth))
		if y.IsIntegral() {
			if value, ok := o.few.maximize(y, o.Graph, c, truth, o.loss); ok {
				return value
			}
		}
	}
	return o.all.maximize(y, o.Graph, c, truth, o.loss)
}

// augment adds the Hamming loss to the unary terms, up to a constant.
func (o *LossOracle) augment(c []float64, truth []uint8) []float64 {
	for i, v := range truth {
		o.caug[i] = c[i] + o.loss.Hamming*float64(1-2*int(v))
	}
	return o.caug
}

// valueOf returns the score of a labeling of zeros and ones.
func (o *LossOracle) valueOf(c []float64, y []uint8) float64 {
	var sum float64
	for i, v := range y {
		if v == 1 {
			sum += c[i]
		}
	}
	for _, e := range o.Graph.Edges {
		if y[e.I]&y[e.J] == 1 {
			sum += e.Weight
		}
	}
	return sum
}

// treeOrder lists all labels of a forest, parents first.
type treeOrder struct {
	tree   treeOracle
	visits []Visit
}

// update looks whether the edge set has changed. It panics when the graph has a
// cycle.
func (o *treeOrder) update() {
	t := &o.tree
	if t.built && t.structure == t.g.Structure {
		return
	}
	if !t.build() {
		panic("infer: max-product needs a forest")
	}
	o.visits = t.order(o.visits[:0])
}

// weight returns that of the edge between a visit and its parent.
func (o *treeOrder) weight(v Visit) float64 { return o.tree.g.Edges[v.Edge].Weight }
