package feature

import (
	"github.com/crank-ml/crank/crankpkg/internal/vec"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
)

// KernelBasis is a kernel fitted to training rows, with what makes features of its values.
type KernelBasis struct {
	*Kernel
	factor blas64.General // U, L rows; its first L columns are a triangle
	order  []int          // the landmark that each column of it stands for
}

// explained is the share of the largest k(x, x) below which what is left of a row counts
// as nothing.
const explained = 1e-6

// newBasis factors the kernel's values at its landmarks, which it overwrites, and keeps
// those that the others do not explain; nil where there are none.
func newBasis(k *Kernel, gram *Matrix) *KernelBasis {
	n := gram.NumRows
	var most float64
	for l := range n {
		most = max(most, gram.Value[l*n+l])
	}
	order := make([]int, n)
	_, rank, _ := lapack64.Pstrf(blas64.Symmetric{Uplo: blas.Upper, N: n, Stride: n, Data: gram.Value}, order, explained*most, make([]float64, 2*n))
	if rank == 0 {
		return nil
	}
	k.Landmarks = k.Landmarks.Subset(order[:rank])
	return &KernelBasis{Kernel: k, factor: blas64.General{Rows: rank, Cols: n, Stride: n, Data: gram.Value[:rank*n]}, order: order}
}

// Kept returns the kernel that a model keeps, nil without a basis.
func (b *KernelBasis) Kept() *Kernel {
	if b == nil {
		return nil
	}
	return b.Kernel
}

// ofLandmarks returns the features of the rows that landmarks were sought among, the
// columns of U, in their order.
func (b *KernelBasis) ofLandmarks() *Matrix {
	u := b.factor
	z := &Matrix{NumRows: u.Cols, NumCols: u.Rows, Value: make([]float64, u.Rows*u.Cols)}
	for i := range u.Rows {
		for at := i; at < u.Cols; at++ {
			z.Value[b.order[at]*u.Rows+i] = u.Data[i*u.Stride+at]
		}
	}
	return z
}

// Features returns z(x) for the scaled rows of x, dense: U' z = k(x), solved forwards for
// some rows at a time, which share what they need of U.
func (b *KernelBasis) Features(x *Matrix) *Matrix {
	z, u := b.values(x), b.factor
	columns := make([]float64, u.Rows*u.Rows) // of U, one after the other
	for i := range u.Rows {
		for at, v := range u.Data[i*u.Stride+i : i*u.Stride+u.Rows] {
			columns[(i+at)*u.Rows+i] = v
		}
	}
	for first := 0; first < z.NumRows; first += mapRows {
		for at := range u.Rows {
			column := columns[at*u.Rows : at*u.Rows+at]
			for m := first; m < min(first+mapRows, z.NumRows); m++ {
				row := z.Row(m).Value
				row[at] = (row[at] - vec.Dot(row[:at], column)) / columns[at*u.Rows+at]
			}
		}
	}
	return z
}

// Fold turns weights on the features z into weights on the kernel's values at the
// landmarks: it changes w, L weights and the bias, which stays. Without a basis, all stay.
func (b *KernelBasis) Fold(w []float64) {
	if b == nil {
		return
	}
	u := b.factor
	w = w[:u.Rows]
	for i := len(w) - 1; i >= 0; i-- {
		row := u.Data[i*u.Stride+i : i*u.Stride+u.Rows]
		w[i] = (w[i] - vec.Dot(row[1:], w[i+1:])) / row[0]
	}
}
