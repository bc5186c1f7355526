package modelfile_test

import (
	"reflect"
	"testing"

	"github.com/crank-ml/crank/crankpkg/internal/modelfile"
	"github.com/crank-ml/crank/crankpkg/internal/table"
)

// TestCodingRoundTrip writes codings with and without each of their parts: what is read is what was written. Where rows are dense and no
// column is more than numbers, nothing is written.
func TestCodingRoundTrip(t *testing.T) {
	t.Parallel()
	columns := []table.Column{{Name: "a"}, {Name: "b", Values: []string{"x", "y", "z"}, Fill: []float64{0, 1, 0}}, {Name: "c", Fill: []float64{2.5}}}
	for count := range len(columns) + 1 {
		for flags := range 8 {
			c := table.Coding{Columns: columns[:count:count], DecimalComma: flags&1 > 0, IgnoreUnseen: flags&2 > 0, Sparse: flags&4 > 0}
			if count == 0 {
				c.Columns = nil
			} else {
				c.Missing = []string{"", "?"}
			}
			file := modelfile.CodingOf(c)
			if plain := count == 0 && !c.Sparse; (file == nil) != plain {
				t.Fatalf("%+v is written as %+v", c, file)
			}
			if file != nil && len(file.Columns) != count {
				t.Errorf("%+v is written as %+v", c, file)
			}
			want := c
			if file == nil {
				want = table.Coding{}
			}
			if got := file.Coding(); !reflect.DeepEqual(got, want) {
				t.Errorf("%+v is read as %+v", want, got)
			}
			if file == nil {
				continue
			}
			f := small()
			f.Coding = file
			text, err := f.Encode()
			if err != nil {
				t.Fatal(err)
			}
			again, err := modelfile.Decode(text)
			if err != nil || !reflect.DeepEqual(again.Coding.Coding(), want) {
				t.Errorf("%+v is read from %s as %+v, error %v", want, text, again, err)
			}
		}
	}
}
