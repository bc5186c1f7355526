package solver

import (
	"context"
	"math"

	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/internal/parallel"
)

// shards make the passes of a solve side by side. In a pass, shard k visits its
// part of the shuffled examples as a solver does, but with weights of its own
// that follow its own moves alone, each sigma times as far: as if for each of its
// examples there were sigma in the data. At the end of the pass the moves of all
// shards meet in the weights:
//
//	u <- u + sum_k du_k, where shard k has seen u + sigma du_k
//
// With sigma = K, the number of shards, the new u is the mean of what the shards
// have seen, and each of them has only raised the dual of its own; the dual is
// concave, so that of the mean has not fallen. That is for the worst case, where
// all shards move the weights alike; where they move them independently, sigma =
// 1 would be right. In between, sqrt(K) takes about a fifth less time than K for
// K = 2 (PERFORMANCE.md). Where the dual has fallen, after all, sigma grows
// towards K.
//
// What a pass does depends on the number of shards, and not on the goroutines
// that work on them. Bounds are certified by the solver, as ever.
type shards struct {
	parts []*Solver // they share the examples of the whole
	whole *Solver
	sigma float64
	gaps  []float64 // by shard, of the pass under way
}

// sigmaGrowth is the factor by which sigma grows after a fall of the dual.
const sigmaGrowth = 1.2

// share returns the solver's shards, at its weights, or nil for less than two.
// More than there are examples would have nothing to visit.
func (s *Solver) share(count int) *shards {
	count = min(count, s.m)
	if count < 2 {
		return nil
	}
	if h := s.shards; h == nil || len(h.parts) != count || h.parts[0].pairs != s.pairs {
		s.shards = newShards(s, count)
	}
	s.shards.begin()
	return s.shards
}

func newShards(s *Solver, count int) *shards {
	h := &shards{whole: s, parts: make([]*Solver, count), gaps: make([]float64, count)}
	for k := range h.parts {
		part := &Solver{
			p: s.p, n: s.n, m: s.m, pairs: s.pairs,
			unary:   newUnaryWeights(s.n, s.p.x.NumCols, s.unary.sparse),
			pw:      newPairWeights(len(s.pairs.edges), s.pw.k, s.pw.lambda),
			graph:   infer.NewPairGraph(s.n, nil, nil),
			isDirty: make([]bool, len(s.pairs.edges)),
			general: s.general,
			ex:      s.ex,

			prefetches: s.prefetches,
		}
		part.addWorkspace()
		h.parts[k] = part
	}
	return h
}

// begin makes each part what the whole is: between two solves, all of it but the
// edges can change.
func (h *shards) begin() {
	s := h.whole
	h.setSigma(math.Sqrt(float64(len(h.parts))))
	for _, part := range h.parts {
		part.left = s.left
		part.pw.beta, part.pw.lambda = s.pw.beta, s.pw.lambda
		part.pw.shift, part.pw.share = s.pw.shift, s.pw.share
		copy(part.unary.w, s.unary.w)
		copy(part.unary.bias, s.unary.bias)
		copy(part.pw.u, s.pw.u)
		part.setPairWeights()
	}
}

func (h *shards) setSigma(sigma float64) {
	h.sigma = sigma
	for _, part := range h.parts {
		part.step = sigma * h.whole.step
	}
}

// pass is visitAll for the whole, on some goroutines.
func (h *shards) pass(callOracle bool, skip float64, rule *StopRule) float64 {
	order, count := h.whole.order, len(h.parts)
	parallel.ForEach(context.Background(), max(1, rule.Workers), count, func(_, k int) {
		part := h.parts[k]
		part.loss, part.calls = 0, 0
		mine := order[k*len(order)/count : (k+1)*len(order)/count]
		h.gaps[k] = part.visitAll(mine, callOracle, skip, rule)
	})
	h.meet()
	var sum float64
	for _, gap := range h.gaps {
		sum += gap
	}
	return sum
}

// meet brings the moves of all shards into the weights of the whole, and those
// into the shards.
func (h *shards) meet() {
	s := h.whole
	before := s.dual()
	h.meetWeights(s.unary.w, func(part *Solver) []float64 { return part.unary.w })
	h.meetWeights(s.unary.bias, func(part *Solver) []float64 { return part.unary.bias })
	h.meetWeights(s.pw.u, func(part *Solver) []float64 { return part.pw.u })
	s.setPairWeights()
	for _, part := range h.parts {
		part.setPairWeights()
		s.loss += part.loss
		s.calls += part.calls
	}
	if s.dual() < before-tolerance(before) {
		h.setSigma(min(sigmaGrowth*h.sigma, float64(len(h.parts))))
	}
}

func (h *shards) meetWeights(w []float64, of func(part *Solver) []float64) {
	for _, part := range h.parts[1:] {
		addMove(of(h.parts[0]), of(part), w)
	}
	first := of(h.parts[0])
	for i, v := range first {
		if v != w[i] {
			w[i] += (v - w[i]) / h.sigma
		}
	}
	for _, part := range h.parts {
		copy(of(part), w)
	}
}

// addMove adds b - from to a.
func addMove(a, b, from []float64) {
	for i, v := range b {
		if v != from[i] {
			a[i] += v - from[i]
		}
	}
}
