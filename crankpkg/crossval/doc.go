// Package crossval chooses lambda, the scaling and the label powerset of a method by
// cross-validation on training examples alone.
//
//	Search            what to try, with Run
//	Selection, Point  what came out; Apply puts it into the method
//
// It stands on crankpkg, whose TrainPath makes a path over lambda cost little more than
// its hardest point. Package experiment runs it in each cell.
package crossval
