// Package polytope solves trainings with pairs of labels by an interior point method, for
// the data on which steps of first order crawl: features of very different size, or nearly
// dependent ones, at a small lambda. It takes ten to twenty steps to a gap of 1 %, each with
// a Cholesky factorization, whatever the units of the features. Package solver gives it its
// turn, goes over to its dual point, and certifies that as any other.
//
//	Problem, New, Method   the point and the matrices of a step: method.go, blocks.go, normal.go
//	Method.Advance, Gap    a step, and what it has come to: step.go
//	Labelings              labelings with the marginals of the point: labelings.go
//	StepCost, StepsTo      what it takes, and for which sizes it is meant: cost.go
package polytope
