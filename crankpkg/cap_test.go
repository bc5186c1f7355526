package crankpkg

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
)

// noisy returns planted data in which some examples have the labels of others.
func noisy(t *testing.T, n, size int, seed uint64) *Dataset {
	t.Helper()
	train, _ := planted(t, n, size, seed)
	rng := rand.New(rand.NewPCG(seed, 99))
	for m := range size {
		if rng.IntN(5) == 0 {
			copy(train.Labels(m), train.Labels(rng.IntN(size)))
		}
	}
	return train
}

// TestCapLowersObjective checks that the cap's rounds end below the capped
// objective of the hinge's minimum, and that the trace tells the truth.
func TestCapLowersObjective(t *testing.T) {
	t.Parallel()
	const gap = 0.004
	train := noisy(t, 4, 14, 5)
	losses, features := generalSettings()
	lower, all := 0, 0
	for l, loss := range losses {
		set := Settings{Gap: gap, Loss: loss, EdgeFeatures: features[l]}
		capped := set
		capped.HingeCap = 0.8 * loss.Of([]uint8{0, 0, 1, 0}, []uint8{1, 1, 1, 0})
		for k, tr := range trainers(set) {
			if tr.Name() == "BestTree" {
				continue
			}
			before, _, err := tr.Train(context.Background(), train)
			if err != nil {
				t.Fatal(err)
			}
			m, trace, err := trainers(capped)[k].Train(context.Background(), train)
			if err != nil {
				t.Fatal(err)
			}
			o := NewObjective(train, m.Scaler, trace.Lambda)
			o.LabelLoss, o.HingeCap = loss, capped.HingeCap
			was, is := o.Loss(before), o.Loss(m)
			if is > was*(1+gap) || is > trace.Primal*(1+1e-9) {
				t.Errorf("%s, %v: capped objective %v (in the trace %v), %v without the cap", tr.Name(), loss, is, trace.Primal, was)
			}
			if all++; is < was*(1-0.005) {
				lower++
			}
		}
	}
	if lower < all/2 {
		t.Errorf("the cap lowers %d of %d objectives", lower, all)
	}
}

func TestCapRefused(t *testing.T) {
	train := noisy(t, 3, 20, 1)
	for _, tr := range []Trainer{Full{Settings: Settings{HingeCap: -1}}, BestTree{Settings: Settings{HingeCap: 1}}} {
		if _, _, err := tr.Train(context.Background(), train); !errors.Is(err, ErrSettings) {
			t.Errorf("%s: error %v", tr.Name(), err)
		}
	}
}
