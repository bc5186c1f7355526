// Package hardness is Theorem 3.1 as a program: to find the best label tree is NP-hard,
// by reduction from the bounded-degree spanning tree problem.
//
//	BDST                        that problem, solved by going through all trees
//	Reduction, ReductionVersion the data set of the paper's appendix: as printed, with its slips corrected, repaired
//	Verdict, Contradiction      whether a tree's weights can satisfy all examples, with Farkas' proof where not
//
// It needs labelgraph and mrf only, and no learning.
package hardness
