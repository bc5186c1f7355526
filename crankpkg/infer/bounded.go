package infer

import "github.com/crank-ml/crank/crankpkg/metrics"

// bounded maximizes as enumeration does, to the same bits, for losses of the number of wrong
// labels. It leaves out all labelings that begin with labels from which a value that is known
// to be reached cannot be reached any more.
type bounded struct {
	n      int
	weight []float64 // n x n, of label i and j < i at i n + j
	both   []float64 // the same, symmetric
	better []float64 // by label i: the positive weights to labels before i
	gain   []float64 // by depth and label: what the label is worth, those after it being decided
	on     []uint8
	truth  []uint8
	c      []float64
	loss   Loss

	least   float64 // a value that is reached, less what rounding may take
	value   float64
	best    []uint8
	visited int
}

// mostVisited bounds the search: beyond, looking at all labelings takes no longer.
const mostVisited = 1000

// maximize writes the maximizer to y and returns its value. In y is a labeling whose value
// counts as reached. It gives up, with y as it was, where too many labelings are left.
func (o *bounded) maximize(y Labeling, g *PairGraph, c []float64, truth []uint8, loss Loss) (value float64, ok bool) {
	o.reserve(len(c))
	o.c, o.truth, o.loss = c, truth, loss
	clear(o.weight)
	clear(o.both)
	clear(o.better)
	size := 1.0
	for _, e := range g.Edges {
		i, j := int(e.I), int(e.J)
		o.weight[j*o.n+i], o.both[j*o.n+i], o.both[i*o.n+j] = e.Weight, e.Weight, e.Weight
		o.better[j] += max(0, e.Weight)
		size += max(e.Weight, -e.Weight)
	}
	fixed := loss.ZeroOne // without any label
	top := o.gain[o.n*o.n:]
	for i, v := range c {
		top[i] = v + loss.Hamming*float64(1-2*int(truth[i]))
		fixed += loss.Hamming * float64(truth[i])
		size += max(v, -v) + 2*loss.Hamming
	}
	for i, v := range y {
		o.on[i] = v / On
	}
	reached := o.valueOf(o.on)
	o.value, o.visited = o.valueOf(truth), 0
	o.least = max(reached, o.value) - 1e-12*(size+loss.ZeroOne)
	copy(o.best, truth)
	if !o.descend(o.n, fixed) {
		return 0, false
	}
	for i, v := range o.best {
		y[i] = On * v
	}
	return o.value, true
}

func (o *bounded) reserve(n int) {
	if o.n == n && o.on != nil {
		return
	}
	*o = bounded{
		n: n, weight: make([]float64, n*n), both: make([]float64, n*n), better: make([]float64, n), gain: make([]float64, (n+1)*n),
		on: make([]uint8, n), best: make([]uint8, n),
	}
}

// descend decides the labels before k, in counting order, those after being decided at a
// value of sum so far. It reports whether it has come to an end.
func (o *bounded) descend(k int, sum float64) bool {
	if o.visited++; o.visited > mostVisited {
		return false
	}
	if k == 0 {
		if v := o.valueOf(o.on); v > o.value {
			o.value = v
			copy(o.best, o.on)
		}
		return true
	}
	gain := o.gain[k*o.n : k*o.n+k]
	bound := sum
	for i, v := range gain {
		bound += max(0, v+o.better[i])
	}
	if bound < o.least {
		return true
	}
	k--
	next := o.gain[k*o.n : k*o.n+k]
	copy(next, gain)
	o.on[k] = 0
	if !o.descend(k, sum) {
		return false
	}
	for i, w := range o.both[k*o.n : k*o.n+k] {
		next[i] = gain[i] + w
	}
	o.on[k] = 1
	return o.descend(k, sum+gain[k])
}

// valueOf returns the value of a labeling: its sums have the order of enumeration's.
func (o *bounded) valueOf(y []uint8) float64 {
	var score float64
	var counts metrics.Counts
	for i, v := range y {
		counts.Add(o.truth[i], v)
		if v == 0 {
			continue
		}
		gain := o.c[i]
		for j, w := range o.weight[i*o.n : i*o.n+i] {
			if y[j] == 1 {
				gain += w
			}
		}
		score += gain
	}
	return score + o.loss.ofCounts(counts)
}
