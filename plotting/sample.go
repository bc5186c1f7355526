package plotting

import (
	"fmt"

	"github.com/crank-ml/crank/crankpkg/metrics"
	"gonum.org/v1/plot/plotter"
)

// Sampled returns a function of one variable as a line of 201 points.
func Sampled(name string, from, to float64, f func(x float64) float64) Line {
	const n = 200
	points := make(plotter.XYs, n+1)
	for k := range points {
		t := float64(k) / n
		x := float64((1-t)*from) + float64(t*to)
		points[k] = plotter.XY{X: x, Y: f(x)}
	}
	return Line{Name: name, XYs: points}
}

// MeanLine returns the line of means, with standard errors as bars, of repeated measurements: values[k] are those at x[k]. It panics
// where the lengths differ.
func MeanLine(name string, x []float64, values [][]float64) Line {
	if len(x) != len(values) {
		panic(fmt.Sprintf("plotting: %d places and %d lists of values", len(x), len(values)))
	}
	points, err := make(plotter.XYs, len(x)), make([]float64, len(x))
	for k := range x {
		points[k].X = x[k]
		points[k].Y, err[k] = metrics.MeanStdErr(values[k])
	}
	return Line{Name: name, XYs: points, Err: err}
}
