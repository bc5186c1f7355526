package feature_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/internal/errs"
)

// TestEdgeFeatures holds z(x) to its definition, row by row and as a matrix, dense and sparse.
func TestEdgeFeatures(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(61, 1))
	const d = 5
	dense := &feature.Matrix{NumRows: 8, NumCols: d}
	for range dense.NumRows * d {
		dense.Value = append(dense.Value, float64(rng.IntN(3)-1))
	}
	for _, f := range []feature.EdgeFeatures{{}, {All: true}, {Columns: []int{0}}, {Columns: []int{1, 4}, Scale: 0.5}, {Columns: []int{2, 3}, Scale: 3}} {
		z, err := f.Resolve(d)
		if err != nil {
			t.Fatal(err)
		}
		scale, columns := f.Scale, f.Columns
		if scale == 0 {
			scale = 1
		}
		if f.All {
			columns = []int{0, 1, 2, 3, 4}
		}
		if z.Size() != 1+len(columns) {
			t.Fatalf("%+v: size %d", f, z.Size())
		}
		for _, x := range []*feature.Matrix{dense, dense.Sparse()} {
			matrix := z.Matrix(x)
			if (matrix == nil) != (len(columns) == 0) || matrix != nil && (matrix.IsSparse() != x.IsSparse() || matrix.NumRows != x.NumRows) {
				t.Fatalf("%+v: %+v", f, matrix)
			}
			for m := range dense.NumRows {
				want := []float64{1}
				for _, k := range columns {
					want = append(want, scale*dense.Row(m).Value[k])
				}
				if got := z.Of(x.Row(m)); !slices.Equal(got, want) {
					t.Errorf("%+v: row %d is %v, want %v", f, m, got, want)
				}
				if matrix == nil {
					continue
				}
				if got := matrix.Dense().Row(m).Value; !slices.Equal(got, want) {
					t.Errorf("%+v: row %d of the matrix is %v, want %v", f, m, got, want)
				}
			}
		}
	}
}

func TestEdgeFeaturesRefuse(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]feature.EdgeFeatures{
		"negative scale":  {All: true, Scale: -1},
		"infinite scale":  {All: true, Scale: math.Inf(1)},
		"NaN":             {Scale: math.NaN()},
		"all and columns": {All: true, Columns: []int{1}},
		"twice the same":  {Columns: []int{1, 1}},
		"out of order":    {Columns: []int{2, 1}},
		"negative column": {Columns: []int{-1}},
		"past the end":    {Columns: []int{3}},
	} {
		if _, err := f.Resolve(3); !errors.Is(err, errs.ErrSettings) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if f, err := (feature.EdgeFeatures{Columns: []int{2}}).Resolve(3); err != nil || f.Scale != 1 {
		t.Errorf("the last of three features: %+v, error %v", f, err)
	}
}
