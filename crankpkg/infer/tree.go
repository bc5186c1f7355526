package infer

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
	visits   []Visit   // of the labels that have a neighbor, parents first
	gain     []float64 // by visit
	seen     []bool    // by label, while building
}

// Visit is one label in an order in which parents come before children.
type Visit struct {
	Label  int32
	Parent int32 // position of the parent's visit, or -1 at a root
	Edge   int32 // position of the edge to the parent in PairGraph.Edges
}

// Maximize implements Oracle.
func (o *treeOracle) Maximize(y Labeling, c []float64) float64 {
	if len(y) != o.g.N || len(c) != o.g.N {
		panic("infer: unequal numbers of labels")
	}
	if (!o.built || o.structure != o.g.Structure) && !o.build() {
		panic("infer: the tree oracle needs a forest")
	}
	var value float64
	for _, i := range o.isolated {
		y[i] = Off
		if c[i] > 0 {
			y[i] = On
			value += c[i]
		}
	}
	value = o.collect(value, c)
	gain, edges := o.gain[:len(o.visits)], o.g.Edges
	for k, v := range o.visits {
		a := gain[k]
		if v.Parent >= 0 && y[o.visits[v.Parent].Label] == On {
			a += edges[v.Edge].Weight
		}
		y[v.Label] = Off
		if a > 0 {
			y[v.Label] = On
		}
	}
	return value
}

// collect passes messages from the leaves to the roots: gain[k] becomes what the subtree
// of visit k is worth with its label at 1 more than with its label at 0, when it does not
// count the edge upwards. Worth max(0, gain) are then the two together, without the
// parent at 1; with it, max(0, gain+w). Only the difference of both moves upwards. It
// returns value and what the trees are worth together.
func (o *treeOracle) collect(value float64, c []float64) float64 {
	gain := o.gain[:len(o.visits)]
	for k, v := range o.visits {
		gain[k] = c[v.Label]
	}
	edges := o.g.Edges
	for k := len(o.visits) - 1; k >= 0; k-- {
		a := gain[k]
		without := max(0, a)
		value += without
		if v := &o.visits[k]; v.Parent >= 0 {
			gain[v.Parent] += max(0, a+edges[v.Edge].Weight) - without
		}
	}
	return value
}

// build orders the labels breadth first, each tree from its smallest label. It
// reports whether the graph is a forest.
func (o *treeOracle) build() bool {
	g := o.g
	if cap(o.visits) < g.N {
		o.visits = make([]Visit, 0, g.N)
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
	o.visits = append(o.visits, Visit{root, -1, -1})
	for ; next < len(o.visits); next++ {
		for _, arc := range o.g.Adj[o.visits[next].Label] {
			if !o.seen[arc.To] {
				o.seen[arc.To] = true
				o.visits = append(o.visits, Visit{arc.To, int32(next), arc.Edge})
			}
		}
	}
}

// ForestOrder returns all labels of a forest, parents first and those without
// neighbors last, or false when g has a cycle. The root of a tree is its smallest
// label.
func ForestOrder(g *PairGraph) (order []Visit, ok bool) {
	o := treeOracle{g: g}
	if !o.build() {
		return nil, false
	}
	return o.order(nil), true
}

// order appends all labels, once built.
func (o *treeOracle) order(visits []Visit) []Visit {
	visits = append(visits, o.visits...)
	for _, i := range o.isolated {
		visits = append(visits, Visit{i, -1, -1})
	}
	return visits
}
