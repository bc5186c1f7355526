package table

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/crank-ml/crank/crankpkg/feature"
)

// Data is what a file holds: M rows of d features and of n labels.
type Data struct {
	Name         string
	FeatureNames []string
	LabelNames   []string
	X            *feature.Matrix // M x d
	Y            []uint8         // M x n, each 0 or 1
	Coding       Coding          // of the features; zero where that is plain
	Unlabeled    bool            // Y says nothing
}

// SparseWidening is how many times as many columns as fields may come of one-hot
// coding before the rows of a dense table are stored sparsely.
const SparseWidening = 4

// Affordable reports whether a text of so many bytes is large enough to justify so
// many bytes of memory. The bound lets pass every file of sensible shape (the
// densest of Mulan's sets need 5 bytes for each byte of text) and keeps a small
// hostile file from filling the memory.
func Affordable(memory int64, text int) bool {
	const (
		always  = 16 << 20
		perByte = 64
	)
	return memory <= always+perByte*int64(text)
}

// Field is a column of a table: of numbers, which is one column among the features, or of
// names (nominal), which is one for two values and else one for each.
type Field struct {
	Name   string
	Values []string // of a nominal field, else nil
	// One is the place of the value that counts as 1, of a field of two values.
	One int32
	// Column is the first column of a feature, or the position of a label.
	Column int32
	// Width is the number of columns of a feature.
	Width int32
}

// LayOut gives f its columns, from first, and returns the bytes of their names.
func (f *Field) LayOut(first int) int {
	f.Column, f.Width = int32(first), 1
	one, plain := TrueValue(f.Values)
	if !plain && len(f.Values) == 2 && f.Values[1] > f.Values[0] {
		one = 1 // the later in order, so that files which declare them in either order agree
	}
	f.One = one
	if f.Values == nil || len(f.Values) == 2 {
		return len(f.Name)
	}
	f.Width = int32(len(f.Values))
	size := 0
	for _, value := range f.Values {
		size += len(f.Name) + 1 + len(value)
	}
	return size
}

// AppendColumnNames adds the names of f's columns.
func (f *Field) AppendColumnNames(names []string) []string {
	if _, plain := TrueValue(f.Values); plain || f.Values == nil {
		return append(names, f.Name)
	}
	if len(f.Values) == 2 {
		return append(names, f.Name+"="+f.Values[f.One])
	}
	for _, value := range f.Values {
		names = append(names, f.Name+"="+value)
	}
	return names
}

// namesColumn reports whether name is that of f's column at place, without making it.
func (f *Field) namesColumn(place int, name string) bool {
	if _, plain := TrueValue(f.Values); plain || f.Values == nil {
		return name == f.Name
	}
	if len(f.Values) == 2 {
		place = int(f.One)
	}
	rest, ok := strings.CutPrefix(name, f.Name)
	return ok && len(rest) > 0 && rest[0] == '=' && rest[1:] == f.Values[place]
}

// Code returns the column of a cell that is not zero and its value there. The cell of
// a nominal field has the place of its value in number.
func (f *Field) Code(number float64) (column int32, value float64) {
	switch {
	case f.Values == nil:
		return f.Column, number
	case len(f.Values) != 2:
		return f.Column + int32(number), 1
	case int32(number) == f.One:
		return f.Column, 1
	}
	return f.Column, 0
}

// Describe tells the values of a nominal field for an error.
func (f *Field) Describe() string {
	const most = 5
	more := ""
	if len(f.Values) > most {
		more = ",..."
	}
	return Clip("{" + strings.Join(f.Values[:min(len(f.Values), most)], ",") + more + "}")
}

// Clip quotes a text for an error, shortened if it is long.
func Clip(text string) string {
	const most = 60
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "..."
	}
	return strconv.Quote(text)
}

// falseTrue lists the values that read as 0 and 1.
var falseTrue = [][2]string{{"0", "1"}, {"no", "yes"}, {"n", "y"}, {"false", "true"}, {"f", "t"}, {"-1", "1"}}

// TrueValue returns the place of the value that reads as 1 when the values are one of
// the pairs 0/1, no/yes, n/y, false/true, f/t and -1/1, in either order and any case,
// numbers in any spelling.
func TrueValue(values []string) (place int32, ok bool) {
	if len(values) != 2 {
		return 0, false
	}
	for _, pair := range falseTrue {
		for one := range int32(2) {
			if Same(values[1-one], pair[0]) && Same(values[one], pair[1]) {
				return one, true
			}
		}
	}
	return 0, false
}

// Truth returns what a value of the pairs of TrueValue means by itself.
func Truth(value string) (on, ok bool) {
	for _, pair := range falseTrue {
		if Same(value, pair[1]) {
			return true, true
		}
		if Same(value, pair[0]) {
			return false, true
		}
	}
	return false, false
}

// Same reports whether two texts are equal in any case, or equal as numbers.
func Same(a, b string) bool {
	if strings.EqualFold(a, b) {
		return true
	}
	x, ok := ParseNumber([]byte(a))
	y, also := ParseNumber([]byte(b))
	return ok && also && x == y
}

// ParseNumber parses a finite decimal number. Unlike ParseFloat it takes no
// hexadecimal digits, no underscores, no NaN and no Inf.
func ParseNumber(text []byte) (float64, bool) {
	for _, c := range text {
		if (c < '0' || c > '9') && c != '.' && c != '-' && c != '+' && c != 'e' && c != 'E' {
			return 0, false
		}
	}
	v, err := strconv.ParseFloat(string(text), 64)
	return v, err == nil
}

// IsNaN reports whether a text is the NaN that programs write for a missing number.
func IsNaN(text []byte) bool { return bytes.EqualFold(text, []byte("nan")) }

// FitsColumns returns an error when so many columns cannot be counted.
func FitsColumns(columns, more int) error {
	if columns > math.MaxInt32-more-1 {
		return fmt.Errorf("more than %d columns", math.MaxInt32)
	}
	return nil
}
