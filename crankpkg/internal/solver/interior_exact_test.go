package solver

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/infer"
)

// exactBounds returns the primal at the weights of b and the dual at its alpha, in 400 bits.
func exactBounds(b *SVM) (primal, dual float64) {
	number := func(v float64) *big.Float { return new(big.Float).SetPrec(400).SetFloat64(v) }
	product := func(x, y *big.Float) *big.Float { return number(0).Mul(x, y) }
	d := b.x.NumCols
	u := make([]*big.Float, d+1)
	for k := range u {
		u[k] = number(0)
	}
	hinges, alphas := number(0), number(0)
	row := make([]float64, d+1)
	for m, t := range b.signs() {
		clear(row)
		b.x.Row(m).AddScaledTo(row[:d], 1)
		row[d] = 1
		score := number(b.bias)
		for k, v := range row {
			if k < d {
				score.Add(score, product(number(v), number(b.w[k])))
			}
			u[k].Add(u[k], product(number(v), number(t*b.alpha[m])))
		}
		if hinge := number(1); hinge.Sub(hinge, product(score, number(t))).Sign() > 0 {
			hinges.Add(hinges, hinge)
		}
		alphas.Add(alphas, number(b.alpha[m]))
	}
	squares := func(list []*big.Float) *big.Float {
		sum := number(0)
		for _, v := range list {
			sum.Add(sum, product(v, v))
		}
		return sum
	}
	w := []*big.Float{number(b.bias)}
	for _, v := range b.w {
		w = append(w, number(v))
	}
	count := number(float64(len(b.t)))
	p := product(squares(w), number(b.lambda/2))
	p.Add(p, hinges.Quo(hinges, count))
	norm := squares(u)
	norm.Quo(norm, product(product(number(2*b.lambda), count), count))
	q := number(0).Sub(alphas.Quo(alphas, count), norm)
	primal, _ = p.Float64()
	dual, _ = q.Float64()
	return primal, dual
}

// TestBoundsHoldExactly compares the bounds with those of exact arithmetic on data of many
// sizes, with columns and rows that nearly repeat one another.
func TestBoundsHoldExactly(t *testing.T) {
	t.Parallel()
	tried := 0
	for seed := range uint64(250) {
		rng := rand.New(rand.NewPCG(seed, 17))
		rows, d := []int{2, 8, 30}[rng.IntN(3)], []int{1, 2, 12, 20}[rng.IntN(4)]
		size := math.Pow(10, float64(rng.IntN(9)))
		x := feature.NewDense(d, nil)
		x.NumRows = rows
		y := make([]uint8, rows)
		kind := rng.IntN(4)
		for m := range rows {
			base := rng.NormFloat64()
			for k := range d {
				v := rng.NormFloat64()
				switch {
				case kind == 1:
					v = base + 1e-7*v
				case kind == 2 && m%2 == 1:
					v = x.Value[(m-1)*d+k] / size
				case kind == 3:
					v = 1e4 + v
				}
				x.Value = append(x.Value, v*size)
			}
			y[m] = uint8(rng.IntN(2))
		}
		p := NewProblem(x, y, 1, infer.Loss{}, nil, nil)
		b := newSVM(p, newSingleRows(p), 0, math.Pow(10, -float64(rng.IntN(6))), 1)
		b.Solve(math.Pow(10, -float64(1+rng.IntN(6))), 600, never)
		if b.tried == 0 {
			continue
		}
		tried++
		primal, dual := exactBounds(b)
		if scale := math.Max(primal, 1e-9); b.bounds.Primal < primal-1e-10*scale || b.bounds.Dual > dual+1e-10*scale {
			t.Errorf("seed %d, %d x %d of size %v: bounds %v, exactly %v and %v", seed, rows, d, size, b.bounds, primal, dual)
		}
	}
	if tried < 80 {
		t.Errorf("only %d tries of the interior point method", tried)
	}
}
