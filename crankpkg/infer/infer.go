package infer

// Labeling is a point of the local polytope over binary labels in halves:
// y[i] is 0, 1 or 2 for y_i = 0, 1/2 or 1. The linear programming relaxation
// always has an optimum of this form, and an integral labeling has no 1.
// The value of a pair follows from PairHalves.
type Labeling []uint8

// The values of one label in a Labeling.
const (
	Off  uint8 = 0 // y_i = 0
	Half uint8 = 1 // y_i = 1/2
	On   uint8 = 2 // y_i = 1
)

// PairHalves returns the optimal y_ij, in halves, for labels with the values a
// and b and a pair of weight w: the product when one of them is integral;
// when both are one half, one half where w > 0 and zero elsewhere.
func PairHalves(a, b uint8, w float64) uint8 {
	if a == Half && b == Half {
		if w > 0 {
			return 1
		}
		return 0
	}
	return a * b / 2
}

// Value returns sum_i c_i y_i + sum_ij w_ij y_ij over the edges of g.
func (y Labeling) Value(g *PairGraph, c []float64) float64 {
	var unary, pair float64
	for i, v := range y {
		unary += c[i] * float64(v)
	}
	for _, e := range g.Edges {
		pair += e.Weight * float64(PairHalves(y[e.I], y[e.J], e.Weight))
	}
	return (unary + pair) / 2
}

// NewLabeling returns the integral labeling of the zeros and ones in y.
func NewLabeling(y []uint8) Labeling {
	l := make(Labeling, len(y))
	l.Set(y)
	return l
}

// Set makes y the integral labeling of the given zeros and ones, which may
// stand in y's own memory.
func (y Labeling) Set(bits []uint8) {
	for i := range y {
		y[i] = 2 * bits[i]
	}
}

// RoundTo writes zeros and ones to dst, which may be y's own memory. A label
// that is one half is rounded by the sign of its unary score: to 1 where
// c_i > 0 and to 0 elsewhere.
func (y Labeling) RoundTo(dst []uint8, c []float64) {
	for i, v := range y {
		dst[i] = v / 2
		if v == Half && c[i] > 0 {
			dst[i] = 1
		}
	}
}

// Halves returns the number of labels that are one half.
func (y Labeling) Halves() int {
	count := 0
	for _, v := range y {
		if v == Half {
			count++
		}
	}
	return count
}

// IsIntegral reports whether no label is one half.
func (y Labeling) IsIntegral() bool {
	for _, v := range y {
		if v == Half {
			return false
		}
	}
	return true
}

// Oracle solves the maximization inside prediction (c_i = w_i . x) and inside
// the hinge loss of eq. (1) (c_i = w_i . x + 1 - 2 y_i, see AugmentTo):
//
//	max  sum_i c_i y_i + sum_ij w_ij y_ij
//
// over all labelings or over the local polytope, which contains them. The
// pairs and their weights are those of the PairGraph that the oracle was made
// for, as they are at the time of the call. An Oracle owns its workspace: it
// allocates nothing once warm, and each goroutine needs its own.
type Oracle interface {
	// Maximize writes a maximizer to y and returns its value. Both y and c have
	// n entries. Among equal maximizers the choice is deterministic.
	Maximize(y Labeling, c []float64) float64
}
