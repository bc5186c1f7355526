package multistate

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
)

func multiStateBytes(t testing.TB) (*Model, []byte) {
	t.Helper()
	train, _, _ := Planted{N: 3, D: 2, Seed: 1}.Generate(20, 0)
	set := crankpkg.Settings{Scaling: crankpkg.ZScore, EdgeFeatures: crankpkg.EdgeFeatures{All: true}}
	method := crankpkg.FixedGraph{Lambda: 0.1, Edges: []crankpkg.Edge{{I: 0, J: 1}, {I: 1, J: 2}}, Settings: set}
	m, _, err := Train(context.Background(), method, train)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := m.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	return m, b.Bytes()
}

func TestMultiStateSaveLoad(t *testing.T) {
	t.Parallel()
	m, data := multiStateBytes(t)
	path := filepath.Join(t.TempDir(), "model.json")
	if err := m.Save(path); err != nil {
		t.Fatal(err)
	}
	loaded, err := LoadModel(path)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(loaded, m) {
		t.Error("the model loaded differs from the one saved")
	}
	for _, cut := range []int{0, 1, len(data) / 2, len(data) - 3} {
		before := *loaded
		if _, err := loaded.ReadFrom(bytes.NewReader(data[:cut])); !errors.Is(err, crankpkg.ErrFormat) {
			t.Errorf("%d of %d bytes: %v", cut, len(data), err)
		}
		if !reflect.DeepEqual(*loaded, before) {
			t.Errorf("%d of %d bytes change the model", cut, len(data))
		}
	}
	m.StateNames = m.StateNames[:2]
	if err := m.Save(path); !errors.Is(err, crankpkg.ErrData) {
		t.Errorf("a model of unequal parts: %v", err)
	}
	if _, err := LoadModel(path); err != nil {
		t.Errorf("a refused model replaced the file: %v", err)
	}
	if err := os.WriteFile(path, data[:len(data)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	if m, err := LoadModel(path); m != nil || !errors.Is(err, crankpkg.ErrFormat) {
		t.Errorf("half a file: %v, error %v", m, err)
	}
	if m, err := LoadModel(path + "x"); m != nil || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v, error %v", m, err)
	}
}

// Whatever is read without an error can be written, and read again the same.
func FuzzMultiStateModel(f *testing.F) {
	_, data := multiStateBytes(f)
	f.Add(data)
	f.Add([]byte(`{"format":"crank multi-state model","version":1,"variables":[{"name":"a","states":["0",null]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var m, again Model
		if _, err := m.ReadFrom(bytes.NewReader(data)); err != nil {
			return
		}
		var b bytes.Buffer
		if _, err := m.WriteTo(&b); err != nil {
			t.Fatal(err)
		}
		if _, err := again.ReadFrom(&b); err != nil || !reflect.DeepEqual(m, again) {
			t.Fatalf("read again: %v", err)
		}
	})
}
