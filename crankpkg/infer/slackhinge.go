package infer

import "math"

// SlackHinge is the squared hinge of one example with a slack xi_i for each label,
//
//	h(w) = min over xi  sum_i cost_i xi_i^2
//	       s.t.  score(x, y) - score(x, s) >= sum_i |s_i - y_i| (1 - xi_i)  for all s.
//
// A slack is how far the labels that s has wrong may fall short of their margin, each
// on its own. Without pairs the constraints are those of single labels, and h is the
// sum of cost_i max(0, 1 - margin_i)^2: the squared hinge of binary machines. (The
// square of eq. (1) is another function: it squares the sum over the labels.) By its
// dual,
//
//	h(w) = max over a_s >= 0  sum_s a_s v_s - sum_i a_i^2 / (4 cost_i),
//	       v_s = Delta(s, y) + score(x, s) - score(x, y),   a_i = sum_s a_s |s_i - y_i|,
//
// h is convex in w, which v_s is linear in. Labelings s are those of the oracle: all
// on a forest, the local polytope on graphs with cycles. The constraints of labelings that
// have one label wrong are lower bounds on the slacks; of the others the most violated is
// a maximization with the unary terms c_i + (1 - xi_i)(1 - 2 y_i), so that h is found by
// adding labelings, one by one, and maximizing over their few a_s.
//
// Like an Oracle, it owns its workspace.
type SlackHinge struct {
	Graph   *PairGraph
	oracle  Oracle
	c, caug []float64
	truth   []uint8
	slack   []float64 // xi
	y       Labeling
	columns slackColumns
}

// NewSlackHinge returns the hinge on the graph g as it is at the time of a call.
func NewSlackHinge(g *PairGraph) *SlackHinge {
	return &SlackHinge{
		Graph: g, oracle: NewAutoOracle(g), caug: make([]float64, g.N), slack: make([]float64, g.N), y: make(Labeling, g.N),
		columns: newSlackColumns(g.N),
	}
}

// Begin takes an example: its unary scores, its true labels and the costs of their
// slacks. It keeps no copy.
func (h *SlackHinge) Begin(c []float64, truth []uint8, cost []float64) {
	h.c, h.truth = c, truth
	h.columns.reset(cost)
	floor := h.columns.floor
	copy(floor, c)
	for _, e := range h.Graph.Edges {
		floor[e.I] += e.Weight * float64(truth[e.J])
		floor[e.J] += e.Weight * float64(truth[e.I])
	}
	for i, v := range truth {
		floor[i] = max(0, 1+floor[i]*float64(1-2*int(v)))
	}
}

// Know tells of a labeling that is likely to have a part in the maximum: its v_s, and
// its a_s as far as it is known. The labels that it has wrong follow by
// Differ, two or more, increasing.
func (h *SlackHinge) Know(value, weight float64) { h.columns.add(value, weight) }

// Differ says that the labeling told last has |s_i - y_i| = by.
func (h *SlackHinge) Differ(i int, by float64) {
	c := &h.columns.list[len(h.columns.list)-1]
	c.label, c.by = append(c.label, int32(i)), append(c.by, by)
}

// slackRounds bounds the labelings that Value adds, and the repairs that follow.
const slackRounds = 40

// Value returns h, up to the relative error, and never less: the slacks that it comes to
// are raised until no constraint is violated.
func (h *SlackHinge) Value(relative float64) float64 {
	violation, tolerance := 0.0, 0.0
	for range slackRounds {
		h.columns.slacksTo(h.slack)
		tolerance = h.tolerance(relative)
		h.columns.solve(h.slack, tolerance/4)
		if len(h.Graph.Edges) == 0 {
			break
		}
		if violation = h.violation(); violation <= tolerance {
			break
		}
		h.Know(violation, 0)
		for i, v := range h.y {
			if by := math.Abs(float64(v)/2 - float64(h.truth[i])); by > 0 {
				h.Differ(i, by)
				h.columns.list[len(h.columns.list)-1].value += by * h.slack[i]
			}
		}
	}
	for range slackRounds {
		if violation <= tolerance {
			break
		}
		h.repair(violation)
		violation = h.violation()
	}
	// A vertex of the local polytope differs from the truth by one half or more.
	raise, sum := 2*max(violation, 0), 0.0
	for i, xi := range h.slack {
		sum += h.columns.cost[i] * (xi + raise) * (xi + raise)
	}
	return sum
}

// tolerance returns the violation that changes Value by the relative error at most.
func (h *SlackHinge) tolerance(relative float64) float64 {
	var value, slope, size float64
	for i, xi := range h.slack {
		value += h.columns.cost[i] * xi * xi
		slope += 4 * h.columns.cost[i] * xi
		size += math.Abs(h.c[i])
	}
	return max(relative*value/max(slope, 1e-300), 1e-14*(1+size))
}

// violation leaves the most violated constraint in y, and returns by how much it is.
func (h *SlackHinge) violation() float64 {
	var truth float64
	for i, v := range h.truth {
		h.caug[i] = h.c[i] + (1-h.slack[i])*float64(1-2*int(v))
		if v == 1 {
			truth += h.caug[i]
		}
	}
	for _, e := range h.Graph.Edges {
		if h.truth[e.I]&h.truth[e.J] == 1 {
			truth += e.Weight
		}
	}
	return h.oracle.Maximize(h.y, h.caug) - truth
}

// repair raises the slacks of the labels that y has wrong until its constraint holds, in
// proportion to what their unary terms add to the violation.
func (h *SlackHinge) repair(violation float64) {
	var sum, size float64
	for i, v := range h.y {
		by := float64(v)/2 - float64(h.truth[i])
		sum += max(0, by*h.caug[i])
		size += math.Abs(by)
	}
	for i, v := range h.y {
		switch by := float64(v)/2 - float64(h.truth[i]); {
		case by == 0:
		case sum > 0:
			h.slack[i] += violation * max(0, by*h.caug[i]) / (sum * math.Abs(by))
		default:
			h.slack[i] += violation / size
		}
	}
}
