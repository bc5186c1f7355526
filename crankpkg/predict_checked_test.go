package crankpkg

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// TestPredictRowRefuses has every fault that a row can have, dense and sparse; what is
// wrong is named.
func TestPredictRowRefuses(t *testing.T) {
	rng := rand.New(rand.NewPCG(51, 1))
	tree := randomModel(3, 3, labelgraph.RandomTree(3, rng), rng)
	fourier := randomModel(3, 4, nil, rng)
	fourier.FeatureNames, fourier.Fourier = fourier.FeatureNames[:3], FourierFeatures{Count: 4}.Resolve(3)
	for name, c := range map[string]struct {
		x    Row
		says string
	}{
		"NaN":            {Row{Value: []float64{1, math.NaN(), 2}}, `feature "x1": NaN`},
		"Inf":            {Row{Value: []float64{1, 2, math.Inf(1)}}, `feature "x2": +Inf`},
		"minus Inf":      {Row{Value: []float64{math.Inf(-1), 2, 3}}, `feature "x0": -Inf`},
		"short":          {Row{Value: []float64{1, 2}}, "2 features for a model of 3"},
		"long":           {Row{Value: []float64{1, 2, 3, 4}}, "4 features for a model of 3"},
		"sparse NaN":     {Row{Index: []int32{2}, Value: []float64{math.NaN()}}, `feature "x2": NaN`},
		"out of range":   {Row{Index: []int32{0, 3}, Value: []float64{1, 1}}, "feature 3 for a model of 3"},
		"negative":       {Row{Index: []int32{-1}, Value: []float64{1}}, "feature -1 for a model of 3"},
		"out of order":   {Row{Index: []int32{2, 1}, Value: []float64{1, 1}}, `feature 1 ("x1") after feature 2`},
		"twice":          {Row{Index: []int32{1, 1}, Value: []float64{1, 1}}, `feature 1 ("x1") after feature 1`},
		"unequal counts": {Row{Index: []int32{0, 1}, Value: []float64{1}}, "2 indices and 1 values"},
		"no values":      {Row{Index: []int32{}, Value: []float64{1}}, "0 indices and 1 values"},
	} {
		for _, m := range []*Model{tree, fourier} {
			p := m.Predictor()
			y, err := p.PredictRow(c.x)
			margins, errMargins := p.MarginsRow(c.x)
			if y != nil || margins != nil {
				t.Errorf("%s: labels %v, margins %v", name, y, margins)
			}
			for _, err := range []error{err, errMargins} {
				if !errors.Is(err, ErrData) || !strings.Contains(err.Error(), c.says) {
					t.Errorf("%s: error %v, want one that says %s", name, err, c.says)
				}
			}
		}
	}
}

// TestPredictRowRefusesOverflow has finite features whose scores are not.
func TestPredictRowRefusesOverflow(t *testing.T) {
	rng := rand.New(rand.NewPCG(52, 1))
	m := randomModel(3, 2, labelgraph.AllPairs(3)[:1], rng)
	m.Unary[0], m.Unary[1] = 10, 10
	huge := Row{Value: []float64{1e308, 1e308}}
	for name, err := range map[string]error{
		"label":  errorOf(m.Predictor().PredictRow(huge)),
		"margin": errorOf(m.Predictor().MarginsRow(huge)),
	} {
		if !errors.Is(err, ErrData) || !strings.Contains(err.Error(), `label "y0"`) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	m.Unary = make([]float64, len(m.Unary))
	m.EdgeFeatures, m.PairFeatures = EdgeFeatures{Columns: []int{0}, Scale: 1}, []float64{10}
	if err := errorOf(m.Predictor().PredictRow(huge)); !errors.Is(err, ErrData) || !strings.Contains(err.Error(), "too large") {
		t.Errorf("pair: error %v", err)
	}
}

func errorOf[T any](_ T, err error) error { return err }

// TestPredictRowsAgree holds the forms that return errors to the fast ones, and names the
// first row at fault.
func TestPredictRowsAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(53, 1))
	const n, d, rows = 4, 3, 200 // several batches
	dense, sparse := randomRows(rows, d, rng)
	p := randomModel(n, d, labelgraph.RandomTree(n, rng), rng).Predictor()
	for _, x := range []*Matrix{dense, sparse} {
		y, err := p.PredictRows(x)
		if err != nil || !slices.Equal(y, p.PredictAll(x)) {
			t.Fatalf("labels differ from PredictAll's, error %v", err)
		}
		one, err := p.PredictRow(x.Row(7))
		if err != nil || !slices.Equal(one, y[7*n:8*n]) {
			t.Fatalf("labels of a row differ, error %v", err)
		}
		margins, err := p.MarginsRow(x.Row(7))
		if err != nil || !slices.Equal(margins, p.Margins(x.Row(7))) {
			t.Fatalf("margins of a row differ, error %v", err)
		}
	}
	dense.Value[150*d+1], dense.Value[190*d] = math.NaN(), math.NaN()
	for _, err := range []error{errorOf(p.PredictRows(dense)), errorOf(p.MarginsRows(dense))} {
		if !errors.Is(err, ErrData) || !strings.Contains(err.Error(), `row 150: `) || !strings.Contains(err.Error(), `feature "x1"`) {
			t.Errorf("error %v", err)
		}
	}
}

func TestPredictRowsRefuse(t *testing.T) {
	p := randomModel(2, 2, nil, rand.New(rand.NewPCG(54, 1))).Predictor()
	for name, x := range map[string]*Matrix{
		"none":            nil,
		"columns":         feature.NewSparse(3),
		"too few values":  {NumRows: 2, NumCols: 2, Value: []float64{1, 2, 3}},
		"starts":          {NumRows: 2, NumCols: 2, Start: []int{0, 1}, Index: []int32{0}, Value: []float64{1}},
		"start backwards": {NumRows: 2, NumCols: 2, Start: []int{0, 1, 0}, Index: []int32{0}, Value: []float64{1}},
		"start below 0":   {NumRows: 1, NumCols: 2, Start: []int{-1, 1}, Index: []int32{0}, Value: []float64{1}},
		"start beyond":    {NumRows: 1, NumCols: 2, Start: []int{0, 2}, Index: []int32{0}, Value: []float64{1}},
	} {
		if _, err := p.PredictRows(x); !errors.Is(err, ErrData) {
			t.Errorf("%s: labels with error %v", name, err)
		}
		if _, err := p.MarginsRows(x); !errors.Is(err, ErrData) {
			t.Errorf("%s: margins with error %v", name, err)
		}
	}
}

// The fast forms panic on a wrong length with a sentence of their own, not in the middle of
// the arithmetic.
func TestFastFormsPanicClearly(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(61, 1))
	m := randomModel(3, 4, []Edge{{I: 0, J: 1}}, rng)
	p := m.Predictor()
	good := Row{Value: make([]float64, 4)}
	rows := &Matrix{NumRows: 2, NumCols: 3, Value: make([]float64, 6)}
	for _, x := range []Row{{Value: make([]float64, 3)}, {Value: make([]float64, 5)}, {Index: []int32{4}, Value: []float64{1}}} {
		for name, call := range map[string]func(){
			"Predict":       func() { p.Predict(x) },
			"PredictTo":     func() { p.PredictTo(make([]uint8, 3), x) },
			"PredictTo y":   func() { p.PredictTo(make([]uint8, 2), good) },
			"PredictLabels": func() { p.PredictLabels(x) },
			"ScoresTo":      func() { p.ScoresTo(make([]float64, 3), x) },
			"ScoresTo c":    func() { p.ScoresTo(make([]float64, 4), good) },
			"Margins":       func() { p.Margins(x) },
			"MarginsTo dst": func() { p.MarginsTo(make([]float64, 2), good) },
			"PredictAll":    func() { p.PredictAll(rows) },
			"MarginsAll":    func() { p.MarginsAll(rows) },
			"Model.Predict": func() { m.Predict(x) },
		} {
			func() {
				defer func() {
					if text, ok := recover().(string); !ok || !strings.HasPrefix(text, "crankpkg: ") {
						t.Errorf("%s of %v panics with %q", name, x, text)
					}
				}()
				call()
			}()
		}
	}
}
