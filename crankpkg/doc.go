// Package crankpkg learns and runs max-margin tree predictors.
//
// It implements O. Meshi, E. Eban, G. Elidan, A. Globerson, "Learning
// Max-Margin Tree Predictors", UAI 2013 ("the paper"; equation numbers are the
// paper's).
package crankpkg
