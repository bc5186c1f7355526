package tabular

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Labels are the labels of all rows: what Indicators, ZeroOne, ZeroOneMatrix or Sets return.
type Labels struct {
	rows int
	// values returns names, those given or others, and the values of all rows.
	values func(names []string) ([]string, []uint8, error)
}

// Number is a type whose 0 and 1 can stand for a label that is off and on.
type Number interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64
}

// Indicators are labels that y tells by true and false, row after row.
func Indicators[T ~bool](y [][]T) Labels {
	return indicators(len(y), func(m int) int { return len(y[m]) }, func(m, i int) (uint8, error) {
		if y[m][i] {
			return 1, nil
		}
		return 0, nil
	})
}

// ZeroOne are labels that y tells by 1 and 0, row after row.
func ZeroOne[T Number](y [][]T) Labels {
	return indicators(len(y), func(m int) int { return len(y[m]) }, func(m, i int) (uint8, error) { return zeroOne(y[m][i]) })
}

// ZeroOneMatrix are labels that a matrix tells by 1 and 0, a row for each example.
func ZeroOneMatrix(y mat.Matrix) Labels {
	rows, n := y.Dims()
	return indicators(rows, func(int) int { return n }, func(m, i int) (uint8, error) { return zeroOne(y.At(m, i)) })
}

func zeroOne[T Number](v T) (uint8, error) {
	switch v {
	case 0:
		return 0, nil
	case 1:
		return 1, nil
	}
	return 0, fmt.Errorf("%v is neither 0 nor 1", v)
}

// indicators are labels of rows of some widths, whose values at gives.
func indicators(rows int, width func(m int) int, at func(m, i int) (uint8, error)) Labels {
	return Labels{rows, func(names []string) ([]string, []uint8, error) {
		n := len(names)
		if names == nil && rows > 0 {
			n = width(0)
			names = numbered("y", n)
		}
		y := make([]uint8, 0, rows*n)
		for m := range rows {
			if width(m) != n {
				return nil, nil, fmt.Errorf("row %d has %d labels, not %d", m, width(m), n)
			}
			for i := range n {
				v, err := at(m, i)
				if err != nil {
					return nil, nil, fmt.Errorf("row %d, label %q: %w", m, names[i], err)
				}
				y = append(y, v)
			}
		}
		return slices.Clone(names), y, nil
	}}
}

// Sets are labels that y tells by the names of those that are on, row after row. The labels
// are those of Names.Labels, or all names that occur, in alphabetical order.
func Sets(y [][]string) Labels {
	return Labels{len(y), func(names []string) ([]string, []uint8, error) {
		if names == nil {
			names = slices.Concat(y...)
			slices.Sort(names)
			names = slices.Compact(names)
		}
		place := make(map[string]int, len(names))
		for i, name := range names {
			place[name] = i
		}
		values := make([]uint8, len(y)*len(names))
		for m, set := range y {
			for _, name := range set {
				i, found := place[name]
				if !found {
					return nil, nil, fmt.Errorf("row %d: %q is none of the %d labels", m, name, len(names))
				}
				values[m*len(names)+i] = 1
			}
		}
		return slices.Clone(names), values, nil
	}}
}
