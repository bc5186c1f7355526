package solver

import (
	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/internal/vec"
	"gonum.org/v1/gonum/floats"
)

// unaryWeights holds the vectors w_i of a training, the bias apart from the
// rest. Dense rows meet them label by label (w_i contiguous: a score is one
// dot product); sparse rows meet them feature by feature (the weights of all
// labels for one feature contiguous: a row touches as many runs of memory as
// it has non-zero features).
type unaryWeights struct {
	n, d   int
	sparse bool
	stride int
	w      []float64 // [i*stride+k] for dense rows, [k*n+i] for sparse rows
	bias   []float64
}

func newUnaryWeights(n, d int, sparse bool) *unaryWeights {
	u := &unaryWeights{n: n, d: d, sparse: sparse, stride: d, bias: make([]float64, n)}
	if !sparse {
		u.stride = vec.Stride(d)
	}
	u.w = make([]float64, n*u.stride)
	return u
}

// scoreAll writes w_i . x for all labels to dst.
func (u *unaryWeights) scoreAll(dst []float64, x feature.Row) {
	if !u.sparse {
		vec.DotsTo(dst, x.Value, u.w, u.stride)
		floats.Add(dst, u.bias)
		return
	}
	copy(dst, u.bias)
	for p, k := range x.Index {
		vec.AddScaled(dst, x.Value[p], u.w[int(k)*u.n:(int(k)+1)*u.n])
	}
}

// manyLabels is the share of the labels above which scores of sparse rows are computed
// for all: runs of memory take less time than places apart. PERFORMANCE.md has the measurements.
const manyLabels = 1.0 / 16

// mostListed returns for how many labels scoreSome is worth a list of them.
func (u *unaryWeights) mostListed() int {
	if u.sparse {
		return int(manyLabels * float64(u.n))
	}
	return u.n
}

// scoreSome writes w_i . x to dst[i] for the labels in which, and may do so for others.
func (u *unaryWeights) scoreSome(dst []float64, x feature.Row, which []int32) {
	if u.sparse {
		if len(which) > u.mostListed() {
			u.scoreAll(dst, x)
			return
		}
		for _, i := range which {
			dst[i] = u.score(i, x)
		}
		return
	}
	vec.SomeDotsTo(dst, x.Value, u.w, u.stride, which)
	for _, i := range which {
		dst[i] += u.bias[i]
	}
}

// of returns w_i, for dense rows.
func (u *unaryWeights) of(i int) []float64 { return u.w[i*u.stride : i*u.stride+u.d] }

// score returns w_i . x.
func (u *unaryWeights) score(i int32, x feature.Row) float64 {
	if !u.sparse {
		return u.bias[i] + vec.Dot(x.Value, u.of(int(i)))
	}
	sum := u.bias[i]
	for p, k := range x.Index {
		sum += x.Value[p] * u.w[int(k)*u.n+int(i)]
	}
	return sum
}

// add adds a x to w_i.
func (u *unaryWeights) add(i int32, a float64, x feature.Row) {
	u.bias[i] += a
	if !u.sparse {
		vec.AddScaled(u.of(int(i)), a, x.Value)
		return
	}
	for p, k := range x.Index {
		u.w[int(k)*u.n+int(i)] += a * x.Value[p]
	}
}

// squaredNorm returns sum_i |w_i|^2, biases included.
func (u *unaryWeights) squaredNorm() float64 {
	return vec.Dot(u.w, u.w) + vec.Dot(u.bias, u.bias)
}

// scale multiplies all weights by a.
func (u *unaryWeights) scale(a float64) {
	floats.Scale(a, u.w)
	floats.Scale(a, u.bias)
}

// copyTo writes w_i with the bias last, as Model keeps it.
func (u *unaryWeights) copyTo(dst []float64, i int) {
	for k := range u.d {
		if u.sparse {
			dst[k] = u.w[k*u.n+i]
		} else {
			dst[k] = u.w[i*u.stride+k]
		}
	}
	dst[u.d] = u.bias[i]
}
