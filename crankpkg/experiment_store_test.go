package crankpkg

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
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
	data := func(seed uint64) *Dataset {
		ds, _, _ := PlantedTree{N: 3, D: 2, Seed: seed}.Generate(5, 0)
		return ds
	}
	if key, again := StoreKey(data(1), CRANK{Lambda: 0.1}, 2), StoreKey(data(1), CRANK{Lambda: 0.1}, 2); key != again {
		t.Error("equal inputs have different keys")
	}
	keys := map[string]int{}
	for k, inputs := range [][]any{
		{}, {data(1)}, {data(2)}, {data(1), CRANK{}}, {CRANK{}, data(1)}, {data(1), Full{}}, {data(1), CRANK{Lambda: 0.1}}, {"ab", "c"}, {"a", "bc"},
	} {
		key := StoreKey(inputs...)
		if before, ok := keys[key]; ok {
			t.Errorf("inputs %d and %d have the same key", before, k)
		}
		keys[key] = k
	}
}
