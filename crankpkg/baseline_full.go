package crankpkg

import "context"

// Full trains all pairs, with the LP relaxation in training and prediction.
type Full struct {
	Lambda float64 // l2 regularization; zero means 1/M
	Settings
}

// Name returns "Full".
func (Full) Name() string { return "Full" }

// WithLambda returns f with another lambda.
func (f Full) WithLambda(lambda float64) Trainer { f.Lambda = lambda; return f }

// Train solves the problem to the relative gap of the settings.
func (f Full) Train(ctx context.Context, train *Dataset) (*Model, *Trace, error) {
	t, err := newTraining(ctx, f.Name(), f.Lambda, f.Settings, train)
	if err != nil {
		return nil, nil, err
	}
	return t.solveEdges(AllPairs(train.NumLabels()))
}
