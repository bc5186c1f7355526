package results

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/crossval"
	"github.com/crank-ml/crank/crankpkg/experiment"
	"github.com/crank-ml/crank/internal/origin"
)

// TestKept checks what is computed again, and that the time of what was found is
// counted.
func TestKept(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	mk := &maker{Options: Options{Cells: t.TempDir(), Log: &log}, part: Part{Name: "part"}}
	ctx, count := context.Background(), 0
	get := func(mk *maker, inputs ...any) (int, error) {
		return kept(ctx, mk, []string{"a", "b"}, inputs, func() (int, error) { count++; return count, nil })
	}
	for k, c := range []struct {
		inputs []any
		want   int
	}{{[]any{1}, 1}, {[]any{1}, 1}, {[]any{2}, 2}, {[]any{2}, 2}, {[]any{1}, 3}} {
		if v, err := get(mk, c.inputs...); v != c.want || err != nil {
			t.Errorf("call %d: %d, %v", k, v, err)
		}
	}
	if text := log.String(); strings.Count(text, "part: a, b: computed again: ") != 2 || strings.Count(text, " s of the processors\n") != 3 {
		t.Errorf("log %q", text)
	}
	// A trial does not touch what a full run keeps.
	quick := *mk
	quick.Quick = true
	if v, err := get(&quick, 1); v != 4 || err != nil {
		t.Errorf("a trial: %d, %v", v, err)
	}
	if v, err := get(mk, 1); v != 3 || err != nil {
		t.Errorf("after a trial: %d, %v", v, err)
	}
	store := experiment.Store{Folder: filepath.Join(mk.Cells, "part")}
	if err := store.Put(done[int]{CPU: 2.5, Value: 7}, experiment.StoreKey(9), "a", "b"); err != nil {
		t.Fatal(err)
	}
	before := mk.cpu
	if v, err := get(mk, 9); v != 7 || err != nil || mk.cpu != before+2.5 {
		t.Errorf("%d, %v, CPU %v after %v", v, err, mk.cpu, before)
	}
	failed := errors.New("no")
	_, err := kept(ctx, mk, []string{"c"}, nil, func() (int, error) { return 5, failed })
	if !errors.Is(err, failed) || !strings.HasPrefix(err.Error(), "c: ") {
		t.Errorf("error %v", err)
	}
	// What was interrupted is not kept, whatever it tells.
	for want := range 2 {
		interrupted, cancel := context.WithCancel(ctx)
		v, err := kept(interrupted, mk, []string{"d"}, nil, func() (int, error) {
			if want == 0 {
				cancel()
			}
			return want, nil
		})
		cancel()
		if v != want || errors.Is(err, context.Canceled) != (want == 0) {
			t.Errorf("%d, and not %d, error %v", v, want, err)
		}
	}
	mk.Cells = filepath.Join(mk.Cells, "part", "a,b.json")
	if _, err := get(mk, 1); err == nil {
		t.Error("cells were kept below a file")
	}
}

func TestExperimentTellsNotes(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	mk := &maker{Options: Options{Cells: t.TempDir(), Log: &log, Sets: testSets}, compute: experiment.Experiment.Run}
	e := experiment.Experiment{Sets: mk.named("scene"), Trainers: []crankpkg.Trainer{crankpkg.Empty{Lambda: 0.1}}}
	for _, lambda := range []float64{0.1, 0.2} {
		e.Trainers[0] = crankpkg.Empty{Lambda: lambda}
		table, err := mk.experiment(context.Background(), "part", e)
		if err != nil {
			t.Fatal(err)
		}
		if want := table.Cells[0].Elapsed().Seconds(); mk.cpu < want {
			t.Errorf("CPU %v, the cell took %v", mk.cpu, want)
		}
	}
	if text := log.String(); strings.Count(text, "\npart: scene, Empty, seed 1: computed again: ") != 1 {
		t.Errorf("log %q", text)
	}
	e.Sets = mk.named("no set")
	if _, err := mk.experiment(context.Background(), "part", e); err == nil {
		t.Error("an unknown set")
	}
}

func TestMakeRefuses(t *testing.T) {
	t.Parallel()
	if err := Make(context.Background(), Options{Log: io.Discard}, "table9"); err == nil || !strings.Contains(err.Error(), `"table9"`) {
		t.Errorf("%v", err)
	}
	lost := errors.New("lost")
	o := Options{Log: io.Discard, Cells: t.TempDir(), Out: t.TempDir(), Sets: Sets{
		Split:  func(string) (a, b *crankpkg.Dataset, err error) { return nil, nil, lost },
		Seeded: func(string, float64, uint64) (a, b *crankpkg.Dataset, err error) { return nil, nil, lost },
	}, Run: func(context.Context, Job) (JobResult, error) { return JobResult{}, lost }}
	for _, p := range Parts() {
		if slices.Contains([]string{"figure1", "recovery", "level", "tags", "input"}, p.Name) {
			continue // they plant their data
		}
		if err := Make(context.Background(), o, p.Name); !errors.Is(err, lost) || !strings.HasPrefix(err.Error(), p.Name+": ") {
			t.Errorf("%s: %v", p.Name, err)
		}
	}
}

// TestWriteRows reads arrays back, the empty one too, and checks that what cannot be
// written leaves the file alone.
func TestWriteRows(t *testing.T) {
	t.Parallel()
	mk := &maker{part: Part{Name: "part"}, Options: Options{Out: filepath.Join(t.TempDir(), "new"), Log: io.Discard,
		Made: origin.Origin{Command: "another", Commit: "abc", Clean: true, Go: "go1", Processor: "one", Date: "today"}}}
	for _, values := range [][]float64{{}, {1}, {1, 2.5, -3}} {
		if err := writeRows(mk, "rows.json", values); err != nil {
			t.Fatal(err)
		}
		if got, _ := rowsOf[float64](t, mk.Out, "rows.json"); !slices.Equal(got, values) {
			t.Errorf("wrote %v, read %v", values, got)
		}
	}
	const made = `{"Made":{"Command":"go run ./cmd/crank results part","Commit":"abc","Clean":true,"Go":"go1","Processor":"one","Date":"today"}`
	if text := filesOf(t, mk.Out)["rows.json"]; string(text) != made+"\n,\"Rows\":[1\n,2.5\n,-3\n]}\n" {
		t.Errorf("%q", text)
	}
	if writeRows(mk, "rows.json", []float64{0, math.NaN()}) == nil || writeReport(mk, "rows.json", []float64{0, math.NaN()}) == nil {
		t.Error("NaN was written")
	}
	if got, _ := rowsOf[float64](t, mk.Out, "rows.json"); len(got) != 3 {
		t.Errorf("after an error the file has %v", got)
	}
	mk.cpu, mk.part.Name = 1.5, "other"
	if err := writeReport(mk, "report.json", []int{4}); err != nil {
		t.Fatal(err)
	}
	var file report[int]
	if err := json.Unmarshal(filesOf(t, mk.Out)["report.json"], &file); err != nil || file.CPUSeconds != 1.5 || !slices.Equal(file.Rows, []int{4}) ||
		file.Made.Command != "go run ./cmd/crank results other" || file.Made.Commit != "abc" {
		t.Errorf("%+v, %v", file, err)
	}
	mk.Out = filepath.Join(mk.Out, "rows.json")
	if err := writeRows(mk, "rows.json", []int{1}); err == nil {
		t.Error("rows below a file")
	}
}

// TestStandingScores compares the standing lambdas with the README.
func TestStanding(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []string{"| scene, 0.003 |", "| emotions, 0.1 |", "| medical10, 0.01 |", "| yeast, 0.001 |"} {
		set, lambda, _ := strings.Cut(strings.Trim(row, "| "), ", ")
		if !strings.Contains(string(text), row) || lambda != strings.TrimSpace(lambda) || standing[set].lambda == 0 {
			t.Errorf("the README does not have %q", row)
		}
		fitted := standing[set].fit(crankpkg.Empty{}).(crankpkg.Empty)
		if scaling := map[string]crankpkg.Scaling{"emotions": crankpkg.ZScore}[set]; fitted.Lambda != standing[set].lambda ||
			fitted.Scaling != scaling {
			t.Errorf("%s: %+v", set, fitted)
		}
	}
	for _, set := range largeSets {
		if want := map[string]crankpkg.Scaling{"cal500": crankpkg.ZScore}[set.name]; standing[set.name].scaling != want {
			t.Errorf("%s is scaled by %q", set.name, standing[set.name].scaling)
		}
	}
	if seeds(3)[0] != 1 || !slices.Equal(seeds(3), []uint64{1, 2, 3}) {
		t.Errorf("seeds %v", seeds(3))
	}
}

func TestSelectWith(t *testing.T) {
	t.Parallel()
	s := crankpkg.Settings{Gap: 0.3}
	for _, c := range []struct{ from, all, many crankpkg.Trainer }{
		{crankpkg.CRANK{Settings: s}, crankpkg.CRANK{Restarts: 1, Settings: s}, crankpkg.CRANK{Settings: s}},
		{crankpkg.Greedy{Settings: s}, crankpkg.CRANK{Restarts: 1, Settings: s}, crankpkg.Greedy{Settings: s}},
		{crankpkg.MST{Settings: s}, crankpkg.MST{Settings: s}, crankpkg.CRANK{Restarts: 1, Settings: s}},
		{crankpkg.Full{Settings: s}, crankpkg.Full{Settings: s}, crankpkg.Full{Settings: s}},
	} {
		if got := experiment.StoreKey(selectWith(c.from)); got != experiment.StoreKey(c.all) {
			t.Errorf("%v is chosen with %v", c.from.Name(), selectWith(c.from))
		}
		if got := experiment.StoreKey(selectByCRANK(c.from)); got != experiment.StoreKey(c.many) {
			t.Errorf("with many labels %v is chosen with %v", c.from.Name(), selectByCRANK(c.from))
		}
	}
	var left []string
	for _, trainer := range forManyLabels(new(maker).methods(meanGap)) {
		left = append(left, trainer.Name())
		if c, ok := trainer.(crankpkg.CRANK); ok && (c.Restarts != 1 || c.Gap != meanGap) {
			t.Errorf("%+v", c)
		}
	}
	if !slices.Equal(left, []string{"CRANK", "MST", "Empty"}) {
		t.Errorf("left are %q", left)
	}
}

// TestProceduresOfTheFullRun checks that only a trial asks for fewer folds, splits and repeats than the library does by itself, and that
// nothing else of a procedure is touched.
func TestProceduresOfTheFullRun(t *testing.T) {
	t.Parallel()
	g := crossval.General{Seed: 3, Calibrate: true}
	full, trial := &maker{Options: Options{Workers: 2}}, &maker{Options: Options{Workers: 2, Quick: true}}
	want := g
	want.Workers = 2
	if got := full.chooser(g); !reflect.DeepEqual(got, want) {
		t.Errorf("the full run chooses by %+v, want %+v", got, want)
	}
	want.Folds, want.Repeats = 2, 1
	if got := trial.chooser(g); !reflect.DeepEqual(got, want) {
		t.Errorf("a trial chooses by %+v, want %+v", got, want)
	}
	if got := full.selection([]float64{1}); got.Folds != 10 || got.Repeats != 3 || got.Gap != choiceGap {
		t.Errorf("the full run chooses lambda by %+v", got)
	}
}
