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

// BandOf returns the lines with the error bars of one alone, as a band: of several lines close together, the bars of all cannot be read.
func BandOf(name string, lines []Line) []Line {
	lines = slices.Clone(lines)
	for k := range lines {
		if lines[k].Band = lines[k].Name == name; !lines[k].Band {
			lines[k].Err = nil
		}
	}
	return lines
}

// Less returns the lines less the one of that name, which is then at zero with its own error bars as a band. The other lines have
// no bars, as theirs are not those of a difference. Points at an x where the one has none are left out; without it, all are.
func Less(name string, lines []Line) []Line {
	lines = BandOf(name, lines)
	base := map[float64]float64{}
	for _, l := range lines {
		if l.Name == name && l.XYs != nil {
			for i := range l.XYs.Len() {
				x, y := l.XYs.XY(i)
				base[x] = y
			}
		}
	}
	for k, l := range lines {
		lines[k] = l.less(base)
	}
	return lines
}

// less returns the line less what stands at the same x.
func (l Line) less(base map[float64]float64) Line {
	out, at := l, plotter.XYs{}
	out.Err, out.Ringed = nil, nil
	for i := 0; l.XYs != nil && i < l.XYs.Len(); i++ {
		x, y := l.XYs.XY(i)
		of, there := base[x]
		if !there {
			continue
		}
		at = append(at, plotter.XY{X: x, Y: y - of})
		if l.Err != nil {
			out.Err = append(out.Err, l.Err[i])
		}
		if l.Ringed != nil {
			out.Ringed = append(out.Ringed, l.Ringed[i])
		}
	}
	out.XYs = at
	return out
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
