package main

import (
	"context"
	"sync"
)

// An outcome is what became of a mutation.
type outcome string

const (
	invalid  outcome = "does not compile"
	killed   outcome = "killed"
	timedOut outcome = "timed out"
	survived outcome = "survived"
)

// A result is the outcome of a mutation, and the package whose tests ended it.
type result struct {
	mutation
	outcome
	by string
}

// tryInOrder tries mutations until n of them compile, 0 for all, and tells each result when it is there. It returns those
// that compile, in their order, which no number of workers changes: as many as are still wanted are tried at once, and
// only when all are done are those replaced that did not compile.
func tryInOrder(ctx context.Context, order []mutation, n, parallel int, try func(context.Context, mutation) (result, error),
	tell func(result, int)) ([]result, error) {
	if n == 0 || n > len(order) {
		n = len(order)
	}
	var done []result
	for want := n; want > 0 && len(order) > 0; want = n - len(done) {
		wave := order[:min(want, len(order))]
		order = order[len(wave):]
		results, err := tryAll(ctx, wave, parallel, try, func(r result) { tell(r, n) })
		for _, r := range results {
			if r.outcome != invalid && r.outcome != "" {
				done = append(done, r)
			}
		}
		if err != nil {
			return done, err
		}
	}
	return done, nil
}

// tryAll tries mutations with some workers. At an error it stops and leaves the results empty that are not there yet.
func tryAll(ctx context.Context, wave []mutation, parallel int, try func(context.Context, mutation) (result, error),
	tell func(result)) ([]result, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	results := make([]result, len(wave))
	var telling sync.Mutex
	var workers sync.WaitGroup
	next := make(chan int)
	for range parallel {
		workers.Go(func() {
			for i := range next {
				r, err := try(ctx, wave[i])
				if err != nil {
					cancel(err)
					continue
				}
				results[i] = r
				telling.Lock()
				tell(r)
				telling.Unlock()
			}
		})
	}
	for i := 0; i < len(wave) && ctx.Err() == nil; i++ {
		next <- i
	}
	close(next)
	workers.Wait()
	return results, context.Cause(ctx)
}
