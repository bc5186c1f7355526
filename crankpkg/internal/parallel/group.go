package parallel

import (
	"context"
	"sync"
	"time"
)

// Progress tells how far work that consists of many trainings is.
type Progress struct {
	Done, Total int
	Job         string // what was done last
	Elapsed     time.Duration
	// Left estimates the time that the rest takes; 0 while nothing is known.
	Left time.Duration
}

// Group runs independent pieces of work on a few goroutines.
type Group struct {
	Workers  int // 0: all processors
	Progress func(Progress)
	// Left estimates the time of the pieces not done yet, on one goroutine.
	// Where nil, they are taken to be like those that are done.
	Left func(done []bool) time.Duration
}

// Run calls work(k) for each k from 0 to total-1, in this order but several at
// a time, and stops early when ctx ends. What work returns names the piece for
// the progress. Progress is told from one goroutine at a time.
func (j Group) Run(ctx context.Context, total int, work func(k int) string) error {
	var mu sync.Mutex
	finished, begin := 0, time.Now()
	done := make([]bool, total)
	made := ForEach(ctx, j.Workers, total, func(_, k int) {
		name := work(k)
		mu.Lock()
		defer mu.Unlock()
		finished++
		done[k] = true
		if j.Progress == nil {
			return
		}
		p := Progress{Done: finished, Total: total, Job: name, Elapsed: time.Since(begin)}
		if j.Left != nil {
			p.Left = j.Left(done) / time.Duration(Workers(j.Workers))
		} else {
			p.Left = p.Elapsed * time.Duration(total-finished) / time.Duration(finished)
		}
		j.Progress(p)
	})
	if made < total {
		return Cause(ctx)
	}
	return nil
}
