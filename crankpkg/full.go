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
func (f Full) Train(ctx context.Context, ds *Dataset) (*Model, *Trace, error) {
	return train(ctx, f, ds)
}

func (f Full) common() (float64, Settings) { return f.Lambda, f.Settings }

func (Full) learn(t *training) (*Model, *Trace, error) {
	return t.finish(t.allPairs(t.set.Gap, true))
}
