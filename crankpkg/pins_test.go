package crankpkg_test

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"hash"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/crossval"
	"github.com/crank-ml/crank/crankpkg/metrics"
)

var update = flag.Bool("update", false, "store the hashes of the pinned results as they are now in testdata")

// pin is a result whose bits stay as they are when code is moved or rewritten. That they are right is for other tests to say.
type pin struct {
	name string
	run  func(d digest) error // adds the result to d
}

// TestPins compares the hash of every pinned result with the one in testdata, which -update writes. Compilers for other
// processors round differently, so each has hashes of its own.
func TestPins(t *testing.T) {
	if runtime.GOARCH == "amd64" && fuses(1+1.0/(1<<30), -1-1.0/(1<<29)) {
		t.Skip("the pins for amd64 are of multiplications and additions that round apart (GOAMD64 below v3)")
	}
	path := filepath.Join("testdata", "pins_"+runtime.GOARCH+".txt")
	want, err := readPins(path)
	if errors.Is(err, fs.ErrNotExist) && !*update {
		t.Skipf("no pins for %s; to make them, run: go test ./crankpkg -run TestPins -update", runtime.GOARCH)
	} else if err != nil && !*update {
		t.Fatal(err)
	}
	pins := slices.Concat(trainingPins(), multiStatePins(), inferencePins(), predictionPins(), dataPins(), evaluationPins())
	checkNames(t, pins, want)
	var mu sync.Mutex
	got := make(map[string]string)
	t.Cleanup(func() { // when all results are there
		if *update && !t.Failed() {
			writePins(t, path, pins, got, want)
		}
	})
	for _, p := range pins {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			sum := p.sum(t)
			mu.Lock()
			got[p.name] = sum
			mu.Unlock()
			if !*update && sum != want[p.name] {
				t.Errorf("the bits of %s have changed: hash %s, pinned %q; if they should, add -update", p.name, sum, want[p.name])
			}
		})
	}
}

// fuses reports whether the compiler multiplies and adds in one rounding: the square of x and z cancel otherwise.
//
//go:noinline
func fuses(x, z float64) bool { return x*x+z != 0 }

func (p pin) sum(t *testing.T) string {
	d := digest{sha256.New()}
	if err := p.run(d); err != nil {
		t.Fatalf("%s: %v", p.name, err)
	}
	return hex.EncodeToString(d.Sum(nil))[:16]
}

// checkNames finds names that occur twice and, in the file, those of no result.
func checkNames(t *testing.T, pins []pin, want map[string]string) {
	t.Helper()
	seen := make(map[string]bool)
	for _, p := range pins {
		if seen[p.name] {
			t.Errorf("two pins are called %s", p.name)
		}
		seen[p.name] = true
	}
	for name := range want {
		if !seen[name] && !*update {
			t.Errorf("%s is pinned, but nothing has that name", name)
		}
	}
}

// readPins returns the hashes by name.
func readPins(path string) (map[string]string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	pins := make(map[string]string)
	for line := range strings.Lines(string(text)) {
		name, sum, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok {
			return nil, fmt.Errorf("%s: no name and hash: %q", path, line)
		}
		pins[name] = sum
	}
	return pins, nil
}

// writePins writes what is new, and what a -run pattern has left out as it was.
func writePins(t *testing.T, path string, pins []pin, got, old map[string]string) {
	sums := make(map[string]string)
	for _, p := range pins {
		if sum, ok := got[p.name]; ok {
			sums[p.name] = sum
		} else if sum, ok := old[p.name]; ok {
			sums[p.name] = sum
		}
	}
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		fmt.Fprintln(&text, name, sums[name])
	}
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text.String()), 0o644)); err != nil {
		t.Fatal(err)
	}
}

// digest hashes results bit by bit.
type digest struct{ hash.Hash }

func (d digest) add(values ...any) {
	for _, v := range values {
		d.value(reflect.ValueOf(v))
	}
}

func (d digest) value(v reflect.Value) {
	if p, ok := asPoint(v); ok && p.Short == 0 {
		v = reflect.ValueOf(pointOf{p.Lambda, p.Scaling, p.Powerset, p.Folds, p.Repeats, p.Mean, p.StdErr, p.Gap})
	}
	if diff, ok := asDifference(v); ok {
		for _, end := range []float64{diff.Mean, diff.Low, diff.High, diff.P} {
			d.word(math.Float64bits(end))
		}
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		bit := uint64(0)
		if v.Bool() {
			bit = 1
		}
		d.word(bit)
	case reflect.Int, reflect.Int32, reflect.Int64:
		d.word(uint64(v.Int()))
	case reflect.Uint8, reflect.Uint64:
		d.word(v.Uint())
	case reflect.Float32, reflect.Float64:
		d.word(math.Float64bits(v.Float()))
	case reflect.String:
		d.word(uint64(v.Len()))
		d.Write([]byte(v.String()))
	case reflect.Slice:
		d.word(uint64(v.Len()))
		for i := range v.Len() {
			d.value(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			d.value(v.Field(i))
		}
	default:
		panic("a digest of " + v.Type().String())
	}
}

func asPoint(v reflect.Value) (p crossval.Point, ok bool) {
	if v.IsValid() && v.CanInterface() {
		p, ok = v.Interface().(crossval.Point)
	}
	return p, ok
}

// asDifference returns a Difference, whose numbers alone are pinned.
func asDifference(v reflect.Value) (diff metrics.Difference, ok bool) {
	if v.IsValid() && v.CanInterface() {
		diff, ok = v.Interface().(metrics.Difference)
	}
	return diff, ok
}

// pointOf is a Point as it was when the hashes were made.
type pointOf struct {
	Lambda       float64
	Scaling      crankpkg.Scaling
	Powerset     crankpkg.LabelPowerset
	Folds        []crankpkg.Scores
	Repeats      int
	Mean, StdErr crankpkg.Scores
	Gap          float64
}

func (d digest) word(bits uint64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], bits)
	d.Write(b[:])
}
