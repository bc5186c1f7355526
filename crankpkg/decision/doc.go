// Package decision turns the scores of a trained model into labels by a Rule, which is
// chosen without training again:
//
//	argmax over y with Least <= |y| <= Most of
//	  sum_i (c_i - Cut - Cuts_i) y_i + PairFactor sum_ij w_ij y_i y_j.
//
// or the labels of which a measure is the largest in expectation: by calibrated probabilities
// of the single labels or, where a model keeps the labelings of its training examples, by
// probabilities that the scores make of these.
//
// A max-margin model is trained for a label loss. What it is judged by is often another
// measure, and what is known for certain, such as that every example has a label, it was
// never told.
//
//	Rule            the cuts, the limits and the factor; a field of crankpkg.Model
//	Limits          what a training set says of the number of labels
//	Labelings       which labelings it has, and how often
//	Calibration     probabilities of labels from their margins, by Calibrate on held-out scores
//	Decider         the labels that a measure expects by these
//	Maximizer       the labels of a rule for given scores under a label graph
//	Search, Choice  which rule is best by a measure, on held-out scores
//	Part            those scores: of the examples of one fold, under the fold's model
//
// Package crossval trains the folds and calls Search; a Predictor of crankpkg obeys the
// rule of its model. The best labelings within limits are found by internal/labeling.
package decision
