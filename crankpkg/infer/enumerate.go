package infer

import (
	"fmt"
	"math/bits"

	"github.com/crank-ml/crank/crankpkg/metrics"
)

// EnumerableLabels is the number of labels up to which hinges with a loss that
// is no sum over the labels are computed on graphs with cycles: all 2^n
// labelings are looked at.
const EnumerableLabels = 16

// enumeration maximizes over all labelings of any graph with any Loss,
//
//	max over s  sum_i c_i s_i + sum_ij w_ij s_i s_j + Delta(s, truth),
//
// in about four additions for each of the 2^n labelings: the scores of the
// labelings with label i are those without, plus c_i and the weights from i to
// the labels that are on, which a table of 2^i sums holds.
type enumeration struct {
	weight []float64 // n x n
	score  []float64 // by labeling, label i being bit i
	gain   []float64 // what the label under way adds, by labeling of those before
	losses []float64 // by misses and phantoms
}

// maximize writes a maximizer to y, among equals the first in counting order,
// and returns its value. It panics when there are too many labels.
func (o *enumeration) maximize(y Labeling, g *PairGraph, c []float64, truth []uint8, loss Loss) float64 {
	n := len(c)
	if n > EnumerableLabels {
		panic(fmt.Sprintf("infer: enumeration of the labelings of %d labels", n))
	}
	o.reserve(n)
	o.scoreAll(g, c)
	var own uint
	for i, v := range truth {
		own |= uint(v) << i
	}
	var best float64
	var at uint
	if loss.ExampleF1 == 0 && !loss.limited() {
		best, at = o.byWrong(own, loss)
	} else {
		best, at = o.byCounts(own, n, loss)
	}
	for i := range y {
		y[i] = On * uint8(at>>i&1)
	}
	return best
}

// byWrong maximizes where the loss depends on the number of wrong labels alone.
func (o *enumeration) byWrong(own uint, loss Loss) (best float64, at uint) {
	var losses [bits.UintSize + 1]float64
	for wrong := range EnumerableLabels + 1 {
		losses[wrong] = loss.ofCounts(metrics.Counts{Misses: wrong})
	}
	best, at = o.score[own], own
	for s, score := range o.score {
		if value := score + losses[bits.OnesCount(uint(s)^own)]; value > best {
			best, at = value, uint(s)
		}
	}
	return best, at
}

// byCounts maximizes with any loss.
func (o *enumeration) byCounts(own uint, n int, loss Loss) (best float64, at uint) {
	o.tabulate(n, bits.OnesCount(own), loss)
	best, at = o.score[own], own
	for s, score := range o.score {
		misses, phantoms := bits.OnesCount(own&^uint(s)), bits.OnesCount(uint(s)&^own)
		if value := score + o.losses[misses*(n+1)+phantoms]; value > best {
			best, at = value, uint(s)
		}
	}
	return best, at
}

func (o *enumeration) reserve(n int) {
	if len(o.score) == 1<<n {
		return
	}
	o.weight = make([]float64, n*n)
	o.score = make([]float64, 1<<n)
	o.gain = make([]float64, 1<<max(n-1, 0))
	o.losses = make([]float64, (n+1)*(n+1))
}

// scoreAll fills in the scores of all labelings.
func (o *enumeration) scoreAll(g *PairGraph, c []float64) {
	n := len(c)
	clear(o.weight)
	for _, e := range g.Edges {
		o.weight[int(e.J)*n+int(e.I)] = e.Weight
	}
	o.score[0] = 0
	for i, ci := range c {
		o.gain[0] = ci
		for j, w := range o.weight[i*n : i*n+i] {
			before, after := o.gain[:1<<j], o.gain[1<<j:2<<j]
			if w == 0 {
				copy(after, before)
				continue
			}
			for s, v := range before {
				after[s] = v + w
			}
		}
		without, with := o.score[:1<<i], o.score[1<<i:2<<i]
		for s, v := range without {
			with[s] = v + o.gain[s]
		}
	}
}

// tabulate fills in the losses of an example with so many of n labels.
func (o *enumeration) tabulate(n, labels int, loss Loss) {
	for misses := range labels + 1 {
		for phantoms := range n - labels + 1 {
			o.losses[misses*(n+1)+phantoms] = loss.ofCounts(metrics.Counts{Hits: labels - misses, Misses: misses, Phantoms: phantoms})
		}
	}
}
