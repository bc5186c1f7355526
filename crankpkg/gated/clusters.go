package gated

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/feature"
	"gonum.org/v1/gonum/floats"
)

// Clusters has each input in the region of the nearest center.
type Clusters struct {
	Scaler  crankpkg.Scaler
	Centers [][]float64 // of scaled rows
}

// NewClusters returns k-means clusters of the z-scored rows of x: of ten draws of first centers
// (k-means++) the one with the least sum of squared distances. The error wraps ErrSettings unless there are 1
// to x.NumRows clusters, or ErrData where the rows cannot be scaled.
func NewClusters(x *crankpkg.Matrix, k int, seed uint64) (Clusters, error) {
	if k < 1 || k > x.NumRows {
		return Clusters{}, fmt.Errorf("gated: %w: %d clusters of %d rows", crankpkg.ErrSettings, k, x.NumRows)
	}
	scaler, err := feature.FitScaler(crankpkg.ZScore, x)
	if err != nil {
		return Clusters{}, fmt.Errorf("gated: %w", err)
	}
	rows, rnd := scaler.Apply(x).Dense(), rand.New(rand.NewPCG(seed, 0x6b6d65616e73)) // "kmeans"
	best, least := Clusters{}, math.Inf(1)
	for range 10 {
		c := Clusters{scaler, firstCenters(rows, k, rnd)}
		if sum := c.settle(rows); sum < least {
			best, least = c, sum
		}
	}
	return best, nil
}

// firstCenters draws rows, each with a probability that grows with its squared distance from those before.
func firstCenters(rows *crankpkg.Matrix, k int, rnd *rand.Rand) (centers [][]float64) {
	centers = append(centers, slices.Clone(rows.Row(rnd.IntN(rows.NumRows)).Value))
	for len(centers) < k {
		total, up := 0.0, make([]float64, rows.NumRows)
		for m := range up {
			_, d := nearest(centers, rows.Row(m).Value)
			total += d
			up[m] = total
		}
		at := rnd.Float64() * total
		m := min(slices.IndexFunc(append(up, math.Inf(1)), func(u float64) bool { return u > at }), rows.NumRows-1)
		centers = append(centers, slices.Clone(rows.Row(m).Value))
	}
	return centers
}

// settle moves centers to the means of their rows until that changes little, and returns the sum of squared
// distances.
func (c Clusters) settle(rows *crankpkg.Matrix) float64 {
	for last := math.Inf(1); ; {
		sum := 0.0
		means, counts := make([][]float64, len(c.Centers)), make([]float64, len(c.Centers))
		for k := range means {
			means[k] = make([]float64, rows.NumCols)
		}
		for m := range rows.NumRows {
			k, d := nearest(c.Centers, rows.Row(m).Value)
			floats.Add(means[k], rows.Row(m).Value)
			counts[k]++
			sum += d
		}
		if !(sum < last*(1-1e-9)) {
			return sum
		}
		last = sum
		for k, count := range counts {
			if count > 0 {
				floats.Scale(1/count, means[k])
				c.Centers[k] = means[k]
			}
		}
	}
}

// nearest returns the center that is nearest to a row, and the squared distance.
func nearest(centers [][]float64, row []float64) (best int, least float64) {
	least = math.Inf(1)
	for k, c := range centers {
		d := 0.0
		for j, v := range row {
			d += (v - c[j]) * (v - c[j])
		}
		if d < least {
			best, least = k, d
		}
	}
	return best, least
}

// Regions returns the number of clusters.
func (c Clusters) Regions() int { return len(c.Centers) }

// Region returns the cluster of a raw row.
func (c Clusters) Region(x crankpkg.Row) int {
	row := make([]float64, len(c.Centers[0]))
	x.AddScaledTo(row, 1)
	one := &crankpkg.Matrix{NumRows: 1, NumCols: len(row), Value: row}
	k, _ := nearest(c.Centers, c.Scaler.Apply(one).Row(0).Value)
	return k
}
