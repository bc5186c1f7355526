package feature

import "github.com/crank-ml/crank/crankpkg/internal/vec"

// kernelMap maps raw rows to the values of a kernel at its landmarks.
type kernelMap struct {
	kernel  *Kernel
	scaler  Scaler
	sizes   []float64  // of the landmarks
	columns [][]stored // of sparse landmarks, by feature; else nil
}

// stored is a value of a landmark.
type stored struct {
	landmark int32
	value    float64
}

func newKernelMap(k *Kernel, s Scaler) *kernelMap {
	x := k.Landmarks
	p := &kernelMap{kernel: k, scaler: s, sizes: make([]float64, x.NumRows)}
	if x.IsSparse() {
		p.columns = make([][]stored, x.NumCols)
	}
	for l := range p.sizes {
		row := x.Row(l)
		p.sizes[l] = k.size(row)
		for q, c := range row.Index {
			p.columns[c] = append(p.columns[c], stored{int32(l), row.Value[q]})
		}
	}
	return p
}

func (p *kernelMap) count() int { return len(p.sizes) }

// mapRows is how many rows are mapped at a time, and mapLandmarks how many landmarks stay
// in the cache while they pass by.
const mapRows, mapLandmarks = 64, 64

func (p *kernelMap) rowsTo(z []float64, x *Matrix, first, last int) {
	for ; first < last; first += mapRows {
		block := p.scaler.Apply(x.between(first, min(first+mapRows, last)))
		size := block.NumRows * p.count()
		p.blockTo(z[:size], block)
		z = z[size:]
	}
}

// blockTo writes the kernel's values for scaled rows to z, which is zero.
func (p *kernelMap) blockTo(z []float64, x *Matrix) {
	p.commonTo(z, x)
	for m := range x.NumRows {
		row, size := z[m*p.count():(m+1)*p.count()], p.kernel.size(x.Row(m))
		for l, common := range row {
			row[l] = p.kernel.value(common, p.sizes[l], size)
		}
	}
}

// commonTo adds what scaled rows have in common with the landmarks to z.
func (p *kernelMap) commonTo(z []float64, x *Matrix) {
	if p.columns == nil {
		p.dense(z, x.Dense())
	} else {
		p.sparse(z, x)
	}
}

// dense adds what rows have in common with dense landmarks to z.
func (p *kernelMap) dense(z []float64, x *Matrix) {
	d, count := x.NumCols, p.count()
	if d == 0 {
		return
	}
	kind := p.kernel.Kind
	for first := 0; first < count; first += mapLandmarks {
		last := min(first+mapLandmarks, count)
		tile := p.kernel.Landmarks.Value[first*d : last*d]
		for m := range x.NumRows {
			row, to := x.Row(m).Value, z[m*count+first:m*count+last]
			switch kind {
			case Gaussian, Polynomial:
				vec.DotsTo(to, row, tile, d)
			case Laplace:
				p.nearTo(to, row, first, last)
			default:
				for l := range to {
					var sum float64
					for k, v := range tile[l*d : (l+1)*d] {
						sum += p.kernel.common(row[k], v)
					}
					to[l] = sum
				}
			}
		}
	}
}

// nearTo writes what a row has in common with some landmarks by the sums of |x_k - x'_k|, which
// vector units add without branches: of two values of one sign, the smaller is
// (|u| + |v| - |u - v|) / 2, which is zero for others.
func (p *kernelMap) nearTo(to, row []float64, first, last int) {
	size, d := p.kernel.size(Row{Value: row}), len(row)
	vec.DistancesTo(to, row, p.kernel.Landmarks.Value[first*d:last*d])
	for l, sum := range to {
		to[l] = (p.sizes[first+l] + size - sum) / 2
	}
}

// sparse adds what rows, dense or sparse, have in common with sparse landmarks to z.
func (p *kernelMap) sparse(z []float64, x *Matrix) {
	for m := range x.NumRows {
		row := z[m*p.count() : (m+1)*p.count()]
		eachValue(x.Row(m), func(k int, v float64) {
			for _, s := range p.columns[k] {
				row[s.landmark] += p.kernel.common(s.value, v)
			}
		})
	}
}
