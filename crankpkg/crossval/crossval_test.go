package crossval

import (
	"context"
	"errors"
	"math"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/metrics"
)

// tableTrainer predicts with a bias that depends on lambda alone, so that what
// a cross-validation should find can be worked out by hand: label 0 is on for
// lambda below 0.5 and off otherwise, the others are off.
type tableTrainer struct {
	lambda float64
	calls  *atomic.Int64
}

func (tableTrainer) Name() string { return "table" }

func (t tableTrainer) WithLambda(lambda float64) crankpkg.Trainer { t.lambda = lambda; return t }

func (t tableTrainer) Train(ctx context.Context, train *crankpkg.Dataset) (*crankpkg.Model, *crankpkg.Trace, error) {
	if t.calls != nil {
		t.calls.Add(1)
	}
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	if t.lambda == 13 {
		return nil, nil, errors.New("unlucky")
	}
	n, d := train.NumLabels(), train.NumFeatures()
	m := &crankpkg.Model{FeatureNames: train.FeatureNames, LabelNames: train.LabelNames, Unary: make([]float64, n*(d+1))}
	for i := range n {
		w := m.UnaryWeights(i)
		w[d] = -1
		if i == 0 && t.lambda < 0.5 {
			w[d] = 1
		}
	}
	return m, &crankpkg.Trace{Primal: 1, Dual: 1 - t.lambda/10}, nil
}

// labeledSet is a data set with one constant feature; label 0 is on in the
// first on examples, and label 1 never.
func labeledSet(size, on int) *crankpkg.Dataset {
	ds := &crankpkg.Dataset{
		Name: "by hand", FeatureNames: []string{"x"}, LabelNames: []string{"a", "b"},
		X: &crankpkg.Matrix{NumRows: size, NumCols: 1, Value: make([]float64, size)},
		Y: make([]uint8, 2*size),
	}
	for m := range on {
		ds.Y[2*m] = 1
	}
	return ds
}

func TestCrossValidationByHand(t *testing.T) {
	// With 7 of 10 examples on, small lambdas are right in 70 % and large ones in
	// 30 %, in the mean over folds of equal size.
	cv := Search{Trainer: tableTrainer{}, Lambdas: []float64{2, 0.1, 1, 0.2}, Criterion: metrics.SubsetAccuracy}
	s, err := cv.Run(context.Background(), labeledSet(10, 7))
	if err != nil {
		t.Fatal(err)
	}
	for c, want := range []struct{ lambda, zeroOne, hamming, gap float64 }{
		{0.1, 70, 85, 0.01}, {0.2, 70, 85, 0.02}, {1, 30, 65, 0.1}, {2, 30, 65, 0.2},
	} {
		p := s.Curve[c]
		if p.Lambda != want.lambda || math.Abs(p.Mean.SubsetAccuracy-want.zeroOne) > 1e-9 || math.Abs(p.Mean.HammingAccuracy-want.hamming) > 1e-9 {
			t.Errorf("point %d: %+v, want %+v", c, p, want)
		}
		if !(math.Abs(p.Gap-want.gap) <= 1e-12) {
			t.Errorf("point %d: gap %v, want %v", c, p.Gap, want.gap)
		}
		// The folds of two examples have 0, 50 or 100 % right: the standard error
		// from its definition.
		var sum float64
		for _, f := range p.Folds {
			sum += (f.SubsetAccuracy - want.zeroOne) * (f.SubsetAccuracy - want.zeroOne)
		}
		if e := math.Sqrt(sum / 4 / 5); !(math.Abs(p.StdErr.SubsetAccuracy-e) <= 1e-9) {
			t.Errorf("point %d: standard error %v, want %v", c, p.StdErr.SubsetAccuracy, e)
		}
	}
	if s.Lambda() != 0.2 || s.Best != 1 || s.Chosen != 1 {
		t.Errorf("chose %v of position %d: the larger of the two best is 0.2", s.Lambda(), s.Best)
	}
	// The difference of 40 points is far more than one standard error.
	cv.OneStandardError = true
	if s, err = cv.Run(context.Background(), labeledSet(10, 7)); err != nil || s.Lambda() != 0.2 {
		t.Errorf("one standard error: %v, %v", s, err)
	}
	// With 51 of 100 it is not: 2 points, at a standard error of about 5.
	if s, err = cv.Run(context.Background(), labeledSet(100, 51)); err != nil || s.Lambda() != 2 || s.Best != 1 {
		t.Errorf("one standard error: %v, %v", s, err)
	}
}

func TestSelectionMeanOfThree(t *testing.T) {
	p := Point{Folds: []crankpkg.Scores{{HammingAccuracy: 90, SubsetAccuracy: 10, ExampleF1: 50}, {HammingAccuracy: 80, SubsetAccuracy: 20, ExampleF1: 56}}}
	mean, stdErr := p.Of(metrics.MeanOfThree)
	if math.Abs(mean-51) > 1e-9 || math.Abs(stdErr-1) > 1e-9 {
		t.Errorf("%v +- %v, want 51 +- 1: the folds have 50 and 52", mean, stdErr)
	}
}

// TestCrossValidationRepeats checks that repeats are other divisions, whose means
// are those of cross-validations on their own.
func TestCrossValidationRepeats(t *testing.T) {
	ds := labeledSet(23, 11)
	cv := Search{Trainer: tableTrainer{}, Lambdas: []float64{0.1}, Folds: 4, Repeats: 3, Seed: 8}
	s, err := cv.Run(context.Background(), ds)
	if err != nil {
		t.Fatal(err)
	}
	p := s.Curve[0]
	if len(p.Folds) != 12 || s.Repeats != 3 || reflect.DeepEqual(p.Folds[:4], p.Folds[4:8]) {
		t.Fatalf("folds %v", p.Folds)
	}
	cv.Repeats = 0
	once, err := cv.Run(context.Background(), ds)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(once.Curve[0].Folds, p.Folds[:4]) {
		t.Error("the first repeat is not the cross-validation without repeats")
	}
	var sum, squares float64
	for _, f := range p.Folds {
		sum += f.SubsetAccuracy / 12
	}
	for _, f := range p.Folds {
		squares += (f.SubsetAccuracy - sum) * (f.SubsetAccuracy - sum) / 11
	}
	mean, stdErr := p.Of(metrics.SubsetAccuracy)
	if math.Abs(mean-sum) > 1e-9 || math.Abs(stdErr-math.Sqrt(squares/4)) > 1e-9 || p.Mean.SubsetAccuracy != mean || p.StdErr.SubsetAccuracy != stdErr {
		t.Errorf("%v +- %v, want %v +- %v", mean, stdErr, sum, math.Sqrt(squares/4))
	}
}

func TestCrossValidationWorkers(t *testing.T) {
	ds, _, _ := crankpkg.PlantedTree{N: 5, D: 3, Noise: 0.05, Seed: 3}.Generate(80, 0)
	for _, trainer := range []crankpkg.Trainer{crankpkg.Empty{}, crankpkg.MST{}} {
		var first *Selection
		for _, workers := range []int{1, 3, 8} {
			told := 0
			cv := Search{
				Trainer: trainer, Lambdas: []float64{0.1, 0.01}, Scalings: []crankpkg.Scaling{crankpkg.NoScaling, crankpkg.ZScore},
				Folds: 3, Seed: 9, Workers: workers,
				Progress: func(p Progress) {
					told++
					if p.Done != told || p.Done > p.Total || p.Left < 0 || p.Job == "" {
						t.Errorf("progress %+v after %d", p, told)
					}
				},
			}
			s, err := cv.Run(context.Background(), ds)
			if err != nil {
				t.Fatal(err)
			}
			if len(s.Curve) != 4 || told == 0 {
				t.Fatalf("%d points, told %d times", len(s.Curve), told)
			}
			if first == nil {
				first = s
			} else if !reflect.DeepEqual(s, first) {
				t.Errorf("%s: %d workers give another selection", trainer.Name(), workers)
			}
		}
	}
}

// TestCrossValidationHeldOut checks one point against training and testing on
// the folds by hand.
func TestCrossValidationHeldOut(t *testing.T) {
	ds, _, _ := crankpkg.PlantedTree{N: 4, D: 3, Seed: 5}.Generate(60, 0)
	s, err := Search{Trainer: crankpkg.Empty{}, Lambdas: []float64{0.05}, Folds: 4, Seed: 2}.Run(context.Background(), ds)
	if err != nil {
		t.Fatal(err)
	}
	folds, _ := ds.Folds(4, 2)
	for f, fold := range folds {
		m, _, err := crankpkg.Empty{Lambda: 0.05}.Train(context.Background(), ds.Subset(fold.Train))
		if err != nil {
			t.Fatal(err)
		}
		test := ds.Subset(fold.Test)
		predicted := make([]uint8, len(test.Y))
		m.Predictor().PredictAllTo(predicted, test.X, 1)
		if want := metrics.Evaluate(test.Y, predicted, 4); s.Curve[0].Folds[f] != want {
			t.Errorf("fold %d: %v, want %v", f, s.Curve[0].Folds[f], want)
		}
	}
}

// plainTrainer hides that a method can train along a path.
type plainTrainer struct{ crankpkg.Trainer }

func (p plainTrainer) WithLambda(lambda float64) crankpkg.Trainer {
	return plainTrainer{p.Trainer.WithLambda(lambda)}
}

// TestCrossValidationPath checks that the path and each lambda alone agree where
// the gap leaves no room for different models, and that Named keeps the path.
func TestCrossValidationPath(t *testing.T) {
	ds, _, _ := crankpkg.PlantedTree{N: 4, D: 3, Noise: 0.1, Seed: 5}.Generate(60, 0)
	exact := crankpkg.ChowLiu{Settings: crankpkg.Settings{Gap: 1e-7}}
	cv := Search{Lambdas: []float64{0.01, 0.1, 1}, Folds: 3}
	var first *Selection
	for _, trainer := range []crankpkg.Trainer{plainTrainer{exact}, exact, crankpkg.Named("Chow-Liu", exact)} {
		told := 0
		cv.Trainer, cv.Progress = trainer, func(p Progress) { told = p.Total }
		s, err := cv.Run(context.Background(), ds)
		if err != nil {
			t.Fatal(err)
		}
		if _, plain := trainer.(plainTrainer); plain != (told == 9) {
			t.Errorf("%T: %d pieces of work", trainer, told)
		}
		for c := range s.Curve {
			if s.Curve[c].Gap > 1e-7 {
				t.Errorf("gap %v", s.Curve[c].Gap)
			}
			s.Curve[c].Gap = 0
		}
		if first == nil {
			first = s
		} else if !reflect.DeepEqual(s, first) {
			t.Errorf("%T: another selection", trainer)
		}
	}
}

func TestCrossValidationErrors(t *testing.T) {
	ds := labeledSet(10, 5)
	for name, cv := range map[string]Search{
		"no trainer":         {},
		"negative repeats":   {Trainer: crankpkg.Empty{}, Repeats: -1},
		"one fold":           {Trainer: crankpkg.Empty{}, Folds: 1},
		"too many folds":     {Trainer: crankpkg.Empty{}, Folds: 11},
		"zero lambda":        {Trainer: crankpkg.Empty{}, Lambdas: []float64{0, 1}},
		"NaN lambda":         {Trainer: crankpkg.Empty{}, Lambdas: []float64{math.NaN(), 1}},
		"infinite lambda":    {Trainer: crankpkg.Empty{}, Lambdas: []float64{1, math.Inf(1)}},
		"unknown criterion":  {Trainer: crankpkg.Empty{}, Criterion: "accuracy"},
		"unknown scaling":    {Trainer: crankpkg.Empty{}, Scalings: []crankpkg.Scaling{"log"}},
		"fixed scaling":      {Trainer: tableTrainer{}, Scalings: []crankpkg.Scaling{crankpkg.ZScore}},
		"settings of method": {Trainer: crankpkg.Empty{Settings: crankpkg.Settings{Gap: 2}}},
	} {
		if s, err := cv.Run(context.Background(), ds); !errors.Is(err, crankpkg.ErrSettings) || s != nil {
			t.Errorf("%s: %v, %v", name, s, err)
		}
		byData := name == "too many folds" || name == "settings of method"
		if err := cv.Validate(); (err == nil) != byData || err != nil && !errors.Is(err, crankpkg.ErrSettings) {
			t.Errorf("%s: without data %v", name, err)
		}
	}
	if err := (Search{Trainer: crankpkg.Empty{}}).Validate(); err != nil {
		t.Error(err)
	}
	if _, err := (Search{Trainer: crankpkg.Empty{}}).Run(context.Background(), &crankpkg.Dataset{}); !errors.Is(err, crankpkg.ErrData) {
		t.Errorf("no data: %v", err)
	}
	_, err := Search{Trainer: tableTrainer{}, Lambdas: []float64{1, 13}, Workers: 1}.Run(context.Background(), ds)
	if err == nil || !strings.Contains(err.Error(), "fold 1, lambda 13: unlucky") {
		t.Errorf("a failing training: %v", err)
	}
}

func TestCrossValidationCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	var calls atomic.Int64
	cv := Search{
		Trainer: tableTrainer{calls: &calls}, Workers: 1,
		Progress: func(p Progress) {
			if p.Done == 3 {
				cancel()
			}
		},
	}
	s, err := cv.Run(ctx, labeledSet(10, 5))
	if !errors.Is(err, context.Canceled) || s != nil {
		t.Errorf("%v, %v", s, err)
	}
	if calls.Load() != 3 {
		t.Errorf("%d trainings after the context ended with the third", calls.Load())
	}
}

// TestCrossValidationFitsTrainingRows trains and tests by hand on each fold, for
// all that is fitted to rows besides the weights: the held-out rows must have no
// part in any of it.
func TestCrossValidationFitsTrainingRows(t *testing.T) {
	t.Parallel()
	ds, _, _ := crankpkg.PlantedTree{N: 5, D: 3, Noise: 0.2, Seed: 5}.Generate(36, 0)
	for m := range ds.Len() { // columns of their own scale and place
		for k := range ds.X.Row(m).Value {
			ds.X.Row(m).Value[k] = math.Pow(2, float64(k)) * (ds.X.Row(m).Value[k] + 1)
		}
	}
	for _, set := range []crankpkg.Settings{
		{Scaling: crankpkg.ZScore}, {Scaling: crankpkg.MinMax}, {Scaling: feature.Relevance}, {Powerset: crankpkg.LabelPowerset{Only: true}},
		{Scaling: crankpkg.ZScore, Powerset: crankpkg.LabelPowerset{Only: true, Prior: 0.5}, EdgeFeatures: crankpkg.EdgeFeatures{All: true}},
	} {
		set.Gap = 0.1
		inTrainer := Search{Trainer: crankpkg.ChowLiu{Settings: set}}
		inGrid := Search{Trainer: crankpkg.ChowLiu{Settings: crankpkg.Settings{Gap: 0.1, EdgeFeatures: set.EdgeFeatures}}, Scalings: []crankpkg.Scaling{set.Scaling}, Powersets: []crankpkg.LabelPowerset{set.Powerset}}
		plain := Search{Trainer: plainTrainer{crankpkg.ChowLiu{Settings: set}}}
		want, leaking := scoresByHand(t, ds, crankpkg.ChowLiu{Lambda: 0.05, Settings: set})
		if reflect.DeepEqual(want, leaking) {
			t.Errorf("%+v: fitted to the held-out rows the scores would be the same, so that nothing is tested", set)
		}
		for name, cv := range map[string]Search{"trainer": inTrainer, "grid": inGrid, "plain trainer": plain} {
			cv.Lambdas, cv.Folds, cv.Seed = []float64{0.05}, 3, 2
			s, err := cv.Run(context.Background(), ds)
			if err != nil {
				t.Fatal(err)
			}
			if got := s.Curve[0].Folds; !reflect.DeepEqual(got, want) {
				t.Errorf("%s, scaling %q, %+v: scores %v, by hand %v", name, set.Scaling, set.Powerset, got, want)
			}
		}
	}
}

// scoresByHand trains on three folds and tests on what they hold out; leaking
// are the scores with the scaling and the labelings of the held-out rows.
func scoresByHand(t *testing.T, ds *crankpkg.Dataset, method crankpkg.ChowLiu) (scores, leaking []crankpkg.Scores) {
	t.Helper()
	folds, err := ds.Folds(3, 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, fold := range folds {
		m, _, err := method.Train(context.Background(), ds.Subset(fold.Train))
		if err != nil {
			t.Fatal(err)
		}
		test := ds.Subset(fold.Test)
		scores = append(scores, crankpkg.Evaluate(m, test))
		if m.Scaler, err = feature.FitScalerTo(method.Scaling, test.X, test.Y); err != nil {
			t.Fatal(err)
		}
		method.Powerset.Restrict(m, test)
		leaking = append(leaking, crankpkg.Evaluate(m, test))
	}
	return scores, leaking
}

// TestCrossValidationDivides checks by scores that are known how the folds are made: with
// the label on in half of each fold, or in all of one and none of the other.
func TestCrossValidationDivides(t *testing.T) {
	ds := labeledSet(20, 10)
	halves := make([]int, ds.Len())
	for m := range halves {
		halves[m] = m / 10
	}
	cv := Search{Trainer: tableTrainer{}, Lambdas: []float64{0.1}, Seed: 3}
	for _, order := range []int{1, 2} {
		stratified := cv
		stratified.Stratify, stratified.Repeats = order, 2
		s, err := stratified.Run(context.Background(), ds)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range s.Curve[0].Folds {
			if f.SubsetAccuracy != 50 {
				t.Errorf("order %d: a fold has %v %% right", order, f.SubsetAccuracy)
			}
		}
	}
	cv.Folds, cv.Groups = 2, halves
	s, err := cv.Run(context.Background(), ds)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := s.Curve[0].Folds[0].SubsetAccuracy, s.Curve[0].Folds[1].SubsetAccuracy; a+b != 100 || a*b != 0 {
		t.Errorf("folds of whole groups have %v and %v %% right", a, b)
	}
	for _, bad := range []Search{
		{Trainer: tableTrainer{}, Stratify: 3}, {Trainer: tableTrainer{}, Stratify: -1}, {Trainer: tableTrainer{}, Groups: halves[1:]},
		{Trainer: tableTrainer{}, Groups: halves}, {Trainer: tableTrainer{}, Groups: halves, Folds: 2, Stratify: 1},
	} {
		if _, err := bad.Run(context.Background(), ds); !errors.Is(err, crankpkg.ErrSettings) {
			t.Errorf("%+v: error %v", bad, err)
		}
	}
}
