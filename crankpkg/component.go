package crankpkg

import (
	"slices"

	"gonum.org/v1/gonum/floats"
)

// component is the training of some of the labels by themselves. On a forest
// l(w) is the sum of the objectives of its connected components, so a method
// that adds edges one by one trains again only the two components that an edge
// joins.
type component struct {
	labels []int // increasing; label i of the solver is labels[i]
	solver *solver
	bounds bounds
	whole  bool // it is that of all vertices
	// mu has the marginals of the dual point, unless whole is set.
	mu []float64
}

// newWholeComponent returns the component of all vertices, which s solves for.
func newWholeComponent(s *solver) *component {
	c := &component{solver: s, whole: true}
	for i := range s.p.graph.count() {
		c.labels = append(c.labels, i)
	}
	return c
}

// settle keeps the bounds of the solver's last solve, and its marginals.
func (c *component) settle(b bounds) {
	c.bounds = b
	if !c.whole {
		c.mu = c.solver.marginals()
	}
}

// has reports whether vertex i is in the component.
func (c *component) has(i int) bool {
	_, found := slices.BinarySearch(c.labels, i)
	return found
}

// newLabelComponent returns the component of label i alone, at the dual point
// of its binary SVM.
func newLabelComponent(p *problem, i int, b *binarySVM) *component {
	s := newSolver(p.selectLabels([]int{i}), nil, b.lambda)
	for m, alpha := range b.alpha {
		if alpha == 0 {
			continue
		}
		y := float32(s.labelsOf(m)[0])
		ex := &s.ex[m]
		ex.atoms[0].weight = 1 - alpha
		ex.atoms = append(ex.atoms, atom{weight: alpha, loss: 1, labels: []term{{0, 1 - 2*y}}})
		s.loss += alpha
	}
	copy(s.unary.w, b.w) // one label: both layouts are the same
	s.unary.bias[0] = b.bias
	return &component{labels: []int{i}, solver: s, bounds: b.bounds, mu: s.marginals()}
}

// selectLabels returns the problem of some of the labels.
func (p *problem) selectLabels(labels []int) *problem {
	m := p.x.NumRows
	q := &problem{x: p.x, norm: p.norm, loss: p.loss, z: p.z, n: len(labels), graph: freeLabels(len(labels)), y: make([]uint8, 0, m*len(labels))}
	for m := range m {
		row := p.y[m*p.n : (m+1)*p.n]
		for _, i := range labels {
			q.y = append(q.y, row[i])
		}
	}
	return q
}

// edges returns the edges of the component in terms of all labels.
func (c *component) edges() []Edge {
	var edges []Edge
	for _, e := range c.solver.pairs.edges {
		edges = append(edges, Edge{c.labels[e.I], c.labels[e.J]})
	}
	return edges
}

// join returns the component of the labels of a and b with one more edge
// between them (none when the edge is nil), at a dual point that has the
// marginals of both. It leaves a and b as they are.
func join(p *problem, a, b *component, edge *Edge) *component {
	labels := slices.Concat(a.labels, b.labels)
	slices.Sort(labels)
	at := func(from *component) []int32 {
		to := make([]int32, len(from.labels))
		for i, label := range from.labels {
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
	local := make([]Edge, len(edges))
	for k, e := range edges {
		i, _ := slices.BinarySearch(labels, e.I)
		j, _ := slices.BinarySearch(labels, e.J)
		local[k] = NewEdge(i, j)
	}
	slices.SortFunc(local, func(a, b Edge) int { return a.Index() - b.Index() })

	s := newSolver(p.selectLabels(labels), local, a.solver.pw.lambda)
	s.takeWeights(a.solver, toA)
	s.takeWeights(b.solver, toB)
	s.loss = a.solver.loss + b.solver.loss
	s.passes, s.calls = 1, 0
	mapA, mapB := s.edgeMap(a.solver, toA), s.edgeMap(b.solver, toB)
	for m := range s.ex {
		s.ex[m].atoms = couple(a.solver.ex[m].atoms, b.solver.ex[m].atoms, toA, toB, mapA, mapB)
	}
	if edge != nil {
		i, _ := slices.BinarySearch(labels, edge.I)
		j, _ := slices.BinarySearch(labels, edge.J)
		s.addEdgeTerms(NewEdge(i, j))
	}
	s.resetPairs()
	return &component{labels: labels, solver: s}
}

// takeWeights copies the weights of from, whose label i is label to[i] of s.
func (s *solver) takeWeights(from *solver, to []int32) {
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
			u.w[i*u.d+k] = w[k]
		}
	}
	u.bias[i] = w[u.d]
}

// edgeMap returns the positions in s of the edges of from.
func (s *solver) edgeMap(from *solver, to []int32) []int32 {
	positions := make([]int32, len(from.pairs.edges))
	for k, e := range from.pairs.edges {
		want := NewEdge(int(to[e.I]), int(to[e.J]))
		at, _ := slices.BinarySearchFunc(s.pairs.edges, want, func(a, b Edge) int { return a.Index() - b.Index() })
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

func mergeTerms(a, b []term, toA, toB []int32) []term {
	merged := make([]term, 0, len(a)+len(b)+1)
	for _, t := range a {
		merged = append(merged, term{toA[t.index], t.value})
	}
	for _, t := range b {
		merged = append(merged, term{toB[t.index], t.value})
	}
	slices.SortFunc(merged, func(s, t term) int { return int(s.index - t.index) })
	return merged
}

// addEdgeTerms gives the atoms their terms for an edge that they do not know
// yet.
func (s *solver) addEdgeTerms(edge Edge) {
	at, _ := slices.BinarySearchFunc(s.pairs.edges, edge, func(a, b Edge) int { return a.Index() - b.Index() })
	from := make([]int32, len(s.pairs.edges))
	from[at] = -1
	to := make([]int32, len(s.pairs.edges))
	for e := range to {
		to[e] = int32(e)
	}
	s.remapAtoms(from, to)
}

// marginals returns mu_i of all examples, example after example.
func (s *solver) marginals() []float64 {
	mu := make([]float64, s.m*s.n)
	for m := range s.ex {
		s.marginalsTo(mu[m*s.n:(m+1)*s.n], m)
	}
	return mu
}

// marginalsTo writes mu_i of example m.
func (s *solver) marginalsTo(mu []float64, m int) {
	for i, y := range s.labelsOf(m) {
		mu[i] = float64(y)
	}
	for _, a := range s.ex[m].atoms {
		for _, t := range a.labels {
			mu[t.index] += a.weight * float64(t.value)
		}
	}
	for i, v := range mu {
		mu[i] = min(max(v, 0), 1)
	}
}

// with returns the component of the same labels with one more edge between two
// of them, at a dual point that differs in nothing else.
func (c *component) with(edge Edge) *component {
	s := c.solver.clone()
	edges := append(slices.Clone(s.graphEdges()), edge)
	slices.SortFunc(edges, func(a, b Edge) int { return a.Index() - b.Index() })
	s.setEdges(edges)
	return &component{labels: c.labels, solver: s, whole: c.whole}
}

// gainBound returns an upper bound on how far the edge can lower the objective
// of the components a and b of its ends: their gaps plus u_ij^2 / (2 lambda),
// which is how far the dual falls when the edge is added at the present dual
// point. The joint marginal of the two labels is free within Frechet's bounds,
// since their components are independent; the one that makes |u_ij| smallest
// counts.
func gainBound(a, b *component, e Edge) float64 {
	i, _ := slices.BinarySearch(a.labels, e.I)
	j, _ := slices.BinarySearch(b.labels, e.J)
	if a == b {
		return a.ownBound(e)
	}
	if a.solver.pw.k > 1 {
		return vectorGainBound(a, b, i, j)
	}
	var lo, hi float64 // of M u_ij
	for m := range a.solver.ex {
		mi, mj := a.mu[m*len(a.labels)+i], b.mu[m*len(b.labels)+j]
		truth := float64(a.solver.labelsOf(m)[i] & b.solver.labelsOf(m)[j])
		lo += truth - min(mi, mj)
		hi += truth - max(0, mi+mj-1)
	}
	u := max(lo, -hi, 0) * a.solver.step
	return a.bounds.width() + b.bounds.width() + u*u/(2*a.solver.pw.lambda)
}

// ownBound returns an upper bound on how far an edge within the component can
// lower its objective: its gap plus |u_ij|^2 / (2 lambda) at the labelings of its
// dual point.
func (c *component) ownBound(edge Edge) float64 {
	s := c.solver
	pairs := s.p.graph.pairsOf([]Edge{edge})
	u := newPairWeights(len(pairs), s.pw.k, s.pw.lambda)
	y := make(Labeling, s.n)
	sums := make([]float64, len(pairs)) // of M u_ij, of one example
	for m := range s.ex {
		truth := s.labelsOf(m)
		clear(sums)
		for k := range s.ex[m].atoms {
			a := &s.ex[m].atoms[k]
			a.labelingTo(y, truth)
			for p, e := range pairs {
				sums[p] += a.weight * (float64(truth[e.I]&truth[e.J]) - float64(PairHalves(y[e.I], y[e.J], 0))/2)
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
	return c.bounds.width() + floats.Dot(u.u, u.u)/(2*s.pw.lambda)
}

// vectorGainBound is gainBound where w_ij is a vector. Any joint marginals give
// a bound; a few steps of coordinate descent make |u_ij| small.
func vectorGainBound(a, b *component, i, j int) float64 {
	s := a.solver
	u := newPairWeights(1, s.pw.k, s.pw.lambda)
	joint := make([]float64, s.m) // M u_ij is the sum of joint z(x^m)
	for pass := range 4 {
		for m := range joint {
			z := s.p.z.Row(m)
			mi, mj := a.mu[m*len(a.labels)+i], b.mu[m*len(b.labels)+j]
			truth := float64(s.labelsOf(m)[i] & b.solver.labelsOf(m)[j])
			want := 0.0
			if pass > 0 {
				want = joint[m] - z.Dot(u.u)/(s.step*z.SquaredNorm())
			}
			next := min(max(want, truth-min(mi, mj)), truth-max(0, mi+mj-1))
			u.addVector(0, (next-joint[m])*s.step, z)
			joint[m] = next
		}
	}
	return a.bounds.width() + b.bounds.width() + floats.Dot(u.u, u.u)/(2*s.pw.lambda)
}
