package sparse

import (
	"context"
	"errors"
	"fmt"

	"github.com/crank-ml/crank/crankpkg"
)

// solvable returns an error unless the labels of m can be trained by themselves.
func (p Pruner) solvable(m *crankpkg.Model) error {
	switch {
	case len(m.Edges) > 0:
		return fmt.Errorf("%w: sparse: Again takes models without pairs, and this one has %d", crankpkg.ErrSettings, len(m.Edges))
	case m.Fourier.Count > 0 || m.Kernel != nil:
		return fmt.Errorf("%w: sparse: Again takes models of the features themselves", crankpkg.ErrSettings)
	case p.Loss != crankpkg.Loss{}:
		return fmt.Errorf("%w: sparse: Again takes the Hamming loss", crankpkg.ErrSettings)
	}
	return nil
}

// solveAgain trains each label of m, which changes, on the features that it has a weight on: l is
// the sum of the objectives of the labels. The rows of ds are scaled.
func (p Pruner) solveAgain(ctx context.Context, ds *crankpkg.Dataset, m *crankpkg.Model) error {
	bias := m.NumFeatures()
	for i := range m.NumLabels() {
		w := m.UnaryWeights(i)
		var columns []int
		for k, v := range w[:bias] {
			if v != 0 {
				columns = append(columns, k)
			}
		}
		if len(columns) == 0 {
			continue
		}
		solved, _, err := crankpkg.Empty{Lambda: m.Lambda, Settings: crankpkg.Settings{Gap: p.Gap, Workers: p.Workers}}.Train(ctx, only(ds, i, columns))
		if err != nil && !errors.Is(err, crankpkg.ErrNotConverged) {
			return err
		}
		for q, k := range columns {
			w[k] = solved.Unary[q]
		}
		w[bias] = solved.Unary[len(columns)]
	}
	return nil
}

// only returns one label and some features of ds.
func only(ds *crankpkg.Dataset, label int, columns []int) *crankpkg.Dataset {
	one := ds.SelectLabels([]int{label})
	one.X, one.Coding, one.FeatureNames = one.X.SelectColumns(columns), crankpkg.Coding{}, nil
	for _, k := range columns {
		one.FeatureNames = append(one.FeatureNames, ds.FeatureNames[k])
	}
	return one
}
