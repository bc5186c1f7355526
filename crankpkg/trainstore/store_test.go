package trainstore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/crank-ml/crank/crankpkg/internal/errs"
)

type value struct {
	Name   string
	Floats []float64
}

func open(t *testing.T, folder string, most int64) *Store {
	t.Helper()
	s, err := Open(folder, most)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func keyOf(t *testing.T, inputs ...any) Key {
	t.Helper()
	key, err := KeyOf(inputs...)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// made is what is made for k.
func made(k int) value {
	return value{fmt.Sprint("value ", k), []float64{float64(k), 1 / float64(k+1)}}
}

// ask returns the value of k and whether it was made now.
func ask(s *Store, key Key, k int) (value, bool) {
	return Do(context.Background(), s, key, nil, nil, func() (value, bool) { return made(k), true })
}

func TestDoMakesOnce(t *testing.T) {
	t.Parallel()
	s := open(t, t.TempDir(), 0)
	for round := range 3 {
		for k := range 5 {
			v, now := ask(s, keyOf(t, k), k)
			if !reflect.DeepEqual(v, made(k)) || now != (round == 0) {
				t.Errorf("round %d: %+v, made %v", round, v, now)
			}
		}
	}
	if hits, misses := s.Counts(); hits != 10 || misses != 5 {
		t.Errorf("%d hits, %d misses", hits, misses)
	}
	if n, size := s.Usage(); n != 5 || size < 5*40 {
		t.Errorf("%d values of %d bytes", n, size)
	}
}

func TestLook(t *testing.T) {
	t.Parallel()
	s, key := open(t, t.TempDir(), 0), keyOf(t, 1)
	for range 2 {
		if v, found := Look[value](s, key); found || v.Name != "" {
			t.Errorf("%+v was there", v)
		}
	}
	ask(s, key, 1)
	if v, found := Look[value](s, key); !found || !reflect.DeepEqual(v, made(1)) {
		t.Errorf("%+v, found %v", v, found)
	}
	if _, found := Look[value](nil, key); found {
		t.Error("no store has it")
	}
}

func TestDoWithoutKeeping(t *testing.T) {
	t.Parallel()
	s, key := open(t, t.TempDir(), 0), keyOf(t, "key")
	for range 2 {
		if v, now := Do(context.Background(), s, key, nil, nil, func() (int, bool) { return 3, false }); v != 3 || !now {
			t.Errorf("%d, made %v", v, now)
		}
	}
	if v, now := Do(context.Background(), nil, key, nil, nil, func() (int, bool) { return 4, true }); v != 4 || !now {
		t.Errorf("without a store %d, made %v", v, now)
	}
	type unkept struct{ f int }
	if v, now := Do(context.Background(), s, key, nil, nil, func() (unkept, bool) { return unkept{5}, true }); v.f != 5 || !now {
		t.Errorf("what cannot be written is %d, made %v", v.f, now)
	}
	if n, _ := s.Usage(); n != 0 {
		t.Errorf("%d values are kept", n)
	}
	// Of one key, values of two types are two values; one that does not do is made again.
	for k, least := range []int{1, 2, 2, 1} {
		v, now := Do(context.Background(), s, key, func(v int) bool { return v >= least }, nil, func() (int, bool) { return least, true })
		if v != max(least, min(k+1, 2)) || now != (k < 2) {
			t.Errorf("call %d: %d, made %v", k, v, now)
		}
	}
	if v, now := Do(context.Background(), s, key, nil, nil, func() (string, bool) { return "text", true }); v != "text" || !now {
		t.Errorf("of another type %q, made %v", v, now)
	}
}

func TestReleaseAfterPanic(t *testing.T) {
	t.Parallel()
	s, key := open(t, t.TempDir(), 0), keyOf(t, "key")
	func() {
		defer func() { _ = recover() }()
		Do(context.Background(), s, key, nil, nil, func() (int, bool) { panic("no") })
	}()
	begin := time.Now()
	if v, now := Do(context.Background(), s, key, nil, nil, func() (int, bool) { return 3, true }); v != 3 || !now || time.Since(begin) > patience/2 {
		t.Errorf("%d, made %v after %v", v, now, time.Since(begin))
	}
}

// TestDamagedValuesAreMadeAgain flips and cuts each byte of a file.
func TestDamagedValuesAreMadeAgain(t *testing.T) {
	t.Parallel()
	s, key := open(t, t.TempDir(), 0), keyOf(t, 1)
	ask(s, key, 1)
	path := s.path(key.of(reflect.TypeFor[value]()), "")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	try := func(what string, data []byte) {
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		if v, now := ask(s, key, 1); !now || !reflect.DeepEqual(v, made(1)) {
			t.Errorf("%s: %+v, made %v", what, v, now)
		}
		if got, _ := os.ReadFile(path); !reflect.DeepEqual(got, whole) {
			t.Errorf("%s: the file has not become whole", what)
		}
	}
	for k := range whole {
		flipped := append([]byte{}, whole...)
		flipped[k] ^= 1 << (k % 8)
		try(fmt.Sprintf("byte %d flipped", k), flipped)
	}
	for _, cut := range []int{0, 1, len(magic), len(magic) + 31, len(magic) + 32, len(whole) - 1} {
		try(fmt.Sprintf("cut at %d", cut), whole[:cut])
	}
	// A whole file under the name of another key is not of that key.
	other := keyOf(t, 2)
	if err := os.MkdirAll(filepath.Dir(s.path(other.of(reflect.TypeFor[value]()), "")), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(s.path(other.of(reflect.TypeFor[value]()), ""), whole, 0o666); err != nil {
		t.Fatal(err)
	}
	if v, now := ask(s, other, 2); !now || v.Name != made(2).Name {
		t.Errorf("a file of another key: %+v, made %v", v, now)
	}
}

// TestGoroutinesShareTheWork has many ask for the same values at once.
func TestGoroutinesShareTheWork(t *testing.T) {
	t.Parallel()
	s := open(t, t.TempDir(), 0)
	const values, askers = 10, 4
	var count [values]atomic.Int64
	var all sync.WaitGroup
	for range askers {
		all.Go(func() {
			for k := range values {
				key, err := KeyOf(k)
				if err != nil {
					t.Error(err)
					return
				}
				v, _ := Do(context.Background(), s, key, nil, nil, func() (value, bool) {
					count[k].Add(1)
					time.Sleep(time.Millisecond)
					return made(k), true
				})
				if !reflect.DeepEqual(v, made(k)) {
					t.Errorf("%+v", v)
				}
			}
		})
	}
	all.Wait()
	for k := range count {
		if n := count[k].Load(); n != 1 {
			t.Errorf("value %d was made %d times", k, n)
		}
	}
}

// TestWaitingEndsWithTheContext has somebody wait for a value that takes forever.
func TestWaitingEndsWithTheContext(t *testing.T) {
	t.Parallel()
	s, key := open(t, t.TempDir(), 0), keyOf(t, "key")
	release, err := s.claim(context.Background(), key.of(reflect.TypeFor[int]()), nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	told := 0
	v, now := Do(ctx, s, key, nil, func() { told++; cancel() }, func() (int, bool) { return 7, true })
	if v != 7 || !now || told != 1 {
		t.Errorf("%d, made %v, told %d times", v, now, told)
	}
	release()
	if n, _ := s.Usage(); n != 0 {
		t.Error("what was made after the context had ended is kept")
	}
}

// TestClaimsOfTheDead are taken away: at once where the process is known to have ended, after
// a while where the holder has not left a name.
func TestClaimsOfTheDead(t *testing.T) {
	t.Parallel()
	s := open(t, t.TempDir(), 0)
	for name, holder := range map[string]string{
		"ended":   fmt.Sprintf("%s\n%d\nx\n", host(), 1<<30), // no system has a process of this number
		"no name": "",
	} {
		key := keyOf(t, name)
		path := s.path(key, claimed)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(holder), 0o666); err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		release, err := s.claim(context.Background(), key, nil)
		if err != nil || time.Since(begin) > patience/2 {
			t.Fatalf("%s: claimed after %v, error %v", name, time.Since(begin), err)
		}
		release()
		if left, _ := os.ReadDir(filepath.Dir(path)); len(left) != 0 {
			t.Errorf("%s: left %v", name, left)
		}
	}
	// One of another machine may be alive, and so may this process.
	for _, holder := range []string{"elsewhere\n1073741824\nx\n", newHolder(), "nonsense", ""} {
		if died(holder) {
			t.Errorf("%q is said to have ended", holder)
		}
	}
}

// TestTakeAwaySparesOthers takes the claim of a holder away while another one has it.
func TestTakeAwaySparesOthers(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x"+claimed)
	release, err := hold(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := takeAway(path, "somebody else"); err != nil {
		t.Error(err)
	}
	if _, err := hold(path); err == nil {
		t.Error("the claim of another holder was taken away")
	}
	release()
	if _, err := os.Stat(path); !gone(err) {
		t.Errorf("after the release: %v", err)
	}
}

// TestRoom fills a bounded store: what was used last stays.
func TestRoom(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	mine := filepath.Join(folder, "mine.tmp")
	if err := os.WriteFile(mine, make([]byte, 10000), 0o666); err != nil {
		t.Fatal(err)
	}
	s := open(t, folder, 2000)
	past := time.Now().Add(-2 * time.Hour)
	for k := range 40 {
		if _, now := ask(s, keyOf(t, k), k); !now {
			t.Errorf("%d was there", k)
		}
		when := past.Add(time.Duration(k) * time.Second)
		if err := os.Chtimes(s.path(keyOf(t, k).of(reflect.TypeFor[value]()), ""), when, when); err != nil {
			t.Fatal(err)
		}
		if k >= 3 {
			if _, now := ask(s, keyOf(t, 0), 0); now {
				t.Fatalf("the value that is used all the time was removed before the %dth", k)
			}
		}
		if _, size := s.Usage(); size > 2000 {
			t.Fatalf("%d bytes after %d values", size, k+1)
		}
	}
	if _, now := ask(s, keyOf(t, 39), 39); now {
		t.Error("the newest value is gone")
	}
	if _, now := ask(s, keyOf(t, 5), 5); !now {
		t.Error("a value that nobody has used is still there")
	}
	key := keyOf(t, "large")
	large := func() (value, bool) { return value{Floats: make([]float64, 300)}, true }
	Do(context.Background(), s, key, nil, nil, large)
	if _, now := Do(context.Background(), s, key, nil, nil, large); !now {
		t.Error("a value that would take most of the room is kept")
	}
	old := s.path(keyOf(t, 0), ".123.tmp")
	if err := os.MkdirAll(filepath.Dir(old), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(old, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{old, mine} {
		if err := os.Chtimes(path, past, past); err != nil {
			t.Fatal(err)
		}
	}
	if n, size := s.Trim(0); n != 0 || size != 0 {
		t.Errorf("%d values of %d bytes are left", n, size)
	}
	if _, err := os.Stat(old); !gone(err) {
		t.Error("what a killed run has left behind is still there")
	}
	if _, err := os.Stat(mine); err != nil {
		t.Errorf("a file of somebody else's: %v", err)
	}
}

func TestOf(t *testing.T) {
	folder := t.TempDir()
	blocked := filepath.Join(folder, "file")
	if err := os.WriteFile(blocked, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_CACHE_HOME", folder)
	t.Setenv("HOME", folder)
	mine := open(t, filepath.Join(folder, "mine"), 0)
	plain := context.Background()
	cache, err := Cache()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		env, notebook string
		ctx           context.Context
		want          string
		fails         bool
	}{
		{"", "", plain, "", false},
		{"off", "", plain, "", false},
		{filepath.Join(folder, "named"), "", plain, filepath.Join(folder, "named"), false},
		{"", "pipe", plain, cache.Folder(), false},
		{"off", "pipe", plain, "", false},
		{"OFF", "pipe", plain, "", false},
		{filepath.Join(folder, "named"), "pipe", plain, filepath.Join(folder, "named"), false},
		{"off", "", In(plain, mine), mine.Folder(), false},
		{"", "pipe", In(plain, nil), "", false},
		{blocked, "", plain, "", true},
		{blocked, "", In(plain, mine), mine.Folder(), false},
	} {
		t.Setenv(Env, c.env)
		t.Setenv(notebookEnv, c.notebook)
		s, err := Of(c.ctx)
		got := ""
		if s != nil {
			got = s.Folder()
		}
		if got != c.want || (err != nil) != c.fails || err != nil && !errors.Is(err, errs.ErrSettings) {
			t.Errorf("%+v: %q, error %v", c, got, err)
		}
	}
	t.Setenv(Env, "")
	t.Setenv(notebookEnv, "pipe")
	for _, home := range []string{blocked, ""} { // no folder can be made there; there is none at all
		t.Setenv("XDG_CACHE_HOME", home)
		t.Setenv("HOME", home)
		if s, err := Cache(); s != nil || err == nil {
			t.Errorf("home %q: cache %v, error %v", home, s, err)
		}
	}
	if s, err := Of(plain); s != nil || err != nil {
		t.Errorf("a cache folder that cannot be had: %v, %v", s, err)
	}
}

// BenchmarkHit reads a value of the size of a large model.
func BenchmarkHit(b *testing.B) {
	s, err := Open(b.TempDir(), 0)
	if err != nil {
		b.Fatal(err)
	}
	key, _ := KeyOf("large")
	large := func() (value, bool) { return value{Floats: make([]float64, 500_000)}, true }
	Do(context.Background(), s, key, nil, nil, large)
	for b.Loop() {
		if _, made := Do(context.Background(), s, key, nil, nil, large); made {
			b.Fatal("it was not there")
		}
	}
}
