// Package infer finds the best labeling of a pairwise model over labels in {0,1},
//
//	max over y  sum_i c_i y_i + sum_ij w_ij y_i y_j,
//
// or, inside the hinge of eq. (1), the best sum of that and a label loss.
//
//	PairGraph                          the w_ij, which can change one by one
//	NewTreeOracle                      max-product on forests, exact, O(n)
//	NewLPOracle                        the LP relaxation on any graph, by one maximum flow (roof duality)
//	NewExactOracle, MaximizeExact      branch and bound on any graph
//	NewCutsetOracle                    exact where few labels cut all cycles
//	NewAutoOracle                      the first on a forest, the second elsewhere
//	MaxMarginals                       the best value with each label on, and with it off
//	Loss, LossOracle                   label losses, and the hinge's maximum under them
//	Costs, SlackHinge                  what errors on labels cost, and the squared hinge with a slack for each label
//	Hinge                              the hinge under any label loss, by its definition
//	HingeLine                          a hinge along a line through the weights
//	AllLabelings                       for looking at small problems whole
//
// The LP is solved in lp.go. An oracle owns its workspace, so that Maximize allocates
// nothing, and each goroutine needs its own. Variables of more than two states are in
// package mrf.
package infer
