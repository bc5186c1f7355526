package crankpkg

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/crank-ml/crank/crankpkg/envelope"
	"github.com/crank-ml/crank/crankpkg/internal/solver"
)

// CRANK learns a tree (Algorithm 1): it minimizes
//
//	l(w) + beta f1(pi(w)) - beta f2(pi(w))
//
// by the convex-concave procedure, with beta growing until the support of w is
// a forest. l then is minimized over the weights of its tree alone, so
// that the objective of the model can be compared with that of any other tree.
//
// The procedure ends at one of many trees. By default swaps of single edges improve it,
// as far as coarse solves tell that they do. With Restarts, as in the paper, there are
// several starting points instead, and the one with the lowest final objective wins.
//
// A forest that is not yet a spanning tree is completed first, by the pairs
// with the largest dual residual |u_ij|: they close no cycle, so the
// regularizer does not charge for them, and they can only lower l. Of a pair
// that training has not used yet, the smallest residual counts that the label
// marginals of the dual point allow.
type CRANK struct {
	Lambda float64 // l2 regularization; zero means 1/M
	// Restarts is the number of starting points, 10 in the paper. The first start is from
	// the weights of all pairs, the others are from random ones. Zero means one start whose
	// tree is improved by swaps, which reaches an objective as low as that of ten
	// starts in a third of their time; but 10 starts with FixedBeta, and for
	// labels in groups, where there are no swaps.
	Restarts int
	// Beta lists the penalties to go through. Empty means a start of BetaStart
	// that grows by Growth. A beta of 0 is no penalty.
	Beta []float64
	// Path says which way beta goes from its start.
	Path BetaPath
	// BetaStart is the first penalty as a share of the smallest one that would
	// close every pair at the point where training starts. Zero means 1, but 0.1 where
	// beta grows and no swaps mend what the first step has missed.
	BetaStart float64
	// Growth is the factor between penalties once Beta is used up. Zero means 2.
	Growth float64
	// FixedBeta stops after the last of Beta even when the support still has
	// cycles. The model then keeps them.
	FixedBeta bool
	// InnerGap is the relative gap to which each outer step is solved, and by
	// which the objective has to fall for another step at the same beta. Zero
	// means 0.1: closer solves on the way did not lead to better trees.
	InnerGap float64
	// MaxSteps bounds the outer steps at one beta. Zero means 10.
	MaxSteps int
	Settings
}

// BetaPath is a way through the penalties.
type BetaPath string

// The ways through the penalties.
const (
	// AutoPath grows beta for up to 64 labels and shrinks it for more.
	AutoPath BetaPath = ""
	// GrowBeta starts from all pairs and grows beta until the support is a
	// forest, as in the paper.
	GrowBeta BetaPath = "grow"
	// ShrinkBeta starts from no pair, at the optimum of Empty, and shrinks beta
	// until the support spans all labels or has a cycle that the regularizer
	// does not undo. Inference then sees sparse graphs only, mostly forests,
	// which carries it to a thousand labels.
	ShrinkBeta BetaPath = "shrink"
)

// Name returns "CRANK".
func (CRANK) Name() string { return "CRANK" }

// WithLambda returns c with another lambda.
func (c CRANK) WithLambda(lambda float64) Trainer { c.Lambda = lambda; return c }

func (c CRANK) common() (float64, Settings) { return c.Lambda, c.Settings }

func (c CRANK) check() error {
	for k, b := range c.Beta {
		if !(b >= 0) || math.IsInf(b, 0) {
			return fmt.Errorf("%w: Beta[%d] = %v", ErrSettings, k, b)
		}
	}
	switch {
	case c.Restarts < 0:
		return fmt.Errorf("%w: Restarts %d is negative", ErrSettings, c.Restarts)
	case !(c.BetaStart >= 0) || math.IsInf(c.BetaStart, 0):
		return fmt.Errorf("%w: BetaStart %v", ErrSettings, c.BetaStart)
	case c.Growth != 0 && !(c.Growth > 1):
		return fmt.Errorf("%w: Growth %v is not above 1", ErrSettings, c.Growth)
	case c.FixedBeta && len(c.Beta) == 0:
		return fmt.Errorf("%w: FixedBeta without any Beta", ErrSettings)
	case c.Path != AutoPath && c.Path != GrowBeta && c.Path != ShrinkBeta:
		return fmt.Errorf("%w: Path %q", ErrSettings, c.Path)
	case c.MaxSteps < 0:
		return fmt.Errorf("%w: MaxSteps %d is negative", ErrSettings, c.MaxSteps)
	}
	return checkGap("InnerGap", c.InnerGap)
}

func (c CRANK) takesGroups() error {
	if c.Path == ShrinkBeta {
		return freeLabelsOnly(fmt.Sprintf("CRANK with Path %q", c.Path))
	}
	return nil
}

// swaps reports whether swaps take the place of further starts.
func (c *CRANK) swaps(p *solver.Problem) bool {
	return c.Restarts == 0 && !c.FixedBeta && !p.InGroups()
}

// complete fills in the defaults for n labels.
func (c *CRANK) complete(n int, swaps bool) {
	switch {
	case c.Path == AutoPath && n > 64:
		c.Path = ShrinkBeta
	case c.Path == AutoPath:
		c.Path = GrowBeta
	}
	restarts, start := 10, 0.1
	if swaps { // which mend what a hasty path has missed
		restarts, start = 1, 1
	}
	if c.Path == ShrinkBeta {
		start = 1
	}
	c.Restarts = cmp.Or(c.Restarts, restarts)
	c.BetaStart = cmp.Or(c.BetaStart, start)
	c.Growth = cmp.Or(c.Growth, 2)
	c.MaxSteps = cmp.Or(c.MaxSteps, 10)
	c.InnerGap = cmp.Or(c.InnerGap, 0.1)
}

// Train learns the tree and its weights.
func (c CRANK) Train(ctx context.Context, ds *Dataset) (*Model, *Trace, error) {
	return train(ctx, c, ds)
}

func (c CRANK) learn(t *training) (*Model, *Trace, error) {
	if c.Path == AutoPath && t.problem.InGroups() {
		c.Path = GrowBeta
	}
	swaps := c.swaps(t.problem)
	c.complete(t.problem.NumLabels(), swaps)
	base, status := c.base(t)
	if t.stalled(status) {
		return t.abandon(base)
	}
	starts := make([]*crankStart, c.Restarts)
	t.parallel(c.Restarts, func(k int) {
		// Once time is up, one start is enough to have a model.
		if k == 0 || !t.stopped() {
			starts[k] = c.run(t, base, k)
		}
	})
	starts = slices.DeleteFunc(starts, func(s *crankStart) bool { return s == nil })
	if swaps {
		starts[0].climb(t)
	}
	c.finish(t, starts, swaps)
	best := starts[0]
	for k, start := range starts {
		t.trace.Restarts = append(t.trace.Restarts, start.summary())
		t.count(base, start.solver)
		if start.bounds.Primal < best.bounds.Primal {
			best, t.trace.Winner = start, k
		}
	}
	t.trace.Steps = best.steps
	t.trace.Points = append(t.trace.Points, best.points...)
	return t.finish(best.solver, best.bounds, best.status)
}

// base returns the dual point from which all starts set out.
func (c *CRANK) base(t *training) (*solver.Solver, Status) {
	if c.Path == GrowBeta {
		s, _, status := t.allPairs(min(3*c.InnerGap, 0.9), false)
		return s, status
	}
	s := solver.New(t.problem, nil, t.lambda)
	if !t.problem.IsSumOfLabels() {
		_, status := t.solve(s, c.InnerGap, "no pairs")
		return s, status
	}
	svms, _, status := t.solveSVMs(c.InnerGap)
	s.TakeSVMs(svms)
	return s, status
}

// finish minimizes l over the weights of each tree. Starts that came to one
// tree share its solve.
func (c *CRANK) finish(t *training, starts []*crankStart, swaps bool) {
	gap := t.set.Gap
	switch { // trees differ by less than the gap
	case swaps:
		gap /= 6
	case c.Restarts > 1:
		gap /= 4 // and the best one should win
	}
	var first []*crankStart // of each tree
	for _, s := range starts {
		if s.twin(first) == nil {
			first = append(first, s)
		}
	}
	t.parallel(len(first), func(k int) {
		first[k].crew = t.crewOf(len(first), true)
		first[k].crew.place = k
		if first[k].stalled {
			first[k].bounds, first[k].status = first[k].solver.Certify(1), PassLimit
			return
		}
		first[k].bounds, first[k].status = first[k].solve(t, gap, "final tree")
	})
	for _, s := range starts {
		twin := s.twin(first)
		s.bounds, s.status = twin.bounds, twin.status
	}
}

// crankStart is the training from one starting point.
type crankStart struct {
	seed   uint64
	solver *solver.Solver
	v      []float64
	reg    envelope.Regularizer
	steps  []Step
	points []TracePoint
	bounds solver.Bounds
	status Status
	crew   crew
	// stalled says that a step has come to the default bound on its passes.
	stalled bool
}

func (c *CRANK) run(t *training, base *solver.Solver, k int) *crankStart {
	s := &crankStart{solver: base.Fork(c.Restarts > 1 || c.Path == GrowBeta), seed: t.set.Seed + uint64(k), v: make([]float64, len(base.PairWeights())), crew: t.crewOf(c.Restarts, false)}
	s.reg.Seed = s.seed
	if c.Path == ShrinkBeta {
		c.shrink(t, s)
	} else {
		c.grow(t, s, k)
	}
	s.settle(c.FixedBeta)
	return s
}

func (s *crankStart) solve(t *training, gap float64, phase string) (solver.Bounds, Status) {
	return t.solveInto(&s.points, s.solver, s.crew, s.seed, gap, phase)
}

// linearize sets v to the subgradient of f2 at the pair weights w
// (Proposition 4.3).
func (s *crankStart) linearize(w []float64) envelope.Penalty {
	return s.solver.Linearize(s.v, &s.reg, w)
}

func randomWeights(n int, seed uint64) []float64 {
	rng := rand.New(rand.NewPCG(seed, 0x5851f42d4c957f2d))
	w := make([]float64, n)
	for e := range w {
		w[e] = rng.NormFloat64()
	}
	return w
}

// grow goes through the penalties until the support is a forest, as in the
// paper. Start 0 sets out from the weights of all pairs, the others from random
// ones.
func (c *CRANK) grow(t *training, s *crankStart, start int) {
	if start == 0 {
		s.linearize(s.solver.PairWeights())
	} else {
		s.linearize(randomWeights(len(s.v), s.seed))
	}
	scale := s.solver.LargestDual()
	beta := c.BetaStart * scale
	for k := 0; ; k++ {
		switch {
		case k < len(c.Beta):
			beta = c.Beta[k]
		case c.FixedBeta:
			return
		case k > 0 && beta > 0:
			beta *= c.Growth
		case k > 0:
			beta = c.BetaStart * s.solver.LargestDual()
		}
		rank := c.descend(t, s, beta)
		if (rank == 0 && beta > 0) || t.stopped() || s.stalled || (k >= len(c.Beta) && beta > 1e6*scale) {
			return
		}
		if k >= len(c.Beta) && s.solver.LargestDual() == 0 {
			return // no pair to penalize, as with a single label
		}
	}
}

// descend is the convex-concave procedure at one beta. It returns the circuit
// rank of the support. A growing beta has done its work as soon as that is zero.
func (c *CRANK) descend(t *training, s *crankStart, beta float64) (rank int) {
	before := math.Inf(1)
	for range c.MaxSteps {
		s.solver.SetPenalty(beta, s.v)
		b, status := s.solve(t, c.InnerGap, fmt.Sprintf("beta %.3g", beta))
		s.stalled = s.stalled || t.stalled(status)
		step := s.record(beta, b)
		rank = step.CircuitRank
		switch {
		case rank == 0 && beta > 0 && c.Path == GrowBeta,
			status == Cancelled, status == TimeLimit, s.stalled,
			before-step.Objective <= c.InnerGap*step.Objective:
			return rank
		}
		before = step.Objective
	}
	return rank
}

// record keeps the outer step that has ended at the current weights, and
// linearizes there.
func (s *crankStart) record(beta float64, b solver.Bounds) Step {
	var linear float64
	for e, w := range s.solver.PairWeights() {
		linear += beta * (math.Abs(w) - s.v[e]*w)
	}
	p := s.linearize(s.solver.PairWeights())
	step := Step{
		Beta: beta, Primal: b.Primal, Dual: b.Dual,
		Loss: b.Primal - linear, Objective: b.Primal - linear + beta*p.Excess,
		Envelope1: p.Envelope1, Envelope2: p.Envelope2, CircuitRank: p.CircuitRank,
	}
	step.Edges, step.Weights = s.solver.GraphSupport()
	s.steps = append(s.steps, step)
	return step
}

// settle leaves the solver with the edges of the tree alone.
func (s *crankStart) settle(keepCycles bool) {
	edges, _ := s.solver.GraphSupport()
	if !keepCycles {
		edges = s.solver.SpanningTree(s.seed)
	}
	s.solver.SetEdges(edges)
}

// twin returns the one of others that has the same edges, nil if none has.
func (s *crankStart) twin(others []*crankStart) *crankStart {
	for _, o := range others {
		if slices.Equal(o.solver.GraphEdges(), s.solver.GraphEdges()) {
			return o
		}
	}
	return nil
}

func (s *crankStart) summary() Restart {
	return Restart{
		Seed: s.seed, Primal: s.bounds.Primal, Dual: s.bounds.Dual,
		Edges: slices.Clone(s.solver.GraphEdges()), Steps: len(s.steps),
	}
}
