// Package interior trains the SVM of one label by second-order steps, for data on which
// coordinate steps crawl: an interior point method where slacks count as they are, and
// Newton's method where they are squared. Package solver gives them their turn.
//
//	New, Cost              the method on rows, signs and costs, and what it would take: method.go
//	Method.Solve           predictor and corrector (Mehrotra, 1992): method.go
//	Method.SolveSquared    Newton's method on squared slacks: squared.go
//	Bounds                 the two bounds on the optimum, and their gap: bounds.go
//
// Where rows are fewer than features they are rotated first: rotation.go. Package polytope
// does the like for labels with pairs.
package interior
