package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/crossval"
)

// statusLine is a line on a terminal that tells how far the work is. Elsewhere it says nothing.
type statusLine struct{ out io.Writer }

// newStatusLine returns the line of p.
func (p *program) newStatusLine() *statusLine {
	if f, ok := p.stderr.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			return &statusLine{f}
		}
	}
	return &statusLine{io.Discard}
}

// clearLine goes to the start of the line and wipes it.
const clearLine = "\r\x1b[K"

func (s *statusLine) clear() { fmt.Fprint(s.out, clearLine) }

func (s *statusLine) training(f crankpkg.Progress) {
	gap := crankpkg.TracePoint{Primal: f.Primal, Dual: f.Dual}.Gap()
	fmt.Fprintf(s.out, "%s%s, %s: pass %d, gap %.2g, %s", clearLine, f.Method, f.Phase, f.Pass, gap, f.Elapsed.Round(100*time.Millisecond))
}

func (s *statusLine) crossValidation(f crossval.Progress) { s.work("cross-validation", f) }

func (s *statusLine) cells(f crossval.Progress) { s.work("sweep", f) }

func (s *statusLine) work(what string, f crossval.Progress) {
	left := ""
	if f.Left > 0 {
		left = fmt.Sprintf(", about %s left", f.Left.Round(time.Second))
	}
	fmt.Fprintf(s.out, "%s%s: %d of %d, %s%s", clearLine, what, f.Done, f.Total, f.Elapsed.Round(time.Second), left)
}
