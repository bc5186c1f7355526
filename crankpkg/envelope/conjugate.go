package envelope

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// Conjugate returns the convex conjugate at the given slopes of a function that
// is known at points:
//
//	g*(s) = max_k s . x_k - g(x_k)
//
// It is taken over the points alone and takes time points x slopes. Twice
// gives the biconjugate, the largest convex function below g that is a maximum
// of affine functions with these slopes:
//
//	values := Conjugate(slopes, Conjugate(points, g, slopes), queries)
//
// With enough slopes that is the convex envelope. It panics when points and
// values differ in number, or points and slopes in dimension.
func Conjugate(points [][]float64, values []float64, slopes [][]float64) []float64 {
	if len(points) != len(values) {
		panic("envelope: unequal numbers of points and values")
	}
	conjugate := make([]float64, len(slopes))
	for j, s := range slopes {
		best := math.Inf(-1)
		for k, x := range points {
			best = math.Max(best, floats.Dot(s, x)-values[k])
		}
		conjugate[j] = best
	}
	return conjugate
}

// GridPoints returns the points of a regular grid in the cube [lo, hi]^dim
// with perSide points on each side, both ends included. It panics when
// perSide is below 2 or the grid has more than ten million points.
func GridPoints(dim, perSide int, lo, hi float64) [][]float64 {
	if perSide < 2 || math.Pow(float64(perSide), float64(dim)) > 1e7 {
		panic("envelope: a grid needs 2 points a side and at most ten million in all")
	}
	points := [][]float64{nil}
	for range dim {
		var longer [][]float64
		for _, p := range points {
			for k := range perSide {
				v := lo + (hi-lo)*float64(k)/float64(perSide-1)
				longer = append(longer, append(append(make([]float64, 0, dim), p...), v))
			}
		}
		points = longer
	}
	return points
}
