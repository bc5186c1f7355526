package crankpkg

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// overshoot is how many passes a solve may do beyond its limit: one that follows
// the cached passes, and the certificate.
const overshoot = 2

// TestMaxPassesHoldsForEachSolve counts the passes of every solve of the methods
// that do several, each from where the last one ended.
func TestMaxPassesHoldsForEachSolve(t *testing.T) {
	t.Parallel()
	train, _ := planted(t, 6, 60, 6)
	for _, limit := range []int{1, 2, 4} {
		set := Settings{Gap: 1e-9, MaxPasses: limit, Workers: 1}
		for _, tr := range []Trainer{
			Full{Settings: set}, Project{Settings: set}, ChowLiu{Settings: set}, FixedGraph{Settings: set, Edges: labelgraph.AllPairs(6)[:7]},
			CRANK{Settings: set, Restarts: 1, Path: GrowBeta}, CRANK{Settings: set, Restarts: 1, Path: ShrinkBeta}, Empty{Settings: set},
		} {
			_, trace, err := tr.WithLambda(1e-6).Train(context.Background(), train)
			if errs.OrNotConverged(err) != nil {
				t.Fatal(err)
			}
			before, solves := 0, 0
			for k, p := range trace.Points {
				if k+1 < len(trace.Points) && trace.Points[k+1].Solve == p.Solve {
					continue
				}
				solves++
				spent := p.Pass - before
				if solves == 1 && trace.Steps != nil {
					spent -= limit + overshoot // CRANK's first point includes what all starts share
				}
				if spent > limit+overshoot {
					t.Errorf("%s, MaxPasses %d: %d in solve %d", tr.Name(), limit, spent, p.Solve)
				}
				before = p.Pass
			}
		}
	}
}

// TestModelKeepsItsNames changes the data after the training.
func TestModelKeepsItsNames(t *testing.T) {
	t.Parallel()
	train, _ := planted(t, 3, 30, 9)
	m, _, err := Empty{Settings: Settings{Gap: 0.5}}.Train(context.Background(), train)
	if err != nil {
		t.Fatal(err)
	}
	feature, label := m.FeatureNames[0], m.LabelNames[0]
	train.FeatureNames[0], train.LabelNames[0] = "another", "yet another"
	if m.FeatureNames[0] != feature || m.LabelNames[0] != label {
		t.Errorf("the model has got the names %q and %q", m.FeatureNames[0], m.LabelNames[0])
	}
}

// TestScalingOfHugeValuesNamesTheFeature trains on a feature that no scaling can center.
func TestScalingOfHugeValuesNamesTheFeature(t *testing.T) {
	t.Parallel()
	train, _ := planted(t, 3, 30, 9)
	train.FeatureNames[1] = "income"
	train.Row(0).Value[1], train.Row(1).Value[1] = -1.7e308, 1.7e308
	for _, scaling := range []Scaling{ZScore, MinMax} {
		_, _, err := Empty{Settings: Settings{Scaling: scaling}}.Train(context.Background(), train)
		if !errors.Is(err, ErrData) || !strings.Contains(err.Error(), `"income"`) {
			t.Errorf("%s: error %v", scaling, err)
		}
	}
}

// faulty is a method whose workers, or it itself, panic.
type faulty struct {
	Empty
	inWorker bool
}

func (faulty) Name() string                 { return "Faulty" }
func (f faulty) WithLambda(float64) Trainer { return f }

func (f faulty) Train(ctx context.Context, ds *Dataset) (*Model, *Trace, error) {
	return train(ctx, f, ds)
}

func (f faulty) learn(t *training) (*Model, *Trace, error) {
	if f.inWorker {
		t.parallel(3, func(i int) { _ = t.edges.Columns[i] })
	}
	panic("in the caller's goroutine")
}

// TestPanicInWorker turns panics of workers, whatever their number, into errors that name
// the method, and leaves others alone.
func TestPanicInWorker(t *testing.T) {
	t.Parallel()
	ds, _ := planted(t, 3, 20, 2)
	for _, workers := range []int{1, 2} {
		f := faulty{Empty{Settings: Settings{Workers: workers}}, true}
		_, _, err := f.Train(context.Background(), ds)
		_, _, pathErr := TrainPath(context.Background(), f, ds, []float64{0.1})
		for _, err := range []error{err, pathErr} {
			var cause runtime.Error
			if !errors.Is(err, ErrInternal) || !errors.As(err, &cause) || !strings.HasPrefix(err.Error(), "Faulty: ") || !strings.Contains(err.Error(), "faulty.learn") {
				t.Errorf("%d workers: error %v", workers, err)
			}
		}
	}
	defer func() {
		if v := recover(); v != "in the caller's goroutine" {
			t.Errorf("panic %v", v)
		}
	}()
	faulty{}.Train(context.Background(), ds)
}
