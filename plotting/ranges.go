package plotting

import "math"

// beyond is where numbers are as good as infinite: differences and sums of those
// up to it are finite.
const beyond = 1e300

// plottable reports whether v can be drawn: as a finite number, and on a
// logarithmic axis as a positive one.
func plottable(v float64, log bool) bool {
	return math.Abs(v) <= beyond && (!log || v > 0)
}

// hasLength reports whether there are numbers enough from lo to hi for an axis or
// for a scale of colors.
func hasLength(lo, hi float64) bool {
	return hi-lo > math.Max(1/beyond, float64(1e-12*math.Max(math.Abs(lo), math.Abs(hi))))
}

// orUnit returns a range that a caller chose, in either direction, or [0, 1] if it
// cannot be drawn.
func orUnit(lo, hi float64) (float64, float64) {
	if plottable(lo, false) && plottable(hi, false) && hasLength(math.Min(lo, hi), math.Max(lo, hi)) {
		return lo, hi
	}
	return 0, 1
}
