package tabular_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/tabular"
)

// The cells of a column stand in the order of the rows that ReadCSV makes, whatever lines lie between them.
func TestCellsAreThoseOfTheRows(t *testing.T) {
	t.Parallel()
	text := "a;who ;l\n1; Ann;1\n\n2;\"Bob; of\n Rome\";0\n3;;1\n4;NA;0\n"
	for _, c := range []struct {
		column string
		opts   tabular.CSVOptions
		want   []string
	}{
		{"who", tabular.CSVOptions{Comma: ';'}, []string{"Ann", "Bob; of\n Rome", "", "NA"}},
		{"a", tabular.CSVOptions{Comma: ';'}, []string{"1", "2", "3", "4"}},
		{"column3", tabular.CSVOptions{Comma: ';', NoHeader: true}, []string{"l", "1", "0", "1", "0"}},
	} {
		got, err := tabular.ParseCells(strings.NewReader(text), "x.csv", c.column, c.opts)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, error %v", c.column, got, err)
		}
	}
	ds, err := tabular.ParseCSV(strings.NewReader(text), "x.csv", tabular.CSVOptions{Comma: ';', LabelCount: -1, Drop: []string{"who"}})
	if err != nil || ds.Len() != 4 {
		t.Errorf("%v, error %v", ds, err)
	}
}

func TestReadCellsRefuses(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x.csv")
	if err := os.WriteFile(path, []byte("a,b\n1,2\n3\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := tabular.ReadCells(path, "a", tabular.CSVOptions{}); !errors.Is(err, crankpkg.ErrFormat) || !strings.Contains(err.Error(), path+":3: 1 cells for 2 columns") {
		t.Errorf("a short line: %v", err)
	}
	if _, err := tabular.ReadCells(path, "c", tabular.CSVOptions{}); !errors.Is(err, crankpkg.ErrData) || !strings.Contains(err.Error(), `there is no column "c"; there are 2 columns: "a, b"`) {
		t.Errorf("no such column: %v", err)
	}
	if _, err := tabular.ReadCells(path+"x", "a", tabular.CSVOptions{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no such file: %v", err)
	}
	if _, err := tabular.ParseCells(strings.NewReader(""), "x", "a", tabular.CSVOptions{}); err == nil {
		t.Error("an empty file has a column")
	}
}
