// Package treeset has the sets of trees that the search for the best tree branches on:
// families (all trees, forests of so many edges, of bounded degree), lower bounds on the
// objective of every tree of a set by weak duality, and shares of edges within the
// convex hull of the trees.
//
//	Family, Trees, NewFamily   what is chosen from
//	Set, NewSet, Membership    those with some edges in and others out
//	Set.Heaviest, Set.Settle   the bound, and what follows from it
//	Set.SharesTo               shares z of the edges, by the matrix-tree theorem
//
// Package treesearch, behind crankpkg.BestTree and SwapSearch, uses it; package solver gives
// the squares.
package treeset
