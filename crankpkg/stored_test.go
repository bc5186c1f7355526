package crankpkg

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/crank-ml/crank/crankpkg/internal/values"
	"github.com/crank-ml/crank/crankpkg/trainstore"
)

// inStore returns a context with a new store.
func inStore(t testing.TB) (context.Context, *trainstore.Store) {
	t.Helper()
	s, err := trainstore.Open(t.TempDir(), 0)
	if err != nil {
		t.Fatal(err)
	}
	return trainstore.In(context.Background(), s), s
}

// everyMethod lists all methods of this package, with settings that leave models with all parts.
func everyMethod() []Trainer {
	all := trainers(Settings{Seed: 3})
	all = append(all, CCCPStep{Beta: 0.1}, SwapSearch{Start: Greedy{}}, Named("other", CRANK{Restarts: 1}))
	return append(all,
		Full{Settings: Settings{Scaling: ZScore, EdgeFeatures: EdgeFeatures{All: true}, Powerset: LabelPowerset{Only: true}, EveryPass: true}},
		Empty{Settings: Settings{Fourier: FourierFeatures{Count: 4}, Scaling: MinMax, Loss: Loss{Squared: true}}},
	)
}

// sameText compares values of all kinds by what encodes them, to the last bit.
func sameText(a, b any) bool {
	x, errX := values.Encode(a)
	y, errY := values.Encode(b)
	return errX == nil && errY == nil && string(x) == string(y)
}

// withoutTimes returns a copy of the trace without what the clock has put there.
func withoutTimes(trace *Trace) Trace {
	c := *trace
	c.Elapsed = 0
	c.Points = append(c.Points[:0:0], c.Points...)
	for k := range c.Points {
		c.Points[k].Elapsed = 0
	}
	return c
}

// TestKeptTrainings trains each method without a store, then twice with one. The bits are those without; the
// second time nothing is trained, and the trace comes with the times of the first.
func TestKeptTrainings(t *testing.T) {
	t.Parallel()
	train, _ := planted(t, 5, 30, 4)
	for _, tr := range everyMethod() {
		t.Run(tr.Name(), func(t *testing.T) {
			t.Parallel()
			ctx, store := inStore(t)
			m, trace, err := tr.Train(context.Background(), train)
			m1, trace1, err1 := tr.Train(ctx, train)
			m2, trace2, err2 := tr.Train(ctx, train)
			if err != nil || err1 != nil || err2 != nil {
				t.Fatal(err, err1, err2)
			}
			if hits, misses := store.Counts(); hits == 0 || misses == 0 {
				t.Errorf("%d hits, %d misses", hits, misses)
			}
			if !reflect.DeepEqual(m, m2) || !sameText(m, m2) || !sameText(withoutTimes(trace), withoutTimes(trace2)) {
				t.Error("what is kept is not what is trained without a store")
			}
			if !reflect.DeepEqual(m1, m2) || !reflect.DeepEqual(trace1, trace2) {
				t.Error("what comes back is not what was kept")
			}
		})
	}
}

// TestKeptPath does the same for a path, which has bits of its own, with gaps that are not reached.
func TestKeptPath(t *testing.T) {
	t.Parallel()
	train, _ := planted(t, 5, 40, 4)
	tr := Named("path", Full{Settings: Settings{MaxPasses: 12}})
	lambdas := []float64{1, 1e-5, 1e-6}
	ctx, store := inStore(t)
	models, traces, err := TrainPath(ctx, tr, train, lambdas)
	models2, traces2, err2 := TrainPath(ctx, tr, train, lambdas)
	if hits, misses := store.Counts(); hits != 1 || misses != 1 {
		t.Errorf("%d hits, %d misses", hits, misses)
	}
	if !reflect.DeepEqual(models, models2) || !reflect.DeepEqual(traces, traces2) {
		t.Error("what comes back is not what was kept")
	}
	if !errors.Is(err, ErrNotConverged) || !errors.Is(err2, ErrNotConverged) || err.Error() != err2.Error() {
		t.Errorf("errors %v and %v", err, err2)
	}
	for _, other := range [][]float64{{1, 1e-5}, {1}, {1, 1e-6, 1e-5}, {}} {
		if _, _, err := TrainPath(ctx, tr, train, other); err != nil && !errors.Is(err, ErrNotConverged) {
			t.Error(err)
		}
	}
	if _, _, err := tr.WithLambda(1).Train(ctx, train); err != nil && !errors.Is(err, ErrNotConverged) {
		t.Error(err)
	}
	if hits, misses := store.Counts(); hits != 1 || misses != 6 {
		t.Errorf("after other paths: %d hits, %d misses", hits, misses)
	}
}

// keyText is the key of a training.
func keyText(t *testing.T, tr Trainer, ds *Dataset) string {
	t.Helper()
	key, err := trainingKey(tr, ds, nil)
	if err != nil {
		t.Fatalf("%s: %v", tr.Name(), err)
	}
	return key.String()
}

// alter changes every field of v in turn, also those of structs within it, and calls seen with its name. It fails on
// a field of a kind that it cannot change, so that no new field is left out.
func alter(t *testing.T, v reflect.Value, name string, seen func(name string)) {
	t.Helper()
	old := reflect.New(v.Type()).Elem()
	old.Set(v)
	defer v.Set(old)
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if !v.Type().Field(i).IsExported() {
				t.Fatalf("%s.%s is not exported: extend this test", name, v.Type().Field(i).Name)
			}
			alter(t, v.Field(i), name+"."+v.Type().Field(i).Name, seen)
		}
		return
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		seen(name + " (there)")
		alter(t, v.Elem(), name, seen)
		return
	case reflect.Slice:
		elem := reflect.New(v.Type().Elem()).Elem()
		v.Set(reflect.Append(reflect.AppendSlice(reflect.MakeSlice(v.Type(), 0, 9), old), elem))
		seen(name + " (longer)")
		alter(t, v.Index(v.Len()-1), name+"[last]", seen)
		return
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(v.Int() + 1)
	case reflect.Uint8, reflect.Uint64:
		v.SetUint(v.Uint() + 1)
	case reflect.Float64:
		v.SetFloat(math.Nextafter(v.Float(), 9))
	case reflect.String:
		v.SetString(v.String() + "x")
	case reflect.Interface:
		v.Set(reflect.ValueOf(ChowLiu{}))
		seen(name + " (ChowLiu)")
		v.Set(reflect.ValueOf(ChowLiu{Settings: Settings{Seed: 2}}))
	case reflect.Func:
		v.Set(reflect.MakeFunc(v.Type(), func([]reflect.Value) []reflect.Value { return nil }))
	default:
		t.Fatalf("%s is a %v: extend this test", name, v.Type())
	}
	seen(name)
}

// TestEveryFieldEntersTheKey changes each field of each method and of the data. The key changes with all that matter;
// those that do not are listed here.
func TestEveryFieldEntersTheKey(t *testing.T) {
	t.Parallel()
	ds, _ := planted(t, 3, 5, 1)
	inSettings := func(method, field string) bool {
		return strings.HasPrefix(field, method+".Settings.") && (strings.HasSuffix(field, ".Workers") || strings.HasSuffix(field, ".Progress") || strings.HasSuffix(field, ".MaxTime"))
	}
	seenMethods := map[string]bool{}
	for _, tr := range append(everyMethod(), CCCPStep{}) {
		if _, ok := tr.(named); ok {
			continue
		}
		v := reflect.New(reflect.TypeOf(tr)).Elem()
		method := v.Type().Name()
		if seenMethods[method] {
			continue
		}
		seenMethods[method] = true
		key := func() string { return keyText(t, v.Interface().(Trainer), ds) }
		plain, fields := key(), 0
		alter(t, v, method, func(name string) {
			fields++
			if changed := key() != plain; changed == inSettings(method, name) {
				t.Errorf("%s: the key has changed: %v", name, changed)
			}
		})
		if fields < 20 || key() != plain {
			t.Errorf("%s: %d fields", method, fields)
		}
	}
	if len(seenMethods) != 11 {
		t.Errorf("%d methods", len(seenMethods))
	}
	key := func() string { return keyText(t, Empty{}, ds) }
	plain := key()
	alter(t, reflect.ValueOf(ds).Elem(), "Dataset", func(name string) {
		if changed := key() != plain; changed != (name != "Dataset.Name") {
			t.Errorf("%s: the key has changed: %v", name, changed)
		}
	})
	for k := range ds.X.Value {
		old := ds.X.Value[k]
		ds.X.Value[k] = math.Nextafter(old, 9)
		if key() == plain {
			t.Errorf("value %d of the rows does not matter", k)
		}
		ds.X.Value[k] = old
	}
	for k := range ds.Y {
		ds.Y[k] ^= 1
		if key() == plain {
			t.Errorf("label value %d does not matter", k)
		}
		ds.Y[k] ^= 1
	}
}

// TestKeysOfMethods checks that no two methods have the same key, and that a name does not matter to a training
// but to a path.
func TestKeysOfMethods(t *testing.T) {
	t.Parallel()
	ds, _ := planted(t, 3, 5, 1)
	seen := map[string]string{}
	for _, tr := range everyMethod() {
		key := keyText(t, tr, ds)
		if other, ok := seen[key]; ok {
			t.Errorf("%s and %s have the same key", other, tr.Name())
		}
		seen[key] = tr.Name()
	}
	if keyText(t, SwapSearch{Start: Named("a", Greedy{})}, ds) == keyText(t, SwapSearch{Start: Named("b", Greedy{Lambda: 1})}, ds) {
		t.Error("what a method starts with does not matter")
	}
}

// TestNotKept finds nothing kept of trainings that were cut, by their context or the clock, or that failed.
func TestNotKept(t *testing.T) {
	t.Parallel()
	train, _ := planted(t, 5, 40, 4)
	ctx, store := inStore(t)
	cut, cancel := context.WithCancel(ctx)
	told := func(Progress) { cancel() }
	if _, _, err := (CRANK{Lambda: 1e-4, Settings: Settings{Progress: told}}).Train(cut, train); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if m, _, err := (Full{Lambda: 1e-4, Settings: Settings{Gap: 1e-9, MaxTime: time.Nanosecond}}).Train(ctx, train); m == nil || err == nil {
		t.Errorf("error %v", err)
	}
	if _, _, err := (Full{Lambda: -1}).Train(ctx, train); !errors.Is(err, ErrSettings) {
		t.Errorf("error %v", err)
	}
	if _, _, err := (Full{}).Train(ctx, nil); !errors.Is(err, ErrData) {
		t.Errorf("error %v", err)
	}
	if n, _ := store.Usage(); n != 0 {
		t.Errorf("%d trainings are kept", n)
	}
	// A training that stops short by itself is kept, with its error.
	short := Full{Lambda: 1e-5, Settings: Settings{MaxPasses: 3}}
	m, _, err := short.Train(ctx, train)
	m2, _, err2 := short.Train(ctx, train)
	if !errors.Is(err, ErrNotConverged) || !errors.Is(err2, ErrNotConverged) || err.Error() != err2.Error() || !reflect.DeepEqual(m, m2) {
		t.Errorf("errors %v and %v", err, err2)
	}
	if hits, _ := store.Counts(); hits != 1 {
		t.Errorf("%d hits", hits)
	}
}

// TestKeptWithinMaxTime takes a kept training where MaxTime would have been enough for it, and no other.
func TestKeptWithinMaxTime(t *testing.T) {
	t.Parallel()
	train, _ := planted(t, 5, 40, 4)
	ctx, store := inStore(t)
	within := func(limit time.Duration) (fresh bool) {
		_, before := store.Counts()
		if _, _, err := (Full{Settings: Settings{MaxTime: limit}}).Train(ctx, train); err != nil && !errors.Is(err, ErrNotConverged) {
			t.Error(err)
		}
		_, after := store.Counts()
		return after > before
	}
	if !within(time.Hour) || within(0) || within(2*time.Hour) || !within(time.Nanosecond) || within(time.Hour) {
		t.Error("MaxTime and what is kept do not go together")
	}
}

// TestInnerMaxTime checks that no MaxTime within a method or a trainer of somebody else's, which cuts what they
// learn, leaves anything that others would take for the whole.
func TestInnerMaxTime(t *testing.T) {
	t.Parallel()
	ds, _ := planted(t, 3, 5, 1)
	cut := Greedy{Settings: Settings{MaxTime: 1}}
	for name, c := range map[string]struct{ cut, whole Trainer }{
		"start":             {SwapSearch{Start: cut}, SwapSearch{Start: Greedy{}}},
		"start with a name": {SwapSearch{Start: Named("g", cut)}, SwapSearch{Start: Named("g", Greedy{})}},
		"in another's":      {own{Version: "1", Inner: cut}, own{Version: "1", Inner: Greedy{}}},
		"another's field":   {ownMethod[Trainer]{cut}, ownMethod[Trainer]{Greedy{}}},
		"another's method":  {ownMethod[Greedy]{cut}, ownMethod[Greedy]{}},
		"as a start":        {SwapSearch{Start: ownMethod[Greedy]{cut}}, SwapSearch{Start: ownMethod[Greedy]{}}},
	} {
		whole, err := trainingKey(c.whole, ds, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if key, err := trainingKey(c.cut, ds, nil); err == nil && key == whole {
			t.Errorf("%s: the same key with a MaxTime within", name)
		}
	}
	ctx, store := inStore(t)
	for range 2 {
		m, trace, err := Named("cut", ownMethod[CRANK]{CRANK{Lambda: 1e-5, Settings: Settings{MaxTime: 1}}}).Train(ctx, ds)
		if m == nil || trace == nil || trace.Status != TimeLimit || !errors.Is(err, ErrNotConverged) {
			t.Fatalf("%v, error %v", trace, err)
		}
	}
	if hits, _ := store.Counts(); hits != 0 {
		t.Error("what the clock cut was kept")
	}
}

// ownMethod is a trainer of somebody else's that holds a method, without settings of its own.
type ownMethod[T Trainer] struct{ Method T }

func (o ownMethod[T]) Name() string               { return "own" }
func (o ownMethod[T]) StoreVersion() string       { return "1" }
func (o ownMethod[T]) WithLambda(float64) Trainer { return o }
func (o ownMethod[T]) Train(ctx context.Context, ds *Dataset) (*Model, *Trace, error) {
	return o.Method.Train(trainstore.In(ctx, nil), ds)
}

// own is a trainer of somebody else's.
type own struct {
	Version string
	Depth   int
	Inner   Trainer
	Hook    func()
}

// ownCalls counts how often one has trained.
var ownCalls int

func (o own) Name() string                 { return "own" }
func (o own) StoreVersion() string         { return o.Version }
func (o own) WithLambda(l float64) Trainer { o.Depth = int(l); return o }
func (o own) Train(ctx context.Context, ds *Dataset) (*Model, *Trace, error) {
	ownCalls++
	return Empty{}.Train(trainstore.In(ctx, nil), ds)
}

// unversioned has no version.
type unversioned struct{ inner own }

func (u unversioned) Name() string                 { return "unversioned" }
func (u unversioned) WithLambda(l float64) Trainer { return u }
func (u unversioned) Train(ctx context.Context, ds *Dataset) (*Model, *Trace, error) {
	return u.inner.Train(ctx, ds)
}

// TestOwnTrainers keeps the trainings of other packages' trainers by their version and fields, where they have one.
func TestOwnTrainers(t *testing.T) {
	t.Parallel()
	train, _ := planted(t, 4, 20, 4)
	ctx, _ := inStore(t)
	count := func(tr Trainer) int {
		before := ownCalls
		for _, do := range []func() error{
			func() error { _, _, err := Named("x", tr).Train(ctx, train); return err },
			func() error { _, _, err := TrainPath(ctx, tr, train, []float64{3, 3}); return err },
			func() error { _, _, err := SwapSearch{Lambda: 3, Start: tr}.Train(ctx, train); return err },
			func() error { _, _, err := Named("y", Named("x", tr)).Train(ctx, train); return err },
		} {
			if err := do(); err != nil {
				t.Error(err)
			}
		}
		return ownCalls - before
	}
	for _, c := range []struct {
		name string
		tr   Trainer
		want int
	}{
		{"first", own{Version: "1"}, 2}, // at its depth, and at 3
		{"again", own{Version: "1"}, 0},
		{"another version", own{Version: "2"}, 2},
		{"another field", own{Version: "1", Depth: 9}, 1},
		{"another trainer within", own{Version: "1", Inner: MST{}}, 2},
		{"a function", own{Version: "1", Hook: func() {}}, 5},
		{"a trainer within that has no version", own{Version: "1", Inner: unversioned{}}, 5},
		{"an empty version", own{}, 5},
		{"no version", unversioned{own{}}, 5},
	} {
		if got := count(c.tr); got != c.want {
			t.Errorf("%s: trained %d times, not %d", c.name, got, c.want)
		}
	}
}

// TestStoreTellsProgress hears of a training that was there.
func TestStoreTellsProgress(t *testing.T) {
	t.Parallel()
	train, _ := planted(t, 4, 20, 4)
	ctx, _ := inStore(t)
	var last Progress
	tr := Full{Settings: Settings{Progress: func(p Progress) { last = p }}}
	_, trace, err := tr.Train(ctx, train)
	if err != nil {
		t.Fatal(err)
	}
	last = Progress{}
	if _, _, err := tr.Train(ctx, train); err != nil || last.Phase != "was trained before" || last.Method != "Full" || last.Primal != trace.Primal {
		t.Errorf("told %+v, error %v", last, err)
	}
}

// TestStoreOfTheEnvironment has the environment name the folder, and one that cannot be had.
func TestStoreOfTheEnvironment(t *testing.T) {
	train, _ := planted(t, 4, 20, 4)
	folder := t.TempDir()
	t.Setenv(trainstore.Env, filepath.Join(folder, "store"))
	if _, _, err := (Full{}).Train(context.Background(), train); err != nil {
		t.Fatal(err)
	}
	s, err := trainstore.Of(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if n, _ := s.Usage(); n != 1 {
		t.Errorf("%d trainings are kept", n)
	}
	if err := os.WriteFile(filepath.Join(folder, "file"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv(trainstore.Env, filepath.Join(folder, "file"))
	if _, _, err := (Full{}).Train(context.Background(), train); !errors.Is(err, ErrSettings) || !strings.Contains(fmt.Sprint(err), trainstore.Env) {
		t.Errorf("error %v", err)
	}
}

// sharedTrainings trains fifty times, for a process that a test has started, and prints how many were not there.
func sharedTrainings() {
	train, _, _ := PlantedTree{N: 4, Seed: 7}.Generate(30, 1)
	for k := range 50 {
		if _, _, err := (CRANK{Lambda: 0.01, Restarts: 2, Settings: Settings{Seed: uint64(k)}}).Train(context.Background(), train); err != nil {
			panic(err)
		}
	}
	s, err := trainstore.Of(context.Background())
	if err != nil {
		panic(err)
	}
	_, misses := s.Counts()
	fmt.Println(misses)
}

const sharedEnv = "CRANK_TEST_SHARED"

func TestSharedTrainingsProcess(t *testing.T) {
	if os.Getenv(sharedEnv) == "" {
		t.Skip("a part of TestTwoProcessesTrainOnce")
	}
	sharedTrainings()
}

// TestTwoProcessesTrainOnce has two processes ask for the same fifty trainings: each is done once.
func TestTwoProcessesTrainOnce(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	var out [2]strings.Builder
	var all [2]*exec.Cmd
	for k := range all {
		all[k] = exec.Command(os.Args[0], "-test.run", "^TestSharedTrainingsProcess$")
		all[k].Env = append(os.Environ(), trainstore.Env+"="+folder, sharedEnv+"=1")
		all[k].Stdout, all[k].Stderr = &out[k], os.Stderr
		if err := all[k].Start(); err != nil {
			t.Fatal(err)
		}
	}
	total := 0
	for k := range all {
		if err := all[k].Wait(); err != nil {
			t.Fatal(err)
		}
		var n int
		if _, err := fmt.Sscan(out[k].String(), &n); err != nil {
			t.Fatalf("%q: %v", out[k].String(), err)
		}
		total += n
	}
	if total != 50 {
		t.Errorf("%d trainings, not 50: %s, %s", total, out[0].String(), out[1].String())
	}
}

// BenchmarkStored asks for a training on Yeast that is there.
func BenchmarkStored(b *testing.B) {
	train, _, err := LoadSplit("yeast")
	if err != nil {
		b.Fatal(err)
	}
	ctx, _ := inStore(b)
	tr := Full{Lambda: 0.1, Settings: Settings{Scaling: ZScore}}
	if _, _, err := tr.Train(ctx, train); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, _, err := tr.Train(ctx, train); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkResultsVersion is what the first use of a store in a process takes beside.
func BenchmarkResultsVersion(b *testing.B) {
	for b.Loop() {
		newResultsVersion(program)
	}
}
