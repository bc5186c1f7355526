package crankpkg

import "context"

// Empty learns without pairs. With the Hamming loss the objective then is a sum
// over the labels, each a binary support vector machine (see SVM), with costs and
// squares too; other label losses tie the labels to one another in training.
type Empty struct {
	Lambda float64 // l2 regularization; zero means 1/M
	Settings
}

// Name returns "Empty".
func (Empty) Name() string { return "Empty" }

// WithLambda returns e with another lambda.
func (e Empty) WithLambda(lambda float64) Trainer { e.Lambda = lambda; return e }

// Train solves the problem to the relative gap of the settings.
func (e Empty) Train(ctx context.Context, ds *Dataset) (*Model, *Trace, error) {
	return train(ctx, e, ds)
}

func (e Empty) common() (float64, Settings) { return e.Lambda, e.Settings }

func (Empty) meetsCycles(int) bool { return false }

func (Empty) learn(t *training) (*Model, *Trace, error) {
	if !t.problem.IsSumOfLabels() || t.set.HingeCap > 0 {
		return t.solveEdges(nil)
	}
	svms, b, status := t.solveSVMs(t.set.Gap)
	return t.deliver(t.modelOfSVMs(svms), b, status)
}
