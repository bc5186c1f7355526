package crankpkg

// NewAutoOracle stands in until the one with the LP relaxation is there:
// delete this file then.
func NewAutoOracle(g *PairGraph) Oracle { return NewTreeOracle(g) }
