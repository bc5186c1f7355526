// Package vec has the inner loops of training and prediction: dot products, distances,
// additions of multiples, and products of rows with all labels' weights. They use
// the vector units of amd64 processors (AVX2 or AVX-512, whichever there is), and
// give the same bits on all of them and without any.
//
// For that, every function defines the order in which it adds, below in plain
// words and in portable.go in plain Go, and each product is rounded before it is
// added: fused multiply-adds would round once, and not every processor has them.
// Only the bits of a NaN are left open. The assembly has one file for each set of
// instructions. The build tag purego leaves it out:
//
//	go test -tags purego ./crankpkg/internal/vec
//
// Slices that are written may be among those read only where they are the same.
// The package depends on nothing; feature, the solver and predictors use it.
package vec

// lanes is the number of partial sums of a dot product: number k belongs to sum
// k mod lanes. They fill four registers of AVX2, or two of AVX-512.
const lanes, lanes32 = 16, 32

// Dot returns x . y for vectors of the same length. Its partial sums are added
// by halves: sum k and sum k+8, then k and k+4, k and k+2, and the last two.
func Dot(x, y []float64) float64 {
	checkLengths(len(x), len(y))
	if len(x) == 0 {
		return 0
	}
	return dot(x, y)
}

// Stride returns the number of places, at least d, at which the next vector of d numbers
// had better begin: loads that do not straddle two lines of the cache take two thirds of
// the time.
func Stride(d int) int { return (d + 7) &^ 7 }

// DotsTo writes x . w_i to dst[i]. The vectors w_i are as long as x, and begin at every
// stride-th place of w. The bits are those of Dot.
func DotsTo(dst, x, w []float64, stride int) {
	checkStride(len(dst), len(x), len(w), stride)
	if len(x) == 0 {
		clear(dst)
		return
	}
	dots(dst, x, w, stride)
}

// SomeDotsTo is DotsTo for the vectors in which alone: it writes dst[i] for each i
// there, and leaves the others.
func SomeDotsTo(dst, x, w []float64, stride int, which []int32) {
	checkStride(len(dst), len(x), len(w), stride)
	if len(x) == 0 {
		for _, i := range which {
			dst[i] = 0
		}
		return
	}
	someDots(dst, x, w, stride, which)
}

// DistancesTo writes sum_k |x_k - w_ik| to dst[i], by partial sums as those of Dot. The vectors w_i
// are as long as x, one after the other in w.
func DistancesTo(dst, x, w []float64) {
	d := len(x)
	checkLengths(len(dst)*d, len(w))
	if d == 0 {
		clear(dst)
		return
	}
	for i := range dst {
		dst[i] = distance(x, w[i*d:(i+1)*d])
	}
}

// AddScaled adds a x to dst, of the same length.
func AddScaled(dst []float64, a float64, x []float64) {
	checkLengths(len(dst), len(x))
	if len(x) > 0 {
		addScaled(dst, a, x)
	}
}

// Dot32 is Dot in single precision: of 32 partial sums, k and k+16 are added
// first.
func Dot32(x, y []float32) float32 {
	checkLengths(len(x), len(y))
	if len(x) == 0 {
		return 0
	}
	return dot32(x, y)
}

// AddScaled32 is AddScaled in single precision.
func AddScaled32(dst []float32, a float32, x []float32) {
	checkLengths(len(dst), len(x))
	if len(x) > 0 {
		addScaled32(dst, a, x)
	}
}

func checkStride(n, d, size, stride int) {
	if stride < d {
		panic("vec: vectors that overlap")
	}
	checkLengths(n*stride, size)
}

func checkLengths(a, b int) {
	if a != b {
		panic("vec: vectors of different lengths")
	}
}
