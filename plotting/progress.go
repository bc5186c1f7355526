package plotting

import (
	"fmt"
	"html"
	"io"
	"math"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/janpfeifer/gonb/gonbui"
)

// LiveProgress returns a function for Settings.Progress that shows how a
// training goes: in GoNB in an output that is updated in place, in a terminal
// in one line that is rewritten, and elsewhere, as in a log file, in a line
// every five seconds. Lines go to the standard error.
func LiveProgress() func(crankpkg.Progress) {
	live := &progress{every: 5 * time.Second, now: time.Now}
	switch {
	case gonbui.IsNotebook:
		id := "crank-progress-" + gonbui.UniqueId()
		live.every = 0
		live.show = func(line string) {
			gonbui.UpdateHTML(id, `<pre style="margin:0">`+html.EscapeString(line)+"</pre>")
		}
	case isTerminal(os.Stderr):
		live.every = 0
		live.show = rewriteLine(os.Stderr)
	default:
		live.show = func(line string) { fmt.Fprintln(os.Stderr, line) }
	}
	return live.report
}

// isTerminal reports whether f is a character device.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("TERM") != "dumb"
}

// rewriteLine returns a function that writes a line in place of the one it
// wrote before. The cursor waits at the start of the next line, so that other
// output does not run into it.
func rewriteLine(w io.Writer) func(string) {
	first := true
	return func(line string) {
		const up = "\x1b[1A\x1b[2K" // to the line above, and erase it
		if first {
			fmt.Fprint(w, line, "\n")
		} else {
			fmt.Fprint(w, up, line, "\n")
		}
		first = false
	}
}

// progress turns reports into lines.
type progress struct {
	mu    sync.Mutex
	show  func(line string)
	every time.Duration // least time between lines; 0 for none
	now   func() time.Time
	last  time.Time
	phase string
	gaps  []float64 // of this phase
}

func (l *progress) report(p crankpkg.Progress) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if phase := p.Method + "\x00" + p.Phase; phase != l.phase {
		l.phase, l.gaps = phase, nil
	}
	l.gaps = append(l.gaps, (p.Primal-p.Dual)/math.Abs(p.Primal))
	now := l.now()
	if l.every > 0 && !l.last.IsZero() && now.Sub(l.last) < l.every {
		return
	}
	l.last = now
	l.show(progressLine(p, l.gaps))
}

// progressLine says all in one line:
//
//	CRANK | beta 0.004, step 3 | pass 12 | objective 2.310 to 2.345, gap 1.5 % | 3.2s ▇▅▃▂▁
func progressLine(p crankpkg.Progress, gaps []float64) string {
	var parts []string
	for _, s := range []string{p.Method, p.Phase} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	parts = append(parts, fmt.Sprintf("pass %d", p.Pass))
	if plottable(p.Primal, false) && plottable(p.Dual, false) && p.Primal != 0 {
		parts = append(parts, fmt.Sprintf("objective %.4g to %.4g, gap %.3g %%", p.Dual, p.Primal, 100*(p.Primal-p.Dual)/math.Abs(p.Primal)))
	}
	elapsed := p.Elapsed.Round(100 * time.Millisecond)
	parts = append(parts, elapsed.String()+" "+sparkline(gaps, 20))
	return strings.TrimRight(strings.Join(parts, " | "), " ")
}

// sparkline draws the last values, on a logarithmic scale, in blocks.
func sparkline(values []float64, most int) string {
	var logs []float64
	for _, v := range values[max(0, len(values)-most):] {
		if plottable(v, true) {
			logs = append(logs, math.Log(v))
		}
	}
	if len(logs) < 2 {
		return ""
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range logs {
		lo, hi = math.Min(lo, v), math.Max(hi, v)
	}
	blocks := []rune("▁▂▃▄▅▆▇█")
	var b strings.Builder
	for _, v := range logs {
		k := 0
		if hi > lo {
			k = int(math.Round((v - lo) / (hi - lo) * float64(len(blocks)-1)))
		}
		b.WriteRune(blocks[k])
	}
	return b.String()
}
