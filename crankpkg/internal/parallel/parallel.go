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
//
// Where do panics, ForEach hands out no more and panics itself, in the goroutine of its
// caller and with a *Panic: that of the lowest number, whatever the number of workers.
func ForEach(ctx context.Context, workers, n int, do func(worker, i int)) int {
	workers = min(Workers(workers), n)
	var next, made atomic.Int64
	var caught catcher
	work := func(worker int) {
		i := 0
		defer func() {
			if v := recover(); v != nil {
				caught.keep(i, v)
			}
		}()
		for !caught.any.Load() {
			i = int(next.Add(1)) - 1
			if i >= n || ctx.Err() != nil {
				return
			}
			do(worker, i)
			made.Add(1)
		}
	}
	if workers <= 1 {
		work(0)
	} else {
		var wg sync.WaitGroup
		for worker := range workers {
			wg.Go(func() { work(worker) })
		}
		wg.Wait()
	}
	if caught.panic != nil {
		panic(caught.panic)
	}
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
