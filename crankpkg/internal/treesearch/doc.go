// Package treesearch searches for the best tree: by branch and bound over sets of trees, by
// training every tree, or by swaps of single edges.
//
//	New, Config, Point       a search, with what it needs of the training that it is part of
//	Search.BranchAndBound    certified: nodes are sets of trees (package treeset), bounded by
//	                         a relaxation and split at an edge (node.go)
//	Search.Enumerate         the same answer by training all trees
//	Search.Swaps             from one tree to better neighbors (swap.go)
//	Search.Best, Bounds      the outcome
//	Climb                    a few swaps that coarse races choose (climb.go)
//
// crankpkg.BestTree and SwapSearch are such searches, and CRANK climbs. Solves side by side are gathered in
// their order, so that the number of workers changes nothing.
package treesearch
