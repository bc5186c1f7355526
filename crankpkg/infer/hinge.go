package infer

// Hinge is the hinge of an example under a label loss: that of eq. (1) where the loss is
// plain, and else that of its slacks. It is what the definitions say, with nothing of what
// makes training fast. It owns its workspace.
type Hinge struct {
	graph     *PairGraph
	loss      Loss
	oracle    *LossOracle
	slack     *SlackHinge
	cost      []float64
	y, labels Labeling
}

// NewHinge returns the hinge on the graph g, as it is at the time of a call, under a loss
// whose costs are resolved.
func NewHinge(g *PairGraph, loss Loss) *Hinge {
	h := &Hinge{graph: g, loss: loss, cost: make([]float64, g.N), y: make(Labeling, g.N), labels: make(Labeling, g.N)}
	switch {
	case loss.IsPlain():
		h.oracle = NewLossOracle(g, loss)
	case loss.Squared:
		h.slack = NewSlackHinge(g)
	}
	return h
}

// Of returns the hinge at the unary scores c. It panics where the graph has edges and the
// loss has costs without squares.
func (h *Hinge) Of(c []float64, truth []uint8) float64 {
	if h.oracle != nil {
		h.labels.Set(truth)
		return h.oracle.Maximize(h.y, c, truth) - h.labels.Value(h.graph, c)
	}
	h.loss.CostsTo(h.cost, truth)
	if h.slack != nil {
		h.slack.Begin(c, truth, h.cost)
		return h.slack.Value(1e-10)
	}
	if len(h.graph.Edges) > 0 {
		panic("infer: costs with pairs need squares")
	}
	var sum float64
	for i, v := range truth {
		sum += h.cost[i] * max(0, 1+c[i]*float64(1-2*int(v)))
	}
	return sum
}
