// Package solver minimizes the max-margin objective of a fixed set of pairs, with an l1
// and a linear term where the convex-concave procedure needs them, to a certified gap.
// What it is and what makes it fast is told in crankpkg's documentation and measured in
// PERFORMANCE.md here.
//
//	Problem, New, Solver       block-coordinate Frank-Wolfe on the dual: solver.go, bcfw.go, block*.go, atom.go, linesearch.go
//	Solver.Solve, StopRule     until Bounds are certified (certify.go) or a limit is met
//	interiorturn.go            where that crawls: package polytope has its turn
//	shards.go                  one solve on several processors
//	SVM, NewSVMs               labels without pairs, by coordinate descent: dcd.go, single.go, and where that crawls package interior
//	many labels                rows of ones, and memory between solves: ones.go, pack.go
//	squared slacks, costs      squared.go with pairs; dcdslack.go without
//	Component, Join            forests grown edge by edge: component.go
//	vertices.go                labels that are free (LP and max-product), or in groups (groups.go, grouporacle.go)
//	edges.go, residuals.go     changing the pairs under way, and which need to come in
//	treebound.go, leaveout.go  what the search for the best tree, and capped hinges, ask for
//
// It knows of matrices, labels and label losses, and of no data set, model or method:
// crankpkg wraps it.
package solver
