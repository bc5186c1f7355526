package hardness

import (
	"fmt"

	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// build returns the training set of the Reduction's version: the examples that
// pin the weights and, last, the one that asks for the degrees.
func (r *Reduction) build() []Example {
	examples := r.boundPair()
	for _, e := range r.Edges {
		off, diag := r.offPair(e), r.diagPair(e)
		if r.Version == Repaired {
			off[1].Pins = fmt.Sprintf("w(%d,%d) <= 1", e.I+1, e.J+1)
			examples = append(examples, off[1])
			continue
		}
		examples = append(append(examples, off...), diag...)
	}
	if r.Version == Repaired {
		for v := 1; v < r.N; v++ {
			examples = append(examples, r.connection(v))
		}
	}
	return append(examples, Example{
		Name: "degrees",
		X:    r.noBias(),
		Y:    make([]int, r.N),
		Pins: "w_bound >= weighted degree of every vertex",
	})
}

// boundPair returns the pair for w_bound. All vertices but the first are held
// at the state 2, and the first one may choose between 0 and 1.
func (r *Reduction) boundPair() []Example {
	x := make([][]int, r.N)
	x[0] = r.only(0, 0, 1)
	bound := r.D
	if r.Version == AsPrinted {
		x[0][1] = -r.D
		bound = -r.D
	} else {
		x[0][0] = -r.D
	}
	for i := 1; i < r.N; i++ {
		x[i] = r.only(i, 2)
	}
	at0, at1 := make([]int, r.N), make([]int, r.N)
	for i := range r.N {
		at0[i], at1[i] = 2, 2
	}
	at0[0], at1[0] = 0, 1
	return []Example{
		{Name: "bound, y_1 = 0", X: x, Y: at0, Pins: fmt.Sprintf("w_bound >= %d", bound)},
		{Name: "bound, y_1 = 1", X: x, Y: at1, Pins: fmt.Sprintf("w_bound <= %d", bound)},
	}
}

// offPair returns the pair for the off-diagonal weight of e = ij. Vertex i is
// held at 0, all others at their own names; j chooses between 0 and a state
// that differs from all its neighbors'.
func (r *Reduction) offPair(e labelgraph.Edge) []Example {
	other := e.I + 1
	if r.Version == AsPrinted {
		other = 1
	}
	x := r.named()
	x[e.I] = r.only(e.I, 0)
	x[e.J] = r.only(e.J, 0, other)
	x[e.J][other] = r.N * r.N
	equal, differ := r.names(), r.names()
	equal[e.I], equal[e.J] = 0, 0
	differ[e.I], differ[e.J] = 0, other
	name := fmt.Sprintf("off-diagonal (%d,%d), y_%d = ", e.I+1, e.J+1, e.J+1)
	weight := fmt.Sprintf("w_off(%d,%d)", e.I+1, e.J+1)
	return []Example{
		{Name: name + "0", X: x, Y: equal, Pins: fmt.Sprintf("%s <= %d", weight, -r.N*r.N)},
		{Name: fmt.Sprint(name, other), X: x, Y: differ, Pins: fmt.Sprintf("%s >= %d", weight, -r.N*r.N)},
	}
}

// diagPair returns the pair for the diagonal weight of e = ij. All vertices but
// j are held at their own names; j chooses between 0 and i.
func (r *Reduction) diagPair(e labelgraph.Edge) []Example {
	i := e.I + 1
	x := r.named()
	x[e.J] = r.only(e.J, 0, i)
	x[e.J][0], x[e.J][i] = r.N*r.N, -1
	differ, equal := r.names(), r.names()
	differ[e.J], equal[e.J] = 0, i
	name := fmt.Sprintf("diagonal (%d,%d), y_%d = ", i, e.J+1, e.J+1)
	weight := fmt.Sprintf("w_diag(%d,%d)", i, e.J+1)
	return []Example{
		{Name: name + "0", X: x, Y: differ, Pins: weight + " <= 1"},
		{Name: fmt.Sprint(name, i), X: x, Y: equal, Pins: weight + " >= 1"},
	}
}

// connection returns the example that asks whether the tree connects v to the
// first vertex, by edges of weight 1 at least.
func (r *Reduction) connection(v int) Example {
	x := make([][]int, r.N)
	x[0] = r.only(0, 0)
	for i := 1; i < r.N; i++ {
		x[i] = r.only(i, 0, 1)
	}
	x[v][1] = r.N * r.N
	return Example{
		Name: fmt.Sprintf("connection 1-%d", v+1),
		X:    x,
		Y:    make([]int, r.N),
		Pins: fmt.Sprintf("w >= 1 on the tree's path from 1 to %d", v+1),
	}
}

// noBias returns biases that are all zero.
func (r *Reduction) noBias() [][]int {
	x := make([][]int, r.N)
	for i := range x {
		x[i] = make([]int, r.N+1)
	}
	return x
}

// only returns the biases of vertex i that let it take the given states only.
func (r *Reduction) only(i int, states ...int) []int {
	x := make([]int, r.N+1)
	for s := range x {
		x[s] = -r.gamma[i]
	}
	for _, s := range states {
		x[s] = 0
	}
	return x
}

// named returns the biases that hold each vertex at its own name.
func (r *Reduction) named() [][]int {
	x := make([][]int, r.N)
	for i := range x {
		x[i] = r.only(i, i+1)
	}
	return x
}

// names returns the labeling that gives each vertex its own name.
func (r *Reduction) names() []int {
	y := make([]int, r.N)
	for i := range y {
		y[i] = i + 1
	}
	return y
}
