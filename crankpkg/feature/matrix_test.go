package feature_test

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/internal/errs"
)

func TestMatrixForms(t *testing.T) {
	t.Parallel()
	dense, sparse := randomRows(20, 5, 1)
	if !sparse.IsSparse() || dense.IsSparse() {
		t.Fatal("the forms are wrong")
	}
	if !reflect.DeepEqual(sparse.Dense(), dense) {
		t.Error("dense after sparse differs")
	}
	if slices.Contains(sparse.Value, 0) {
		t.Error("a sparse matrix stores zeros")
	}
	w := []float64{1, -2, 3, 0.5, 7}
	for m := range dense.NumRows {
		a, b := dense.Row(m), sparse.Row(m)
		if a.Dot(w) != b.Dot(w) || a.SquaredNorm() != b.SquaredNorm() || a.Norm() != b.Norm() {
			t.Errorf("row %d differs between the forms", m)
		}
	}
}

// TestMatrixValidate breaks a sound matrix in each way that there is.
func TestMatrixValidate(t *testing.T) {
	t.Parallel()
	sound := func() *feature.Matrix {
		a := feature.NewSparse(4)
		a.AppendSparse([]int32{0, 2, 3}, []float64{1, 2, 3})
		a.AppendSparse(nil, nil)
		a.AppendSparse([]int32{1}, []float64{4})
		return a
	}
	for _, test := range []struct {
		slip func(a *feature.Matrix)
		in   string
	}{
		{func(a *feature.Matrix) { a.Index[1] = 4 }, "row 0, position 1: index 4 among 4 features"},
		{func(a *feature.Matrix) { a.Index[3] = -1 }, "row 2, position 0: index -1 among"},
		{func(a *feature.Matrix) { a.Index[1] = 0 }, "row 0, position 1: index 0 is there twice"},
		{func(a *feature.Matrix) { a.Index[2] = 1 }, "row 0, position 2: index 1 follows 2"},
		{func(a *feature.Matrix) { a.Start[1] = 5 }, "row 0 is stored from position 0 to 5 of 4"},
		{func(a *feature.Matrix) { a.Start[2] = 2 }, "row 1 is stored from position 3 to 2"},
		{func(a *feature.Matrix) { a.Start[1] = -1 }, "row 0 is stored from position 0 to -1"},
		{func(a *feature.Matrix) { a.Start[0] = 1 }, "Start goes from 1 to 4"},
		{func(a *feature.Matrix) { a.Start[3] = 3 }, "Start goes from 0 to 3"},
		{func(a *feature.Matrix) { a.Start = a.Start[:3] }, "Start has 3 entries for 3 sparse rows"},
		{func(a *feature.Matrix) { a.Start = []int{} }, "Start has 0 entries"},
		{func(a *feature.Matrix) { a.Start = nil }, "4 values and 4 indices for 3 dense rows of 4"},
		{func(a *feature.Matrix) { a.Index = a.Index[:3] }, "3 indices for 4 values"},
		{func(a *feature.Matrix) { a.NumRows = -1 }, "a matrix of -1 x 4"},
		{func(a *feature.Matrix) { a.NumCols = -1 }, "a matrix of 3 x -1"},
		{func(a *feature.Matrix) { *a = *a.Dense(); a.Value = a.Value[1:] }, "11 values and 0 indices for 3 dense rows of 4"},
		{func(a *feature.Matrix) { *a = *a.Dense(); a.NumRows = 4 }, "12 values and 0 indices for 4 dense rows of 4"},
		{func(a *feature.Matrix) { *a = *a.Dense(); a.Index = []int32{0} }, "12 values and 1 indices"},
		{func(a *feature.Matrix) { *a = feature.Matrix{NumRows: 1 << 32, NumCols: 1 << 32} }, "0 values"},
	} {
		a := sound()
		if err := errors.Join(a.Validate(), a.Dense().Validate()); err != nil {
			t.Fatal(err)
		}
		test.slip(a)
		if err := a.Validate(); !errors.Is(err, errs.ErrData) || !strings.Contains(err.Error(), test.in) {
			t.Errorf("error %v, want one that says %q", err, test.in)
		}
	}
}

// TestSelectColumns picks columns in a random order, in both forms.
func TestSelectColumns(t *testing.T) {
	t.Parallel()
	dense, sparse := randomRows(20, 6, 4)
	rng := rand.New(rand.NewPCG(4, 4))
	for size := range 7 {
		columns := rng.Perm(6)[:size]
		got := dense.SelectColumns(columns)
		for m := range got.NumRows {
			for k, v := range got.Row(m).Value {
				if v != dense.Row(m).Value[columns[k]] {
					t.Fatalf("columns %v: row %d is %v of %v", columns, m, got.Row(m), dense.Row(m))
				}
			}
		}
		again := sparse.SelectColumns(columns)
		if err := again.Validate(); err != nil || !again.IsSparse() || !reflect.DeepEqual(again.Dense(), got) {
			t.Errorf("columns %v: the forms differ, error %v", columns, err)
		}
	}
}
