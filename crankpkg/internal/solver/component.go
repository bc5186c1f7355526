package solver

import (
	"slices"

	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/internal/vec"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// Component is the training of some of the labels by themselves. On a forest
// l(w) is the sum of the objectives of its connected components, so a method
// that adds edges one by one trains again only the two components that an edge
// joins.
type Component struct {
	Labels []int // increasing; label i of the solver is labels[i]
	Solver *Solver
	Bounds Bounds
	whole  bool // it is that of all vertices
	// mu has the marginals of the dual point, unless whole is set.
	mu []float64
}

// NewWholeComponent returns the component of all vertices, which s solves for.
func NewWholeComponent(s *Solver) *Component {
	c := &Component{Solver: s, whole: true}
	for i := range s.p.graph.count() {
		c.Labels = append(c.Labels, i)
	}
	return c
}

// Settle keeps the bounds of the solver's last solve, and its marginals.
func (c *Component) Settle(b Bounds) {
	c.Bounds = b
	if !c.whole {
		c.mu = c.Solver.marginals()
	}
}

// Has reports whether vertex i is in the component.
func (c *Component) Has(i int) bool {
	_, found := slices.BinarySearch(c.Labels, i)
	return found
}

// NewLabelComponent returns the component of label i alone, at the dual point
// of its binary SVM.
func NewLabelComponent(p *Problem, i int, b *SVM) *Component {
	b.unpack()
	defer b.pack()
	b.rejoin()
	s := New(p.selectLabels([]int{i}), nil, b.lambda)
	for m, alpha := range b.alpha {
		if alpha == 0 {
			continue
		}
		y := float32(s.labelsOf(m)[0])
		ex := &s.ex[m]
		ex.atoms[0].weight = 1 - alpha
		ex.atoms = append(ex.atoms, atom{weight: alpha, loss: 1, labels: terms(nil).add(0, 1-2*y)})
		s.loss += alpha
	}
	copy(s.unary.w, b.w) // one label: both layouts begin with its weights
	s.unary.bias[0] = b.bias
	return &Component{Labels: []int{i}, Solver: s, Bounds: b.bounds, mu: s.marginals()}
}

// selectLabels returns the problem of some of the labels.
func (p *Problem) selectLabels(labels []int) *Problem {
	m := p.x.NumRows
	q := &Problem{x: p.x, norm: p.norm, even: p.even, loss: p.loss, z: p.z, n: len(labels), graph: freeLabels(len(labels)), y: make([]uint8, 0, m*len(labels))}
	for m := range m {
		row := p.y[m*p.n : (m+1)*p.n]
		for _, i := range labels {
			q.y = append(q.y, row[i])
		}
	}
	return q
}

// edges returns the edges of the component in terms of all labels.
func (c *Component) edges() []labelgraph.Edge {
	var edges []labelgraph.Edge
	for _, e := range c.Solver.pairs.edges {
		edges = append(edges, labelgraph.Edge{I: c.Labels[e.I], J: c.Labels[e.J]})
	}
	return edges
}

// Join returns the component of the labels of a and b with one more edge
// between them (none when the edge is nil), at a dual point that has the
// marginals of both. It leaves a and b as they are.
func Join(p *Problem, a, b *Component, edge *labelgraph.Edge) *Component {
	labels := slices.Concat(a.Labels, b.Labels)
	slices.Sort(labels)
	at := func(from *Component) []int32 {
		to := make([]int32, len(from.Labels))
		for i, label := range from.Labels {
			k, _ := slices.BinarySearch(labels, label)
			to[i] = int32(k)
		}
		return to
	}
	toA, toB := at(a), at(b)
	edges := slices.Concat(a.edges(), b.edges())
	if edge != nil {
		edges = append(edges, *edge)
	}
	local := make([]labelgraph.Edge, len(edges))
	for k, e := range edges {
		i, _ := slices.BinarySearch(labels, e.I)
		j, _ := slices.BinarySearch(labels, e.J)
		local[k] = labelgraph.NewEdge(i, j)
	}
	slices.SortFunc(local, func(a, b labelgraph.Edge) int { return a.Index() - b.Index() })

	s := New(p.selectLabels(labels), local, a.Solver.pw.lambda)
	s.takeWeights(a.Solver, toA)
	s.takeWeights(b.Solver, toB)
	s.loss = a.Solver.loss + b.Solver.loss
	s.passes, s.calls = 1, 0
	mapA, mapB := s.edgeMap(a.Solver, toA), s.edgeMap(b.Solver, toB)
	for m := range s.ex {
		s.ex[m].atoms = couple(a.Solver.ex[m].atoms, b.Solver.ex[m].atoms, toA, toB, mapA, mapB)
	}
	if edge != nil {
		i, _ := slices.BinarySearch(labels, edge.I)
		j, _ := slices.BinarySearch(labels, edge.J)
		s.addEdgeTerms(labelgraph.NewEdge(i, j))
	}
	s.resetPairs()
	return &Component{Labels: labels, Solver: s}
}

// takeWeights copies the weights of from, whose label i is label to[i] of s.
func (s *Solver) takeWeights(from *Solver, to []int32) {
	w := make([]float64, s.unary.d+1)
	for i, k := range to {
		from.unary.copyTo(w, i)
		s.unary.setLabel(int(k), w)
	}
	for e, k := range s.edgeMap(from, to) {
		copy(s.pw.vector(s.pw.u, int(k)), from.pw.vector(from.pw.u, e))
	}
}

// setLabel sets w_i, given with the bias last.
func (u *unaryWeights) setLabel(i int, w []float64) {
	for k := range u.d {
		if u.sparse {
			u.w[k*u.n+i] = w[k]
		} else {
			u.w[i*u.stride+k] = w[k]
		}
	}
	u.bias[i] = w[u.d]
}

// edgeMap returns the positions in s of the edges of from.
func (s *Solver) edgeMap(from *Solver, to []int32) []int32 {
	positions := make([]int32, len(from.pairs.edges))
	for k, e := range from.pairs.edges {
		want := labelgraph.NewEdge(int(to[e.I]), int(to[e.J]))
		at, _ := slices.BinarySearchFunc(s.pairs.edges, want, func(a, b labelgraph.Edge) int { return a.Index() - b.Index() })
		positions[k] = int32(at)
	}
	return positions
}

// couple returns joint labelings with the given marginals over the atoms of
// two components: those of the north-west corner rule, of which there are
// fewer than atoms in both together.
func couple(a, b []atom, toA, toB, mapA, mapB []int32) []atom {
	joint := make([]atom, 0, len(a)+len(b))
	i, j := 0, 0
	restA, restB := a[0].weight, b[0].weight
	for {
		w := min(restA, restB)
		if last := i == len(a)-1 && j == len(b)-1; last {
			w = max(restA, restB)
		}
		if w > 0 || len(joint) == 0 { // the true labeling always comes first
			joint = append(joint, atom{
				weight: w, loss: a[i].loss + b[j].loss,
				labels: mergeTerms(a[i].labels, b[j].labels, toA, toB),
				pairs:  mergeTerms(a[i].pairs, b[j].pairs, mapA, mapB),
			})
		}
		restA, restB = restA-w, restB-w
		switch {
		case i < len(a)-1 && (restA <= restB || j == len(b)-1):
			i++
			restA = a[i].weight
		case j < len(b)-1:
			j++
			restB = b[j].weight
		default:
			return joint
		}
	}
}

func mergeTerms(a, b terms, toA, toB []int32) terms {
	merged := make([]term, 0, len(a)+len(b))
	for t := range a.all() {
		merged = append(merged, term{toA[t.index], t.value})
	}
	for t := range b.all() {
		merged = append(merged, term{toB[t.index], t.value})
	}
	return make(terms, 0, len(a)+len(b)+1).sorted(merged)
}

// addEdgeTerms gives the atoms their terms for an edge that they do not know
// yet.
func (s *Solver) addEdgeTerms(edge labelgraph.Edge) {
	at, _ := slices.BinarySearchFunc(s.pairs.edges, edge, func(a, b labelgraph.Edge) int { return a.Index() - b.Index() })
	from := make([]int32, len(s.pairs.edges))
	from[at] = -1
	to := make([]int32, len(s.pairs.edges))
	for e := range to {
		to[e] = int32(e)
	}
	s.remapAtoms(from, to)
}

// marginals returns mu_i of all examples, example after example.
func (s *Solver) marginals() []float64 {
	mu := make([]float64, s.m*s.n)
	for m := range s.ex {
		s.marginalsTo(mu[m*s.n:(m+1)*s.n], m)
	}
	return mu
}

// marginalsTo writes mu_i of example m.
func (s *Solver) marginalsTo(mu []float64, m int) {
	for i, y := range s.labelsOf(m) {
		mu[i] = float64(y)
	}
	for _, a := range s.ex[m].atoms {
		for t := range a.labels.all() {
			mu[t.index] += a.weight * float64(t.value)
		}
	}
	for i, v := range mu {
		mu[i] = min(max(v, 0), 1)
	}
}

// With returns the component of the same labels with one more edge between two
// of them, at a dual point that differs in nothing else.
func (c *Component) With(edge labelgraph.Edge) *Component {
	s := c.Solver.Clone()
	edges := append(slices.Clone(s.GraphEdges()), edge)
	slices.SortFunc(edges, func(a, b labelgraph.Edge) int { return a.Index() - b.Index() })
	s.SetEdges(edges)
	return &Component{Labels: c.Labels, Solver: s, whole: c.whole}
}

// GainBound returns an upper bound on how far the edge can lower the objective
// of the components a and b of its ends: their gaps plus u_ij^2 / (2 lambda),
// which is how far the dual falls when the edge is added at the present dual
// point. The joint marginal of the two labels is free within Frechet's bounds,
// since their components are independent; the one that makes |u_ij| smallest
// counts.
func GainBound(a, b *Component, e labelgraph.Edge) float64 {
	i, _ := slices.BinarySearch(a.Labels, e.I)
	j, _ := slices.BinarySearch(b.Labels, e.J)
	if a == b {
		return a.ownBound(e)
	}
	if a.Solver.pw.k > 1 {
		return vectorGainBound(a, b, i, j)
	}
	var lo, hi float64 // of M u_ij
	for m := range a.Solver.ex {
		mi, mj := a.mu[m*len(a.Labels)+i], b.mu[m*len(b.Labels)+j]
		truth := float64(a.Solver.labelsOf(m)[i] & b.Solver.labelsOf(m)[j])
		lo += truth - min(mi, mj)
		hi += truth - max(0, mi+mj-1)
	}
	u := max(lo, -hi, 0) * a.Solver.step
	return a.Bounds.Width() + b.Bounds.Width() + u*u/(2*a.Solver.pw.lambda)
}

// ownBound returns an upper bound on how far an edge within the component can
// lower its objective: its gap plus |u_ij|^2 / (2 lambda) at the labelings of its
// dual point.
func (c *Component) ownBound(edge labelgraph.Edge) float64 {
	s := c.Solver
	pairs := s.p.graph.pairsOf([]labelgraph.Edge{edge})
	u := newPairWeights(len(pairs), s.pw.k, s.pw.lambda)
	y := make(infer.Labeling, s.n)
	sums := make([]float64, len(pairs)) // of M u_ij, of one example
	for m := range s.ex {
		truth := s.labelsOf(m)
		clear(sums)
		for k := range s.ex[m].atoms {
			a := &s.ex[m].atoms[k]
			a.labelingTo(y, truth)
			for p, e := range pairs {
				sums[p] += a.weight * (float64(truth[e.I]&truth[e.J]) - float64(infer.PairHalves(y[e.I], y[e.J], 0))/2)
			}
		}
		for p, sum := range sums {
			if s.pw.k > 1 {
				u.addVector(int32(p), sum*s.step, s.p.z.Row(m))
			} else {
				u.u[p] += sum * s.step
			}
		}
	}
	return c.Bounds.Width() + vec.Dot(u.u, u.u)/(2*s.pw.lambda)
}

// vectorGainBound is GainBound where w_ij is a vector. Any joint marginals give
// a bound; a few steps of coordinate descent make |u_ij| small.
func vectorGainBound(a, b *Component, i, j int) float64 {
	s := a.Solver
	u := newPairWeights(1, s.pw.k, s.pw.lambda)
	joint := make([]float64, s.m) // M u_ij is the sum of joint z(x^m)
	for pass := range 4 {
		for m := range joint {
			z := s.p.z.Row(m)
			mi, mj := a.mu[m*len(a.Labels)+i], b.mu[m*len(b.Labels)+j]
			truth := float64(s.labelsOf(m)[i] & b.Solver.labelsOf(m)[j])
			want := 0.0
			if pass > 0 {
				want = joint[m] - z.Dot(u.u)/(s.step*z.SquaredNorm())
			}
			next := min(max(want, truth-min(mi, mj)), truth-max(0, mi+mj-1))
			u.addVector(0, (next-joint[m])*s.step, z)
			joint[m] = next
		}
	}
	return a.Bounds.Width() + b.Bounds.Width() + vec.Dot(u.u, u.u)/(2*s.pw.lambda)
}
