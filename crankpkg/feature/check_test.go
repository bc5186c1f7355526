package feature

import (
	"errors"
	"math"
	"testing"

	"github.com/crank-ml/crank/crankpkg/internal/errs"
)

func TestCheckRow(t *testing.T) {
	names := []string{"a", "b", "c"}
	for name, x := range map[string]Row{
		"dense":       {Value: []float64{1, -2, math.MaxFloat64}},
		"zero":        {},
		"sparse":      {Index: []int32{0, 2}, Value: []float64{1, 2}},
		"sparse zero": {Index: []int32{}, Value: nil},
	} {
		if err := CheckRow(x, names); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for want, x := range map[string]Row{
		"a row of 4 features for a model of 3":              {Value: make([]float64, 4)},
		"a sparse row of 1 indices and 2 values":            {Index: []int32{1}, Value: make([]float64, 2)},
		"a row with feature 3 for a model of 3":             {Index: []int32{1, 3}, Value: make([]float64, 2)},
		"a row with feature -2 for a model of 3":            {Index: []int32{-2}, Value: make([]float64, 1)},
		`a sparse row with feature 2 ("c") after feature 2`: {Index: []int32{2, 2}, Value: make([]float64, 2)},
		`feature "b": NaN`:                                  {Value: []float64{1, math.NaN(), math.NaN()}},
		`feature "c": -Inf`:                                 {Index: []int32{0, 2}, Value: []float64{1, math.Inf(-1)}},
	} {
		if err := CheckRow(x, names); !errors.Is(err, errs.ErrData) || err.Error() != errs.ErrData.Error()+": "+want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

func TestCheckSize(t *testing.T) {
	sparse := NewSparse(2)
	sparse.AppendSparse([]int32{1}, []float64{3})
	for name, x := range map[string]*Matrix{
		"dense": NewDense(2, [][]float64{{1, 2}, {3, 4}}), "sparse": sparse, "no rows": {NumCols: 2}, "no sparse rows": NewSparse(2),
	} {
		if err := CheckSize(x, 2); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, x := range map[string]*Matrix{
		"none":           nil,
		"columns":        NewSparse(3),
		"values":         {NumRows: 1, NumCols: 2, Value: []float64{1}},
		"negative":       {NumRows: -1, NumCols: 2, Start: []int{}},
		"few starts":     {NumRows: 2, NumCols: 2, Start: []int{0, 1}, Index: []int32{0}, Value: []float64{1}},
		"backwards":      {NumRows: 2, NumCols: 2, Start: []int{0, 1, 0}, Index: []int32{0}, Value: []float64{1}},
		"below 0":        {NumRows: 1, NumCols: 2, Start: []int{-1, 1}, Index: []int32{0}, Value: []float64{1}},
		"beyond values":  {NumRows: 1, NumCols: 2, Start: []int{0, 2}, Index: []int32{0, 1}, Value: []float64{1}},
		"beyond indices": {NumRows: 1, NumCols: 2, Start: []int{0, 2}, Index: []int32{0}, Value: []float64{1, 2}},
	} {
		if err := CheckSize(x, 2); !errors.Is(err, errs.ErrData) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
