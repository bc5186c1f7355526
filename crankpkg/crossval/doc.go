// Package crossval chooses lambda, the scaling and the label powerset of a method, or a
// decision rule, by cross-validation on training examples alone.
//
//	Search                    what to try, with Run and ChooseRule
//	Selection, Point          what came out of Run; Apply puts it into the method
//	RuleSelection, RulePoint  what came out of ChooseRule; Train trains by it
//	HeldOut, HeldOutPoint     the scores that rules are chosen by, for several choices
//	General, GeneralChoice    from raw data to a model for a measure: scaling, kernel, label
//	                          loss, lambda and rule; GeneralPoint, GeneralBest are parts of it
//
// It stands on crankpkg, whose TrainPath makes a path over lambda cost little more than
// its hardest point. Package experiment runs it in each cell.
package crossval
