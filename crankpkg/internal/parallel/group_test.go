package parallel

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"
)

// TestGroupProgress checks what is told: one call for each piece, with the name
// that it returned, until nothing is left.
func TestGroupProgress(t *testing.T) {
	t.Parallel()
	const total = 20
	for _, workers := range []int{0, 1, 3} {
		names := make(map[string]int)
		told := 0
		g := Group{Workers: workers, Progress: func(p Progress) { // -race finds two calls at once
			told++
			names[p.Job]++
			if p.Done != told || p.Total != total || p.Elapsed < 0 {
				t.Errorf("%d workers, call %d: %+v", workers, told, p)
			}
			// What is left is taken to be like what is done.
			if left := p.Elapsed * time.Duration(total-told) / time.Duration(told); p.Left != left {
				t.Errorf("%d workers, call %d: %+v, want %v left", workers, told, p, left)
			}
		}}
		if err := g.Run(context.Background(), total, func(k int) string { return fmt.Sprint("piece ", k) }); err != nil {
			t.Fatal(err)
		}
		for k := range total {
			if name := fmt.Sprint("piece ", k); names[name] != 1 {
				t.Errorf("%d workers: %q told %d times", workers, name, names[name])
			}
		}
		if told != total {
			t.Errorf("%d workers: told %d times, want %d", workers, told, total)
		}
	}
}

// TestGroupLeft has an estimate of its own: it knows what is done, and its time
// on one goroutine is shared among the workers.
func TestGroupLeft(t *testing.T) {
	t.Parallel()
	const total, workers = 8, 2
	hours := func(done []bool) (left time.Duration) {
		for k, d := range done {
			if !d {
				left += time.Duration(k+1) * time.Hour
			}
		}
		return left
	}
	done := make([]bool, total)
	g := Group{Workers: workers, Left: hours, Progress: func(p Progress) {
		var k int
		fmt.Sscan(p.Job, &k)
		done[k] = true
		if want := hours(done) / workers; p.Left != want {
			t.Errorf("after %v: %v left, want %v", done, p.Left, want)
		}
	}}
	if err := g.Run(context.Background(), total, func(k int) string { return fmt.Sprint(k) }); err != nil {
		t.Fatal(err)
	}
}

func TestGroupWithoutProgress(t *testing.T) {
	t.Parallel()
	calls := make([]int, 5)
	if err := (Group{}).Run(context.Background(), len(calls), func(k int) string { calls[k]++; return "" }); err != nil {
		t.Fatal(err)
	}
	for k, c := range calls {
		if c != 1 {
			t.Errorf("piece %d done %d times", k, c)
		}
	}
	if err := (Group{}).Run(context.Background(), 0, nil); err != nil {
		t.Errorf("nothing to do: %v", err)
	}
}

// TestGroupStops ends the context with the third piece of work.
func TestGroupStops(t *testing.T) {
	t.Parallel()
	reason := errors.New("reason")
	ctx, cancel := context.WithCancelCause(context.Background())
	done := 0
	g := Group{Workers: 1, Progress: func(p Progress) { done = p.Done }}
	err := g.Run(ctx, 10, func(k int) string {
		if k == 2 {
			cancel(reason)
		}
		return ""
	})
	if !errors.Is(err, context.Canceled) || !errors.Is(err, reason) || done != 3 {
		t.Errorf("error %v after %d pieces", err, done)
	}
	// A context that ends with the last piece comes too late to stop anything.
	ctx, cancel = context.WithCancelCause(context.Background())
	if err := g.Run(ctx, 1, func(int) string { cancel(reason); return "" }); err != nil {
		t.Errorf("all was done, but: %v", err)
	}
}
