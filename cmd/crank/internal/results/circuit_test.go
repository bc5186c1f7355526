package results

import (
	"context"
	"errors"
	"reflect"
	"sync/atomic"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
)

// mortal is a context that is cancelled when it has been asked so many times whether it is.
type mortal struct {
	context.Context
	cancel context.CancelFunc
	left   atomic.Int64
}

func newMortal(questions int64) *mortal {
	c := new(mortal)
	c.Context, c.cancel = context.WithCancel(context.Background())
	c.left.Store(questions)
	return c
}

func (c *mortal) Err() error {
	if c.left.Add(-1) < 0 {
		c.cancel()
	}
	return c.Context.Err()
}

// TestCircuitsTellInterrupts interrupts the trainings at many places: what comes back is all of the rows, or none with the error.
func TestCircuitsTellInterrupts(t *testing.T) {
	t.Parallel()
	train, test, err := testSets.Split("scene")
	if err != nil {
		t.Fatal(err)
	}
	mk := &maker{Options: Options{Workers: 1}}
	const lambda, plenty = 0.1, 1 << 40
	set := crankpkg.Settings{Gap: 0.05}
	whole := newMortal(plenty)
	want, err := mk.circuits(whole, lambda, set, train, test)
	if err != nil || len(want) < 2 {
		t.Fatalf("%d rows, error %v", len(want), err)
	}
	const places = 40
	asked := plenty - whole.left.Load()
	if asked < places {
		t.Fatalf("asked %d times", asked)
	}
	for k := range int64(places) {
		rows, err := mk.circuits(newMortal(asked*k/places), lambda, set, train, test)
		if !(err == nil && reflect.DeepEqual(rows, want)) && !(errors.Is(err, context.Canceled) && rows == nil) {
			t.Errorf("interrupted at question %d of %d: %d rows, error %v", asked*k/places, asked, len(rows), err)
		}
	}
}

// TestPiecesTellInterrupts interrupts pieces of several trainings at many places. Only at the end of the last training, when its gap is small
// enough already, may a piece be whole all the same. The last one of units may end at any time, since it has a limit.
func TestPiecesTellInterrupts(t *testing.T) {
	t.Parallel()
	train, test, err := testSets.Split("emotions")
	if err != nil {
		t.Fatal(err)
	}
	mk := &maker{Options: Options{Workers: 1, Quick: true}}
	const lambda, plenty, places = 0.1, 1 << 40, 12
	s := crankpkg.Settings{Gap: 0.001}
	one := crankpkg.CRANK{Restarts: 1, Settings: s}
	for _, c := range []struct {
		name  string
		until int64 // the place before which an interrupt is an error
		piece func(context.Context) error
	}{
		{"units", places / 3, func(ctx context.Context) error {
			_, err := mk.rawFirst(ctx, one, train, "emotions", lambda)
			return err
		}},
		{"bounds", places - 2, func(ctx context.Context) error {
			_, err := mk.boundsAt(ctx, lambda, s, train)
			return err
		}},
		{"rules", places - 2, func(ctx context.Context) error {
			_, err := mk.ruled(ctx, one, lambda, train, test)
			return err
		}},
		{"input", places - 2, func(ctx context.Context) error {
			_, err := byInput{"trees", bySplit(oneTree)}.scored(ctx, s, []float64{lambda, lambda / 10}, train, test)
			return err
		}},
	} {
		whole := newMortal(plenty)
		if err := c.piece(whole); err != nil {
			t.Fatal(c.name, err)
		}
		asked := plenty - whole.left.Load()
		for k := range int64(places) {
			if err := c.piece(newMortal(asked * k / places)); !errors.Is(err, context.Canceled) && (err != nil || k < c.until) {
				t.Errorf("%s, interrupted at question %d of %d: error %v", c.name, asked*k/places, asked, err)
			}
		}
	}
}
