package polytope

import "math"

// blocks is H^-1 of all examples. With a, b, c, d the z/s of the four constraints of a
// pair and T their sum, H is T at the pair, -(b+d) and -(c+d) beside its labels. So
//
//	mu_ij = r_ij/T + (b+d)/T mu_i + (c+d)/T mu_j
//
// solves the pair's row, and leaves a matrix K of the labels alone to which each pair adds
// (b+d)(a+c)/T, (c+d)(a+b)/T and (ad-bc)/T. All but the last are sums without a difference.
type blocks struct {
	inverse [][]float64 // K^-1: entry i, j <= i at i(i+1)/2 + j
	first   [][]float64 // (b+d)/T by pair
	second  [][]float64 // (c+d)/T
	alone   [][]float64 // 1/T
	sums    [][]float64 // free for use, by label
	k       []float64
}

func newBlocks(n, pairs, m int) blocks {
	return blocks{
		inverse: newTable(n*(n+1)/2, m), first: newTable(pairs, m), second: newTable(pairs, m),
		alone: newTable(pairs, m), sums: newTable(n, m), k: make([]float64, n*n),
	}
}

// at returns the entries i, j of K^-1.
func (b *blocks) at(i, j int) []float64 {
	if i < j {
		i, j = j, i
	}
	return b.inverse[i*(i+1)/2+j]
}

// invertBlocks computes the blocks of the present point, and reports whether they are sound.
func (p *Method) invertBlocks() bool {
	b := &p.blocks
	fill(b.inverse, 0)
	for e, v := range p.pairs {
		s, z := p.ofPair(p.s, e), p.ofPair(p.z, e)
		kii, kjj, kij := b.at(v.i, v.i), b.at(v.j, v.j), b.at(v.i, v.j)
		for m := range p.m {
			a, b1, c, d := z[0][m]/s[0][m], z[1][m]/s[1][m], z[2][m]/s[2][m], z[3][m]/s[3][m]
			t := 1 / (a + b1 + c + d)
			b.first[e][m], b.second[e][m], b.alone[e][m] = (b1+d)*t, (c+d)*t, t
			kii[m] += (b1 + d) * (a + c) * t
			kjj[m] += (c + d) * (a + b1) * t
			kij[m] += (a*d - b1*c) * t
		}
	}
	for k, i := range p.alone {
		s, z, kii := p.ofAlone(p.s, k), p.ofAlone(p.z, k), b.at(i, i)
		for m := range kii {
			kii[m] += z[0][m]/s[0][m] + z[1][m]/s[1][m]
		}
	}
	for m := range p.m {
		if m%stopEvery == 0 && p.stop() || !b.invert(m, p.n) {
			return false
		}
	}
	return true
}

// stopEvery examples are done between two looks at the clock.
const stopEvery = 256

// invert inverts K of example m.
func (b *blocks) invert(m, n int) bool {
	at := 0
	for i := range n {
		for j := range i + 1 {
			b.k[i*n+j] = b.inverse[at][m]
			at++
		}
	}
	if !invertSmall(b.k, n) {
		return false
	}
	at = 0
	for i := range n {
		for j := range i + 1 {
			b.inverse[at][m] = b.k[i*n+j]
			at++
		}
	}
	return true
}

// leastPivot bounds the pivots of Cholesky factorizations, relative to the diagonal, from
// below: rounding leaves nothing of smaller ones.
const leastPivot = 1e-14

// invertSmall replaces the lower triangle of a positive definite matrix of order n by that
// of its inverse.
func invertSmall(a []float64, n int) bool {
	for i := range n {
		row := a[i*n : i*n+i+1]
		for j := range i {
			row[j] = (row[j] - dotSmall(row[:j], a[j*n:j*n+j])) / a[j*n+j]
		}
		pivot := max(row[i]-dotSmall(row[:i], row[:i]), leastPivot*row[i])
		if !(pivot > 0) {
			return false
		}
		row[i] = math.Sqrt(pivot)
	}
	for j := range n { // L^-1
		a[j*n+j] = 1 / a[j*n+j]
		for i := j + 1; i < n; i++ {
			var sum float64
			for k := j; k < i; k++ {
				sum += a[i*n+k] * a[k*n+j]
			}
			a[i*n+j] = -sum / a[i*n+i]
		}
	}
	for i := range n { // L^-T L^-1
		for j := range i + 1 {
			var sum float64
			for k := i; k < n; k++ {
				sum += a[k*n+i] * a[k*n+j]
			}
			a[i*n+j] = sum
		}
	}
	return true
}

func dotSmall(a, b []float64) (sum float64) {
	for k, v := range a {
		sum += v * b[k]
	}
	return sum
}

// solveBlocks replaces r by H^-1 r, of all examples.
func (p *Method) solveBlocks(r [][]float64) {
	b := &p.blocks
	for e, v := range p.pairs {
		ri, rj, first, second := r[v.i], r[v.j], b.first[e], b.second[e]
		for m, x := range r[p.n+e] {
			ri[m] += first[m] * x
			rj[m] += second[m] * x
		}
	}
	fill(b.sums, 0)
	for i := range p.n {
		for j := range p.n {
			sum, rj := b.sums[i], r[j]
			for m, x := range b.at(i, j) {
				sum[m] += x * rj[m]
			}
		}
	}
	for i, sum := range b.sums {
		copy(r[i], sum)
	}
	for e, v := range p.pairs {
		re, ri, rj, first, second, alone := r[p.n+e], r[v.i], r[v.j], b.first[e], b.second[e], b.alone[e]
		for m, x := range re {
			re[m] = x*alone[m] + first[m]*ri[m] + second[m]*rj[m]
		}
	}
}
