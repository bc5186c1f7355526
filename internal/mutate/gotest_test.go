package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestOutcomeOf(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		passed bool
		out    string
		want   outcome
	}{
		{true, "ok  \tfixture/clamp\t0.003s\n", survived},
		{true, "?   \tfixture/untested\t[no test files]\n", survived},
		{false, "--- FAIL: TestClamp (0.00s)\nFAIL\nFAIL\tfixture/clamp\t0.003s\nFAIL\n", killed},
		{false, "panic: index out of range [recovered]\nFAIL\tfixture/clamp\t0.003s\nFAIL\n", killed},
		{false, "# fixture/clamp\nclamp.go:3:1: declared and not used: x\nFAIL\tfixture/clamp [build failed]\nFAIL\n", invalid},
		{false, "panic: test timed out after 2s\n\trunning tests:\nFAIL\tfixture/clamp\t2.003s\nFAIL\n", timedOut},
		{false, "*** Test killed with quit: ran too long (1m2s).\nFAIL\tfixture/clamp\t62.003s\nFAIL\n", timedOut},
		{false, "FAIL\tfixture/gone [setup failed]\nFAIL\n", ""},
		{false, "no required module provides package fixture/gone\n", ""},
	} {
		if got := outcomeOf(test.passed, test.out); got != test.want {
			t.Errorf("%q is %q, want %q", test.out, got, test.want)
		}
	}
}

func TestElapsed(t *testing.T) {
	t.Parallel()
	got, err := elapsed("some words\nok  \tfixture/clamp\t1.250s\n")
	if err != nil || got != 1250*time.Millisecond {
		t.Errorf("got %v, error %v", got, err)
	}
	if _, err := elapsed("?   \tfixture/untested\t[no test files]\n"); err == nil {
		t.Error("no error without a time")
	}
}

func TestLimit(t *testing.T) {
	t.Parallel()
	if got := (limits{4, 30 * time.Second}).of(2 * time.Second); got != 38*time.Second {
		t.Errorf("got %v, want 38s", got)
	}
}

// The tests of a package count, then those of packages with tests that import it, be it in a test only.
func TestSuites(t *testing.T) {
	t.Parallel()
	test := []string{"some_test.go"}
	tr := tester{tested: map[string]bool{"a": true}, above: map[string][]string{}}
	tr.note([]listed{
		{ImportPath: "a", TestGoFiles: test, XTestImports: []string{"a"}},
		{ImportPath: "b", TestGoFiles: test, Imports: []string{"a"}, TestImports: []string{"a"}},
		{ImportPath: "c", XTestGoFiles: test, XTestImports: []string{"a", "d"}},
		{ImportPath: "d", Imports: []string{"a"}},
		{ImportPath: "e", TestGoFiles: test, Imports: []string{"d"}},
	})
	for pkg, want := range map[string]string{"a": "a b c", "b": "", "d": "c e"} {
		if got := strings.Join(tr.suites(pkg), " "); got != want {
			t.Errorf("%s: %q, want %q", pkg, got, want)
		}
	}
}

// prepared loads the packages of the fixture once.
var prepared = sync.OnceValues(func() (func() *tester, []mutation) {
	o := options{dir: "testdata/fixture", patterns: []string{"./clamp", "./above", "./failing", "./again"}, dependents: "./...", limits: limits{4, time.Second}}
	tr, all, err := prepare(context.Background(), o, io.Discard)
	if err != nil {
		panic(err)
	}
	return func() *tester {
		return &tester{dir: tr.dir, flags: tr.flags, limits: tr.limits, bounds: tr.bounds, tested: tr.tested, above: maps.Clone(tr.above),
			plain: map[string]func() (time.Duration, error){}}
	}, all
})

// fixture returns the mutations of a package of the fixture, with what tries them.
func fixture(t *testing.T, name string) (*tester, []mutation) {
	t.Helper()
	newTester, all := prepared()
	of := slices.DeleteFunc(slices.Clone(all), func(m mutation) bool { return m.pkg != "fixture/"+name })
	return newTester(), of
}

// at returns the mutation that makes a line another.
func at(t *testing.T, all []mutation, before, after string) mutation {
	t.Helper()
	i := slices.IndexFunc(all, func(m mutation) bool { return m.before() == before && m.after() == after })
	if i < 0 {
		t.Fatalf("no mutation of %q to %q", before, after)
	}
	return all[i]
}

func TestEndlessLoopTimesOut(t *testing.T) {
	t.Parallel()
	tr, all := fixture(t, "above")
	tr.limits.extra = 100 * time.Millisecond
	tr.plain["fixture/above"] = func() (time.Duration, error) { return time.Millisecond, nil } // as if it had been measured
	got, err := tr.try(t.Context(), at(t, all, "k /= 2", ""))
	if err != nil || got.outcome != timedOut || got.by != "fixture/above" {
		t.Errorf("%q by %q, error %v", got.outcome, got.by, err)
	}
}

// A package whose tests fail as they are can tell nothing.
func TestFailsWithoutMutation(t *testing.T) {
	t.Parallel()
	tr, all := fixture(t, "failing")
	got, err := tr.try(t.Context(), all[0])
	if err == nil || !strings.Contains(err.Error(), "fail without a mutation") || !strings.Contains(err.Error(), "Triple(1) = 3, want 4") {
		t.Errorf("%q, error %v", got.outcome, err)
	}
}

// What keeps go test from running is no outcome of a mutation.
func TestPackageIsGone(t *testing.T) {
	t.Parallel()
	tr, all := fixture(t, "clamp")
	tr.tested, tr.above["fixture/clamp"] = nil, []string{"fixture/gone"}
	tr.plain["fixture/gone"] = func() (time.Duration, error) { return 0, nil }
	got, err := tr.try(t.Context(), at(t, all, "count = len(x)", ""))
	if err == nil {
		t.Errorf("%q, no error", got.outcome)
	}
}

// Where there is no room for the mutated file, nothing is said of the mutation.
func TestNoRoomForMutations(t *testing.T) {
	tr, all := fixture(t, "clamp")
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "gone"))
	t.Setenv("TMP", os.Getenv("TMPDIR"))
	if got, err := tr.try(t.Context(), all[0]); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%q, error %v", got.outcome, err)
	}
	if _, err := writeOverlay(os.Getenv("TMPDIR"), all[0]); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an overlay in a folder that is not there: %v", err)
	}
}

func TestFlagsOfGoTest(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		o    options
		want string
	}{
		{options{}, "test -vet=off -failfast"},
		{options{short: true}, "test -vet=off -failfast -short"},
		{options{memory: 2}, `test -vet=off -failfast -exec sh -c 'ulimit -v 2097152; exec "$0" "$@"'`},
	} {
		tr, err := newTester(t.Context(), test.o, nil)
		if err != nil || strings.Join(tr.flags, " ") != test.want {
			t.Errorf("flags %q, error %v, want %s", tr.flags, err, test.want)
		}
	}
}

func TestInterruptedTest(t *testing.T) {
	t.Parallel()
	tr, all := fixture(t, "clamp")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got, err := tr.try(ctx, all[0]); err == nil {
		t.Errorf("%q, no error", got.outcome)
	}
}
