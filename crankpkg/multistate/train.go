package multistate

import (
	"context"
	"slices"

	"github.com/crank-ml/crank/crankpkg"
)

// Train learns from variables of several states, by any of the
// paper's methods (CRANK, Empty, Full, Greedy, Project, MST), ChowLiu or
// FixedGraph:
//
//	m, trace, err := multistate.Train(ctx, crankpkg.CRANK{Lambda: 1e-3}, train)
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
// hinge is that of the linear programming relaxation (mrf.LP); a loss with
// a zero-one part takes enumeration there, up to 2^EnumerableLabels labelings.
// CRANK grows beta from all pairs.
//
// It returns an error that wraps ErrSettings for other methods and losses, and
// errors like those of Trainer.Train.
func Train(ctx context.Context, method crankpkg.Trainer, ds *Dataset) (*Model, *crankpkg.Trace, error) {
	if err := ds.Validate(); err != nil {
		return nil, nil, err
	}
	m, trace, err := method.Train(ctx, ds.Indicators())
	if m == nil {
		return nil, nil, err
	}
	states := make([][]string, len(ds.StateNames))
	for i, names := range ds.StateNames {
		states[i] = slices.Clone(names)
	}
	return &Model{LabelNames: slices.Clone(ds.LabelNames), StateNames: states, Indicators: m}, trace, err
}
