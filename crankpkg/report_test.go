package crankpkg

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// TestReport measures a model on its own predictions: its margins have their signs, so that
// the ranking of every row is right too. One label that is turned counts.
func TestReport(t *testing.T) {
	rng := rand.New(rand.NewPCG(91, 1))
	const n, d, rows = 5, 3, 60
	dense, _ := randomRows(rows, d, rng)
	m := randomModel(n, d, labelgraph.RandomTree(n, rng), rng)
	test := &Dataset{LabelNames: m.LabelNames, FeatureNames: m.FeatureNames, X: dense, Y: m.PredictAll(dense)}
	r, err := m.Report(test)
	if err != nil {
		t.Fatal(err)
	}
	if r.Scores != Evaluate(m, test) || r.Scores.SubsetAccuracy != 100 || r.Jaccard.Micro != 100 {
		t.Errorf("a model against its own predictions: %+v %+v", r.Scores, r.Jaccard)
	}
	if k := r.Ranking; k.RankingLoss != 0 || k.OneError != 0 || math.Abs(k.AveragePrecision-100) > 1e-9 || k.MacroAUC != 100 {
		t.Errorf("a model against its own predictions: %+v", *k)
	}
	if r.Examples != rows || len(r.Labels) != n || r.Labels[2].Name != m.LabelNames[2] {
		t.Errorf("%d examples, labels %+v", r.Examples, r.Labels)
	}
	test.Y[0] ^= 1
	r, err = m.Report(test)
	if err != nil || r.Scores != Evaluate(m, test) || r.Scores.SubsetAccuracy == 100 || r.Labels[0].F1 == 100 || r.Labels[1].F1 != 100 {
		t.Errorf("one label turned: %v, error %v", r, err)
	}
}

func TestReportRefuses(t *testing.T) {
	rng := rand.New(rand.NewPCG(92, 1))
	m := randomModel(3, 2, nil, rng)
	dense, _ := randomRows(4, 2, rng)
	data := func() *Dataset {
		return &Dataset{Name: "d", LabelNames: m.LabelNames, FeatureNames: m.FeatureNames, X: dense, Y: testkit.RandomLabels(rng, 12)}
	}
	for says, change := range map[string]func(*Dataset){
		`label "y2" missing`: func(d *Dataset) { d.LabelNames, d.Y = d.LabelNames[:2], d.Y[:8] },
		`feature "x1" missing`: func(d *Dataset) {
			d.FeatureNames, d.X = d.FeatureNames[:1], &Matrix{NumRows: 4, NumCols: 1, Value: make([]float64, 4)}
		},
		"without labels": func(d *Dataset) { d.Unlabeled = true },
		"no examples":    func(d *Dataset) { d.X, d.Y = &Matrix{NumCols: 2}, nil },
		`feature "x1": NaN`: func(d *Dataset) {
			d.X = &Matrix{NumRows: 4, NumCols: 2, Value: []float64{0, 0, 0, 0, 0, math.NaN(), 0, 0}}
		},
	} {
		test := data()
		change(test)
		if _, err := m.Report(test); !errors.Is(err, ErrData) || !strings.Contains(err.Error(), says) {
			t.Errorf("error %v, want one that says %s", err, says)
		}
	}
	m.Unary[0] = math.Inf(1)
	if _, err := m.Report(data()); !errors.Is(err, ErrData) || !strings.Contains(err.Error(), "unary weight 0 is +Inf") {
		t.Errorf("a broken model: error %v", err)
	}
}
