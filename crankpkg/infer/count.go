package infer

import (
	"math"

	"github.com/crank-ml/crank/crankpkg/metrics"
)

// countTree maximizes over the labelings of a forest when the label loss
// depends on how many labels are missed (1 in truth, 0 in s) and how many are
// phantoms (the other way round), as every Loss does:
//
//	max over s  sum_i c_i s_i + sum_ij w_ij s_i s_j + Delta(misses, phantoms).
//
// It is max-product with both counts in the state: for each subtree, value of
// its root and pair of counts, the best worth. Joining two subtrees is a
// max-plus convolution of their tables.
type countTree struct {
	order  treeOrder
	nodes  []countNode // by visit; one more stands above all roots
	slab   []float64   // memory of the tables
	misses []int       // by visit: the counts while the maximizer is read off
	ghosts []int
}

// countNode is the table of a subtree: of its root alone at first, then with
// one child's subtree after the other.
type countNode struct {
	table countTable
	// before is the parent's table without this subtree, and message the table
	// of this subtree by the value of the parent.
	before, message countTable
}

// countTable holds worths by value (0 or 1), misses (to t) and phantoms (to f).
type countTable struct {
	worth [2][]float64
	t, f  int
}

func (a *countTable) at(misses, phantoms int) int { return misses*(a.f+1) + phantoms }

// newTable returns a table of minus infinity.
func (o *countTree) newTable(t, f int) countTable {
	size := (t + 1) * (f + 1)
	a := countTable{t: t, f: f}
	for v := range a.worth {
		at := len(o.slab)
		for range size {
			o.slab = append(o.slab, math.Inf(-1))
		}
		a.worth[v] = o.slab[at:len(o.slab):len(o.slab)]
	}
	return a
}

// maximize writes a maximizer to y and returns its value.
func (o *countTree) maximize(y Labeling, c []float64, truth []uint8, loss Loss) float64 {
	o.order.update()
	n := len(c)
	if len(o.misses) != n {
		o.nodes, o.misses, o.ghosts = make([]countNode, n+1), make([]int, n), make([]int, n)
	}
	o.slab = o.slab[:0]
	top := &o.nodes[n]
	top.table = o.newTable(0, 0)
	top.table.worth[0][0] = 0
	for k, v := range o.order.visits {
		t := int(truth[v.Label])
		table := o.newTable(t, 1-t)
		table.worth[t][0], table.worth[1-t][1] = 0, 0
		table.worth[1][1-t] = c[v.Label] // the one entry with the label on
		o.nodes[k].table = table
	}
	for k := n - 1; k >= 0; k-- {
		o.join(k)
	}
	best, misses, ghosts := math.Inf(-1), 0, 0
	for h := range top.table.t + 1 {
		for f := range top.table.f + 1 {
			value := top.table.worth[0][top.table.at(h, f)] +
				loss.ofCounts(metrics.Counts{Hits: top.table.t - h, Misses: h, Phantoms: f})
			if value > best {
				best, misses, ghosts = value, h, f
			}
		}
	}
	o.read(y, misses, ghosts)
	return best
}

// parent returns the position of the node above visit k, and the weight of the
// edge between.
func (o *countTree) parent(k int) (int, float64) {
	v := o.order.visits[k]
	if v.Parent < 0 {
		return len(o.order.visits), 0
	}
	return int(v.Parent), o.order.weight(v)
}

// join joins the subtree of visit k to its parent's.
func (o *countTree) join(k int) {
	up, w := o.parent(k)
	node, parent := &o.nodes[k], &o.nodes[up]
	child := node.table
	node.before = parent.table
	node.message = o.newTable(child.t, child.f)
	for v, w := range [2]float64{0, w} {
		for p, off := range child.worth[0] {
			node.message.worth[v][p] = max(off, child.worth[1][p]+w)
		}
	}
	a, b := &node.before, &node.message
	joined := o.newTable(a.t+b.t, a.f+b.f)
	for v := range 2 {
		for h := range a.t + 1 {
			for f := range a.f + 1 {
				worth := a.worth[v][a.at(h, f)]
				if math.IsInf(worth, -1) {
					continue
				}
				for i := range b.t + 1 {
					into := joined.worth[v][joined.at(h+i, f):]
					for j, more := range b.worth[v][b.at(i, 0) : b.at(i, 0)+b.f+1] {
						into[j] = max(into[j], worth+more)
					}
				}
			}
		}
	}
	parent.table = joined
}

// read splits the counts from the top down, the last subtree joined first, and
// finds the values that led to each worth.
func (o *countTree) read(y Labeling, misses, ghosts int) {
	n := len(o.misses)
	topMisses, topGhosts := misses, ghosts
	for k, v := range o.order.visits {
		up, w := o.parent(k)
		value := uint8(0)
		h, f := &topMisses, &topGhosts
		if up < n {
			value = y[o.order.visits[up].Label] / 2
			h, f = &o.misses[up], &o.ghosts[up]
		}
		o.misses[k], o.ghosts[k] = o.split(k, value, *h, *f)
		*h, *f = *h-o.misses[k], *f-o.ghosts[k]
		table := &o.nodes[k].table
		p := table.at(o.misses[k], o.ghosts[k])
		y[v.Label] = Off
		if table.worth[1][p]+w*float64(value) > table.worth[0][p] {
			y[v.Label] = On
		}
	}
}

// split returns the counts of visit k's subtree when those of its parent's, of
// all that had been joined with it, are h and f.
func (o *countTree) split(k int, value uint8, h, f int) (misses, ghosts int) {
	node := &o.nodes[k]
	a, b := &node.before, &node.message
	best := math.Inf(-1)
	for i := max(0, h-a.t); i <= min(h, b.t); i++ {
		for j := max(0, f-a.f); j <= min(f, b.f); j++ {
			worth := a.worth[value][a.at(h-i, f-j)] + b.worth[value][b.at(i, j)]
			if worth > best {
				best, misses, ghosts = worth, i, j
			}
		}
	}
	return misses, ghosts
}
