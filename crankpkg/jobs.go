package crankpkg

import (
	"context"
	"sync"
	"time"
)

// JobProgress tells how far work that consists of many trainings is.
type JobProgress struct {
	Done, Total int
	Job         string // what was done last
	Elapsed     time.Duration
	// Left estimates the time that the rest takes; 0 while nothing is known.
	Left time.Duration
}

// jobs runs independent pieces of work on a few goroutines.
type jobs struct {
	workers  int // 0: all processors
	progress func(JobProgress)
	// left estimates the time of the pieces not done yet, on one goroutine.
	// Where nil, they are taken to be like those that are done.
	left func(done []bool) time.Duration
}

// run calls work(k) for each k from 0 to total-1, in this order but several at
// a time, and stops early when ctx ends. What work returns names the piece for
// the progress. Progress is told from one goroutine at a time.
func (j jobs) run(ctx context.Context, total int, work func(k int) string) error {
	var mu sync.Mutex
	finished, begin := 0, time.Now()
	done := make([]bool, total)
	made := forEach(ctx, j.workers, total, func(_, k int) {
		name := work(k)
		mu.Lock()
		defer mu.Unlock()
		finished++
		done[k] = true
		if j.progress == nil {
			return
		}
		p := JobProgress{Done: finished, Total: total, Job: name, Elapsed: time.Since(begin)}
		if j.left != nil {
			p.Left = j.left(done) / time.Duration(workerCount(j.workers))
		} else {
			p.Left = p.Elapsed * time.Duration(total-finished) / time.Duration(finished)
		}
		j.progress(p)
	})
	if made < total {
		return cause(ctx)
	}
	return nil
}
