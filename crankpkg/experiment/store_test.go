package experiment

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
)

// kept is a value for a Store.
type kept struct {
	Name   string
	Values []float64
}

func TestStore(t *testing.T) {
	t.Parallel()
	s := Store{filepath.Join(t.TempDir(), "new", "cells")}
	want := kept{"two", []float64{1, -0.1}}
	var got kept
	if found, note, err := s.Get(&got, "key", "a"); found || note != "" || err != nil {
		t.Errorf("an empty store: found %v, note %q, %v", found, note, err)
	}
	// Names that differ stay apart, whatever characters they have.
	names := [][]string{{"a"}, {"a", "b"}, {"a,b"}, {"a/b"}, {"a%2Cb"}, {"..", "a"}}
	for k, name := range names {
		if err := s.Put(kept{Values: []float64{float64(k)}}, "key", name...); err != nil {
			t.Fatal(err)
		}
	}
	for k, name := range names {
		if found, note, err := s.Get(&got, "key", name...); !found || note != "" || err != nil || got.Values[0] != float64(k) {
			t.Errorf("%q: %v, found %v, note %q, %v", name, got, found, note, err)
		}
	}
	if files, err := os.ReadDir(s.Folder); err != nil || len(files) != len(names) {
		t.Errorf("%d files, %v", len(files), err)
	}
	if err := s.Put(want, "other", "a"); err != nil {
		t.Fatal(err)
	}
	if found, note, err := s.Get(&got, "key", "a"); found || !strings.Contains(note, "a.json is of other data or settings") || err != nil {
		t.Errorf("another key: found %v, note %q, %v", found, note, err)
	}
	if found, _, err := s.Get(&got, "other", "a"); !found || err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("found %v, %+v, %v", found, got, err)
	}
	path := filepath.Join(s.Folder, "a.json")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, bad := range map[string]string{"cut": string(text[:len(text)/2]), "changed": strings.Replace(string(text), "two", "too", 1), "empty": "{}"} {
		if err := os.WriteFile(path, []byte(bad), 0o666); err != nil {
			t.Fatal(err)
		}
		if found, note, err := s.Get(&got, "other", "a"); found || !strings.Contains(note, "damaged") || err != nil {
			t.Errorf("%s: found %v, note %q, %v", name, found, note, err)
		}
	}
	// A value of another type under the right key.
	if err := s.Put([]int{1}, "key", "list"); err != nil {
		t.Fatal(err)
	}
	if found, note, err := s.Get(&got, "key", "list"); found || !strings.Contains(note, "damaged") || err != nil {
		t.Errorf("a list for a struct: found %v, note %q, %v", found, note, err)
	}
}

func TestStoreErrors(t *testing.T) {
	t.Parallel()
	s := Store{t.TempDir()}
	if err := s.Put(1, "key", "n"); err != nil {
		t.Fatal(err)
	}
	if err := s.Put(func() {}, "key", "n"); err == nil {
		t.Error("a function was kept")
	}
	n := 0
	if found, _, err := s.Get(&n, "key", "n"); !found || n != 1 || err != nil {
		t.Errorf("after an error: found %v, %d, %v", found, n, err)
	}
	if err := os.Mkdir(filepath.Join(s.Folder, "folder.json"), 0o777); err != nil {
		t.Fatal(err)
	}
	var failed *os.PathError
	if _, _, err := s.Get(&n, "key", "folder"); !errors.As(err, &failed) {
		t.Errorf("reading a folder: %v", err)
	}
	if err := (Store{filepath.Join(s.Folder, "n.json")}).Put(1, "key", "n"); !errors.As(err, &failed) {
		t.Errorf("writing below a file: %v", err)
	}
}

// TestStoreKey checks that a key depends on the content of data sets, on values
// and on their order, and on nothing else.
func TestStoreKey(t *testing.T) {
	t.Parallel()
	data := func(seed uint64) *crankpkg.Dataset {
		ds, _, _ := crankpkg.PlantedTree{N: 3, D: 2, Seed: seed}.Generate(5, 0)
		return ds
	}
	first := StoreKey(data(1), crankpkg.CRANK{Lambda: 0.1}, 2)
	if again := StoreKey(data(1), crankpkg.CRANK{Lambda: 0.1}, 2); first != again {
		t.Error("equal inputs have different keys")
	}
	keys := map[string]int{}
	for k, inputs := range [][]any{
		{}, {data(1)}, {data(2)}, {data(1), crankpkg.CRANK{}}, {crankpkg.CRANK{}, data(1)}, {data(1), crankpkg.Full{}}, {data(1), crankpkg.CRANK{Lambda: 0.1}}, {"ab", "c"}, {"a", "bc"},
	} {
		key := StoreKey(inputs...)
		if before, ok := keys[key]; ok {
			t.Errorf("inputs %d and %d have the same key", before, k)
		}
		keys[key] = k
	}
}

// TestCellsHaveReadableNames checks that the file of a cell tells its set, its method and, in decimal digits, its seed.
func TestCellsHaveReadableNames(t *testing.T) {
	t.Parallel()
	e := Experiment{Sets: []Set{PlantedSet("some", crankpkg.PlantedTree{N: 3, D: 2}, 8, 4)}, Trainers: []crankpkg.Trainer{crankpkg.Empty{}},
		Seeds: []uint64{0, 1234567890}, Folder: t.TempDir()}
	if _, err := e.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(e.Folder)
	var names []string
	for _, f := range files {
		names = append(names, f.Name())
	}
	if want := []string{"some,Empty,0.json", "some,Empty,1234567890.json"}; err != nil || !reflect.DeepEqual(names, want) {
		t.Errorf("the cells are in %q, error %v, want %q", names, err, want)
	}
}
