// Package claims lets a notebook's cell state in code what its text claims, so that execution fails where the data no longer say so,
// and print sentences whose numbers and words come from the data.
//
//	claims.Holds("the tree is ahead of Empty on every draw", slices.Min(gains) > 0)
//	claims.Say("CRANK is %s Empty by %.1f points.", d.Words("ahead of", "level with", "behind"), d.Mean)
//
// The check of executed notebooks (package internal/nbcheck) refuses numbers in text cells that no cell has printed.
package claims

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/janpfeifer/gonb/gonbui"
)

// Where it all goes; tests put other places here.
var (
	out    io.Writer = os.Stdout
	errOut io.Writer = os.Stderr
	exit             = os.Exit
)

// tolerance is by how much a formula and the library may differ in Agree.
const tolerance = 1e-9

// Holds states a claim. Where ok is false the cell ends at once with an exit status of 1, which fails the notebook.
func Holds(claim string, ok bool) {
	Require(claim, ok)
	fmt.Fprintln(out, "holds:", claim)
}

// Require is Holds in silence, for what has to hold many times.
func Require(claim string, ok bool) {
	if !ok {
		fail("no longer holds: " + claim)
	}
}

// Agree states that two ways to compute the same thing do so: worst is the largest difference that was met, and may be 1e-9.
// A difference that is not a number is one.
func Agree(what string, worst float64) {
	if !(worst <= tolerance) {
		fail(fmt.Sprintf("%s: wrong by %g", what, worst))
	}
	fmt.Fprintln(out, "checked:", what)
}

// settle is how long Say waits for what was printed before it: the kernel reads that from another pipe.
const settle = 30 * time.Millisecond

// Say prints a sentence, or several, as Markdown: in a notebook as formatted text below the cell, elsewhere as it is. The format is
// that of fmt.Printf.
func Say(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if gonbui.IsNotebook {
		time.Sleep(settle)
		gonbui.DisplayMarkdown(text)
		gonbui.Sync()
		return
	}
	fmt.Fprintln(out, text)
}

// Must returns v, or ends the cell with the error.
func Must[T any](v T, err error) T {
	if err != nil {
		fail(err.Error())
	}
	return v
}

// Must2 returns a and b, such as a model and the trace of its training, or ends the cell with the error.
func Must2[A, B any](a A, b B, err error) (A, B) {
	if err != nil {
		fail(err.Error())
	}
	return a, b
}

// fail ends the cell as package internal/nbcheck finds it: the kernel adds the exit status as the last line of standard error.
func fail(text string) {
	gonbui.Sync()
	fmt.Fprintln(errOut, "claims:", text)
	exit(1)
}
