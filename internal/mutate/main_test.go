package main

import (
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for _, args := range []string{"-n -1", "-parallel 0", "-min 1.5", "-min NaN", "-factor -1", "-factor NaN", "-extra 0s", "-memory -1", "-processes -1", "-n x"} {
		if _, err := parse(strings.Fields(args), io.Discard); err == nil {
			t.Errorf("%s: no error", args)
		}
	}
	if o, err := parse(nil, io.Discard); err != nil || !slices.Equal(o.patterns, []string{"./..."}) {
		t.Errorf("patterns %q, error %v", o.patterns, err)
	}
}

// texts returns the files below a folder.
func texts(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		all[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// The tests of clamp call Clamp on both sides of its bounds and at them, those of above call Sum, and none calls Count.
func TestMutateFixture(t *testing.T) {
	t.Parallel()
	before := texts(t, "testdata/fixture")
	scratch := t.TempDir()
	o := options{dir: "testdata/fixture", patterns: []string{"./clamp", "./untested"}, seed: 1, parallel: 2, dependents: "./...",
		equivalent: filepath.Join(scratch, "equivalent.txt"), report: filepath.Join(scratch, "mutants.txt"),
		min: 0.9, limits: limits{4, 30 * time.Second}, memory: 8}
	const list = "clamp/clamp.go\n- if x < low {\n+ if x <= low {\nBoth return low at equality.\n"
	if err := os.WriteFile(o.equivalent, []byte(list), 0o600); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	err := mutate(t.Context(), o, &out)
	if err == nil || !strings.Contains(err.Error(), "80.0 %") {
		t.Errorf("error %v, want one that tells of 4 out of 5", err)
	}
	if !strings.HasPrefix(out.String(), "fixture/untested: no tests\n7 mutations, 1 of them known to change nothing\n") {
		t.Errorf("said\n%s", &out)
	}
	report, err := os.ReadFile(o.report)
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Split(strings.TrimSpace(string(report)), "\n\n")
	want := []string{
		"clamp/clamp.go:22: deletion\n- count = len(x)\n+ \nsurvived",
		"clamp/clamp.go:6: comparison\n- if x < low {\n+ if x > low {\nkilled by the tests of fixture/clamp",
		"clamp/clamp.go:6: condition\n- if x < low {\n+ if !(x < low) {\nkilled by the tests of fixture/clamp",
		"clamp/clamp.go:9: opposite\n- return min(x, high)\n+ return max(x, high)\nkilled by the tests of fixture/clamp",
		"clamp/clamp.go:15: assignment\n- sum += v\n+ sum -= v\nkilled by the tests of fixture/above",
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s", report)
	}
	if !maps.Equal(before, texts(t, "testdata/fixture")) {
		t.Error("the checkout has changed")
	}
}

func TestOnlySomePlaces(t *testing.T) {
	t.Parallel()
	_, all := fixture(t, "clamp")
	line := all[0].line
	some, err := onlyAt(all[0].place(), all)
	want := slices.DeleteFunc(slices.Clone(all), func(m mutation) bool { return m.line != line })
	if err != nil || len(want) == len(all) || !slices.Equal(places(some), places(want)) {
		t.Errorf("%q, want %q; error %v", places(some), places(want), err)
	}
	if some, err := onlyAt("", all); err != nil || len(some) != len(all) {
		t.Errorf("everywhere: %q, error %v", places(some), err)
	}
	if some, err := onlyAt("", nil); err != nil || len(some) > 0 { // where all are known to change nothing
		t.Errorf("none: %q, error %v", places(some), err)
	}
	if some, err := onlyAt("clamp.go:1000:", all); err == nil {
		t.Errorf("%q at a line that is not there", places(some))
	}
}

func TestNothingToMutate(t *testing.T) {
	t.Parallel()
	for _, pattern := range []string{"./untested", "./nosuchpackage"} {
		o := options{dir: "testdata/fixture", patterns: []string{pattern}, dependents: "./..."}
		if _, _, err := prepare(t.Context(), o, io.Discard); err == nil {
			t.Errorf("%s: no error", pattern)
		}
	}
}
