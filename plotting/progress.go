package plotting

import (
	"fmt"
	"html"
	"os"
	"time"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/experiment"
	"github.com/crank-ml/crank/internal/progressline"
	"github.com/janpfeifer/gonb/gonbui"
)

// LiveProgress returns a function for Settings.Progress that shows how a
// training goes: in GoNB in an output that is updated in place, in a terminal
// in one line that is rewritten, and elsewhere, as in a log file, in a line
// every five seconds. Lines go to the standard error.
func LiveProgress() func(crankpkg.Progress) { return liveLine().Training }

// LiveCells is LiveProgress for work of many trainings: for the Progress of an
// experiment, a sweep or a cross-validation. It tells the time that is left.
func LiveCells() func(experiment.Progress) { return liveLine().Work }

// liveLine returns a line where there is a place for it.
func liveLine() *progressline.Line {
	switch {
	case gonbui.IsNotebook:
		id := "crank-progress-" + gonbui.UniqueId()
		return &progressline.Line{Show: func(line string) {
			gonbui.UpdateHTML(id, `<pre style="margin:0">`+html.EscapeString(line)+"</pre>")
		}}
	case progressline.IsTerminal(os.Stderr):
		return &progressline.Line{Show: (&progressline.Terminal{W: os.Stderr}).Show}
	}
	return &progressline.Line{Show: func(line string) { fmt.Fprintln(os.Stderr, line) }, Every: 5 * time.Second}
}
