package labeling

import (
	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/internal/forest"
)

// Limiter turns a best labeling into a best one among those with at least and at most so
// many labels on. Where the labeling is one of those already, which is the common case, it
// costs a look at the labels. A Limiter owns its workspace: it allocates nothing once warm,
// and each goroutine needs its own.
//
// On a forest the result is exact. Of several best labelings it is one with the fewest
// labels on, and what is still open goes to off, parents first, as in the tree oracle;
// where one label has to be on and several are as good, it is the smallest.
//
// On a graph with cycles a branch and bound looks for it. It always ends, and then is
// exact, for up to infer.EnumerableLabels labels; beyond, it stops after a number of steps
// and leaves the best labeling that it has found.
type Limiter struct {
	n, least, most int

	counts *counting // nil until needed
	margin []float64 // by position, and one more for the parent of the roots
	fixed  []bool    // by position
	search *search   // nil until needed
}

// NewLimiter returns the limiter for n labels. It panics unless 0 <= least <= most <= n
// and 1 <= most.
func NewLimiter(n, least, most int) *Limiter {
	if least < 0 || least > most || most > n || most < 1 {
		panic("labeling: limits that no labeling meets")
	}
	return &Limiter{n: n, least: least, most: most, margin: make([]float64, n+1), fixed: make([]bool, n)}
}

// Meets reports whether the labeling has as many labels on as it should.
func (l *Limiter) Meets(y []uint8) bool {
	count := 0
	for _, v := range y {
		count += int(v)
	}
	return l.least <= count && count <= l.most
}

// Forest is for what forest.Label has left in y, gain and on, from the unary scores c by
// position. It changes y, gain and on.
func (l *Limiter) Forest(y []uint8, nodes []forest.Node, c, gain []float64, on []uint8) {
	if l.Meets(y) {
		return
	}
	if l.least == 1 && l.turnOn(y, nodes, gain, on) && l.Meets(y) {
		return
	}
	if l.counts == nil {
		l.counts = newCounting(l.n, l.least, l.most)
	}
	l.counts.labelTo(y, nodes, c, on)
}

// turnOn writes the best labeling of a forest with at least one label on, where the best
// of all, in y, has none, and reports whether it had none. That is one with the label of
// the largest margin on: what is best for the labels above it is known once the messages
// have come back from the roots, and one pass down tells the others.
func (l *Limiter) turnOn(y []uint8, nodes []forest.Node, gain []float64, on []uint8) bool {
	for _, v := range y {
		if v != 0 {
			return false
		}
	}
	at, margin := 0, l.margin
	for k := range nodes {
		node := &nodes[k]
		rest := margin[node.Parent] - message(gain[k], node.Weight)
		margin[k] = gain[k] + message(rest, node.Weight)
		if margin[k] > margin[at] || margin[k] == margin[at] && node.Label < nodes[at].Label {
			at = k
		}
	}
	clear(l.fixed)
	on[at], l.fixed[at] = 1, true
	for k := at; int(nodes[k].Parent) < l.n; k = int(nodes[k].Parent) {
		node := &nodes[k]
		rest := margin[node.Parent] - message(gain[k], node.Weight)
		if on[k] != 0 {
			rest += node.Weight
		}
		on[node.Parent], l.fixed[node.Parent] = 0, true
		if rest > 0 {
			on[node.Parent] = 1
		}
	}
	for k := range nodes {
		a, node := gain[k], &nodes[k]
		if on[node.Parent] != 0 {
			a += node.Weight
		}
		if !l.fixed[k] {
			on[k] = 0
			if a > 0 {
				on[k] = 1
			}
		}
		y[node.Label] = on[k]
	}
	return true
}

// Graph is for any labeling y on a graph with cycles, given the unary scores c by label. It
// reports whether y, where it has changed it, is certainly the best within the limits.
func (l *Limiter) Graph(y []uint8, g *infer.PairGraph, c []float64) (changed, optimal bool) {
	if l.Meets(y) {
		return false, false
	}
	if l.search == nil {
		l.search = newSearch(l.n, l.least, l.most)
	}
	return true, l.search.labelTo(y, g, c)
}

// message returns what a label whose margin is a is worth more to a neighbor that is on
// than to one that is off.
func message(a, w float64) float64 { return max(0, a+w) - max(0, a) }
