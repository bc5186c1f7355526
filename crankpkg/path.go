package crankpkg

import "context"

// trainPath trains the method at each lambda in turn. Each solve starts from
// where that of the lambda before has ended, so that a path costs little more
// than its hardest point; the models are those of the same gap, though not of
// the same bits, as without a path.
func trainPath(ctx context.Context, method learner, ds *Dataset, lambdas []float64) ([]*Model, []*Trace, error) {
	t, err := newTraining(ctx, method, ds)
	if err != nil {
		return nil, nil, err
	}
	var models []*Model
	var traces []*Trace
	for _, lambda := range lambdas {
		if err := checkLambda(lambda); err != nil {
			return models, traces, err
		}
		t.restart(method.Name(), lambda)
		m, trace, err := method.learn(t)
		if err != nil {
			return models, traces, err
		}
		models, traces = append(models, m), append(traces, trace)
	}
	return models, traces, nil
}
