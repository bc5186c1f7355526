package main

import (
	"slices"
	"strings"
	"testing"
)

func TestParseEquivalent(t *testing.T) {
	t.Parallel()
	got, err := parseEquivalent(`# The first comment.

clamp/clamp.go
  - if x < low {
	+  if x <= low {
Both return low
at equality.


# A block as a report has it, of a line that goes.
clamp/clamp.go:24: deletion
- count++
+
No one counts.`)
	want := equivalent{{"clamp/clamp.go", "if x < low {", "if x <= low {"}, {"clamp/clamp.go", "count++", ""}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, error %v", got, err)
	}
}

func TestParseEquivalentRefuses(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"a.go\n- x\n+ y\n", // no reason
		"a.go\n- x\nbecause\nof that\n",
		"a.go\nx\n+ y\nbecause\n",
		"- x\n+ y\nbecause\n",
		"\n\na.go\n",
	} {
		if got, err := parseEquivalent(text); err == nil {
			t.Errorf("%q gives %q", text, got)
		}
	}
	_, err := parseEquivalent("a.go\n- x\n+ y\nbecause\n\nb.go\n- x\n\n")
	if err == nil || !strings.Contains(err.Error(), "line 7") {
		t.Errorf("error %v, want one that names line 7", err)
	}
}

// What a report says of a mutation is, with a reason, an entry that leaves out this mutation.
func TestReportedMutationCanBeLeftOut(t *testing.T) {
	t.Parallel()
	_, all := fixture(t, "clamp")
	for i, m := range all {
		list, err := parseEquivalent(m.String() + "\nbecause\n")
		if err != nil {
			t.Fatal(err)
		}
		if got, want := places(list.without(all)), places(slices.Concat(all[:i], all[i+1:])); !slices.Equal(got, want) {
			t.Errorf("%v: %q stay, want %q", m, got, want)
		}
	}
}

func TestStale(t *testing.T) {
	t.Parallel()
	_, all := fixture(t, "clamp")
	list := equivalent{
		keyOf(all[0]),
		{"clamp/clamp.go", "if x < low {", "if x == low {"}, // no such mutation
		{"clamp/gone.go", "x++", "x--"},                     // no such file
		{"above/above.go", "k /= 3", "k *= 3"},              // a file of another package
	}
	if got := list.stale("testdata/fixture", all); !slices.Equal(got, list[1:3]) {
		t.Errorf("got %v", got)
	}
}
