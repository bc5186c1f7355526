package crankpkg

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/crank-ml/crank/crankpkg/internal/errs"
)

// TestCapHasTheSameBits trains with a cap on one worker and on three, cut short and not.
func TestCapHasTheSameBits(t *testing.T) {
	t.Parallel()
	train := noisy(t, 4, 20, 6)
	for _, passes := range []int{0, 2} {
		for k, tr := range trainers(Settings{HingeCap: 2, MaxPasses: passes, Workers: 1}) {
			if tr.Name() == "BestTree" {
				continue
			}
			want, _, _ := tr.WithLambda(1e-2).Train(context.Background(), train)
			got, _, _ := trainers(Settings{HingeCap: 2, MaxPasses: passes, Workers: 3, EveryPass: true})[k].WithLambda(1e-2).Train(context.Background(), train)
			if want == nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s in %d passes: other bits", tr.Name(), passes)
			}
		}
	}
}

// TestCapOfGroups trains labels in groups with a cap, to the end and cut short.
func TestCapOfGroups(t *testing.T) {
	t.Parallel()
	ds := grouped(40, 3)
	for _, passes := range []int{0, 1} {
		m, trace, err := (Full{Lambda: 1e-3, Settings: Settings{HingeCap: 1, MaxPasses: passes}}).Train(context.Background(), ds)
		if errs.OrNotConverged(err) != nil || !slices.Equal(m.Groups, ds.Groups) || !(trace.Primal <= 8) {
			t.Errorf("%d passes: trace %v, error %v", passes, trace.Primal, err)
		}
	}
}

// TestCapCutShortIsNoWorse ends trainings with a cap by passes, by time, by the context and at
// their own end: the model's capped objective is no higher than that of w = 0 and of all models
// known on the way, and the trace's primal is none lower.
func TestCapCutShortIsNoWorse(t *testing.T) {
	t.Parallel()
	const lambda, hingeCap = 1e-3, 2.5
	train := noisy(t, 4, 24, 4)
	zero := &Model{FeatureNames: train.FeatureNames, LabelNames: train.LabelNames, Unary: make([]float64, train.NumLabels()*(train.NumFeatures()+1))}
	type ending struct {
		set   Settings
		looks int64
	}
	endings := []ending{{set: Settings{}}, {set: Settings{MaxTime: 1}}, {set: Settings{MaxTime: time.Millisecond}}}
	for _, passes := range []int{1, 2, 6} {
		endings = append(endings, ending{set: Settings{MaxPasses: passes}})
	}
	for looks := int64(1); looks < 400; looks = 4*looks + 3 {
		endings = append(endings, ending{looks: looks})
	}
	for _, most := range []float64{hingeCap, 0.05} {
		for _, e := range endings {
			e.set.HingeCap, e.set.Gap, e.set.Workers = most, 0.01, 1
			for _, tr := range []Trainer{Empty{Settings: e.set}, Full{Settings: e.set}, MST{Settings: e.set}, CRANK{Settings: e.set}, CRANK{Settings: e.set, Path: ShrinkBeta}} {
				ctx := context.Background()
				if e.looks > 0 {
					left := new(atomic.Int64)
					left.Store(e.looks)
					ctx = countdown{ctx, left}
				}
				m, trace, err := tr.WithLambda(lambda).Train(ctx, train)
				if errs.OrNotConverged(err) != nil && !errors.Is(err, context.Canceled) {
					t.Fatalf("%s: %v", tr.Name(), err)
				}
				o := NewObjective(train, m.Scaler, lambda)
				o.HingeCap = most
				got, least := o.Loss(m), o.Loss(zero)
				if got > least*(1+1e-9) || got > trace.Primal*(1+1e-9) || math.IsNaN(got) {
					t.Errorf("%s, cap %v, %+v: capped objective %v, trace %v, w = 0 has %v (%v)", tr.Name(), most, e, got, trace.Primal, least, err)
				}
			}
		}
	}
}
