package crankpkg

import (
	"cmp"
	"context"
	"fmt"
)

// TrainMultiState learns from variables of several states, by any of the
// paper's methods (CRANK, Empty, Full, Greedy, Project, MST), ChowLiu or
// FixedGraph:
//
//	m, trace, err := crankpkg.TrainMultiState(ctx, crankpkg.CRANK{Lambda: 1e-3}, train)
//
// The score of states y is that of eq. (2) with a weight vector for each state
// of each variable and a table for each pair,
//
//	score(x, y) = sum_i w_i(y_i) . x + sum_ij w_ij(y_i, y_j),   pi_ij = |w_ij|_1,
//
// and with EdgeFeatures, each entry of a table is linear in z(x). Objective,
// penalty, settings and trace are those of two states; edges and norms in the
// trace are those of variables. The label loss is Hamming (the number of wrong
// variables), zero-one or a weighted sum of both. On graphs with cycles the
// hinge is that of the linear programming relaxation (MultiStateLP); a loss with
// a zero-one part takes enumeration there, up to 2^EnumerableLabels labelings.
// CRANK grows beta from all pairs.
//
// It returns an error that wraps ErrSettings for other methods and losses, and
// errors like those of Trainer.Train.
func TrainMultiState(ctx context.Context, method Trainer, ds *MultiStateDataset) (*MultiStateModel, *Trace, error) {
	learn, ok := learnerOf(method)
	if !ok {
		return nil, nil, fmt.Errorf("%w: %s cannot train variables of several states", ErrSettings, method.Name())
	}
	if err := ds.Validate(); err != nil {
		return nil, nil, err
	}
	t, err := prepareTraining(ctx, learn, ds.indicators())
	if err != nil {
		return nil, nil, err
	}
	t.problem.states = newStateLayout(ds.States())
	if err := checkStateLoss(t, learn); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", method.Name(), err)
	}
	t.trace.Method = method.Name()
	m, trace, err := learnStates(t, learn)
	if m == nil {
		return nil, nil, err
	}
	return &MultiStateModel{LabelNames: ds.LabelNames, StateNames: ds.StateNames, Indicators: m}, trace, err
}

// learnStates lets the method learn.
func learnStates(t *training, method learner) (*Model, *Trace, error) {
	switch m := method.(type) {
	case Empty, Full, Project, FixedGraph:
		return method.learn(t)
	case CRANK:
		if m.Path == ShrinkBeta {
			return nil, nil, fmt.Errorf("%w: CRANK: Path %q is for two states", ErrSettings, m.Path)
		}
		m.Path = GrowBeta
		return m.learn(t)
	case ChowLiu:
		return t.solveEdges(t.problem.informationTree(t.set.Seed))
	case MST:
		return t.learnStateMST(cmp.Or(m.GainGap, t.set.Gap/4))
	case Greedy:
		return t.learnStateGreedy(cmp.Or(m.GainGap, t.set.Gap/4))
	}
	return nil, nil, fmt.Errorf("%w: %s trains variables of two states only", ErrSettings, method.Name())
}

// checkStateLoss returns an error when the label loss cannot be trained.
func checkStateLoss(t *training, method learner) error {
	if t.set.Loss.ExampleF1 != 0 {
		return fmt.Errorf("%w: the F1 loss is for variables of two states", ErrSettings)
	}
	labelings := 1
	for _, k := range t.problem.states.states {
		labelings = min(labelings*k, 1<<EnumerableLabels+1)
	}
	if labelings > 1<<EnumerableLabels && !t.set.Loss.isSum() && meetsCycles(method, t.problem.numVariables()) {
		return fmt.Errorf("%w: the loss %v on graphs with cycles takes at most %d labelings", ErrSettings, t.set.Loss, 1<<EnumerableLabels)
	}
	return nil
}
