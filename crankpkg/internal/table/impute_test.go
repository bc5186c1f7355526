package table_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/internal/table"
	"github.com/crank-ml/crank/crankpkg/internal/testkit"
)

// cells are a table of random cells: places of values, or numbers; NaN is missing. No field lacks all of its cells.
type cells struct {
	fields []*table.Field
	names  []string
	rows   [][]float64
}

func randomCells(rng *rand.Rand) cells {
	c := cells{fields: []*table.Field{nil}} // a label
	for k, values := range [][]string{nil, {"no", "yes"}, {"b", "a"}, {"c", "a", "b"}, {"x"}, nil} {
		f := &table.Field{Name: string(rune('p' + k)), Values: values}
		f.LayOut(len(c.names))
		c.names = f.AppendColumnNames(c.names)
		c.fields = append(c.fields, f)
	}
	for m := range 1 + rng.IntN(9) {
		row := make([]float64, len(c.fields))
		for k, f := range c.fields {
			switch {
			case f == nil:
			case m > 0 && rng.IntN(3) == 0:
				row[k] = math.NaN()
			case f.Values == nil:
				row[k] = float64(rng.IntN(9) - 4)
			default:
				row[k] = float64(rng.IntN(len(f.Values)))
			}
		}
		c.rows = append(c.rows, row)
	}
	return c
}

// matrix returns the rows with a NaN for each missing cell, as the readers have them.
func (c cells) matrix(sparse bool) (x *feature.Matrix, gaps []table.Gap) {
	d := len(c.names)
	x = &feature.Matrix{NumRows: len(c.rows), NumCols: d, Value: make([]float64, len(c.rows)*d)}
	if sparse {
		x = feature.NewSparse(d)
	}
	for m, row := range c.rows {
		var index []int32
		var value []float64
		for k, f := range c.fields {
			if f == nil {
				continue
			}
			column, v := f.Column, math.NaN()
			switch {
			case !math.IsNaN(row[k]):
				column, v = f.Code(row[k])
			case sparse:
				gaps = append(gaps, table.Gap{Field: int32(k), Pos: len(x.Value) + len(value)})
			default:
				gaps = append(gaps, table.Gap{Field: int32(k), Pos: m*d + int(f.Column)})
			}
			if v != 0 {
				index, value = append(index, column), append(value, v)
			}
		}
		if sparse {
			x.AppendSparse(index, value)
			continue
		}
		for p, k := range index {
			x.Value[m*d+int(k)] = value[p]
		}
	}
	return x, gaps
}

// filled returns what fills in a field by the definition: the mean of the numbers, or the place of the most frequent value, of equals
// the first.
func (c cells) filled(k int) float64 {
	f := c.fields[k]
	sum, count, often := 0.0, 0.0, make([]int, len(f.Values))
	for _, row := range c.rows {
		if math.IsNaN(row[k]) {
			continue
		}
		sum, count = sum+row[k], count+1
		if f.Values != nil {
			often[int(row[k])]++
		}
	}
	if f.Values == nil {
		return sum / count
	}
	return float64(slices.Index(often, slices.Max(often)))
}

// dense returns the rows with the missing cells filled in.
func (c cells) dense() [][]float64 {
	var rows [][]float64
	for _, row := range c.rows {
		coded := make([]float64, len(c.names))
		for k, f := range c.fields {
			if f == nil {
				continue
			}
			cell := row[k]
			if math.IsNaN(cell) {
				cell = c.filled(k)
			}
			if column, v := f.Code(cell); v != 0 {
				coded[column] = v
			}
		}
		rows = append(rows, coded)
	}
	return rows
}

func near(a, b [][]float64) bool {
	return slices.EqualFunc(a, b, func(x, y []float64) bool {
		return slices.EqualFunc(x, y, func(v, w float64) bool { return math.Abs(v-w) <= 1e-12 })
	})
}

// TestImputerByDefinition completes random tables, dense and sparse: each gap gets the mean or the most frequent value. The imputer
// completes the next table by the same values, in any order of its columns, and so does that of the coding which keeps them.
func TestImputerByDefinition(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 5))
	for range 200 {
		c := randomCells(rng)
		for _, sparse := range []bool{false, true} {
			x, gaps := c.matrix(sparse)
			fill := new(table.Imputer)
			if err := fill.Complete(x, c.names, c.fields, gaps); err != nil {
				t.Fatal(err)
			}
			want := c.dense()
			if got := testkit.DenseRows(x); !near(got, want) || x.Validate() != nil {
				t.Fatalf("sparse %v: rows %v are completed as %v, want %v", sparse, c.rows, got, want)
			}

			coding := table.NewCoding(c.fields, c.names, fill)
			if err := coding.Check(c.names); err != nil || len(coding.Columns) != len(c.fields)-1 || coding.IsPlain() {
				t.Fatalf("coding %+v, error %v", coding, err)
			}
			again := coding.Imputer(c.names)
			if !reflect.DeepEqual(again, fill) {
				t.Fatalf("the coding fills in %+v, want %+v", again, fill)
			}
			order := rng.Perm(len(c.names)) // the imputer may have been fitted to columns in any order
			moved := &table.Imputer{}
			for _, k := range order {
				moved.Columns, moved.Fill = append(moved.Columns, c.names[k]), append(moved.Fill, fill.Fill[k])
			}
			x, gaps = c.matrix(sparse)
			if err := moved.Complete(x, c.names, c.fields, gaps); err != nil || !near(testkit.DenseRows(x), want) {
				t.Fatalf("by columns in another order: %v, want %v, error %v", testkit.DenseRows(x), want, err)
			}
		}
	}
}

// TestNewCodingAlone has nothing to fill in where nothing was missing; a coding of numbers alone is plain.
func TestNewCodingAlone(t *testing.T) {
	t.Parallel()
	c := randomCells(rand.New(rand.NewPCG(2, 5)))
	coding := table.NewCoding(c.fields, c.names, nil)
	if coding.Imputer(c.names) != nil || coding.IsPlain() || !slices.Equal(coding.Missing, table.UsualMissing()) {
		t.Errorf("%+v", coding)
	}
	for k, column := range coding.Columns {
		if f := c.fields[k+1]; column.Name != f.Name || !slices.Equal(column.Values, f.Values) || column.Fill != nil {
			t.Errorf("column %+v of %+v", column, f)
		}
	}
	numbers := []*table.Field{{Name: "a"}, {Name: "b"}}
	plain := table.NewCoding(numbers, []string{"a", "b"}, nil)
	if !plain.IsPlain() {
		t.Errorf("%+v is not plain", plain)
	}
	for name, c := range map[string]table.Coding{
		"sparse": {Sparse: true}, "commas": {DecimalComma: true}, "names": {Columns: []table.Column{{Values: []string{"x"}}}}, "filled": {Columns: []table.Column{{Fill: []float64{0}}}},
	} {
		if c.IsPlain() {
			t.Errorf("%s: plain", name)
		}
	}
}

// TestImputerTells says which field has no values, and that columns are others.
func TestImputerTells(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 5))
	for range 20 {
		c := randomCells(rng)
		k := 1 + rng.IntN(len(c.fields)-1)
		for _, row := range c.rows {
			row[k] = math.NaN()
		}
		x, gaps := c.matrix(false)
		var empty table.EmptyField
		if err := new(table.Imputer).Complete(x, c.names, c.fields, gaps); !errors.As(err, &empty) || int(empty) != k {
			t.Errorf("field %d has no values: error %v", k, err)
		}
	}
	c := randomCells(rng)
	x, gaps := c.matrix(false)
	others := slices.Clone(c.names)
	others[0] = "z"
	for _, f := range []*table.Imputer{{Columns: others, Fill: make([]float64, len(others))}, {Columns: c.names, Fill: []float64{1}}, {Columns: c.names[1:], Fill: make([]float64, len(c.names)-1)}} {
		if err := f.Complete(x, c.names, c.fields, gaps); !errors.Is(err, errs.ErrSettings) {
			t.Errorf("%+v: error %v", f, err)
		}
	}
}

// TestFitsColumns counts up to what an int32 holds, one left over.
func TestFitsColumns(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		columns, more int
		fits          bool
	}{{0, 0, true}, {math.MaxInt32 - 1, 0, true}, {math.MaxInt32, 0, false}, {math.MaxInt32 - 8, 7, true}, {math.MaxInt32 - 7, 7, false}, {5, math.MaxInt32, false}} {
		if err := table.FitsColumns(c.columns, c.more); (err == nil) != c.fits {
			t.Errorf("%d columns and %d more: error %v", c.columns, c.more, err)
		}
	}
}
