// Package envelope has the mathematics of the paper's regularizer (section 4): the
// convex envelopes f1 and f2 of the parts of the circuit rank, their subgradients,
// Lovasz extensions, and conjugates on a grid.
//
//	Penalty, EvaluatePenalty   F, F1, F2 and f, f1, f2 at pairwise weights (eqs. 11, 12)
//	Regularizer                the same often, and the subgradient v of f2 (Prop. 4.3)
//	LovaszExtension            of any set function
//	Conjugate, GridPoints      convex envelopes by brute force, to see that the formulas are right
//
// It stands on labelgraph alone. CRANK penalizes with it.
package envelope
