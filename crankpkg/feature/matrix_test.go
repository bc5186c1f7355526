package feature_test

import (
	"reflect"
	"slices"
	"testing"
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
