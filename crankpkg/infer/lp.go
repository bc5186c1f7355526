package infer

import (
	"math"

	"github.com/crank-ml/crank/crankpkg/internal/maxflow"
)

// NewLPOracle returns the oracle that maximizes over the local polytope of any
// graph, by roof duality (Hammer, Hansen, Simeone 1984; Boros, Hammer 2002):
//
//	max  sum_i c_i y_i + sum_ij w_ij y_ij
//	s.t. 0 <= y_i <= 1,  max(0, y_i + y_j - 1) <= y_ij <= min(y_i, y_j)
//
// The result is a labeling in halves. As few labels as an optimum can have are
// one half, and where a label is integral some maximizer over {0,1}^n agrees.
//
// Most labels are decided without a flow. With l_i and u_i the sums of c_i and
// of the negative, or positive, weights to labels that are still open,
//
//   - u_i <= 0 decides y_i = 0 and l_i >= 0 decides y_i = 1; either changes the
//     bounds of the open neighbors, and so on;
//   - an open label with a single open neighbor takes the neighbor's value where
//     the weight between them is positive, the opposite one where it is negative,
//     and is out of the way.
//
// What is left has at least two open neighbors each and goes to the flow.
func NewLPOracle(g *PairGraph) Oracle { return &lpOracle{g: g} }

type lpOracle struct {
	g      *PairGraph
	bounds []labelBounds // by label
	decide []int32       // labels whose value is decided but not yet passed on
	left   int           // labels that are open, or followers not yet passed on
	open   []int32       // labels not decided at first
	follow []follow
	node   []int32 // by label: its node in the network
	flow   maxflow.Solver
}

// labelBounds are of c_i and the weights to the labels that are on or still open.
type labelBounds struct {
	lower, upper float64
	degree       int32 // number of open neighbors
}

// follow says that label i takes the value of label j, or the opposite one.
type follow struct {
	i, j     int32
	opposite bool
}

// States of a label in a Labeling that is being worked out, besides Off, On
// and Half. From isOpen on, the neighbors' bounds still count on the label.
const (
	isFollower uint8 = 3      // follows another label
	isOpen     uint8 = 4      // not decided
	pending    uint8 = 1 << 3 // added to Off, On or isFollower: not yet passed on
)

// Maximize implements Oracle.
func (o *lpOracle) Maximize(y Labeling, c []float64) float64 {
	if len(y) != o.g.N || len(c) != o.g.N {
		panic("infer: unequal numbers of labels")
	}
	o.boundAll(y, c)
	o.decideOpen(y, c)
	return o.value(y, c)
}

// complete maximizes over the labels that are one half in y; the integral ones
// stay as they are.
func (o *lpOracle) complete(y Labeling, c []float64) float64 {
	o.reserve(o.g.N)
	o.open = o.open[:0]
	for i, v := range y {
		if v == Half {
			y[i] = isOpen
			o.open = append(o.open, int32(i))
		}
	}
	o.decideOpen(y, c)
	return o.value(y, c)
}

// decideOpen decides the labels in o.open.
func (o *lpOracle) decideOpen(y Labeling, c []float64) {
	if len(o.open) == 0 {
		return
	}
	o.boundOpen(y, c)
	o.propagate(y)
	o.solveRest(y)
	o.resolveFollowers(y)
}

func (o *lpOracle) reserve(n int) {
	if len(o.bounds) == n {
		return
	}
	o.bounds = make([]labelBounds, n)
	o.node = make([]int32, n)
	o.decide = make([]int32, 0, 2*n)
	o.open = make([]int32, 0, n)
	o.follow = make([]follow, 0, n)
}

// boundAll decides what the bounds with all neighbors open decide.
func (o *lpOracle) boundAll(y Labeling, c []float64) {
	o.reserve(o.g.N)
	o.open = o.open[:0]
	for i, s := range o.g.sums {
		switch {
		case c[i]+s.positive <= 0:
			y[i] = Off
		case c[i]+s.negative >= 0:
			y[i] = On
		default:
			y[i] = isOpen
			o.open = append(o.open, int32(i))
		}
	}
}

// boundOpen works out the bounds of the open labels afresh, from their arcs.
// What they decide is left pending. The loop over the arcs does not branch: the
// signs of weights and the states of neighbors are anybody's guess.
func (o *lpOracle) boundOpen(y Labeling, c []float64) {
	o.decide, o.follow, o.left = o.decide[:0], o.follow[:0], len(o.open)
	for i := range o.bounds {
		o.bounds[i] = decided
	}
	for _, i := range o.open {
		var sum, spread float64
		var degree int32
		for _, a := range o.g.Adj[i] {
			s := &states[y[a.To]&15]
			sum += s.middle * a.Weight
			spread += s.spread * math.Abs(a.Weight)
			degree += s.open
		}
		o.bounds[i] = labelBounds{c[i] + sum - spread, c[i] + sum + spread, degree}
		if o.bounds[i].decisive() {
			o.close(y, i)
		}
	}
}

// states says what a label in a state does to the bounds of its neighbors: a
// weight w counts middle w, give or take spread |w|.
var states = [16]struct {
	middle, spread float64
	open           int32
}{
	Off: {0, 0, 0}, On: {1, 0, 0}, isOpen: {0.5, 0.5, 1},
	Off + pending: {0.5, 0.5, 1}, On + pending: {0.5, 0.5, 1}, isFollower + pending: {0.5, 0.5, 1},
}

// decided are the bounds of a label that has been passed on. Nothing that
// happens to them is decisive.
var decided = labelBounds{math.Inf(-1), math.Inf(1), math.MaxInt32}

// decisive reports whether an open label with these bounds is decided, or a
// follower.
func (b *labelBounds) decisive() bool {
	return b.upper <= 0 || b.lower >= 0 || b.degree <= 1
}

// close leaves label i, if it is open, pending with what its bounds say.
func (o *lpOracle) close(y Labeling, i int32) {
	if y[i] != isOpen {
		return
	}
	y[i] = o.bounds[i].decision() + pending
	if y[i] != isFollower+pending {
		o.left--
	}
	o.decide = append(o.decide, i)
}

// decision returns what becomes of an open label with these bounds.
func (b *labelBounds) decision() uint8 {
	switch {
	case b.upper <= 0:
		return Off
	case b.lower >= 0:
		return On
	case b.degree > 0:
		return isFollower
	case b.lower+b.upper > 0: // rounding errors alone keep the bounds apart
		return On
	}
	return Off
}

// propagate passes on what is decided until nothing new is, or nobody is left
// to be told.
func (o *lpOracle) propagate(y Labeling) {
	for len(o.decide) > 0 {
		i := o.decide[len(o.decide)-1]
		o.decide = o.decide[:len(o.decide)-1]
		y[i] -= pending
		if y[i] == isFollower { // its bounds may have changed since
			y[i] = o.bounds[i].decision()
			o.left--
		} else if o.left == 0 {
			continue
		}
		own := o.bounds[i]
		o.bounds[i] = decided
		switch y[i] {
		case On:
			o.pass(y, i, 0.5)
		case Off:
			o.pass(y, i, -0.5)
		default:
			o.passFollower(y, i, own)
		}
	}
}

// pass tells the open neighbors of label i that it is 1 (side is 1/2) or 0
// (side is -1/2). It tells the others too, whom it does not concern.
func (o *lpOracle) pass(y Labeling, i int32, side float64) {
	for _, a := range o.g.Adj[i] {
		b := &o.bounds[a.To]
		middle, spread := side*a.Weight, math.Abs(a.Weight)/2
		b.lower += middle + spread
		b.upper += middle - spread
		b.degree--
		if b.decisive() {
			o.close(y, a.To)
		}
	}
}

// passFollower gives the one open neighbor of label i what i is worth more when
// that neighbor is 1 than when it is 0.
func (o *lpOracle) passFollower(y Labeling, i int32, own labelBounds) {
	for _, a := range o.g.Adj[i] {
		if y[a.To] < isOpen {
			continue
		}
		b := &o.bounds[a.To]
		b.degree--
		if a.Weight > 0 {
			b.lower += own.upper
			b.upper += own.upper - a.Weight
		} else {
			b.lower -= own.upper + a.Weight
			b.upper -= own.upper
		}
		o.follow = append(o.follow, follow{i, a.To, a.Weight < 0})
		if b.decisive() {
			o.close(y, a.To)
		}
		return
	}
	y[i] = Off // only if a number is not one can the neighbor be missing
}

// solveRest decides the labels that are still open, by a maximum flow. In spins
// s = 2y - 1 a label's field is the sum of its bounds and a pair's coupling is
// its weight, but for a common factor of 4.
func (o *lpOracle) solveRest(y Labeling) {
	rest := o.open[:0]
	for _, i := range o.open {
		if y[i] == isOpen {
			o.node[i] = int32(len(rest))
			rest = append(rest, i)
		}
	}
	if len(rest) == 0 {
		return
	}
	o.flow.Reset(len(rest))
	for k, i := range rest {
		o.flow.SetField(k, o.bounds[i].lower+o.bounds[i].upper)
		for _, a := range o.g.Adj[i] {
			if a.To > i && y[a.To] == isOpen {
				o.flow.AddEdge(int32(k), o.node[a.To], a.Weight)
			}
		}
	}
	o.flow.Solve()
	values := [...]uint8{maxflow.Plus: On, maxflow.Minus: Off, maxflow.Half: Half}
	for k, l := range o.flow.Labels() {
		y[rest[k]] = values[l]
	}
}

// resolveFollowers gives the followers their values, the last one first.
func (o *lpOracle) resolveFollowers(y Labeling) {
	for k := len(o.follow) - 1; k >= 0; k-- {
		f := o.follow[k]
		y[f.i] = y[f.j]
		if f.opposite {
			y[f.i] = On - y[f.j]
		}
	}
}

// value is Labeling.Value without a look at the edges of labels that are off.
// An edge between two labels that are on, or half, is seen from both of them.
func (o *lpOracle) value(y Labeling, c []float64) float64 {
	var quarters float64
	for i, v := range y {
		switch v {
		case On:
			quarters += 4 * c[i]
			for _, a := range o.g.Adj[i] {
				quarters += a.Weight * float64(y[a.To])
			}
		case Half:
			quarters += 2 * c[i]
			for _, a := range o.g.Adj[i] {
				if y[a.To] == On {
					quarters += a.Weight
				} else if y[a.To] == Half && a.Weight > 0 {
					quarters += a.Weight
				}
			}
		}
	}
	return quarters / 4
}
