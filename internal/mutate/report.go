package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
)

// newProgress returns what tells each result, and shows the lines of those that survive.
func newProgress(out io.Writer) func(r result, n int) {
	done := 0
	return func(r result, n int) {
		if r.outcome != invalid {
			done++
		}
		fmt.Fprintf(out, "%*d/%d %-16s %s:%d: %s\n", len(fmt.Sprint(n)), done, n, r.outcome, r.name, r.line, r.kind)
		if r.outcome == survived {
			fmt.Fprintf(out, "\t- %s\n\t+ %s\n", r.before(), r.after())
		}
	}
}

// A tally counts outcomes.
type tally struct{ killed, timedOut, survived int }

func (t *tally) count(o outcome) {
	switch o {
	case killed:
		t.killed++
	case timedOut:
		t.timedOut++
	case survived:
		t.survived++
	}
}

// share is the part of the mutations that the tests notice, be it by hanging, and 1 of none.
func (t tally) share() float64 {
	noticed := t.killed + t.timedOut
	if noticed+t.survived == 0 {
		return 1
	}
	return float64(noticed) / float64(noticed+t.survived)
}

// A summary counts the outcomes of each package.
type summary struct {
	packages map[string]*tally
	total    tally
}

func summarize(results []result) summary {
	s := summary{packages: map[string]*tally{}}
	for _, r := range results {
		if s.packages[r.pkg] == nil {
			s.packages[r.pkg] = &tally{}
		}
		s.packages[r.pkg].count(r.outcome)
		s.total.count(r.outcome)
	}
	return s
}

func (s summary) print(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "killed\ttimed out\tsurvived\tnoticed\t")
	line := func(name string, t tally) {
		fmt.Fprintf(w, "%d\t%d\t%d\t%.0f %%\t  %s\n", t.killed, t.timedOut, t.survived, 100*t.share(), name)
	}
	names := make([]string, 0, len(s.packages))
	for name := range s.packages {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		line(name, *s.packages[name])
	}
	line("all", s.total)
	return w.Flush()
}

// rank orders the report: what survived is what one looks for.
var rank = map[outcome]int{survived: 0, timedOut: 1, killed: 2}

// writeReport writes the results to a file, by outcome, then by place.
func writeReport(path string, results []result) error {
	sorted := slices.Clone(results)
	slices.SortStableFunc(sorted, func(a, b result) int {
		return cmp.Or(cmp.Compare(rank[a.outcome], rank[b.outcome]), cmp.Compare(a.name, b.name), cmp.Compare(a.start, b.start))
	})
	var text strings.Builder
	for _, r := range sorted {
		fmt.Fprintf(&text, "%v\n%s", r.mutation, r.outcome)
		if r.by != "" {
			fmt.Fprintf(&text, " by the tests of %s", r.by)
		}
		text.WriteString("\n\n")
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text.String()), 0o644)
}
