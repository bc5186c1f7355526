package farkas

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/convex/lp"
)

// holds checks the answer of Solve by its definition.
func holds(t *testing.T, s *System, feasible bool) {
	t.Helper()
	if feasible {
		w := s.Point()
		for c := range s.b {
			if sum := combine(s.a[c], w); sum.Add(sum, big.NewRat(s.b[c], 1)).Sign() < 0 {
				t.Fatalf("the point %v violates inequality %d", w, c)
			}
		}
		return
	}
	at, lambda := s.Refutation()
	total := make([]*big.Rat, s.dim+1)
	for j := range total {
		total[j] = new(big.Rat)
	}
	for k, c := range at {
		if lambda[k].Sign() <= 0 {
			t.Fatal("a multiplier that is not positive")
		}
		for j, v := range append(append([]int64{}, s.a[c]...), s.b[c]) {
			total[j].Add(total[j], new(big.Rat).Mul(lambda[k], big.NewRat(v, 1)))
		}
	}
	for j := range s.dim {
		if total[j].Sign() != 0 {
			t.Fatal("the refutation leaves an unknown")
		}
	}
	if total[s.dim].Cmp(big.NewRat(-1, 1)) != 0 {
		t.Fatalf("the refutation adds up to %v, not to -1", total[s.dim])
	}
}

func combine(a []int64, w []*big.Rat) *big.Rat {
	sum := new(big.Rat)
	for j, v := range a {
		sum.Add(sum, new(big.Rat).Mul(big.NewRat(v, 1), w[j]))
	}
	return sum
}

func TestSolveAnswersAreProved(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	count := map[bool]int{}
	for range 500 {
		dim := 1 + rng.IntN(5)
		s := New(dim)
		for range 1 + rng.IntN(4*dim) {
			a := make([]int64, dim)
			for j := range a {
				a[j] = int64(rng.IntN(5)) - 2
			}
			s.Add(a, int64(rng.IntN(7))-3)
			feasible := s.Solve() // between additions, so that it goes on from an earlier basis
			holds(t, s, feasible)
			count[feasible]++
			if !feasible {
				break
			}
		}
		if s.Solve() != gonumFeasible(s) {
			t.Fatal("gonum's simplex method disagrees")
		}
	}
	if count[true] < 100 || count[false] < 100 {
		t.Fatalf("lopsided test: %v", count)
	}
}

// gonumFeasible minimizes the violation t with a . (p - q) + t - slack = -b.
// The rows p_j + q_j + slack = 1e5 exclude nothing here and spare gonum the
// columns of zeros that it does not take.
func gonumFeasible(s *System) bool {
	rows, columns := s.Len()+s.dim, 2*s.dim+1+s.Len()+s.dim
	a := mat.NewDense(rows, columns, nil)
	b := make([]float64, rows)
	for c := range s.Len() {
		for j, v := range s.a[c] {
			a.Set(c, j, float64(v))
			a.Set(c, s.dim+j, -float64(v))
		}
		a.Set(c, 2*s.dim, 1)
		a.Set(c, 2*s.dim+1+c, -1)
		b[c] = -float64(s.b[c])
	}
	for j := range s.dim {
		c := s.Len() + j
		a.Set(c, j, 1)
		a.Set(c, s.dim+j, 1)
		a.Set(c, 2*s.dim+1+c, 1)
		b[c] = 1e5
	}
	cost := make([]float64, columns)
	cost[2*s.dim] = 1
	least, _, err := lp.Simplex(cost, a, b, 1e-10, nil)
	if err != nil {
		panic(err)
	}
	return least < 1e-7
}

func TestEqualityPinsAPoint(t *testing.T) {
	s := New(2)
	s.Add([]int64{3, 0}, -1) // w_0 >= 1/3
	s.Add([]int64{-3, 0}, 1) // w_0 <= 1/3
	s.Add([]int64{1, 1}, 0)
	s.Add([]int64{-1, -1}, 0)
	if !s.Solve() {
		t.Fatal("no solution found")
	}
	if w := s.Point(); w[0].Cmp(big.NewRat(1, 3)) != 0 || w[1].Cmp(big.NewRat(-1, 3)) != 0 {
		t.Fatalf("point %v", w)
	}
}

// TestAddWrongLength panics where it is called, not later in the middle of a proof.
func TestAddWrongLength(t *testing.T) {
	t.Parallel()
	for _, a := range [][]int64{nil, {1}, {1, 2, 3}} {
		func() {
			defer func() {
				if text := fmt.Sprint(recover()); !strings.Contains(text, "coefficients") {
					t.Errorf("%v: %s", a, text)
				}
			}()
			New(2).Add(a, 1)
		}()
	}
}
