package jsonrows

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestWrite reads arrays back, the empty one too, and checks that what cannot be
// written leaves the file alone.
func TestWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rows.json")
	for _, values := range [][]float64{{}, {1}, {1, 2.5, -3}} {
		if err := Write(path, values); err != nil {
			t.Fatal(err)
		}
		if got := read(t, path); !slices.Equal(got, values) {
			t.Errorf("wrote %v, read %v", values, got)
		}
	}
	if Write(path, []float64{0, math.NaN()}) == nil {
		t.Error("NaN was written")
	}
	if got := read(t, path); len(got) != 3 {
		t.Errorf("after an error the file has %v", got)
	}
}

func read(t *testing.T, path string) (values []float64) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(data, &values)
	}
	if err != nil {
		t.Fatal(err)
	}
	return values
}
