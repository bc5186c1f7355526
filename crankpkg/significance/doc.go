// Package significance has tests of whether two or more predictors differ that hold their
// level: with as few as two seeds, a true null is rejected about as often as the level says,
// or less. Which test is right depends on what was drawn anew for each value:
//
//	PairedT, SignFlip     each value has training and test examples of its own (planted draws)
//	ResampledT            each value is another random split of one data set
//	FiveByTwo             five repetitions of two-fold cross-validation
//	Crossed               several seeds, all tested on the same examples
//	metrics.Bootstrap     one model of each kind, tested on the same examples;
//	metrics.McNemar       the same, for what is right or wrong
//	Holm                  p-values of several tests at once
//	Friedman, Ranks       several methods on several data sets, with Nemenyi's critical differences
//
// All take differences of paired values and return a metrics.Difference: how large the
// difference is, an interval for it, and then the p-value. The interval of a test holds the
// differences that it does not reject. Differences that are not all finite tell nothing: the
// interval is the whole line, and p is 1.
//
// A bootstrap over a few seeds is not among them: it takes the spread that it sees for the
// true one, and rejects a true null in half of the cases with two seeds.
// "crank results level" measures the levels of all tests, and what each of them notices.
package significance
