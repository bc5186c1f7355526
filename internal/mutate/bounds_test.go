package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// empty checks that a folder has nothing in it, and that no process has it or a folder below it.
func empty(t *testing.T, folder string) {
	t.Helper()
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("left are %v, error %v", left, err)
	}
	if left := processesOf(folder); len(left) > 0 {
		t.Errorf("processes %v go on", left)
	}
}

// shell skips where the script of a test could not run, or nobody tells what runs.
func shell(t *testing.T) {
	t.Helper()
	for _, name := range []string{"sh", "setsid"} {
		if _, err := exec.LookPath(name); err != nil || runtime.GOOS != "linux" {
			t.Skipf("%s on %s: %v", name, runtime.GOOS, err)
		}
	}
}

// Where a child forgets what it is and starts itself, its test ends, and all that it has started with it.
func TestChildrenWithoutEnd(t *testing.T) {
	t.Parallel()
	shell(t)
	tr, all := fixture(t, "again")
	tr.bounds = bounds{temp: t.TempDir(), processes: 12 + 2*runtime.NumCPU()}
	tr.limits.extra = time.Minute
	tr.plain["fixture/again"] = func() (time.Duration, error) { return time.Millisecond, nil } // as if it had been measured
	begin := time.Now()
	got, err := tr.try(t.Context(), at(t, all, "os.Exit(0)", ""))
	if err != nil || got.outcome != timedOut || got.by != "fixture/again" {
		t.Errorf("%q by %q, error %v", got.outcome, got.by, err)
	}
	if took := time.Since(begin); took > 45*time.Second {
		t.Errorf("ended after %v, as if by its limit of time", took)
	}
	empty(t, tr.bounds.temp)
}

// A command that ends leaves neither files nor processes, of its group or not, be it well or badly that it ends.
func TestNothingIsLeft(t *testing.T) {
	t.Parallel()
	shell(t)
	for _, end := range []string{"exit 0", "exit 1", "kill -9 $$"} {
		b := bounds{temp: t.TempDir(), processes: 20}
		// The processes keep the standard output open, as they do where a test hands on its own.
		const start = `mkdir -p $TMPDIR/a/b; echo x > $TMPDIR/a/b/c; chmod -R a-w $TMPDIR/a; sleep 60 & setsid sleep 60 2>&1 & echo said; `
		done, err := b.run(t.Context(), t.TempDir(), "sh", "-c", start+end)
		if err != nil || done.passed != (end == "exit 0") || done.runaway || string(done.said) != "said\n" {
			t.Errorf("%s: %+v, error %v", end, done, err)
		}
		empty(t, b.temp)
	}
}

// The limit counts what runs at the same time, not what has ended.
func TestLimitOfProcesses(t *testing.T) {
	t.Parallel()
	shell(t)
	const script = `for i in 1 2 3 4 5 6 7 8; do sleep 60 & done; echo started; wait`
	b := bounds{temp: t.TempDir(), processes: 5}
	if done, err := b.run(t.Context(), ".", "sh", "-c", script); err != nil || !done.runaway || done.passed {
		t.Errorf("%+v, error %v", done, err)
	}
	empty(t, b.temp)
	const inTurn = `for i in 1 2 3 4 5 6 7 8; do sleep 0.05; done`
	if done, err := b.run(t.Context(), ".", "sh", "-c", inTurn); err != nil || done.runaway || !done.passed {
		t.Errorf("one after the other: %+v, error %v", done, err)
	}
}

// What does not even start is an error.
func TestNothingStarts(t *testing.T) {
	t.Parallel()
	b := bounds{temp: t.TempDir()}
	if done, err := b.run(t.Context(), ".", filepath.Join(b.temp, "gone")); err == nil {
		t.Errorf("%+v, no error", done)
	}
	empty(t, b.temp)
}
