package main

import (
	"io"
	"os"

	"github.com/crank-ml/crank/internal/progressline"
)

// statusLine is a line on a terminal that tells how far the work is. Elsewhere it says nothing.
type statusLine struct {
	*progressline.Line
	clear func()
}

// newStatusLine returns the line of p.
func (p *program) newStatusLine() statusLine {
	terminal := &progressline.Terminal{W: io.Discard}
	if f, ok := p.stderr.(*os.File); ok && progressline.IsTerminal(f) {
		terminal.W = f
	}
	return statusLine{&progressline.Line{Show: terminal.Show}, terminal.Clear}
}
