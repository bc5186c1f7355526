package polytope

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"gonum.org/v1/gonum/mat"
)

func never() bool { return false }

// randomProblem returns a problem of n labels with some of the pairs, of which label 0 has
// none in every other one, with features of size 1 to 1000.
func randomProblem(rng *rand.Rand, m, d, n int, beta float64) Problem {
	x, y := testkit.RandomExamples(rng, m, d, n, false)
	for k := range x.Value {
		x.Value[k] *= math.Pow(10, float64(k%d%4))
	}
	q := Problem{Rows: x, Labels: y, NumLabels: n, Lambda: 0.1, Beta: beta}
	for _, e := range labelgraph.AllPairs(n) {
		if rng.IntN(4) > 0 && (e.I > 0 || m%2 == 0) {
			q.Pairs = append(q.Pairs, e)
			q.Shift = append(q.Shift, beta*float64(rng.IntN(3)-1))
		}
	}
	for k := range m {
		if rng.IntN(8) > 0 {
			q.Which = append(q.Which, k)
		}
	}
	return q
}

// cases calls do for methods after some steps, for problems with and without a penalty, and
// with fewer rows than features.
func cases(t *testing.T, do func(what string, q Problem, p *Method)) {
	t.Helper()
	for seed := range uint64(12) {
		rng := rand.New(rand.NewPCG(seed, 71))
		n := 1 + rng.IntN(5)
		q := randomProblem(rng, 12+int(seed%2), []int{3, 20}[seed/2%2], n, []float64{0, 0.3}[seed/4%2])
		p := New(q, never)
		for range rng.IntN(6) {
			if !p.Advance() {
				t.Fatalf("seed %d: a step fails", seed)
			}
		}
		do(fmt.Sprintf("seed %d, %d labels, %d pairs", seed, n, len(q.Pairs)), q, p)
	}
}

// TestRotatedRows rotates rows of many features into as many coordinates as there are rows: their products stay, in exactly the numbers
// of gonum's LQ. Nothing is made that grows with the square of the features: of 20,000 that alone would be 3.2 GB.
func TestRotatedRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 71))
	for _, m := range []int{1, 4, 40} {
		z := mat.NewDense(m, 90, testkit.RandomNumbers(m*90, rng))
		var lq mat.LQ
		lq.Factorize(z)
		var l, want, got mat.Dense
		lq.LTo(&l)
		want.Mul(z, z.T())
		r := rotated(mat.DenseCopyOf(z))
		got.Mul(r, r.T())
		if !mat.Equal(r, l.Slice(0, m, 0, m)) || !mat.EqualApprox(&got, &want, 1e-9*(1+mat.Max(&want))) {
			t.Errorf("%d rows: other rows", m)
		}
	}
	wide := mat.NewDense(3, 20000, testkit.RandomNumbers(60000, rng))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	rotated(wide)
	runtime.ReadMemStats(&after)
	if made := after.TotalAlloc - before.TotalAlloc; made > 10<<20 {
		t.Errorf("%d bytes for three rows of 20,000 features", made)
	}
}

// constraints returns G and g of one example.
func (p *Method) constraints() (g *mat.Dense, offset []float64) {
	size := 4*len(p.pairs) + 2*len(p.alone)
	offset = make([]float64, size)
	if size == 0 {
		return nil, nil
	}
	g = mat.NewDense(size, p.n+len(p.pairs), nil)
	for e, v := range p.pairs {
		both := p.n + e
		g.Set(4*e, both, 1)
		g.Set(4*e+1, v.i, 1)
		g.Set(4*e+1, both, -1)
		g.Set(4*e+2, v.j, 1)
		g.Set(4*e+2, both, -1)
		g.Set(4*e+3, v.i, -1)
		g.Set(4*e+3, v.j, -1)
		g.Set(4*e+3, both, 1)
		offset[4*e+3] = 1
	}
	for k, i := range p.alone {
		at := 4*len(p.pairs) + 2*k
		g.Set(at, i, 1)
		g.Set(at+1, i, -1)
		offset[at+1] = 1
	}
	return g, offset
}

// column returns the m-th numbers of a table's rows.
func column(t [][]float64, m int) *mat.VecDense {
	v := mat.NewVecDense(len(t), nil)
	for k, row := range t {
		v.SetVec(k, row[m])
	}
	return v
}

// TestPointObeysItsEquations holds the linear equations at every point: s = G mu + g, and
// c + G'z = 0, so that hinges by the multipliers are upper bounds.
func TestPointObeysItsEquations(t *testing.T) {
	t.Parallel()
	cases(t, func(what string, _ Problem, p *Method) {
		g, offset := p.constraints()
		p.gradients()
		for m := range p.m {
			var s, pull mat.VecDense
			s.MulVec(g, column(p.mu, m))
			for k := range p.s {
				testkit.CheckNear(t, what+": slack", p.s[k][m], s.AtVec(k)+offset[k])
				if !(p.s[k][m] > 0 && p.z[k][m] > 0) {
					t.Fatalf("%s: constraint %d of example %d has %v and %v", what, k, m, p.s[k][m], p.z[k][m])
				}
			}
			pull.MulVec(g.T(), column(p.z, m))
			for i := range p.n {
				if v := pull.AtVec(i) + p.c[i][m]; !(math.Abs(v) <= 1e-6*(1+math.Abs(p.c[i][m]))) {
					t.Fatalf("%s: label %d of example %d is pulled by %v", what, i, m, v)
				}
			}
			for e := range p.pairs {
				if v := pull.AtVec(p.n+e) + p.w[p.pairAt(e)]; !(math.Abs(v) <= 1e-6) {
					t.Fatalf("%s: pair %d of example %d is pulled by %v", what, e, m, v)
				}
			}
		}
	})
}

// inverseOf returns H^-1 of an example, by its definition.
func (p *Method) inverseOf(t *testing.T, m int) *mat.Dense {
	t.Helper()
	g, _ := p.constraints()
	weighted := mat.DenseCopyOf(g)
	for k := range p.s {
		for i := range p.n + len(p.pairs) {
			weighted.Set(k, i, g.At(k, i)*p.z[k][m]/p.s[k][m])
		}
	}
	var h, inverse mat.Dense
	h.Mul(g.T(), weighted)
	if err := inverse.Inverse(&h); err != nil {
		t.Fatal(err)
	}
	return &inverse
}

// TestBlocks holds the solutions with H to the inverse of H.
func TestBlocks(t *testing.T) {
	t.Parallel()
	cases(t, func(what string, _ Problem, p *Method) {
		rng := rand.New(rand.NewPCG(5, 5))
		if !p.invertBlocks() {
			t.Fatalf("%s: no inverse", what)
		}
		r := newTable(p.n+len(p.pairs), p.m)
		for _, row := range r {
			for m := range row {
				row[m] = rng.NormFloat64()
			}
		}
		want := make([]*mat.VecDense, p.m)
		for m := range want {
			want[m] = new(mat.VecDense)
			want[m].MulVec(p.inverseOf(t, m), column(r, m))
		}
		p.solveBlocks(r)
		for m := range want {
			if got := column(r, m); !mat.EqualApprox(got, want[m], 1e-6*(1+mat.Norm(want[m], 2))) {
				t.Fatalf("%s, example %d: %v, not %v", what, m, got, want[m])
			}
		}
	})
}

// features returns A of an example: the features of its marginals, in the method's
// coordinates.
func (p *Method) features(m int) *mat.Dense {
	a := mat.NewDense(p.order(), p.n+len(p.pairs), nil)
	for i := range p.n {
		for k := range p.rows.d {
			a.Set(i*p.rows.d+k, i, p.rows.of(k)[m])
		}
	}
	for e := range p.pairs {
		a.Set(p.pairAt(e), p.n+e, 1)
	}
	return a
}

// TestNormal holds the matrix of a step, and the solutions with it, to its definition.
func TestNormal(t *testing.T) {
	t.Parallel()
	cases(t, func(what string, _ Problem, p *Method) {
		want := mat.NewDense(p.order(), p.order(), nil)
		for k := range p.order() {
			want.Set(k, k, p.kappa)
		}
		for m := range p.m {
			var half, whole mat.Dense
			half.Mul(p.features(m), p.inverseOf(t, m))
			whole.Mul(&half, p.features(m).T())
			want.Add(want, &whole)
		}
		for e := range p.t {
			at := p.pairAt(e)
			want.Set(at, at, want.At(at, at)+1/p.boxCurvature(e))
		}
		if !p.invertBlocks() || !p.build() {
			t.Fatalf("%s: no matrix", what)
		}
		for i := range p.order() {
			for j := range i + 1 {
				scale := math.Sqrt(want.At(i, i) * want.At(j, j))
				if got := p.normal.row(i)[j]; !(math.Abs(got-want.At(i, j)) <= 1e-7*scale) {
					t.Fatalf("%s: entry %d, %d is %v, not %v", what, i, j, got, want.At(i, j))
				}
			}
		}
	})
}

// TestFactor solves systems of many sizes, also with numbers of very different size.
func TestFactor(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 8))
	for _, n := range []int{1, 2, 63, 64, 65, 130, 200} {
		a, scale := newNormal(n), make([]float64, n)
		b := mat.NewDense(n, n, nil)
		for i := range n {
			scale[i] = math.Pow(10, float64(rng.IntN(9)-4))
			for j := range n {
				b.Set(i, j, rng.NormFloat64())
			}
		}
		x, v := make([]float64, n), make([]float64, n)
		for i := range n {
			x[i] = rng.NormFloat64() / scale[i]
		}
		for i := range n {
			for j := range n {
				entry := mat.Dot(b.RowView(i), b.RowView(j))
				if i == j {
					entry += 1
				}
				entry *= scale[i] * scale[j]
				v[i] += entry * x[j]
				if j <= i {
					a.row(i)[j] = entry
				}
			}
		}
		if !a.factorize(never) {
			t.Fatalf("order %d: no factor", n)
		}
		a.solve(v)
		for i := range x {
			if math.Abs(v[i]-x[i])*scale[i] > 1e-6 {
				t.Fatalf("order %d: solution %d is %v, not %v", n, i, v[i], x[i])
			}
		}
	}
}

// TestLabelings holds the mixtures to the marginals that they are of.
func TestLabelings(t *testing.T) {
	t.Parallel()
	cases(t, func(what string, _ Problem, p *Method) {
		mixtures := p.Labelings()
		for m := range p.m {
			mean := make([]float64, p.n+len(p.pairs))
			total, count := 0.0, 0
			mixtures.Of(m, func(weight float64, y, half []float64) {
				total += weight
				count++
				for i, v := range y {
					mean[i] += weight * v
				}
				for e, v := range p.pairs {
					product := y[v.i] * y[v.j]
					if y[v.i] == 0.5 && y[v.j] == 0.5 {
						if product = half[e]; product < 0 || product > 0.5 {
							t.Fatalf("%s: a pair of %v", what, product)
						}
					}
					mean[p.n+e] += weight * product
				}
			})
			if count > p.n+1 {
				t.Fatalf("%s: %d labelings", what, count)
			}
			testkit.CheckNear(t, what+": sum of weights", total, 1)
			for k, v := range mean {
				testkit.CheckNear(t, what+": marginal", v, p.mu[k][m])
			}
		}
	})
}

// TestConverges goes to tiny gaps. The order of the labels changes nothing but rounding.
func TestConverges(t *testing.T) {
	t.Parallel()
	for seed := range uint64(8) {
		rng := rand.New(rand.NewPCG(seed, 72))
		n := 2 + rng.IntN(4)
		q := randomProblem(rng, 30, 4, n, []float64{0, 0.5}[seed%2])
		p, other := New(q, never), New(reversed(q), never)
		for steps := 0; p.Gap() > 1e-8; steps++ {
			if gap := other.Gap(); gap > 1e-5 && !testkit.Near(gap, p.Gap(), 1e-4) {
				t.Fatalf("seed %d, step %d: gap %v, with the labels reversed %v", seed, steps, p.Gap(), gap)
			}
			if steps == 40 || !p.Advance() || !other.Advance() {
				t.Fatalf("seed %d: gap %v after %d steps", seed, p.Gap(), steps)
			}
		}
	}
}

// reversed returns q with its labels in reversed order.
func reversed(q Problem) Problem {
	n := q.NumLabels
	r := q
	r.Labels, r.Pairs = make([]uint8, len(q.Labels)), nil
	for k, y := range q.Labels {
		r.Labels[k/n*n+n-1-k%n] = y
	}
	for _, e := range q.Pairs {
		r.Pairs = append(r.Pairs, labelgraph.Edge{I: n - 1 - e.J, J: n - 1 - e.I})
	}
	return r
}

// TestStops ends a step at every look at the clock: then there is none.
func TestStops(t *testing.T) {
	t.Parallel()
	q := randomProblem(rand.New(rand.NewPCG(4, 4)), 40, 6, 5, 0.2)
	advanced := func() (p *Method, looks *int, limit *int) {
		looks, limit = new(int), new(int)
		*limit = math.MaxInt
		p = New(q, func() bool { *looks++; return *looks > *limit })
		if !p.Advance() {
			t.Fatal("no step")
		}
		*looks = 0
		return p, looks, limit
	}
	p, total, _ := advanced()
	before := p.Gap()
	if !p.Advance() || *total < 20 {
		t.Fatalf("%d looks in a step", *total)
	}
	for k := range *total {
		p, _, limit := advanced()
		*limit = k
		if p.Advance() || p.Gap() != before {
			t.Fatalf("stopped after %d looks: gap %v, before %v", k, p.Gap(), before)
		}
	}
}

// TestCosts holds the method off problems that are too large.
func TestCosts(t *testing.T) {
	t.Parallel()
	small := StepCost(6, 15, 391, 72)
	for _, c := range [][4]int{{159, 158, 4880, 1836}, {6, 15, 1e6, 72}, {19, 171, 322, 260}, {1, 0, 5000, 5000}} {
		if got := StepCost(c[0], c[1], c[2], c[3]); !math.IsInf(got, 1) {
			t.Errorf("%v: %v", c, got)
		}
	}
	if math.IsInf(small, 1) || StepCost(6, 15, 782, 72) <= small || StepCost(7, 15, 391, 72) <= small || StepCost(6, 15, 391, 80) <= small {
		t.Errorf("small: %v", small)
	}
	if StepsTo(0.01) >= StepsTo(1e-6) || math.IsInf(StepsTo(0), 0) {
		t.Errorf("steps %v and %v", StepsTo(0.01), StepsTo(1e-6))
	}
}

// TestBoundsOfCost goes to each bound, which still is within, and one beyond. Blocks meet theirs
// in no size.
func TestBoundsOfCost(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ labels, pairs, rows, features, morePairs, moreRows int }{
		{10, 0, 100, 99, 1, 0},   // the order, 1,000
		{1, 0, 4096, 511, 0, 1},  // the numbers of the rows, 2^21
		{2, 1, 1 << 18, 0, 0, 1}, // those of the constraints, likewise
	} {
		if cost := StepCost(c.labels, c.pairs, c.rows, c.features); math.IsInf(cost, 0) || cost <= 0 {
			t.Errorf("%+v: cost %v", c, cost)
		}
		if cost := StepCost(c.labels, c.pairs+c.morePairs, c.rows+c.moreRows, c.features); !math.IsInf(cost, 1) {
			t.Errorf("%+v: cost %v beyond the bound", c, cost)
		}
	}
}

// TestStepCostBounds goes up to each bound, and past it, of problems that stay far from the others.
func TestStepCostBounds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		what                          string
		labels, pairs, rows, features int
		can                           bool
	}{
		{"order of the matrix, n d + e, at", 10, 0, 100, 99, true},
		{"order of the matrix, n d + e, past by a pair", 10, 1, 100, 99, false},
		{"order of the matrix, n d + e, with d the rows, at", 10, 0, 100, 500, true},
		{"rows by features and the constant, at", 1, 0, 512, 4095, true},
		{"rows by features and the constant, past", 1, 0, 512, 4096, false},
		{"rows by constraints, at", 2, 127, 4096, 1, true},
		{"rows by constraints, past", 2, 127, 4097, 1, false},
		{"rows by constraints, past by a pair", 2, 128, 4096, 1, false},
		{"rows by blocks, at", 600, 0, 11, 0, true},    // 11 times 180,300 is less than 2^21
		{"rows by blocks, past", 600, 0, 12, 0, false}, // and 12 times is more
	} {
		if got := StepCost(c.labels, c.pairs, c.rows, c.features); math.IsInf(got, 1) == c.can || !(got > 0) {
			t.Errorf("%s the bound: cost %v", c.what, got)
		}
	}
}

// TestStepCostGrows has a cost that no number of anything makes smaller.
func TestStepCostGrows(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(6, 71))
	for range 200 {
		size := [4]int{1 + rng.IntN(8), rng.IntN(20), 1 + rng.IntN(60), rng.IntN(40)}
		cost := StepCost(size[0], size[1], size[2], size[3])
		for k, what := range []string{"label", "pair", "row", "feature"} {
			more := size
			more[k]++
			if got := StepCost(more[0], more[1], more[2], more[3]); got < cost || got == cost && k < 3 {
				t.Errorf("%v cost %v, with a %s more %v", size, cost, what, got)
			}
		}
	}
	for _, gaps := range [][2]float64{{0.1, 0.01}, {1e-3, 1e-9}, {1e-9, 1e-12}} {
		if StepsTo(gaps[0]) >= StepsTo(gaps[1]) {
			t.Errorf("%v steps to a gap of %v, %v to %v", StepsTo(gaps[0]), gaps[0], StepsTo(gaps[1]), gaps[1])
		}
	}
	if got, most := StepsTo(0), StepsTo(1e-12); got != most || most > MostSteps {
		t.Errorf("%v steps to no gap at all, %v to 1e-12, at most %d", got, most, MostSteps)
	}
}
