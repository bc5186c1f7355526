package hardness

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/internal/farkas"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"github.com/crank-ml/crank/crankpkg/mrf"
)

// Violation is an example on which another labeling scores more than the right
// one.
type Violation struct {
	Example int     // position in Examples
	Rival   []int   // a labeling of greatest score
	Gain    float64 // how much more it scores than the right one
}

// Violations returns the examples that the tree t with the weights w gets
// wrong; ties count as right, as in eq. (7). None means that they separate the
// training set. It finds the rivals by max-product, without rounding while the
// weights are multiples of a small power of two. It returns an error that wraps
// ErrData when t is not a spanning tree; its edges need not be in the graph.
func (r *Reduction) Violations(t []labelgraph.Edge, w []float64) ([]Violation, error) {
	if len(w) != r.Dim() {
		panic("hardness: wrong number of weights")
	}
	f, err := r.newRivalFinder(t)
	if err != nil {
		return nil, err
	}
	f.set(w, 1)
	var violations []Violation
	for m := range r.examples {
		if rival, gain := f.find(m); gain > 0 {
			violations = append(violations, Violation{m, rival, gain})
		}
	}
	return violations, nil
}

// Contradiction is one of several inequalities S(y^m) >= S(rival) that cannot
// all hold.
type Contradiction struct {
	Example    int   // m, position in Examples
	Rival      []int // a labeling
	Multiplier *big.Rat
}

// Verdict says whether a tree can separate the training set, with a proof
// either way.
type Verdict struct {
	Separable bool
	// Weights separate the set, when Separable: Dim entries, those outside the
	// tree 0.
	Weights []*big.Rat
	// Refutation lists inequalities, when not Separable. Multiplied and added
	// up, all weights cancel and 0 >= 1 is left.
	Refutation []Contradiction
	// Inequalities counts those that the search wrote down, of the
	// (n+1)^n for each example.
	Inequalities int
}

// Separable decides whether any weights at all on the spanning tree t separate
// the training set in the sense of eq. (7). It does not suppose that the
// examples pin what they are meant to. It keeps a short list of inequalities,
// solves them in rational arithmetic, adds the worst rival of every example
// that the solution gets wrong, found by max-product, and repeats. The answer
// is exact and Verify can prove it. When ctx ends first, the error wraps
// ctx.Err(); an error that wraps ErrData means that t is not a spanning tree.
func (r *Reduction) Separable(ctx context.Context, t []labelgraph.Edge) (*Verdict, error) {
	f, err := r.newRivalFinder(t)
	if err != nil {
		return nil, err
	}
	system := farkas.New(r.Dim())
	var added []Contradiction
	for system.Solve() {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("separability after %d inequalities: %w", len(added), err)
		}
		w := system.Point()
		rivals, err := f.findAll(w)
		if err != nil {
			return nil, err
		}
		if len(rivals) == 0 {
			return &Verdict{Separable: true, Weights: r.onTree(w, t), Inequalities: len(added)}, nil
		}
		for _, c := range rivals {
			a, b := r.inequality(c, t)
			system.Add(a, b)
		}
		added = append(added, rivals...)
	}
	verdict := &Verdict{Inequalities: len(added)}
	at, lambda := system.Refutation()
	for k, c := range at {
		added[c].Multiplier = lambda[k]
		verdict.Refutation = append(verdict.Refutation, added[c])
	}
	return verdict, nil
}

// inequality returns a and b of S(y^m) - S(rival) = a . w + b.
func (r *Reduction) inequality(c Contradiction, t []labelgraph.Edge) (a []int64, b int64) {
	ex := r.examples[c.Example]
	a = make([]int64, r.Dim())
	r.Features(a, 1, ex.Y, t)
	r.Features(a, -1, c.Rival, t)
	return a, int64(bias(ex.X, ex.Y) - bias(ex.X, c.Rival))
}

// onTree returns w with zeros for the edges outside t. The inequalities do not
// mention them.
func (r *Reduction) onTree(w []*big.Rat, t []labelgraph.Edge) []*big.Rat {
	kept := make([]*big.Rat, len(w))
	for k := range kept {
		kept[k] = new(big.Rat)
	}
	kept[0] = w[0]
	for _, e := range t {
		if k := r.slot[e.Index()]; k >= 0 {
			lo := 1 + k*r.perEdge()
			copy(kept[lo:lo+r.perEdge()], w[lo:])
		}
	}
	return kept
}

// Verify checks the proof in a verdict on the spanning tree t in exact
// arithmetic and returns an error that says what is wrong with it.
func (r *Reduction) Verify(t []labelgraph.Edge, v *Verdict) error {
	if v.Separable {
		f, err := r.newRivalFinder(t)
		if err != nil {
			return err
		}
		rivals, err := f.findAll(v.Weights)
		if err == nil && len(rivals) > 0 {
			err = fmt.Errorf("crankpkg: the weights get example %q wrong", r.examples[rivals[0].Example].Name)
		}
		return err
	}
	total := make([]*big.Rat, r.Dim()+1)
	for k := range total {
		total[k] = new(big.Rat)
	}
	for _, c := range v.Refutation {
		if c.Multiplier.Sign() < 0 {
			return errors.New("crankpkg: a multiplier is negative")
		}
		a, b := r.inequality(c, t)
		for k, coefficient := range append(a, b) {
			total[k].Add(total[k], new(big.Rat).Mul(c.Multiplier, big.NewRat(coefficient, 1)))
		}
	}
	for k, sum := range total[:r.Dim()] {
		if sum.Sign() != 0 {
			return fmt.Errorf("crankpkg: %s does not cancel", r.WeightName(k))
		}
	}
	if total[r.Dim()].Sign() >= 0 {
		return errors.New("crankpkg: the inequalities do not contradict each other")
	}
	return nil
}

// rivalFinder finds, for each example, a labeling of greatest score.
type rivalFinder struct {
	r     *Reduction
	tree  *mrf.Tree
	slots []int // positions in r.Edges of the edges of the tree
	pair  [][]float64
	unary [][]float64
	bound float64
	scale float64
	y     []int
}

func (r *Reduction) newRivalFinder(t []labelgraph.Edge) (*rivalFinder, error) {
	for _, e := range t {
		if e.I < 0 || e.I >= e.J || e.J >= r.N {
			return nil, fmt.Errorf("%w: edge %v in a tree with the vertices 0..%d", errs.ErrData, e, r.N-1)
		}
	}
	if _, count := labelgraph.Components(r.N, t); count != 1 || len(t) != r.N-1 {
		return nil, fmt.Errorf("%w: %v is not a spanning tree of %d vertices", errs.ErrData, t, r.N)
	}
	f := &rivalFinder{r: r, y: make([]int, r.N)}
	var inGraph []labelgraph.Edge
	states := make([]int, r.N)
	for i := range states {
		states[i] = r.N + 1
		f.unary = append(f.unary, make([]float64, r.N+1))
	}
	for _, e := range t {
		if k := r.slot[e.Index()]; k >= 0 {
			inGraph = append(inGraph, e)
			f.slots = append(f.slots, k)
			f.pair = append(f.pair, make([]float64, (r.N+1)*(r.N+1)))
		}
	}
	var err error
	f.tree, err = mrf.NewTree(states, inGraph)
	return f, err
}

// set makes scale times the score the one to be maximized; w is scaled already.
func (f *rivalFinder) set(w []float64, scale float64) {
	f.bound, f.scale = w[0], scale
	r := f.r
	for p, k := range f.slots {
		for a := range r.N + 1 {
			for b := range r.N + 1 {
				f.pair[p][a*(r.N+1)+b] = r.pairScore(w, k, a, b)
			}
		}
	}
}

// pairScore returns theta_ij(a, b) for edge k under the weights w.
func (r *Reduction) pairScore(w []float64, k, a, b int) float64 {
	theta := r.pairTable(r.Edges[k], a, b)
	switch {
	case theta == 0:
		return 0
	case r.Version == Repaired:
		return float64(theta) * w[1+k]
	case theta < 0:
		return w[1+2*k]
	}
	return w[2+2*k]
}

// find returns a labeling of greatest score for example m and how much more
// than the right one it scores.
func (f *rivalFinder) find(m int) (rival []int, gain float64) {
	ex := f.r.examples[m]
	for i, x := range ex.X {
		for s, v := range x {
			f.unary[i][s] = f.scale * float64(v)
		}
	}
	f.unary[0][0] += f.bound
	best := f.tree.Maximize(f.y, f.unary, f.pair)
	var right float64
	for i, s := range ex.Y {
		right += f.unary[i][s]
	}
	for p, k := range f.slots {
		e := f.r.Edges[k]
		right += f.pair[p][ex.Y[e.I]*(f.r.N+1)+ex.Y[e.J]]
	}
	if best > right {
		rival = append(rival, f.y...)
	}
	return rival, best - right
}

// findAll returns a rival for every example that the rational weights get
// wrong. It multiplies all weights and biases by the common denominator, so
// that max-product adds integers, which it does without rounding.
func (f *rivalFinder) findAll(w []*big.Rat) ([]Contradiction, error) {
	common := big.NewInt(1)
	for _, v := range w {
		gcd := new(big.Int).GCD(nil, nil, common, v.Denom())
		common.Mul(common, new(big.Int).Quo(v.Denom(), gcd))
	}
	scale, _ := new(big.Float).SetInt(common).Float64()
	integers := make([]float64, len(w))
	largest := scale * float64(slices.Max(f.r.gamma))
	for k, v := range w {
		n := new(big.Int).Mul(v.Num(), new(big.Int).Quo(common, v.Denom()))
		integers[k], _ = new(big.Float).SetInt(n).Float64()
		largest = max(largest, math.Abs(integers[k]))
	}
	if largest*float64(3*f.r.N*f.r.N) >= 1<<53 {
		return nil, fmt.Errorf("%w: weights too long for exact scores", errs.ErrData)
	}
	f.set(integers, scale)
	var rivals []Contradiction
	for m := range f.r.examples {
		if rival, gain := f.find(m); gain > 0 {
			rivals = append(rivals, Contradiction{Example: m, Rival: rival})
		}
	}
	return rivals, nil
}
