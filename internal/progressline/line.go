// Package progressline says in a line how trainings and experiments go, for notebooks,
// terminals and log files alike.
package progressline

import (
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/experiment"
)

// Line turns reports into lines. Its methods Training and Work are what Progress fields take;
// one Line serves both.
type Line struct {
	Show  func(line string)
	Every time.Duration    // least time between lines; 0 for none
	Now   func() time.Time // nil: time.Now

	mu    sync.Mutex
	last  time.Time
	phase string
	gaps  []float64 // of this phase
}

// Training tells how a training goes.
func (l *Line) Training(p crankpkg.Progress) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if phase := p.Method + "\x00" + p.Phase; phase != l.phase {
		l.phase, l.gaps = phase, nil
	}
	l.gaps = append(l.gaps, (p.Primal-p.Dual)/math.Abs(p.Primal))
	if l.due(false) {
		l.Show(TrainingText(p, l.gaps))
	}
}

// Work tells how work of many trainings goes: an experiment, a sweep, a cross-validation. Its end
// is always told.
func (l *Line) Work(p experiment.Progress) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.due(p.Done == p.Total) {
		l.Show(WorkText(p))
	}
}

// due reports whether it is time for another line.
func (l *Line) due(anyway bool) bool {
	now := time.Now()
	if l.Now != nil {
		now = l.Now()
	}
	if !anyway && l.Every > 0 && !l.last.IsZero() && now.Sub(l.last) < l.Every {
		return false
	}
	l.last = now
	return true
}

// TrainingText says how a training goes; gaps are the last ones of the phase:
//
//	CRANK | beta 0.004, step 3 | pass 12 | objective 2.310 to 2.345, gap 1.5 % | 3.2s ▇▅▃▂▁
func TrainingText(p crankpkg.Progress, gaps []float64) string {
	var parts []string
	for _, s := range []string{p.Method, p.Phase} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	parts = append(parts, fmt.Sprintf("pass %d", p.Pass))
	if finite(p.Primal) && finite(p.Dual) && p.Primal != 0 {
		parts = append(parts, fmt.Sprintf("objective %.4g to %.4g, gap %.3g %%", p.Dual, p.Primal, 100*(p.Primal-p.Dual)/math.Abs(p.Primal)))
	}
	elapsed := p.Elapsed.Round(100 * time.Millisecond)
	parts = append(parts, elapsed.String()+" "+sparkline(gaps, 20))
	return strings.TrimRight(strings.Join(parts, " | "), " ")
}

// barWidth is the number of letters of a bar.
const barWidth = 20

// WorkText says how much of the work is done, and what was done last:
//
//	█████▌               12 of 40 | 1m20s, about 3m10s left | yeast, CRANK, seed 3: ...
func WorkText(p experiment.Progress) string {
	text := bar(float64(p.Done)/float64(max(1, p.Total))) + fmt.Sprintf(" %d of %d | %s", p.Done, p.Total, p.Elapsed.Round(time.Second))
	if left := p.Left.Round(time.Second); left > 0 && p.Done < p.Total {
		text += fmt.Sprintf(", about %s left", left)
	}
	if p.Job != "" {
		text += " | " + strings.ReplaceAll(p.Job, "\n", " ")
	}
	return text
}

// bar draws a share, from 0 to 1, in blocks.
func bar(share float64) string {
	eighths := int(math.Round(8 * barWidth * min(max(share, 0), 1)))
	text := []rune(strings.Repeat("█", eighths/8))
	if part := eighths % 8; part > 0 {
		text = append(text, []rune(" ▏▎▍▌▋▊▉")[part])
	}
	return string(text) + strings.Repeat(" ", barWidth-len(text))
}

// sparkline draws the last values, on a logarithmic scale, in blocks.
func sparkline(values []float64, most int) string {
	var logs []float64
	for _, v := range values[max(0, len(values)-most):] {
		if finite(v) && v > 0 {
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

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// Terminal is a line that is rewritten. The cursor waits at the start of the next line, so
// that other output does not run into it.
type Terminal struct {
	W     io.Writer
	there bool
}

// up goes to the line above, and wipes it.
const up = "\x1b[1A\x1b[2K"

// Show writes a line in place of the one before.
func (t *Terminal) Show(line string) {
	t.Clear()
	fmt.Fprint(t.W, cut(line), "\n")
	t.there = true
}

// Clear wipes the line.
func (t *Terminal) Clear() {
	if t.there {
		fmt.Fprint(t.W, up)
	}
	t.there = false
}

// widest is how many letters of a line a terminal gets: a line that wraps could not be wiped.
const widest = 118

func cut(line string) string {
	if letters := []rune(line); len(letters) > widest {
		return string(letters[:widest-1]) + "…"
	}
	return line
}

// IsTerminal reports whether f is a character device.
func IsTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("TERM") != "dumb"
}
