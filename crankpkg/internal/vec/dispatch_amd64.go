//go:build amd64 && !purego

package vec

// unit is a set of vector instructions.
type unit int

const (
	none unit = iota
	avx2
	avx512
)

// best is what this processor has.
var best = detect()

// Vectors are multiplied and added by AVX2 even where there is AVX-512: the time goes
// into loads, and wider ones straddle two lines of the cache more often. The solver's PERFORMANCE.md
// has the measurements.

func dot(x, y []float64) float64 {
	if best >= avx2 {
		return dotAVX2(&x[0], &y[0], len(x))
	}
	return dotPortable(x, y)
}

func dots(dst, x, w []float64, stride int) {
	d, i := len(x), 0
	if best >= avx2 {
		for ; i+2 <= len(dst); i += 2 {
			dots2AVX2((*[2]float64)(dst[i:]), &x[0], &w[i*stride], &w[(i+1)*stride], d)
		}
	}
	for ; i < len(dst); i++ {
		dst[i] = dot(x, w[i*stride:i*stride+d])
	}
}

func someDots(dst, x, w []float64, stride int, which []int32) {
	d := len(x)
	if best >= avx2 {
		var to [2]float64
		for ; len(which) >= 2; which = which[2:] {
			i, j := int(which[0]), int(which[1])
			dots2AVX2(&to, &x[0], &w[i*stride], &w[j*stride], d)
			dst[i], dst[j] = to[0], to[1]
		}
	}
	for _, i := range which {
		dst[i] = dot(x, w[int(i)*stride:int(i)*stride+d])
	}
}

func distance(x, y []float64) float64 {
	if best >= avx2 {
		return distanceAVX2(&x[0], &y[0], len(x))
	}
	return distancePortable(x, y)
}

func addScaled(dst []float64, a float64, x []float64) {
	if best >= avx2 {
		addScaledAVX2(&dst[0], a, &x[0], len(x))
		return
	}
	addScaledPortable(dst, a, x)
}

func dot32(x, y []float32) float32 {
	if best >= avx2 {
		return dot32AVX2(&x[0], &y[0], len(x))
	}
	return dot32Portable(x, y)
}

func addScaled32(dst []float32, a float32, x []float32) {
	if best >= avx2 {
		addScaled32AVX2(&dst[0], a, &x[0], len(x))
		return
	}
	addScaledPortable(dst, a, x)
}

// productRow writes the products of one row with the first panels in w, and returns how many
// panels it has done: pairs of them, which load each feature once.
func productRow(dst, x, w []float64, panels int) (done int) {
	if best != avx512 {
		return 0
	}
	for ; done+2 <= panels; done += 2 {
		product2AVX512(&dst[done*panel], &x[0], &w[done*len(x)*panel], len(x))
	}
	return done
}

func product(dst, x, w []float64, rows, width int) {
	d, m := len(w)/panel, 0
	switch best {
	case avx512:
		for ; m+4 <= rows; m += 4 {
			product4AVX512(&dst[m*width], &x[m*d], &w[0], d, width)
		}
		for ; m < rows; m++ {
			productAVX512(&dst[m*width], &x[m*d], &w[0], d)
		}
	case avx2:
		for ; m < rows; m++ {
			productAVX2(&dst[m*width], &x[m*d], &w[0], d)
		}
	default:
		productPortable(dst, x, w, rows, width)
	}
}

// detect asks the processor, and the operating system, which has to keep the
// registers from one goroutine's thread to another's.
func detect() unit {
	const (
		osxsave, avx         = 1 << 27, 1 << 28 // ecx of leaf 1
		hasAVX2, hasAVX512F  = 1 << 5, 1 << 16  // ebx of leaf 7
		keepsYMM, keepsZMM   = 0x06, 0xe6       // eax of xgetbv
		featuresOf, moreOfIt = 1, 7
	)
	if most, _, _ := cpuid(0, 0); most < moreOfIt {
		return none
	}
	if _, _, c := cpuid(featuresOf, 0); c&(osxsave|avx) != osxsave|avx {
		return none
	}
	_, b, _ := cpuid(moreOfIt, 0)
	switch kept := xgetbv(); {
	case b&(hasAVX2|hasAVX512F) == hasAVX2|hasAVX512F && kept&keepsZMM == keepsZMM:
		return avx512
	case b&hasAVX2 != 0 && kept&keepsYMM == keepsYMM:
		return avx2
	}
	return none
}

// The assembly. Lengths n are at least 1.

//go:noescape
func cpuid(leaf, sub uint32) (eax, ebx, ecx uint32)

//go:noescape
func xgetbv() (eax uint32)

//go:noescape
func dotAVX2(x, y *float64, n int) float64

// dots2AVX2 writes the products of x with two vectors.
//
//go:noescape
func dots2AVX2(dst *[2]float64, x, w0, w1 *float64, n int)

//go:noescape
func distanceAVX2(x, y *float64, n int) float64

//go:noescape
func addScaledAVX2(dst *float64, a float64, x *float64, n int)

//go:noescape
func dot32AVX2(x, y *float32, n int) float32

//go:noescape
func addScaled32AVX2(dst *float32, a float32, x *float32, n int)

// productAVX2 writes the products of one row with the vectors of a panel.
//
//go:noescape
func productAVX2(dst, x, w *float64, n int)

//go:noescape
func productAVX512(dst, x, w *float64, n int)

// product2AVX512 does two panels, one after the other in w and dst.
//
//go:noescape
func product2AVX512(dst, x, w *float64, n int)

// product4AVX512 does four rows; the products of row m go to dst + m width.
//
//go:noescape
func product4AVX512(dst, x, w *float64, n, width int)
