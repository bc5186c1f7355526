package vec

// panel is the number of labels whose weights stand side by side: they fill a
// register of AVX-512, or two of AVX2.
const panel = 8

// Panels are weight vectors laid out for products of rows with all of them: eight
// vectors side by side, feature after feature, then the next eight. A product
// needs no sums across a register then, and one row takes no longer than the
// multiplications.
type Panels struct {
	numFeatures, numPanels int
	w                      []float64 // [(p*numFeatures+k)*panel + i]: feature k of vector p*panel+i
}

// NewPanels lays out n vectors of d numbers each, which w holds one after the
// other.
func NewPanels(w []float64, n, d int) *Panels {
	checkLengths(n*d, len(w))
	p := &Panels{numFeatures: d, numPanels: (n + panel - 1) / panel}
	p.w = make([]float64, p.numPanels*d*panel)
	for i := range n {
		at := i/panel*d*panel + i%panel
		for k, v := range w[i*d : (i+1)*d] {
			p.w[at+k*panel] = v
		}
	}
	return p
}

// Width returns the number of products of a row that ProductTo writes: n, rounded
// up to a multiple of eight.
func (p *Panels) Width() int { return p.numPanels * panel }

// PanelWidth returns the Width of the panels of n vectors.
func PanelWidth(n int) int { return (n + panel - 1) / panel * panel }

// ByFeature returns the numbers of all n vectors for the first feature, then for the
// next, and so on.
func (p *Panels) ByFeature(n int) []float64 {
	w := make([]float64, p.numFeatures*n)
	for i := range n {
		at := i/panel*p.numFeatures*panel + i%panel
		for k := range p.numFeatures {
			w[k*n+i] = p.w[at+k*panel]
		}
	}
	return w
}

// ProductTo writes the products of rows with the vectors, Width of them for each
// row, of which those past n are zero. x holds the rows one after the other.
// Each product has four partial sums, feature k in sum k mod 4, and is
// (s_0 + s_1) + (s_2 + s_3). So it is the same whatever rows come with it.
func (p *Panels) ProductTo(dst, x []float64, rows int) {
	d, width := p.numFeatures, p.Width()
	checkLengths(rows*d, len(x))
	checkLengths(rows*width, len(dst))
	if rows == 0 || d == 0 {
		clear(dst)
		return
	}
	first := 0
	if rows == 1 {
		first = productRow(dst, x, p.w, p.numPanels)
	}
	for q := first; q < p.numPanels; q++ {
		product(dst[q*panel:], x, p.w[q*d*panel:(q+1)*d*panel], rows, width)
	}
}
