package infer

// NewAutoOracle returns an oracle that is exact max-product while g is a forest
// and the LP relaxation while it has a cycle. It looks at the graph again only
// when its edge set has changed.
func NewAutoOracle(g *PairGraph) Oracle {
	return &autoOracle{tree: treeOracle{g: g}, lp: lpOracle{g: g}}
}

type autoOracle struct {
	tree      treeOracle
	lp        lpOracle
	looked    bool
	structure uint64 // g.Structure at the last look
	isForest  bool
}

// forest reports whether the graph is a forest.
func (o *autoOracle) forest() bool {
	if g := o.tree.g; !o.looked || o.structure != g.Structure {
		o.looked, o.structure = true, g.Structure
		o.isForest = len(g.Edges) < max(1, g.N) && o.tree.build()
	}
	return o.isForest
}

// Maximize implements Oracle.
func (o *autoOracle) Maximize(y Labeling, c []float64) float64 {
	if o.forest() {
		return o.tree.Maximize(y, c)
	}
	return o.lp.Maximize(y, c)
}
