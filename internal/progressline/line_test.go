package progressline

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/experiment"
)

func TestTrainingText(t *testing.T) {
	t.Parallel()
	p := crankpkg.Progress{Method: "CRANK", Phase: "beta 0.004, step 3", Pass: 12, Primal: 2, Dual: 1.97, Elapsed: 3210 * time.Millisecond}
	want := "CRANK | beta 0.004, step 3 | pass 12 | objective 1.97 to 2, gap 1.5 % | 3.2s █▅▁"
	if got := TrainingText(p, []float64{0.1, 0.03, 0.005}); got != want {
		t.Errorf("line\n%s, want\n%s", got, want)
	}
	p.Primal = math.Inf(1)
	if got := TrainingText(p, nil); strings.Contains(got, "Inf") || !strings.Contains(got, "pass 12") {
		t.Errorf("without bounds: %s", got)
	}
}

func TestWorkText(t *testing.T) {
	t.Parallel()
	p := experiment.Progress{Done: 11, Total: 40, Elapsed: 80 * time.Second, Left: 190 * time.Second, Job: "yeast,\nCRANK"}
	want := "█████▌               11 of 40 | 1m20s, about 3m10s left | yeast, CRANK"
	if got := WorkText(p); got != want {
		t.Errorf("line\n%s, want\n%s", got, want)
	}
	p.Done = 40
	if got := WorkText(p); strings.Contains(got, "left") || !strings.HasPrefix(got, strings.Repeat("█", barWidth)+" 40 of 40") {
		t.Errorf("at the end: %s", got)
	}
	for share := -0.5; share < 1.5; share += 0.01 {
		if n := utf8.RuneCountInString(bar(share)); n != barWidth {
			t.Errorf("a bar of %v has %d letters", share, n)
		}
	}
	if got := WorkText(experiment.Progress{}); !strings.Contains(got, "0 of 0") {
		t.Errorf("nothing: %s", got)
	}
}

// TestRewrittenOrRare checks that a terminal has one line and a log one in a while, and that the end is told.
func TestRewrittenOrRare(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	terminal := &Terminal{W: &out}
	live := &Line{Show: terminal.Show}
	for pass := range 3 {
		live.Training(crankpkg.Progress{Method: "Full", Pass: pass, Primal: 2, Dual: 1})
	}
	// Each line but the first erases the one before.
	if s := out.String(); strings.Count(s, "\n") != 3 || strings.Count(s, up) != 2 {
		t.Errorf("%q", s)
	}
	for range 2 {
		terminal.Clear()
	}
	if s := out.String(); strings.Count(s, up) != 3 {
		t.Errorf("%q", s)
	}
	out.Reset()
	live.Work(experiment.Progress{Job: strings.Repeat("ä", 1000)})
	if n := utf8.RuneCountInString(out.String()); n != widest+1 {
		t.Errorf("a long line has %d letters", n)
	}
	clock := time.Unix(0, 0)
	var lines []string
	live = &Line{Show: func(l string) { lines = append(lines, l) }, Every: 5 * time.Second, Now: func() time.Time { return clock }}
	for range 100 {
		live.Training(crankpkg.Progress{Method: "Full", Primal: 2, Dual: 1})
		clock = clock.Add(100 * time.Millisecond)
	}
	if len(lines) != 2 {
		t.Errorf("%d lines in 10 seconds, want 2", len(lines))
	}
	for k := range 3 {
		live.Work(experiment.Progress{Done: k + 1, Total: 3})
	}
	if last := lines[len(lines)-1]; len(lines) != 4 || !strings.Contains(last, "3 of 3") {
		t.Errorf("%q", lines)
	}
}

// TestTrainingKeepsTheGaps draws the gaps of a phase, the last ones of them; another phase or method begins anew.
func TestTrainingKeepsTheGaps(t *testing.T) {
	t.Parallel()
	last := ""
	l := &Line{Show: func(line string) { last = line }}
	tell := func(method, phase string, gap float64) string {
		l.Training(crankpkg.Progress{Method: method, Phase: phase, Primal: 1, Dual: 1 - gap})
		_, drawn, _ := strings.Cut(last, "0s")
		return strings.TrimSpace(drawn)
	}
	for k, want := range []string{"", "█▁", "█▅▁"} {
		if got := tell("CRANK", "a", []float64{0.1, 0.03, 0.005}[k]); got != want {
			t.Errorf("gap %d: %q, want %q", k, got, want)
		}
	}
	for _, other := range [][2]string{{"CRANK", "b"}, {"Full", "b"}} {
		if one, two := tell(other[0], other[1], 0.1), tell(other[0], other[1], 0.1); one != "" || two != "▁▁" {
			t.Errorf("%v begins with %q, then %q", other, one, two)
		}
	}
	for range 30 {
		last = tell("Full", "b", 0.1)
	}
	if n := utf8.RuneCountInString(last); n != 20 {
		t.Errorf("%d gaps are drawn, want 20", n)
	}
	// What has no logarithm is left out.
	if got := sparkline([]float64{1, 0, math.NaN(), -1, math.Inf(1), 4, 2}, 20); got != "▁█▅" {
		t.Errorf("%q", got)
	}
}
