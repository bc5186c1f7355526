package crankpkg

// NewTreeOracle returns the exact oracle for forests: max-product, also known
// as dynamic programming, in O(n) for a call. The order in which it visits the
// labels is worked out anew only when the edge set of g has changed, in O(n)
// too. Maximize panics when g has a cycle.
//
// Ties go to 0: a root is 1 only if that is strictly better, and so is every
// other label, given its parent's. The root of a tree is its smallest label.
func NewTreeOracle(g *PairGraph) Oracle { return &treeOracle{g: g} }

type treeOracle struct {
	g         *PairGraph
	built     bool
	structure uint64 // g.Structure when order was built

	isolated []int32
	visits   []visit   // of the labels that have a neighbor, parents first
	gain     []float64 // by visit
	seen     []bool    // by label, while building
}

// visit is one label in an order in which parents come before children.
type visit struct {
	label  int32
	parent int32 // position of the parent's visit, or -1 at a root
	edge   int32 // position of the edge to the parent in PairGraph.Edges
}

// Maximize implements Oracle.
func (o *treeOracle) Maximize(y Labeling, c []float64) float64 {
	if len(y) != o.g.N || len(c) != o.g.N {
		panic("crankpkg: unequal numbers of labels")
	}
	if (!o.built || o.structure != o.g.Structure) && !o.build() {
		panic("crankpkg: the tree oracle needs a forest")
	}
	var value float64
	for _, i := range o.isolated {
		y[i] = Off
		if c[i] > 0 {
			y[i] = On
			value += c[i]
		}
	}
	gain := o.gain[:len(o.visits)]
	for k, v := range o.visits {
		gain[k] = c[v.label]
	}
	// gain[k] becomes what the subtree of visit k is worth with its label at 1
	// more than with its label at 0, when it does not count the edge upwards.
	// Worth max(0, gain) are then the two together, without the parent at 1;
	// with it, max(0, gain+w). Only the difference of both moves upwards.
	edges := o.g.Edges
	for k := len(o.visits) - 1; k >= 0; k-- {
		a := gain[k]
		without := max(0, a)
		value += without
		if v := &o.visits[k]; v.parent >= 0 {
			gain[v.parent] += max(0, a+edges[v.edge].Weight) - without
		}
	}
	for k, v := range o.visits {
		a := gain[k]
		if v.parent >= 0 && y[o.visits[v.parent].label] == On {
			a += edges[v.edge].Weight
		}
		y[v.label] = Off
		if a > 0 {
			y[v.label] = On
		}
	}
	return value
}

// build orders the labels breadth first, each tree from its smallest label. It
// reports whether the graph is a forest.
func (o *treeOracle) build() bool {
	g := o.g
	if cap(o.visits) < g.N {
		o.visits = make([]visit, 0, g.N)
		o.isolated = make([]int32, 0, g.N)
		o.gain = make([]float64, g.N)
		o.seen = make([]bool, g.N)
	}
	o.visits, o.isolated = o.visits[:0], o.isolated[:0]
	clear(o.seen)
	trees := 0
	for root := range g.N {
		switch {
		case len(g.Adj[root]) == 0:
			o.isolated = append(o.isolated, int32(root))
		case !o.seen[root]:
			trees++
			o.visitTree(int32(root))
		}
	}
	o.built = len(g.Edges) == len(o.visits)-trees
	o.structure = g.Structure
	return o.built
}

func (o *treeOracle) visitTree(root int32) {
	next := len(o.visits)
	o.seen[root] = true
	o.visits = append(o.visits, visit{root, -1, -1})
	for ; next < len(o.visits); next++ {
		for _, arc := range o.g.Adj[o.visits[next].label] {
			if !o.seen[arc.To] {
				o.seen[arc.To] = true
				o.visits = append(o.visits, visit{arc.To, int32(next), arc.Edge})
			}
		}
	}
}

// forestOrder returns all labels of a forest, parents first and those without
// neighbors last, or false when g has a cycle. The root of a tree is its smallest
// label.
func forestOrder(g *PairGraph) (order []visit, ok bool) {
	o := treeOracle{g: g}
	if !o.build() {
		return nil, false
	}
	return o.order(nil), true
}

// order appends all labels, once built.
func (o *treeOracle) order(visits []visit) []visit {
	visits = append(visits, o.visits...)
	for _, i := range o.isolated {
		visits = append(visits, visit{i, -1, -1})
	}
	return visits
}
