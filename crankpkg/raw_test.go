package crankpkg_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/feature"
)

// TestRawFeaturesAreCertified trains with pairs on features in units of their own, where steps of first order crawl: also
// where these seem hopeless before the interior point method has had its turn.
func TestRawFeaturesAreCertified(t *testing.T) {
	t.Parallel()
	train, _, err := crankpkg.LoadSplit("flags")
	if err != nil {
		t.Fatal(err)
	}
	for _, lambda := range []float64{1 / float64(train.Len()), 0.01, 0.001, 0.0001} {
		for _, method := range []crankpkg.Trainer{crankpkg.Full{}, crankpkg.ChowLiu{}} {
			m, trace, err := method.WithLambda(lambda).Train(context.Background(), train)
			if err != nil {
				t.Errorf("%s at %g: %v", method.Name(), lambda, err)
				continue
			}
			if primal := crankpkg.Primal(train, m, lambda); !(primal-trace.Dual <= 0.01*primal) {
				t.Errorf("%s at %g: primal %v, dual %v", method.Name(), lambda, primal, trace.Dual)
			}
		}
	}
}

// inUnits returns rows with features that example makes of random numbers, and their labels.
func inUnits(rows, d, n int, rng *rand.Rand, example func(x, z []float64) (y []uint8)) *crankpkg.Dataset {
	ds := &crankpkg.Dataset{Name: "units", LabelNames: make([]string, n), FeatureNames: make([]string, d)}
	for i := range n {
		ds.LabelNames[i] = fmt.Sprint("label ", i)
	}
	for j := range d {
		ds.FeatureNames[j] = fmt.Sprint("feature ", j)
	}
	x := make([][]float64, rows)
	for m := range x {
		x[m] = make([]float64, d)
		z := make([]float64, d)
		for j := range z {
			z[j] = rng.NormFloat64()
		}
		ds.Y = append(ds.Y, example(x[m], z)...)
	}
	ds.X = feature.NewDense(d, x)
	return ds
}

// TestRawManyLabelsGiveUpEarly trains on features in units of their own with more labels than the interior point
// method is for. The path ends in its first step, before the default bound on the passes of a single solve, once
// the weights of a tree are out of reach; what comes back is as good as Empty, to the gap.
func TestRawManyLabelsGiveUpEarly(t *testing.T) {
	t.Parallel()
	const lambda, rows, d, n = 0.01, 60, 20, 70
	rng := rand.New(rand.NewPCG(8, 5))
	ds := inUnits(rows, d, n, rng, func(x, z []float64) (y []uint8) {
		for j := range z {
			x[j] = []float64{3, 1, 20, 0.5}[j%4] * z[j]
		}
		for i := range n {
			on := z[i%d]+0.5*z[(i+1)%d]+0.3*rng.NormFloat64() > 0.8
			y = append(y, map[bool]uint8{true: 1}[on])
		}
		return y
	})
	m, trace, err := crankpkg.CRANK{Lambda: lambda, Restarts: 1}.Train(context.Background(), ds)
	const bound = 16*(d+1)/(lambda*rows) + 400
	if !errors.Is(err, crankpkg.ErrNotConverged) || len(trace.Steps) != 1 || trace.Passes >= bound {
		t.Errorf("%d steps, %d passes, where a solve has %v: %v", len(trace.Steps), trace.Passes, bound, err)
	}
	empty, _, err := crankpkg.Empty{Lambda: lambda}.Train(context.Background(), ds)
	if err != nil || !(crankpkg.Primal(ds, m, lambda) <= 1.01*crankpkg.Primal(ds, empty, lambda)) {
		t.Errorf("primal %v, Empty's %v: %v", crankpkg.Primal(ds, m, lambda), crankpkg.Primal(ds, empty, lambda), err)
	}
}

// TestRawLabelsAreCertified trains labels without pairs on features in units of their own, of which coordinate steps
// use up their passes at a large lambda before the interior point method's share of work: it has its turn then.
func TestRawLabelsAreCertified(t *testing.T) {
	t.Parallel()
	const rows, d = 330, 280
	rng := rand.New(rand.NewPCG(8, 6))
	ds := inUnits(rows, d, 1, rng, func(x, z []float64) (y []uint8) {
		for j := range z {
			x[j] = []float64{2000, 0, 40000, 1}[j%4] + []float64{30, 1, 5000, 0.01}[j%4]*z[j]
		}
		return append(y, map[bool]uint8{true: 1}[z[0]+z[1]+0.3*rng.NormFloat64() > 0])
	})
	for _, gap := range []float64{0.01, 0.0001} {
		m, trace, err := crankpkg.Empty{Lambda: 1, Settings: crankpkg.Settings{Gap: gap}}.Train(context.Background(), ds)
		if err != nil {
			t.Errorf("gap %v: %v", gap, err)
			continue
		}
		if primal := crankpkg.Primal(ds, m, 1); !(primal-trace.Dual <= gap*primal) {
			t.Errorf("gap %v: primal %v, dual %v", gap, primal, trace.Dual)
		}
		_, short, err := crankpkg.Empty{Lambda: 1, Settings: crankpkg.Settings{Gap: gap, MaxPasses: 100}}.Train(context.Background(), ds)
		if !errors.Is(err, crankpkg.ErrNotConverged) || short.Passes > 110 {
			t.Errorf("%d passes of 100: %v", short.Passes, err)
		}
	}
}
