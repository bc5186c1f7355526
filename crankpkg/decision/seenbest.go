package decision

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/crank-ml/crank/crankpkg/internal/parallel"
)

// bestSeen finds, for each of some rules, the seen labeling of the largest score. It keeps no
// scores, so that there may be any number of examples and labelings. Labelings come by
// their number of labels, those with the same number in a group, which is passed over where none of it can win.
type bestSeen struct {
	Part
	rules  int
	groups []seenGroup
	known  []int32   // the labelings, by place
	labels []int32   // of the labelings, one after the other
	edges  [][]int32 // by place, with both ends on; nil where there are no pairs
	added  []float64 // what a rule adds to a labeling's score, by place and rule
	// Of an example: the sums of its largest scores of labels, by number, and of each rule the best labeling with its score.
	largest, sorted, scores []float64
	best                    []int32
}

// seenGroup has the labelings with so many labels.
type seenGroup struct {
	size        int
	first, last int       // places
	start       int       // of their labels
	most        []float64 // by rule: the largest that it adds
}

func newBestSeen(p Part, points []seenPoint) *bestSeen {
	n, count := p.NumLabels, len(p.Counts)
	b := &bestSeen{
		Part: p, rules: len(points), known: make([]int32, count), added: make([]float64, count*len(points)),
		largest: make([]float64, n+1), sorted: make([]float64, n), scores: make([]float64, len(points)), best: make([]int32, len(points)),
	}
	sizes := make([]int, count)
	for k := range sizes {
		b.known[k] = int32(k)
		for _, v := range p.Seen[k*n : (k+1)*n] {
			sizes[k] += int(v)
		}
	}
	slices.SortStableFunc(b.known, func(a, c int32) int { return cmp.Compare(sizes[a], sizes[c]) })
	for place, k := range b.known {
		if place == 0 || sizes[k] != b.groups[len(b.groups)-1].size {
			b.groups = append(b.groups, seenGroup{size: sizes[k], first: place, start: len(b.labels), most: slices.Repeat([]float64{math.Inf(-1)}, len(points))})
		}
		g := &b.groups[len(b.groups)-1]
		g.last = place + 1
		for r, point := range points {
			v := point.prior*math.Log(float64(p.Counts[k])) - point.cut*float64(sizes[k])
			b.added[place*len(points)+r], g.most[r] = v, max(g.most[r], v)
		}
		b.list(p.Seen[int(k)*n : int(k+1)*n])
	}
	return b
}

// list appends the labels and the edges of a labeling.
func (b *bestSeen) list(y []uint8) {
	for i, v := range y {
		if v == 1 {
			b.labels = append(b.labels, int32(i))
		}
	}
	if len(b.Edges) == 0 {
		return
	}
	var on []int32
	for e, edge := range b.Edges {
		if y[edge.I]&y[edge.J] == 1 {
			on = append(on, int32(e))
		}
	}
	b.edges = append(b.edges, on)
}

// find sets best to the labelings of example m, among equals to those seen first.
func (b *bestSeen) find(m int) {
	c, _, weights := b.row(m)
	margin := b.bound(c, weights)
	for r := range b.best {
		b.best[r], b.scores[r] = 0, math.Inf(-1)
	}
	for _, g := range b.groups {
		if !b.mayWin(g, margin) {
			continue
		}
		labels := b.labels[g.start:]
		for place := g.first; place < g.last; place++ {
			var score float64
			for _, i := range labels[:g.size] {
				score += c[i]
			}
			labels = labels[g.size:]
			if b.edges != nil {
				for _, e := range b.edges[place] {
					score += weights[e]
				}
			}
			b.compare(place, score)
		}
	}
}

// compare holds a labeling to the best so far.
func (b *bestSeen) compare(place int, score float64) {
	k := b.known[place]
	for r, v := range b.added[place*b.rules : (place+1)*b.rules] {
		if v += score; v > b.scores[r] || v == b.scores[r] && k < b.best[r] {
			b.scores[r], b.best[r] = v, k
		}
	}
}

// bound fills in largest, with all pairs that add to a score, and returns more than rounding can
// change a sum by.
func (b *bestSeen) bound(c, weights []float64) (margin float64) {
	copy(b.sorted, c)
	slices.Sort(b.sorted)
	slices.Reverse(b.sorted)
	var sum, size float64
	for _, w := range weights {
		sum += max(w, 0)
		size += math.Abs(w)
	}
	for s, v := range b.sorted {
		b.largest[s] = sum
		sum += v
		size += math.Abs(v)
	}
	b.largest[len(c)] = sum
	return 1e-9 * size
}

// mayWin reports whether a rule's best labeling may be in the group.
func (b *bestSeen) mayWin(g seenGroup, margin float64) bool {
	for r, most := range g.most {
		if b.largest[g.size]+most+margin+1e-9*math.Abs(most) >= b.scores[r] {
			return true
		}
	}
	return false
}

// seenPicks are the labelings that rules predict: by part, rule and example.
type seenPicks [][][]int32

// pickSeen finds those of the rules by seen labelings, and counts how these do.
func (f *fitter) pickSeen(ctx context.Context) error {
	f.picks = make(seenPicks, len(f.parts))
	done := parallel.ForEach(ctx, f.Workers, len(f.parts), func(_, k int) {
		b := newBestSeen(f.parts[k], f.seenPoints)
		own := make([][]int32, len(f.seenPoints))
		for m := range b.Len() {
			if m%64 == 0 && ctx.Err() != nil {
				return
			}
			b.find(m)
			for r, best := range b.best {
				own[r] = append(own[r], best)
			}
		}
		f.picks[k] = own
		for r := range f.seenPoints {
			f.seenTallies[r][k] = f.parts[k].pickedTally(own[r], f.perLabel)
		}
	})
	if done < len(f.parts) || ctx.Err() != nil {
		return parallel.Cause(ctx)
	}
	return nil
}

// pickedTally counts how labelings do that were picked for the examples.
func (p Part) pickedTally(picked []int32, perLabel bool) tally {
	n, t := p.NumLabels, newTally(p.NumLabels, perLabel)
	for m, k := range picked {
		t.add(p.Y[m*n:(m+1)*n], p.Seen[int(k)*n:int(k+1)*n], 1)
	}
	return t
}

// tallyOf counts how the rule does on a part, by what was picked where that is known.
func (f *fitter) tallyOf(part int, r setting, perLabel bool) tally {
	if r.seen && f.picks != nil {
		at := slices.IndexFunc(f.seenPoints, func(p seenPoint) bool { return p.prior == r.prior && p.cut == r.Cut })
		return f.parts[part].pickedTally(f.picks[part][at], perLabel)
	}
	return f.parts[part].tallyOf(r, perLabel)
}
