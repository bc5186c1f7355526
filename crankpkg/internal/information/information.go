// Package information has the mutual information of labels in their empirical joint
// distribution, in nats: what Chow and Liu's tree is the maximum spanning tree of.
package information

import (
	"math"

	"github.com/crank-ml/crank/crankpkg/internal/groups"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// OfLabels returns it for all pairs of n labels in the order of Edge.Index, given
// rows of n zeros and ones.
func OfLabels(y []uint8, n int) []float64 {
	both := make([]int, labelgraph.NumPairs(n)) // rows with both labels on
	single := make([]int, n)
	on := make([]int, 0, n)
	for at := 0; at < len(y); at += n {
		on = on[:0]
		for j, v := range y[at : at+n] {
			if v == 0 {
				continue
			}
			single[j]++
			for _, i := range on {
				both[labelgraph.Edge{I: i, J: j}.Index()]++
			}
			on = append(on, j)
		}
	}
	info := make([]float64, len(both))
	for j := 1; j < n; j++ {
		for i := range j {
			e := labelgraph.Edge{I: i, J: j}.Index()
			info[e] = ofPair(both[e], single[i], single[j], len(y)/n)
		}
	}
	return info
}

// ofPair returns it for two binary variables of which k11 of total rows have both on,
// and k1 and kk1 the one and the other.
func ofPair(k11, k1, kk1, total int) float64 {
	t := float64(total)
	cell := func(joint, a, b int) float64 {
		if joint == 0 {
			return 0
		}
		return float64(joint) / t * math.Log(float64(joint)*t/(float64(a)*float64(b)))
	}
	sum := cell(k11, k1, kk1) + cell(k1-k11, k1, total-kk1) +
		cell(kk1-k11, total-k1, kk1) + cell(total-k1-kk1+k11, total-k1, total-kk1)
	return max(sum, 0)
}

// OfGroups returns it for all pairs of groups of labels.
func OfGroups(y []uint8, l *groups.Layout) []float64 {
	n, d := l.NumGroups(), l.NumLabels()
	states := make([]uint8, len(y)/d*n)
	for m := range len(y) / d {
		l.StatesTo(states[m*n:(m+1)*n], y[m*d:(m+1)*d])
	}
	var info []float64
	for _, e := range labelgraph.AllPairs(n) {
		info = append(info, ofTable(states, n, e, l.Sizes[e.I], l.Sizes[e.J]))
	}
	return info
}

// ofTable returns it for the ends of e, which have ki and kj states, in the rows of n
// states.
func ofTable(states []uint8, n int, e labelgraph.Edge, ki, kj int) float64 {
	joint, first, second := make([]float64, ki*kj), make([]float64, ki), make([]float64, kj)
	share := 1 / float64(len(states)/n)
	for at := 0; at < len(states); at += n {
		s, t := int(states[at+e.I]), int(states[at+e.J])
		joint[s*kj+t] += share
		first[s] += share
		second[t] += share
	}
	var sum float64
	for s, a := range first {
		for t, b := range second {
			if v := joint[s*kj+t]; v > 0 {
				sum += v * math.Log(v/(a*b))
			}
		}
	}
	return max(sum, 0)
}
