package parallel

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestForEachCallsEachOnce counts the calls by index, for any number of workers.
func TestForEachCallsEachOnce(t *testing.T) {
	t.Parallel()
	for _, workers := range []int{-1, 0, 1, 2, 3, 100} {
		for _, n := range []int{0, 1, 2, 57} {
			calls := make([]atomic.Int64, n)
			most := min(Workers(workers), n)
			made := ForEach(context.Background(), workers, n, func(worker, i int) {
				calls[i].Add(1)
				if worker < 0 || worker >= most {
					t.Errorf("%d workers, n = %d: worker %d", workers, n, worker)
				}
			})
			if made != n {
				t.Errorf("%d workers: %d calls made, want %d", workers, made, n)
			}
			for i := range calls {
				if c := calls[i].Load(); c != 1 {
					t.Errorf("%d workers, n = %d: %d calls with %d", workers, n, c, i)
				}
			}
		}
	}
}

// TestForEachRunsAtOnce has as many calls wait for each other as there are
// workers, each of which has to be another one.
func TestForEachRunsAtOnce(t *testing.T) {
	t.Parallel()
	for _, workers := range []int{2, 3} {
		var all sync.WaitGroup
		all.Add(workers)
		calls := make([]atomic.Int64, workers)
		ForEach(context.Background(), workers, workers, func(worker, _ int) {
			calls[worker].Add(1)
			all.Done()
			all.Wait()
		})
		for worker := range calls {
			if c := calls[worker].Load(); c != 1 {
				t.Errorf("worker %d of %d made %d calls, want 1", worker, workers, c)
			}
		}
	}
}

// TestForEachOneAtATime checks that one worker calls in order.
func TestForEachOneAtATime(t *testing.T) {
	t.Parallel()
	next := 0
	ForEach(context.Background(), 1, 20, func(_, i int) {
		if i != next {
			t.Errorf("call %d, want %d", i, next)
		}
		next++
	})
}

func TestForEachStops(t *testing.T) {
	t.Parallel()
	const n = 1000
	for _, workers := range []int{1, 2, 4} {
		ctx, cancel := context.WithCancel(context.Background())
		var calls atomic.Int64
		made := ForEach(ctx, workers, n, func(_, _ int) {
			if calls.Add(1) == 5 {
				cancel()
			}
			if calls.Load() >= 5 {
				<-ctx.Done()
			}
		})
		if c := int(calls.Load()); made != c {
			t.Errorf("%d workers: says %d of %d calls", workers, made, c)
		}
		// Each of the others can have begun one more call.
		if made < 5 || made > 5+workers-1 {
			t.Errorf("%d workers: %d calls after the context ended with the fifth", workers, made)
		}
		if made := ForEach(ctx, workers, n, func(_, i int) { t.Errorf("call with %d although the context is done", i) }); made != 0 {
			t.Errorf("%d workers: says %d calls, want none", workers, made)
		}
	}
}

func TestWorkers(t *testing.T) {
	t.Parallel()
	for workers, want := range map[int]int{-1: runtime.GOMAXPROCS(0), 0: runtime.GOMAXPROCS(0), 1: 1, 7: 7} {
		if got := Workers(workers); got != want {
			t.Errorf("Workers(%d) = %d, want %d", workers, got, want)
		}
	}
}

func TestCause(t *testing.T) {
	t.Parallel()
	if err := Cause(context.Background()); err != nil {
		t.Errorf("a context that goes on: %v", err)
	}
	plain, cancel := context.WithCancel(context.Background())
	cancel()
	if err := Cause(plain); err != context.Canceled {
		t.Errorf("without a cause: %v", err)
	}
	reason := errors.New("reason")
	given, cancelCause := context.WithCancelCause(context.Background())
	cancelCause(reason)
	if err := Cause(given); !errors.Is(err, context.Canceled) || !errors.Is(err, reason) {
		t.Errorf("with a cause: %v", err)
	}
}

// caught returns what f panics with.
func caught(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return nil
}

// TestForEachPanics has several calls panic, on any number of workers: the first of them
// comes out, with its stack, in the goroutine of the caller.
func TestForEachPanics(t *testing.T) {
	t.Parallel()
	reason := errors.New("reason")
	for _, workers := range []int{1, 2, 3, 8} {
		for range 20 {
			var calls atomic.Int64
			v := caught(func() {
				ForEach(context.Background(), workers, 1000, func(_, i int) {
					calls.Add(1)
					if i >= 5 {
						panicWith(fmt.Errorf("call %d: %w", i, reason))
					}
				})
			})
			p, ok := v.(*Panic)
			if !ok || !errors.Is(p, reason) || fmt.Sprint(p.Value) != "call 5: reason" || !strings.Contains(p.Error(), "panicWith") {
				t.Fatalf("%d workers: panic %v", workers, v)
			}
			if c := calls.Load(); c > int64(5+workers) {
				t.Errorf("%d workers: %d calls, although the sixth has panicked", workers, c)
			}
		}
	}
}

// TestForEachPanicStopsTheOthers has one call panic among many that take a moment: the other worker gets no more of them.
func TestForEachPanicStopsTheOthers(t *testing.T) {
	t.Parallel()
	const n = 1000
	var calls atomic.Int64
	v := caught(func() {
		ForEach(context.Background(), 2, n, func(_, i int) {
			calls.Add(1)
			if i == 0 {
				panicWith("first")
			}
			time.Sleep(time.Millisecond)
		})
	})
	if p, ok := v.(*Panic); !ok || p.Value != "first" {
		t.Errorf("panic %v", v)
	}
	if c := calls.Load(); c == n {
		t.Errorf("all %d calls were made, although the first has panicked", n)
	}
}

//go:noinline
func panicWith(v any) { panic(v) }

// TestForEachPanicsOnce lets a panic through two ForEach: it is wrapped once, with the
// stack of where it was.
func TestForEachPanicsOnce(t *testing.T) {
	t.Parallel()
	v := caught(func() {
		ForEach(context.Background(), 2, 3, func(_, _ int) {
			ForEach(context.Background(), 2, 3, func(_, _ int) { panicWith("deep") })
		})
	})
	if p, ok := v.(*Panic); !ok || p.Value != "deep" || p.Unwrap() != nil || !strings.Contains(string(p.Stack), "panicWith") {
		t.Errorf("panic %v", v)
	}
}
