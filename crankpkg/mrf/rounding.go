package mrf

// roundSimplex rounds p, close to a probability vector, to multiples of
// 1/MarginalUnit that sum to one. What is below rounding noise becomes zero.
func roundSimplex(mu []int32, p []float64) {
	const noise = 1e-6
	var total float64
	largest := 0
	for s, v := range p {
		if v > noise {
			total += v
		}
		if v > p[largest] {
			largest = s
		}
	}
	left := int32(MarginalUnit)
	for s, v := range p {
		mu[s] = 0
		if v > noise {
			mu[s] = int32(v / total * MarginalUnit)
			left -= mu[s]
		}
	}
	mu[largest] += left
}

// RoundTransport rounds x, close to a joint distribution with the marginals
// row and col, to multiples of 1/MarginalUnit that have them exactly: as much of x
// as fits, then the rest from corner to corner. The workspace left has room for
// both marginals.
func RoundTransport(mu []int32, x []float64, row, col, left []int32) {
	n := len(col)
	clear(mu)
	copy(left, row)
	copy(left[len(row):], col)
	row, col = left[:len(row)], left[len(row):len(row)+n]
	give := func(s, t int, v int32) {
		mu[s*n+t] += v
		row[s] -= v
		col[t] -= v
	}
	for s := range row {
		for t := range col {
			give(s, t, max(min(int32(x[s*n+t]*MarginalUnit), row[s], col[t]), 0))
		}
	}
	for s, t := 0, 0; s < len(row) && t < n; {
		give(s, t, min(row[s], col[t]))
		if row[s] == 0 {
			s++
		} else {
			t++
		}
	}
}
