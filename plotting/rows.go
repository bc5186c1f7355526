package plotting

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/plot/plotter"
)

// Lines returns a line for each name, of the rows of a result file or of any others. point says
// where a row belongs and what it has there, and an empty name that it is left out; y values of
// one name at the same x become their mean, with the standard deviation as error bar. A row by
// itself keeps its own error bar, if it is not zero. Points are in the order of x.
func Lines[T any](rows []T, names []string, point func(T) (name string, x, y, err float64)) []Line {
	lines := make([]Line, len(names))
	for k, wanted := range names {
		var own []valueAt
		for _, row := range rows {
			if name, x, y, err := point(row); name == wanted && name != "" {
				own = append(own, valueAt{x, y, err})
			}
		}
		lines[k] = lineOf(wanted, own)
	}
	return lines
}

// valueAt is a value at x, with an error bar.
type valueAt struct{ x, y, err float64 }

func lineOf(name string, values []valueAt) Line {
	slices.SortStableFunc(values, func(a, b valueAt) int { return cmp.Compare(a.x, b.x) })
	line, at, bars := Line{Name: name}, plotter.XYs{}, false
	for len(values) > 0 {
		n := 1
		for n < len(values) && values[n].x == values[0].x {
			n++
		}
		y, err := values[0].y, values[0].err
		if n > 1 {
			var ys []float64
			for _, v := range values[:n] {
				ys = append(ys, v.y)
			}
			y, err = stat.MeanStdDev(ys, nil)
		}
		at, line.Err, bars = append(at, plotter.XY{X: values[0].x, Y: y}), append(line.Err, err), bars || err != 0
		values = values[n:]
	}
	line.XYs = at
	if !bars {
		line.Err = nil
	}
	return line
}

// Matrix returns rows by columns of what cell says, NaN where it says nothing: the values of
// Comparison, RankedTable and HeatMap from the rows of a result file. Of several for one place
// the last counts.
func Matrix[T any](from []T, rows, columns []string, cell func(T) (row, column string, value float64)) [][]float64 {
	values := make([][]float64, len(rows))
	for i := range values {
		values[i] = slices.Repeat([]float64{math.NaN()}, len(columns))
	}
	for _, entry := range from {
		row, column, value := cell(entry)
		if i, j := slices.Index(rows, row), slices.Index(columns, column); i >= 0 && j >= 0 {
			values[i][j] = value
		}
	}
	return values
}
