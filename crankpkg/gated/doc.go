// Package gated predicts with a model for each region of the input: trees that depend on x,
// of which the paper's last section asks.
//
//	Gate                  says which region an input is in
//	Split, SplitByMistakes   two regions, by one feature
//	Clusters, NewClusters    regions around centers (k-means)
//	Train, Model, Evaluate   any method of crankpkg, in each region by itself
//	Planted               data whose tree truly changes with x
//
// It stands on crankpkg. Its neighbor there is Settings.EdgeFeatures: pairwise weights that
// are linear in x, on one tree.
package gated
