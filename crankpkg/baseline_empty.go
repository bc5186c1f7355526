package crankpkg

import "context"

// Empty learns each label independently of the others: no pairs. Without pairs
// the objective is a sum over the labels, each a binary support vector machine
// (see binarySVM).
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
	svms, b, status := t.solveSVMs()
	m := t.newModel()
	for i, svm := range svms {
		w := m.UnaryWeights(i)
		copy(w, svm.w)
		w[len(w)-1] = svm.bias
	}
	return m, t.trace, t.close(b, status)
}
