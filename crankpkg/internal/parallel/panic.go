package parallel

import (
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// Panic is the panic of a worker, raised again in the goroutine that waits for it.
type Panic struct {
	Value any
	Stack []byte // of the worker
}

func (p *Panic) Error() string { return fmt.Sprintf("%v\n\nThe worker's stack:\n%s", p.Value, p.Stack) }

// Unwrap returns what the worker panicked with, if that is an error.
func (p *Panic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

// catcher keeps the panic of the lowest number. Numbers are handed out in order, so
// all that are lower than one that panics are done before anyone looks.
type catcher struct {
	any   atomic.Bool
	mu    sync.Mutex
	panic *Panic
	at    int
}

// keep is to be called where v was recovered, while the stack still has the panic. What
// a ForEach inside of do has caught already stays as it is.
func (c *catcher) keep(i int, v any) {
	p, again := v.(*Panic)
	if !again {
		p = &Panic{Value: v, Stack: debug.Stack()}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.panic == nil || i < c.at {
		c.panic, c.at = p, i
	}
	c.any.Store(true)
}
