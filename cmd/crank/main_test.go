package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/crank-ml/crank/cmd/crank/internal/results"
	"github.com/crank-ml/crank/crankpkg"
)

// asProgram makes the test's program behave as crank itself.
const asProgram = "CRANK_TEST_AS_PROGRAM"

// outside is the environment outside of the tests, where Go has its caches.
var outside = os.Environ()

// TestMain keeps the tests away from the network, from the data sets of this
// machine and from the user's cache. All that they write is in one folder.
func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
		os.Exit(70) // a main that comes back must not run the tests, which start this program again
	}
	folder, err := os.MkdirTemp("", "crank")
	if err != nil {
		panic(err)
	}
	for _, variable := range []string{"XDG_CACHE_HOME", "HOME", "LocalAppData", "TMPDIR", "TMP", "TEMP"} {
		os.Setenv(variable, folder)
	}
	removeInterrupted(folder)
	os.Unsetenv("CRANK_DATA")
	os.Setenv(asProgram, "yes") // for the processes that the tests start
	http.DefaultClient.Transport = missing
	code := m.Run()
	os.RemoveAll(folder)
	os.Exit(code)
}

// removeInterrupted removes the folder of the tests also where they are interrupted.
func removeInterrupted(folder string) {
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-interrupts
		os.RemoveAll(folder)
		os.Exit(1)
	}()
}

// refusing answers every request with 404 and tells the address.
type refusing chan string

var missing = make(refusing, 100)

func (r refusing) RoundTrip(request *http.Request) (*http.Response, error) {
	r <- request.URL.Path
	return &http.Response{StatusCode: 404, Status: "404 Not Found", Body: io.NopCloser(&bytes.Reader{})}, nil
}

// call runs the program.
func call(args ...string) (status int, stdout, stderr string) {
	var out, log strings.Builder
	status = run(context.Background(), args, strings.NewReader(""), &out, &log)
	return status, out.String(), log.String()
}

func TestUsage(t *testing.T) {
	t.Parallel()
	status, out, log := call()
	if status != 2 || out != "" || !strings.HasPrefix(log, "crank learns to predict several labels") {
		t.Errorf("without arguments: status %d, %q, %q", status, out, log)
	}
	for _, arg := range []string{"help", "-h", "-help", "--help"} {
		status, out, log := call(arg)
		if status != 0 || log != "" || !strings.HasPrefix(out, "crank learns to predict several labels") || strings.Contains(out, "job") {
			t.Errorf("%s: status %d, %q, %q", arg, status, out, log)
		}
		for _, name := range []string{"train", "predict", "evaluate", "show", "prune", "cv", "sweep", "store", "new", "fetch", "convert", "scores", "results", "bench", "version", "help"} {
			if strings.Count(out, "\n    "+name+" ") != 1 {
				t.Errorf("%s does not list %s once:\n%s", arg, name, out)
			}
		}
	}
}

// TestHelp checks for each subcommand that all ways to ask for help give the same,
// and that it has what help needs; the example has to be a right call.
func TestHelp(t *testing.T) {
	t.Parallel()
	for _, s := range subcommands {
		status, out, log := call("help", s.name)
		if status != 0 || log != "" || !strings.HasPrefix(out, "Usage: go run ./cmd/crank "+s.name) || !strings.Contains(out, s.help) ||
			s.help == "" {
			t.Errorf("help %s: status %d, %q, %q", s.name, status, out, log)
		}
		if !strings.Contains(out, "Example:\n\n    go run ./cmd/crank "+s.name+" ") && !strings.HasSuffix(out, " "+s.name+"\n") {
			t.Errorf("%s has no example:\n%s", s.name, out)
		}
		for _, args := range [][]string{{s.name, "-h"}, {s.name, "x", "--help"}} {
			if status, again, log := call(args...); status != 0 || again != out || log != "" {
				t.Errorf("%q: status %d, %q, %q", args, status, again, log)
			}
		}
		flags := strings.Contains(out, "\nFlags:\n\n  -")
		if want := slices.Contains([]string{"train", "predict", "evaluate", "prune", "cv", "sweep", "store", "new", "convert", "results", "bench"}, s.name); flags != want || strings.Contains(out, "[flags]") != want {
			t.Errorf("%s tells flags: %v\n%s", s.name, flags, out)
		}
	}
	_, out, _ := call("help", "results")
	for _, flag := range []string{"-cells folder", `"build/cells"`, "-out folder", `"build/results"`, "-quick", "-workers number"} {
		if !strings.Contains(out, flag) {
			t.Errorf("no %s in\n%s", flag, out)
		}
	}
}

// TestWrongCalls checks that what is wrong is told in one line, with what may have
// been meant.
func TestWrongCalls(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args []string
		said string
	}{
		{[]string{"fecth"}, `there is no subcommand "fecth"; the nearest: fetch`},
		{[]string{"help", "benhc"}, `there is no subcommand "benhc"; the nearest: bench`},
		{[]string{"hlep"}, `there is no subcommand "hlep"; the nearest: help`},
		{[]string{"results", "-quik"}, `there is no flag "-quik"; the nearest: -quick`},
		{[]string{"results", "table1", "-quik"}, `there is no flag "-quik"; the nearest: -quick`},
		{[]string{"results", "-workers", "many"}, `invalid value "many" for flag -workers`},
		{[]string{"results", "-workers", "-1", "table1"}, "-1 workers"},
		{[]string{"results", "figure1", "tabel1"}, `there is no part "tabel1"; the nearest: table1`},
		{[]string{"results", "all", "table1"}, `there is no part "all"; `},
		{[]string{"fetch"}, "name the data sets to fetch: all, or some of bibtex, birds"},
		{[]string{"fetch", "yaest"}, `there is no data set "yaest"; the nearest: yeast`},
		{[]string{"scores", "yeast"}, "scores takes no arguments"},
		{[]string{"bench"}, "name one file"},
		{[]string{"bench", "a", "b"}, "name one file"},
		{[]string{"job", "{"}, "the job: "},
	} {
		status, out, log := call(c.args...)
		if status != 2 || out != "" || !strings.HasPrefix(log, "crank: "+c.said) || strings.Count(log, "\n") != 1 {
			t.Errorf("%q: status %d, %q, %q", c.args, status, out, log)
		}
	}
}

// TestWordsThatAreNear checks what is told of a name that is not there: those that are near, or, where none is, all of a list
// that the word can be chosen from.
func TestWordsThatAreNear(t *testing.T) {
	t.Parallel()
	f := newShellFolder(t)
	table := f.write("a.csv", "a,y_1\n1,1\n2,0\n")
	for _, c := range []struct {
		args []string
		said string
	}{
		{[]string{"fecth"}, `there is no subcommand "fecth"; the nearest: fetch`},
		{[]string{"frobnicate"}, `there is no subcommand "frobnicate"; there are train, predict, `},
		{[]string{"train", "-method", "svm", "-prefix", "y_", table}, `there is no method "svm"; there are crank, empty, `},
		{[]string{"train", "-method", "cranc", "-prefix", "y_", table}, `there is no method "cranc"; the nearest: crank`},
		{[]string{"train", "-prefix", "y_", "-frobnicate", table}, `there is no flag "-frobnicate"; crank help train lists them`},
		{[]string{"train", "-prefox", "y_", table}, `there is no flag "-prefox"; the nearest: -prefix`},
		{[]string{"train", "table"}, `"table" is no file that ends in .arff, .csv or .svm, and no data set; there are bibtex, `},
		{[]string{"train", "yaest"}, `"yaest" is no file that ends in .arff, .csv or .svm, and no data set; the nearest: yeast`},
		{[]string{"cv", "-measure", "accuracy", "-prefix", "y_", table}, `there is no measure "accuracy"; there are mean, hamming, `},
	} {
		status, out, log := call(c.args...)
		log, _ = strings.CutPrefix(log, "crank: ")
		if status != 2 || out != "" || !strings.HasPrefix(log, c.said) || strings.Count(log, "\n") != 1 {
			t.Errorf("%q: status %d, %q, %q", c.args, status, out, log)
		}
		if before, after, _ := strings.Cut(log, "nearest: "); after != "" && strings.Count(after, ",") > 2 {
			t.Errorf("%q: %q%q", c.args, before, after)
		}
	}
}

// plantedSets are sets of a few examples. They count how often they are loaded.
func plantedSets(loaded func()) results.Sets {
	return results.Sets{Split: func(name string) (train, test *crankpkg.Dataset, err error) {
		loaded()
		train, test, _ = crankpkg.PlantedTree{N: 3, D: 2, Noise: 0.1, Seed: uint64(len(name))}.Generate(20, 30)
		return train, test, nil
	}}
}

func TestScores(t *testing.T) {
	t.Parallel()
	var out, log strings.Builder
	p := &program{nil, &out, &log, plantedSets(func() {})}
	if status := p.run(context.Background(), []string{"scores"}); status != 0 || log.Len() > 0 {
		t.Fatalf("status %d, %s", status, log.String())
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 6 || strings.Count(lines[0], "|") != 7 || strings.Count(lines[1], "|") != 7 {
		t.Fatalf("%q", lines)
	}
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for k, line := range lines {
		cells, found := strings.Split(line, "|"), false
		for row := range strings.Lines(string(readme)) {
			old := strings.Split(strings.TrimSpace(row), "|")
			found = found || len(old) == len(cells) && old[1] == cells[1] && old[6] == cells[6]
		}
		if !found {
			t.Errorf("row %d is none of the README's table, whatever its scores: %q", k, line)
		}
	}
	// Without all trainings there is no table.
	interrupted, cancel := context.WithCancel(context.Background())
	q := &program{nil, io.Discard, io.Discard, plantedSets(cancel)}
	if status := q.run(interrupted, []string{"scores"}); status != 130 {
		t.Errorf("interrupted: status %d", status)
	}
	// One cell by hand.
	train, test, _ := p.sets.Split("emotions")
	settings := crankpkg.Settings{Gap: 0.001, Scaling: crankpkg.ZScore}
	m, _, err := crankpkg.Project{Lambda: 0.1, Settings: settings}.Train(context.Background(), train)
	if err != nil {
		t.Fatal(err)
	}
	s := crankpkg.Evaluate(m, test)
	want := fmt.Sprintf("%.1f / %.1f / %.1f", s.HammingAccuracy, s.SubsetAccuracy, s.ExampleF1)
	if got := strings.TrimSpace(strings.Split(lines[3], "|")[4]); got != want {
		t.Errorf("%q, by hand %q", got, want)
	}
}

// TestFailures checks what a failure prints and that it is told once.
func TestFailures(t *testing.T) {
	t.Parallel()
	var out, log strings.Builder
	fails := func(string) (train, test *crankpkg.Dataset, err error) { return nil, nil, errors.New("no such disk") }
	p := &program{nil, &out, &log, results.Sets{Split: fails}}
	for _, args := range [][]string{{"scores"}, {"results", "-out", t.TempDir(), "-cells", t.TempDir(), "swaps"},
		{"job", `{"set": "yeast", "method": "Empty"}`}} {
		log.Reset()
		if status := p.run(context.Background(), args); status != 1 || strings.Count(log.String(), "no such disk\n") != 1 ||
			!strings.HasPrefix(log.String(), "crank: ") {
			t.Errorf("%q: status %d, %q", args, status, log.String())
		}
	}
	if status, _, log := call("bench", filepath.Join(t.TempDir(), "none")); status != 1 || !strings.HasPrefix(log, "crank: open ") {
		t.Errorf("status %d, %q", status, log)
	}
	if status, _, log := call("job", `{"method": "Fool"}`); status != 1 || log != "crank: there is no method \"Fool\"\n" {
		t.Errorf("status %d, %q", status, log)
	}
}

// TestErrorsWithoutTheLibrary checks that an error at the command line begins with what is wrong, and names the program for what
// helps, wherever the library names itself.
func TestErrorsWithoutTheLibrary(t *testing.T) {
	t.Parallel()
	for err, want := range map[error]string{
		fmt.Errorf("%w: a.csv:3: column %q: it is odd", crankpkg.ErrData, "b"):                     `a.csv:3: column "b": it is odd`,
		fmt.Errorf("%w: a.csv:3: 2 cells for 3 columns", crankpkg.ErrFormat):                       "a.csv:3: 2 cells for 3 columns",
		fmt.Errorf("a.model on a.csv: %w", fmt.Errorf("%w: a: no examples", crankpkg.ErrData)):     "a.model on a.csv: a: no examples",
		fmt.Errorf("a.model: %w: model: this is none", crankpkg.ErrFormat):                         "a.model: malformed file: model: this is none",
		fmt.Errorf("%w: gap 0.02", crankpkg.ErrNotConverged):                                       "not converged: gap 0.02",
		fmt.Errorf("crankpkg: fetching a/b: %w", errors.New("the server refuses: 404 Not Found")):  "fetching a/b: the server refuses: 404 Not Found",
		fmt.Errorf("%w: \"crankpkg\" is no lambda", crankpkg.ErrSettings):                          `"crankpkg" is no lambda`,
		fmt.Errorf("line 1: methods: %w", fmt.Errorf("%w: none are given", crankpkg.ErrSettings)):  "line 1: methods: none are given",
		fmt.Errorf("%w: %w", crankpkg.ErrData, fmt.Errorf("%w: a.arff:1: no", crankpkg.ErrFormat)): "a.arff:1: no",
	} {
		if got := inFlags(err); got != want {
			t.Errorf("%q: %q, want %q", err, got, want)
		}
	}
	status, _, log := call("train", "bibtex")
	if status != 1 || !strings.HasPrefix(log, "crank: data set not found: bibtex (") || !strings.HasSuffix(log, "get it with: "+goRun+" fetch bibtex\n") {
		t.Errorf("status %d, %q", status, log)
	}
}

// TestInterrupts checks that an interrupt is told as such, with what is kept.
func TestInterrupts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		args []string
		said string
	}{
		"results": {[]string{"results", "-quick", "-out", t.TempDir(), "-cells", "CELLS", "swaps"},
			"crank: interrupted; the finished cells are kept in CELLS, and the same command goes on from there\n"},
		"scores": {[]string{"scores"}, "crank: interrupted; nothing is kept\n"},
	} {
		ctx, cancel := context.WithCancel(context.Background())
		var log strings.Builder
		p := &program{nil, io.Discard, &log, plantedSets(cancel)}
		if status := p.run(ctx, c.args); status != 130 || log.String() != c.said {
			t.Errorf("%s: status %d, %q", name, status, log.String())
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var log strings.Builder
	if status := run(ctx, []string{"fetch", "birds"}, strings.NewReader(""), io.Discard, &log); status != 130 ||
		!strings.Contains(log.String(), "interrupted; what has come is kept in ") {
		t.Errorf("fetch: status %d, %q", status, log.String())
	}
}

// TestFetch checks that sets which are at hand are told and not asked for, which file is asked for first of others, and what
// is said when the server does not have it.
func TestFetch(t *testing.T) {
	status, out, log := call("fetch", "flags", "yeast", "medical10")
	if want := "flags is built in and needs no download\nyeast is built in and needs no download\nmedical10 is built in and needs no download\n"; status != 0 || out != "" || log != want {
		t.Errorf("status %d, %q, %q", status, out, log)
	}
	if status, _, log := call("fetch", "flags", "corel5k"); status != 1 || strings.Count(log, "crank: ") != 1 || !strings.Contains(log, "corel5k/Corel5k-train-sparse.arff") || !strings.Contains(log, "404") {
		t.Errorf("status %d, %q", status, log)
	}
	data := t.TempDir()
	t.Setenv("CRANK_DATA", data)
	for _, file := range []string{"bibtex-train.arff", "bibtex-test.arff", "bibtex.xml"} {
		os.MkdirAll(filepath.Join(data, "bibtex"), 0o777)
		os.WriteFile(filepath.Join(data, "bibtex", file), nil, 0o666)
	}
	if status, _, log := call("fetch", "all"); status != 1 || !strings.HasPrefix(log, "bibtex is in "+filepath.Join(data, "bibtex")+" already\n") || !strings.Contains(log, "birds/birds-train.arff") {
		t.Errorf("all: status %d, %q", status, log)
	}
	var asked []string
	for range len(missing) {
		asked = append(asked, path.Base(<-missing))
	}
	slices.Sort(asked) // another test asks for birds
	if asked = slices.Compact(asked); !slices.Equal(asked, []string{"Corel5k-train-sparse.arff", "birds-train.arff"}) {
		t.Errorf("asked for %q", asked)
	}
}
