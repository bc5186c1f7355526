package testkit

import (
	"math/rand/v2"

	"github.com/crank-ml/crank/crankpkg/feature"
)

// RandomExamples returns the rows, dense or sparse, of m examples of d features,
// and n labels of each that depend on the row and on one another.
func RandomExamples(rng *rand.Rand, m, d, n int, sparse bool) (x *feature.Matrix, y []uint8) {
	y = make([]uint8, m*n)
	if sparse {
		x = feature.NewSparse(d)
	} else {
		x = &feature.Matrix{NumRows: m, NumCols: d}
	}
	for m := range m {
		row := make([]float64, d)
		var index []int32
		var value []float64
		for k := range row {
			if !sparse || rng.IntN(3) == 0 {
				row[k] = rng.NormFloat64()
				index = append(index, int32(k))
				value = append(value, row[k])
			}
		}
		if sparse {
			x.AppendSparse(index, value)
		} else {
			x.Value = append(x.Value, row...)
		}
		for i := range n {
			score := row[i%d] + 0.3*rng.NormFloat64()
			if i > 0 {
				score += float64(y[m*n+i-1]) - 0.5
			}
			if score > 0 {
				y[m*n+i] = 1
			}
		}
	}
	return x, y
}

// LabelRows returns the labels of so many rows, n of each, as text: a digit for each.
func LabelRows(y []uint8, count, n int) []string {
	rows := make([]string, count)
	for m := range rows {
		for _, v := range y[m*n : (m+1)*n] {
			rows[m] += string('0' + rune(v))
		}
	}
	return rows
}
