package mrf

import "math"

// sweeps bounds the sweeps of block-coordinate descent over all edges, and
// decodeEvery those between two looks at the labeling they have led to.
const (
	sweeps      = 40
	decodeEvery = 4
)

// descend lowers the bound by block-coordinate descent. It returns the value of
// the best labeling met, which becomes the solution, and the bound.
func (o *LP) descend() (value, bound float64) {
	clear(o.delta)
	for i, at := range o.unaryAt {
		copy(o.belief[at:], o.unary[i])
	}
	value, before := math.Inf(-1), math.Inf(1)
	for k := range sweeps {
		for e := range o.edges {
			o.updateEdge(e)
		}
		if k%decodeEvery != 0 {
			continue
		}
		bound = o.bound()
		if v := o.decode(); v > value {
			value = v
			o.y, o.tried = o.tried, o.y
		}
		if tol := o.Tolerance(bound); bound-value <= tol || before-bound <= tol {
			break
		}
		before = bound
	}
	return o.setLabeling(o.y), bound
}

// ends returns delta and belief at the two ends of edge e.
func (o *LP) ends(e int) (deltaI, deltaJ, beliefI, beliefJ []float64) {
	edge, at := o.edges[e], o.deltaAt[e]
	ki, kj := o.states[edge.I], o.states[edge.J]
	return o.delta[at : at+ki], o.delta[at+ki : at+ki+kj],
		o.belief[o.unaryAt[edge.I]:][:ki], o.belief[o.unaryAt[edge.J]:][:kj]
}

// updateEdge minimizes the bound over the delta of edge e: with a and b the
// beliefs at its ends less their own delta,
//
//	delta_i(s) = (max_t [pair(s, t) + b(t)] - a(s)) / 2,
//
// and likewise for j.
func (o *LP) updateEdge(e int) {
	deltaI, deltaJ, a, b := o.ends(e)
	for s := range a {
		a[s] -= deltaI[s]
	}
	for t := range b {
		b[t] -= deltaJ[t]
	}
	best := o.best[:len(b)]
	for t := range best {
		best[t] = math.Inf(-1)
	}
	for s := range a {
		row := o.pair[e][s*len(b) : (s+1)*len(b)]
		most := math.Inf(-1)
		for t, v := range row {
			most = max(most, v+b[t])
			best[t] = max(best[t], v+a[s])
		}
		deltaI[s] = (most - a[s]) / 2
	}
	for t := range b {
		deltaJ[t] = (best[t] - b[t]) / 2
		b[t] += deltaJ[t]
	}
	for s := range a {
		a[s] += deltaI[s]
	}
}

// bound returns the upper bound that delta gives.
func (o *LP) bound() float64 {
	var sum float64
	for i, k := range o.states {
		most := math.Inf(-1)
		for _, v := range o.belief[o.unaryAt[i] : o.unaryAt[i]+k] {
			most = max(most, v)
		}
		sum += most
	}
	for e := range o.edges {
		deltaI, deltaJ, _, _ := o.ends(e)
		most := math.Inf(-1)
		for s, di := range deltaI {
			for t, dj := range deltaJ {
				most = max(most, o.pair[e][s*len(deltaJ)+t]-di-dj)
			}
		}
		sum += most
	}
	return sum
}

// setBeliefs recomputes the beliefs from delta.
func (o *LP) setBeliefs() {
	for i, at := range o.unaryAt {
		copy(o.belief[at:], o.unary[i])
	}
	for e := range o.edges {
		deltaI, deltaJ, a, b := o.ends(e)
		for s, d := range deltaI {
			a[s] += d
		}
		for t, d := range deltaJ {
			b[t] += d
		}
	}
}

// decode writes the states of largest belief to tried and returns their value.
func (o *LP) decode() float64 {
	for i, k := range o.states {
		belief := o.belief[o.unaryAt[i] : o.unaryAt[i]+k]
		o.tried[i] = 0
		for s, v := range belief {
			if v > belief[o.tried[i]] {
				o.tried[i] = s
			}
		}
	}
	return o.labelingValue(o.tried)
}
