package crankpkg

import (
	"context"
	"math"

	"github.com/crank-ml/crank/crankpkg/internal/groups"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// ChowLiu trains the weights of the tree that Chow and Liu (1968) choose: the
// maximum spanning tree of the labels' empirical mutual information, which is
// the maximum likelihood tree when inputs are left out of account. It is the
// generative contrast to the paper's methods.
type ChowLiu struct {
	Lambda float64 // l2 regularization; zero means 1/M
	Settings
}

// Name returns "Chow-Liu".
func (ChowLiu) Name() string { return "Chow-Liu" }

// WithLambda returns c with another lambda.
func (c ChowLiu) WithLambda(lambda float64) Trainer { c.Lambda = lambda; return c }

// Train chooses the tree and solves for its weights.
func (c ChowLiu) Train(ctx context.Context, ds *Dataset) (*Model, *Trace, error) {
	return train(ctx, c, ds)
}

func (c ChowLiu) common() (float64, Settings) { return c.Lambda, c.Settings }

func (ChowLiu) meetsCycles(int) bool { return false }

func (ChowLiu) learn(t *training) (*Model, *Trace, error) {
	n := t.problem.NumVertices()
	return t.solveEdges(labelgraph.MaximumSpanningEdges(n, labelgraph.AllPairs(n), MutualInformation(t.ds), t.set.Seed))
}

// MutualInformation returns, for all pairs of labels (of groups, where labels come
// in groups) in the order of Edge.Index, the mutual information of their empirical
// joint distribution, in nats. It is never negative.
func MutualInformation(ds *Dataset) []float64 {
	if ds.Groups != nil {
		return groupInformation(ds)
	}
	n := ds.NumLabels()
	both := make([]int, labelgraph.NumPairs(n)) // examples with both labels on
	single := make([]int, n)
	on := make([]int, 0, n)
	for m := range ds.Len() {
		on = on[:0]
		for j, v := range ds.Labels(m) {
			if v == 0 {
				continue
			}
			single[j]++
			for _, i := range on {
				both[Edge{I: i, J: j}.Index()]++
			}
			on = append(on, j)
		}
	}
	info := make([]float64, len(both))
	for j := 1; j < n; j++ {
		for i := range j {
			e := Edge{I: i, J: j}.Index()
			info[e] = mutualInformation(both[e], single[i], single[j], ds.Len())
		}
	}
	return info
}

// mutualInformation returns the mutual information of two binary variables of
// which k11 of total examples have both on, and k1 and kk1 the one and the
// other.
func mutualInformation(k11, k1, kk1, total int) float64 {
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

// groupInformation is MutualInformation for labels in groups.
func groupInformation(ds *Dataset) []float64 {
	l := groups.New(ds.Groups)
	n := l.NumGroups()
	states := make([]uint8, ds.Len()*n)
	for m := range ds.Len() {
		l.StatesTo(states[m*n:(m+1)*n], ds.Labels(m))
	}
	var info []float64
	for _, e := range labelgraph.AllPairs(n) {
		info = append(info, tableInformation(states, n, e, l.Sizes[e.I], l.Sizes[e.J]))
	}
	return info
}

// tableInformation returns the mutual information of the ends of e, which have ki
// and kj states, in the rows of n states.
func tableInformation(states []uint8, n int, e Edge, ki, kj int) float64 {
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
