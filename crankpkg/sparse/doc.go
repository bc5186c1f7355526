// Package sparse drops the small weights of a model, and tells what that costs.
//
//	Pruner    how much the objective may rise
//	Report    weights kept, the objective and its certified gap before and after
//
// The objective l(w) of the paper (eq. 2, and 3 with pairs) is computed from its definition at each
// set of weights that is tried, on the examples that the model was trained on. So the pruned model
// has a certified gap as the trained one has: training bounds the minimum from below, l(w') is
// where the model is.
//
// A pruned model is a crankpkg.Model as any other. Its Predictor keeps the weights that are not
// zero alone, where they are few and rows are sparse; its file leaves the zeros out where it is
// shorter so. Neither changes a bit of what it predicts.
//
// It stands on crankpkg.
package sparse
