package crankpkg

import "context"

// Empty learns each label independently of the others: no pairs.
type Empty struct {
	Lambda float64 // l2 regularization; zero means 1/M
	Settings
}

// Name returns "Empty".
func (Empty) Name() string { return "Empty" }

// WithLambda returns e with another lambda.
func (e Empty) WithLambda(lambda float64) Trainer { e.Lambda = lambda; return e }

// Train solves the problem to the relative gap of the settings.
func (e Empty) Train(ctx context.Context, train *Dataset) (*Model, *Trace, error) {
	t, err := newTraining(ctx, e.Name(), e.Lambda, e.Settings, train)
	if err != nil {
		return nil, nil, err
	}
	return t.solveEdges(nil)
}
