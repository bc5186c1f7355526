package parallel

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

// ForEach calls do(worker, 0), ..., do(worker, n-1) in this order, several at a
// time, on at most the given number of goroutines (zero: as many as processors),
// each of which calls with its own worker from 0 on. It hands out no more once
// ctx is done, and returns the number of calls made. What do computes must not
// depend on which worker it is.
func ForEach(ctx context.Context, workers, n int, do func(worker, i int)) int {
	workers = min(Workers(workers), n)
	if workers <= 1 {
		for i := range n {
			if ctx.Err() != nil {
				return i
			}
			do(0, i)
		}
		return n
	}
	var next, made atomic.Int64
	var wg sync.WaitGroup
	for worker := range workers {
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= n || ctx.Err() != nil {
					return
				}
				do(worker, i)
				made.Add(1)
			}
		})
	}
	wg.Wait()
	return int(made.Load())
}

// Workers returns workers, or the number of processors where it is not positive.
func Workers(workers int) int {
	if workers <= 0 {
		return runtime.GOMAXPROCS(0)
	}
	return workers
}

// Cause returns the context's error, with the cause where one was given.
func Cause(ctx context.Context) error {
	if c := context.Cause(ctx); c != nil && !errors.Is(c, ctx.Err()) {
		return fmt.Errorf("%w: %w", ctx.Err(), c)
	}
	return ctx.Err()
}
