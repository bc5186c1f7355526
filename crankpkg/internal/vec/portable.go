package vec

import "math"

// What follows defines the results. The conversions to a type of floating point keep
// the compiler from fusing a product with a sum.

func dotPortable(x, y []float64) float64 {
	var s [lanes]float64
	return dotInLanes(s[:], x, y)
}

func dot32Portable(x, y []float32) float32 {
	var s [lanes32]float32
	return dotInLanes(s[:], x, y)
}

// dotInLanes adds the products in len(s) sums, a power of two, and then these in pairs.
func dotInLanes[T float32 | float64](s, x, y []T) T {
	y = y[:len(x)]
	// Four sums at a time stay in registers.
	for k := 0; k < len(s) && k < len(x); k += 4 {
		var a, b, c, d T
		i := k
		for ; i+3 < len(x); i += len(s) {
			u, v := x[i:i+4:i+4], y[i:i+4:i+4]
			a += T(u[0] * v[0])
			b += T(u[1] * v[1])
			c += T(u[2] * v[2])
			d += T(u[3] * v[3])
		}
		s[k], s[k+1], s[k+2], s[k+3] = a, b, c, d
		for j := k; i < len(x) && j < k+4; i, j = i+1, j+1 {
			s[j] += T(x[i] * y[i])
		}
	}
	return sumByHalves(s)
}

// sumByHalves adds len(s) sums, a power of two: the second half to the first, and so on.
func sumByHalves[T float32 | float64](s []T) T {
	for half := len(s) / 2; half > 0; half /= 2 {
		for k := range half {
			s[k] += s[k+half]
		}
	}
	return s[0]
}

func distancePortable(x, y []float64) float64 {
	var s [lanes]float64
	y = y[:len(x)]
	for ; len(x) >= lanes; x, y = x[lanes:], y[lanes:] {
		for k := range s {
			s[k] += math.Abs(x[k] - y[k])
		}
	}
	for k, v := range x {
		s[k] += math.Abs(v - y[k])
	}
	return sumByHalves(s[:])
}

func addScaledPortable[T float32 | float64](dst []T, a T, x []T) {
	dst = dst[:len(x)]
	for k, v := range x {
		dst[k] += T(a * v)
	}
}

// productPortable writes the products of rows with the vectors of a panel to
// dst[m*width:] of row m.
func productPortable(dst, x, w []float64, rows, width int) {
	d := len(w) / panel
	for m := range rows {
		row, to := x[m*d:(m+1)*d], dst[m*width:m*width+panel]
		var s [4][panel]float64
		for q := range s {
			s[q] = partPortable(row, w, q)
		}
		for i := range to {
			to[i] = (s[0][i] + s[1][i]) + (s[2][i] + s[3][i])
		}
	}
}

// partPortable returns the partial sums of the features q, q+4 and so on.
func partPortable(x, w []float64, q int) [panel]float64 {
	var a, b, c, d, e, f, g, h float64
	for k := q; k < len(x); k += 4 {
		v, u := x[k], w[k*panel:k*panel+panel:k*panel+panel]
		a += float64(v * u[0])
		b += float64(v * u[1])
		c += float64(v * u[2])
		d += float64(v * u[3])
		e += float64(v * u[4])
		f += float64(v * u[5])
		g += float64(v * u[6])
		h += float64(v * u[7])
	}
	return [panel]float64{a, b, c, d, e, f, g, h}
}
