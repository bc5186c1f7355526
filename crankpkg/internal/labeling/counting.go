package labeling

import (
	"math"

	"github.com/crank-ml/crank/crankpkg/internal/forest"
)

// counting maximizes over the labelings of a forest with at least and at most so many
// labels on: max-product with the number of labels that are on in the state. For each
// subtree it has the best worth by value of its root and by that number, and joining a
// subtree to its parent's is a max-plus convolution, which for numbers up to U takes
// O(n U) for all of the forest.
//
// Where there is no bound above, numbers from the bound below on are one state.
type counting struct {
	least, most int
	top         int  // the largest number that is told apart
	open        bool // top stands for all numbers from it on
	// By position, and one more for what stands above the roots, and by number.
	worth  [2][]float64
	size   []int32    // the largest number of a subtree, at most top
	splits [2][]split // by value of the parent
	want   []int32    // the numbers while the labeling is read off
}

// split tells how many labels are on in a subtree, and in what its parent had before.
type split struct{ rest, child int32 }

func newCounting(n, least, most int) *counting {
	o := &counting{least: least, most: most, top: most}
	if most == n {
		o.top, o.open = least, true
	}
	for v := range o.worth {
		o.worth[v] = make([]float64, (n+1)*(o.top+1))
		o.splits[v] = make([]split, n*(o.top+1))
	}
	o.size, o.want = make([]int32, n+1), make([]int32, n+1)
	return o
}

// table returns the worths of position k with its label at v.
func (o *counting) table(v, k int) []float64 {
	return o.worth[v][k*(o.top+1) : (k+1)*(o.top+1)]
}

// labelTo writes a best labeling to y, and to on by position.
func (o *counting) labelTo(y []uint8, nodes []forest.Node, c []float64, on []uint8) {
	n := len(nodes)
	for v := range o.worth {
		for p := range o.worth[v] {
			o.worth[v][p] = math.Inf(-1)
		}
	}
	for k := range n {
		o.size[k], o.table(0, k)[0], o.table(1, k)[1] = 1, 0, c[k]
	}
	o.size[n], o.table(0, n)[0] = 0, 0
	for k := n - 1; k >= 0; k-- {
		node := &nodes[k]
		o.join(0, k, node)
		if int(node.Parent) < n {
			o.join(1, k, node)
		}
		o.size[node.Parent] = min(o.size[node.Parent]+o.size[k], int32(o.top))
	}
	o.read(y, nodes, on)
}

// join joins the subtree of position k to its parent's where that is at v.
func (o *counting) join(v, k int, node *forest.Node) {
	off, on, into := o.table(0, k), o.table(1, k), o.table(v, int(node.Parent))
	splits := o.splits[v][k*(o.top+1) : (k+1)*(o.top+1)]
	w := node.Weight * float64(v)
	before, own := int(o.size[node.Parent]), int(o.size[k])
	// From the largest number down, what is still needed of the table is as it was.
	for t := min(before+own, o.top); t >= 0; t-- {
		best, s := math.Inf(-1), split{rest: int32(min(t, before))}
		for child := max(0, t-before); child <= min(t, own); child++ {
			more := max(off[child], on[child]+w)
			rest, last := t-child, t-child
			if o.open && t == o.top {
				last = before // all that make the number or more
			}
			for ; rest <= last; rest++ {
				if value := into[rest] + more; value > best {
					best, s = value, split{int32(rest), int32(child)}
				}
			}
		}
		into[t], splits[t] = best, s
	}
}

// read splits the numbers from the top down, the subtree that was joined last first.
func (o *counting) read(y []uint8, nodes []forest.Node, on []uint8) {
	n := len(nodes)
	total, all := o.least, o.table(0, n)
	for t := o.least; t <= min(int(o.size[n]), o.top); t++ {
		if all[t] > all[total] {
			total = t
		}
	}
	o.want[n] = int32(total)
	for k := range nodes {
		node := &nodes[k]
		v, p := int(on[node.Parent]), node.Parent
		s := o.splits[v][k*(o.top+1)+int(o.want[p])]
		o.want[p], o.want[k] = s.rest, s.child
		on[k] = 0
		if o.table(1, k)[s.child]+node.Weight*float64(v) > o.table(0, k)[s.child] {
			on[k] = 1
		}
		y[node.Label] = on[k]
	}
}
