package crankpkg

import (
	"context"
	"reflect"
	"testing"

	"github.com/crank-ml/crank/crankpkg/internal/testkit"
)

// TestEmptyCertificate checks Empty's primal against Objective and its dual
// against that of a tighter training, and that neither the number of workers nor
// a second training changes a bit.
func TestEmptyCertificate(t *testing.T) {
	ds, _ := randomDataset(120, 12, 5, 4)
	train := func(gap float64, workers int) (*Model, *Trace) {
		m, trace, err := Empty{Lambda: 0.02, Settings: Settings{Gap: gap, Seed: 7, Workers: workers}}.Train(context.Background(), ds)
		if err != nil || trace.Status != Converged {
			t.Fatal(trace.Status, err)
		}
		testkit.CheckNear(t, "primal", trace.Primal, Primal(ds, m, 0.02))
		if !(trace.Gap() <= gap) {
			t.Errorf("gap %v, %v wanted", trace.Gap(), gap)
		}
		return m, trace
	}
	_, tight := train(1e-8, 2)
	for _, gap := range []float64{0.1, 1e-2, 1e-3, 1e-6} {
		m, trace := train(gap, 1)
		if trace.Dual > tight.Primal || trace.Primal < tight.Dual {
			t.Errorf("gap %v: bounds %v and %v beside %v and %v", gap, trace.Dual, trace.Primal, tight.Dual, tight.Primal)
		}
		for _, workers := range []int{1, 3} {
			if again, _ := train(gap, workers); !reflect.DeepEqual(again.Unary, m.Unary) {
				t.Errorf("gap %v: other weights with %d workers", gap, workers)
			}
		}
	}
}

// TestEmptyOnUnequalRows trains on such rows: the objective is a number, and that
// of the definition.
func TestEmptyOnUnequalRows(t *testing.T) {
	t.Parallel()
	for _, factor := range []float64{1e20, 1e39} {
		ds, _ := randomDataset(40, 6, 3, 9)
		for k, v := range ds.X.Row(11).Value {
			ds.X.Row(11).Value[k] = factor * v
		}
		m, trace, err := Empty{Lambda: 0.1, Settings: Settings{Gap: 0.5, MaxPasses: 300}}.Train(context.Background(), ds)
		if err != nil {
			t.Fatalf("row by %v: %v", factor, err)
		}
		if want := Primal(ds, m, 0.1); !testkit.Near(trace.Primal, want, 1e-9) || !(trace.Gap() >= 0 && trace.Gap() <= 1) {
			t.Errorf("row by %v: primal %v, by definition %v, gap %v", factor, trace.Primal, want, trace.Gap())
		}
	}
}
