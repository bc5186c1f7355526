package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg/experiment"
)

const smallSpec = `{"methods": [{"method": "empty"}, {"method": "chow-liu", "Lambda": 0.02}],
 "vary": [{"field": "Lambda", "values": [0.1, 0.01]}],
 "sets": [{"name": "p", "planted": {"N": 4, "Noise": 0.1}, "train": 30, "test": 40}], "seeds": 3}`

// sweepFolder has the file of a sweep, and an empty store.
func sweepFolder(t *testing.T, spec string) (file, store string) {
	t.Helper()
	folder := t.TempDir()
	file = filepath.Join(folder, "spec.json")
	if err := os.WriteFile(file, []byte(spec), 0o666); err != nil {
		t.Fatal(err)
	}
	return file, filepath.Join(folder, "store")
}

// callWith runs the program with something on standard input.
func callWith(stdin string, args ...string) (status int, stdout, stderr string) {
	var out, log strings.Builder
	status = run(context.Background(), args, strings.NewReader(stdin), &out, &log)
	return status, out.String(), log.String()
}

// good calls the program and fails unless all goes well.
func good(t *testing.T, stdin string, args ...string) string {
	t.Helper()
	status, out, log := callWith(stdin, args...)
	if status != 0 || log != "" {
		t.Fatalf("%q: status %d, %s", args, status, log)
	}
	return out
}

// withoutSeconds takes the last columns of CSV away, which are times.
func withoutSeconds(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		cells := strings.Split(line, ",")
		b.WriteString(strings.Join(cells[:len(cells)-3], ",") + "\n")
	}
	return b.String()
}

// TestSweep runs a sweep whole, in parts, and as cells that are sent away: the tables are the same.
func TestSweep(t *testing.T) {
	t.Parallel()
	file, store := sweepFolder(t, smallSpec)
	whole := good(t, "", "sweep", "run", "-store", store, "-format", "csv", file)
	if n := strings.Count(whole, "\n"); n != 1+12 {
		t.Fatalf("%d lines:\n%s", n, whole)
	}
	if again := good(t, "", "sweep", "run", "-store", store, "-format", "csv", file); again != whole {
		t.Error("what is kept differs, times included")
	}
	if shown := good(t, "", "sweep", "show", "-store", store, "-format", "csv", file); shown != whole {
		t.Error("what show prints differs")
	}
	_, parts := sweepFolder(t, "")
	for _, part := range []string{"1/2", "2/2"} {
		if out := good(t, "", "sweep", "run", "-store", parts, "-part", part, "-format", "csv", file); strings.Count(out, "\n") != 1+6 {
			t.Errorf("part %s:\n%s", part, out)
		}
		missing := map[string]string{"1/2": "6 of 12 cells are missing", "2/2": ""}[part]
		if out := good(t, "", "sweep", "show", "-store", parts, file); !strings.Contains(out, missing) || missing == "" && strings.Contains(out, "missing") {
			t.Errorf("after part %s:\n%s", part, out)
		}
	}
	if out := good(t, "", "sweep", "show", "-store", parts, "-format", "csv", file); withoutSeconds(out) != withoutSeconds(whole) {
		t.Error("the parts together differ from the whole")
	}
	cells := good(t, "", "sweep", "cells", file)
	lines := strings.SplitAfter(strings.TrimSuffix(cells, "\n"), "\n")
	if len(lines) != 12 {
		t.Fatalf("%d cells", len(lines))
	}
	done := ""
	for k := range 3 { // three programs, in an order of their own, one cell twice
		done += good(t, strings.Join(append(lines[4*(2-k):4*(3-k)], "\n"+lines[0]), ""), "sweep", "cell", "-store", "off")
	}
	if out := good(t, done, "sweep", "show", "-lines", "-", "-format", "csv", file); withoutSeconds(out) != withoutSeconds(whole) {
		t.Errorf("the cells together give\n%s, the whole\n%s", out, whole)
	}
}

// TestSweepTables writes a table, and shows and compares it without the sweep.
func TestSweepTables(t *testing.T) {
	t.Parallel()
	file, store := sweepFolder(t, smallSpec)
	table, effects := filepath.Join(filepath.Dir(file), "table.json"), filepath.Join(filepath.Dir(file), "effects.json")
	good(t, "", "sweep", "run", "-store", store, "-o", table, file)
	shown := good(t, "", "sweep", "show", table)
	if !strings.Contains(shown, "| p | Chow-Liu | 0.01 |") {
		t.Error(shown)
	}
	told := good(t, "", "sweep", "compare", "-measure", "f1", table)
	for _, text := range []string{"F1, in percent points", "Lambda 0.01 - 0.1", "method Chow-Liu - Empty", "paired t, n 3", "share of the variance", "best Lambda on the average: 0."} {
		if !strings.Contains(told, text) {
			t.Errorf("no %s in\n%s", text, told)
		}
	}
	good(t, "", "sweep", "compare", "-o", effects, table)
	text, err := os.ReadFile(effects)
	if err != nil {
		t.Fatal(err)
	}
	var read struct{ Effects []experiment.Effect }
	if err := json.Unmarshal(text, &read); err != nil || len(read.Effects) != 2 || read.Effects[0].N != 3 {
		t.Errorf("%+v, error %v", read, err)
	}
	if out := good(t, "", "sweep", "compare", "-format", "csv", table); strings.Count(out, "\n") != 3 {
		t.Error(out)
	}
}

// TestSweepFamilies corrects for all effects on the mean of two sets, and for all on single ones.
func TestSweepFamilies(t *testing.T) {
	t.Parallel()
	file, store := sweepFolder(t, `{"methods": [{"method": "empty"}], "vary": [{"field": "Lambda", "values": [0.1, 0.01, 3]}], "seeds": 3,
		"sets": [{"name": "p", "planted": {"N": 4}, "train": 20, "test": 40}, {"name": "q", "planted": {"N": 3}, "train": 20, "test": 40}]}`)
	told := good(t, "", "sweep", "run", "-store", store, file) + good(t, "", "sweep", "compare", "-store", store, file)
	if !strings.Contains(told, "Holm's correction for all on the mean of the sets, and for all on single ones") || !strings.Contains(told, "corrected ") {
		t.Error(told)
	}
	var read struct{ Effects []experiment.Effect }
	if err := json.Unmarshal([]byte(good(t, "", "sweep", "compare", "-format", "json", "-store", store, file)), &read); err != nil || len(read.Effects) != 6 {
		t.Fatalf("%+v, error %v", read, err)
	}
	for _, family := range [][]experiment.Effect{read.Effects[:2], read.Effects[2:]} {
		if !slices.Equal(family, experiment.Family(family)) {
			t.Errorf("not a family: %+v", family)
		}
	}
}

// TestCutLines cuts the results of cells at any byte, as a run does that was interrupted: the lines that are whole count, and the
// others are missing.
func TestCutLines(t *testing.T) {
	t.Parallel()
	file, _ := sweepFolder(t, smallSpec)
	lines := good(t, good(t, "", "sweep", "cells", file), "sweep", "cell", "-store", "off")
	first := strings.Index(lines, "\n")
	for _, at := range []int{0, 1, 97, first - 1, first, first + 1, first + 2, 2 * first, len(lines) - 2} {
		part := lines[:at]
		whole := strings.Count(lines[:at+1], "\n") // whether or not the line feed has come
		want := fmt.Sprintf("%d of 12 cells are missing", 12-whole)
		if got := good(t, part, "sweep", "show", "-lines", "-", file); !strings.Contains(got, want) {
			t.Errorf("%d bytes: %s, want %s", at, got[len(got)-60:], want)
		}
	}
}

// TestStore tells what is kept and makes room.
func TestStore(t *testing.T) {
	t.Parallel()
	file, store := sweepFolder(t, smallSpec)
	good(t, "", "sweep", "run", "-store", store, file)
	if out := good(t, "", "store", "-store", store); out != store+": 24 values, 0.0 MB\n" { // a cell and its training each
		t.Error(out)
	}
	if out := good(t, "", "store", "-store", store, "-trim", "1GB"); !strings.Contains(out, "24 values") {
		t.Error(out)
	}
	if out := good(t, "", "store", "-store", store, "-trim", "3kB"); strings.Contains(out, "24 values") || strings.Contains(out, ": 0 values") {
		t.Error(out)
	}
	if out := good(t, "", "store", "-store", store, "-trim", "0"); !strings.Contains(out, ": 0 values") {
		t.Error(out)
	}
	if out := good(t, "", "store", "-store", "off"); !strings.Contains(out, "no trainings are kept") {
		t.Error(out)
	}
	for _, size := range []string{"much", "-1", "MB", "1e300GB", "NaN"} {
		if status, _, log := call("store", "-store", store, "-trim", size); status != 2 || !strings.Contains(log, "no size") {
			t.Errorf("%s: status %d, %s", size, status, log)
		}
	}
}

// TestBytesOf reads sizes of all units, and without one.
func TestBytesOf(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{
		"0": 0, "17": 17, "1.5kB": 1500, "2KB": 2000, "3MB": 3_000_000, "0.25GB": 250_000_000, "5 TB": 5_000_000_000_000, "1e3": 1000, "9e18": 9e18,
	} {
		if got, err := bytesOf(text); err != nil || got != want {
			t.Errorf("%s is %d, error %v", text, got, err)
		}
	}
	for _, text := range []string{"", "kB", "-1kB", "10 PB", "1e19", "9300000TB", "NaN", "Inf"} {
		if got, err := bytesOf(text); err == nil {
			t.Errorf("%q is %d", text, got)
		}
	}
}

// TestSweepFailures has cells that fail, calls that are wrong, and an interrupt.
func TestSweepFailures(t *testing.T) {
	t.Parallel()
	file, store := sweepFolder(t, `{"methods": [{"method": "empty"}, {"method": "full"}], "vary": [{"field": "Loss.Squared", "values": [false, true]}, {"field": "HingeCap", "values": [0, 1]}],
		"sets": [{"name": "p", "planted": {"N": 3}, "train": 20, "test": 20}]}`)
	status, out, log := call("sweep", "run", "-store", store, file)
	if status != 1 || !strings.Contains(out, "2 of 8 cells failed") || !strings.Contains(log, "some cells failed, the first one, cell 3, with:") {
		t.Errorf("status %d, %s\n%s", status, log, out)
	}
	folder := filepath.Dir(file)
	bad := filepath.Join(folder, "bad.json")
	if err := os.WriteFile(bad, []byte(`{"methods": [{"method": "crank", "Restart": 1}], "sets": ["x"]}`), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		stdin  string
		status int
		args   []string
		said   string
	}{
		{"", 2, []string{"sweep"}, "say what to do: run, show"},
		{"", 2, []string{"sweep", "rnu"}, `there is no part of sweep "rnu"; the nearest: run`},
		{"", 2, []string{"sweep", "run"}, "name one file"},
		{"", 2, []string{"sweep", "run", "a", "b"}, "name one file"},
		{"", 2, []string{"sweep", "cell", "a"}, "cell takes no file"},
		{"", 2, []string{"sweep", "run", "-part", "0/3", file}, "-part 0/3 is not from 1/n to n/n"},
		{"", 2, []string{"sweep", "run", "-workers", "-1", file}, "-1 workers"},
		{"", 2, []string{"sweep", "run", "-format", "xml", file}, `there is no format "xml"`},
		{"", 2, []string{"sweep", "compare", "-measure", "f2", "-store", store, file}, `there is no measure "f2"`},
		{"", 2, []string{"sweep", "run", bad}, bad + ": line 1: methods[0].Restart: CRANK has no field Restart; there are Lambda, Restarts"},
		{"", 1, []string{"sweep", "run", filepath.Join(folder, "none.json")}, "open "},
		{"", 1, []string{"sweep", "show", os.Args[0]}, os.Args[0] + ": malformed file"},
		{"{", 1, []string{"sweep", "cell"}, "line 1: malformed file"},
		{"{\"spec\": {\"methods\": [{\"method\": \"empty\"}]}} x", 1, []string{"sweep", "cell"}, "line 1: malformed file: something follows"},
		{"{\"spec\": {\"methods\": [{\"method\": \"empty\"}]}}]", 1, []string{"sweep", "cell"}, "line 1: malformed file: something follows"},
		{"", 2, []string{"sweep", "cells", bad}, bad + ": line 1: methods[0].Restart: CRANK has"},
		{"\n" + strings.Repeat(" ", longestLine+1), 1, []string{"sweep", "cell"}, "line 2: "},
		{"\n{\"cell\": 1, \"spec\": {}}", 2, []string{"sweep", "cell"}, "line 2: methods: "},
		{"{}", 1, []string{"sweep", "show", "-lines", "-", file}, "cell 0 is"},
		{"x", 1, []string{"sweep", "show", "-lines", "-", file}, "-: result 1: malformed file"},
		{"", 1, []string{"sweep", "compare", "-store", filepath.Join(folder, "empty"), file}, "no two cells"},
	} {
		status, out, log := callWith(c.stdin, c.args...)
		if status != c.status || out != "" || !strings.Contains(log, c.said) || !strings.HasPrefix(log, "crank: ") || strings.Count(log, "\n") != 1 {
			t.Errorf("%q: status %d, %q, %q", c.args, status, out, log)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var stdout, stderr strings.Builder
	if status := run(ctx, []string{"sweep", "run", "-store", store, file}, strings.NewReader(""), &stdout, &stderr); status != 130 || !strings.Contains(stderr.String(), "kept in "+store+", and the same command goes on") {
		t.Errorf("interrupted: status %d, %s", status, stderr.String())
	}
}
