package decision

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/crank-ml/crank/crankpkg/internal/parallel"
	"github.com/crank-ml/crank/crankpkg/metrics"
)

// labelCuts fits cuts for each label, to all parts and to all but one, beginning with
// the given rules. It returns the number of rules that were measured on all parts.
func (f *fitter) labelCuts(ctx context.Context, base fitted) (rules fitted, tried int, err error) {
	rules.rest = make([]setting, len(f.parts))
	if f.single(base) {
		f.rankScores()
	}
	done := parallel.ForEach(ctx, f.Workers, len(f.parts)+1, func(_, k int) {
		if k == 0 { // takes longest
			a := f.newAscent(none, base.all.Rule)
			rules.all.Rule, tried = a.run(ctx), a.tried
			return
		}
		rules.rest[k-1].Rule = f.newAscent(k-1, base.rest[k-1].Rule).run(ctx)
	})
	if done < len(f.parts)+1 || ctx.Err() != nil {
		return fitted{}, 0, parallel.Cause(ctx)
	}
	return rules, tried, nil
}

// ascent changes the cut of one label at a time to the best that there is for it.
//
// With t more subtracted where label i is on, the best labeling of an example is, for all
// small t, the best of those with the label on, and from the margin of the label upwards
// the best of those with it off. Neither depends on t. So two searches for each example
// tell the measure for all t at once, and it changes at the margins alone.
type ascent struct {
	*fitter
	parts []Part // those that it is fitted to
	rule  Rule
	cuts  []float64 // of each label now, beyond the common one
	share []float64 // by label: what shrinking leaves
	tried int

	// single says that no label depends on others. Then the labels as they are now and their
	// counts tell all, in place of searches: by example, with label i off and with it on, too.
	single                      bool
	y                           []uint8
	counts, offCounts, onCounts []metrics.Counts

	maximizers []*Maximizer // by part
	// Where examples are ranked by the scores of each label: their places here, -1 of those that it is not fitted to.
	place []int32

	label int // looked at last
	// By example of all parts: the label's margin, the labels with it off and with it on.
	margin  []float64
	off, on []uint8
	truth   []uint8
	order   []int
	value   []float64 // by number of examples with the label off, by order
}

// sweeps is how often each label has its turn.
const sweeps = 2

func (f *fitter) newAscent(skip int, base Rule) *ascent {
	n := f.parts[0].NumLabels
	a := &ascent{fitter: f, rule: base, cuts: make([]float64, n), share: make([]float64, n)}
	for k, p := range f.parts {
		if !f.fits(k, skip) {
			a.place = append(a.place, slices.Repeat([]int32{none}, p.Len())...)
			continue
		}
		for m := range p.Len() {
			a.place = append(a.place, int32(len(a.truth)/n+m))
		}
		a.parts = append(a.parts, p)
		a.truth = append(a.truth, p.Y...)
		o := p.maximizer(base)
		o.cuts = make([]float64, n)
		a.maximizers = append(a.maximizers, o)
	}
	size := len(a.truth) / n
	a.margin, a.order, a.value = make([]float64, size), make([]int, size), make([]float64, size+1)
	if f.singleUnder(base) {
		a.decideSingly()
	} else {
		a.off, a.on = make([]uint8, len(a.truth)), make([]uint8, len(a.truth))
	}
	for i := range n {
		count := 0
		for m := range size {
			count += int(a.truth[m*n+i])
		}
		a.share[i] = float64(count) / (float64(count) + f.Shrinkage)
	}
	return a
}

// run returns the rule with the cuts, or what there is of it when ctx ends.
func (a *ascent) run(ctx context.Context) Rule {
	for range sweeps {
		changed := false
		for i := range a.cuts {
			if ctx.Err() != nil {
				return a.rule
			}
			a.look(i)
			changed = a.improve(i) || changed
		}
		if !changed {
			break
		}
	}
	return a.kept()
}

// kept returns the rule with the cuts where it is better than without. On graphs with
// cycles, what the relaxation finds need not be what was looked for.
func (a *ascent) kept() Rule {
	with := a.rule
	with.Cuts = a.cuts
	if with.IsZero() || !better(a.measureOf(with), a.measureOf(a.rule)) {
		return a.rule
	}
	return with
}

func (a *ascent) measureOf(r Rule) float64 {
	sum := newTally(len(a.cuts), a.perLabel)
	for _, p := range a.parts {
		sum.merge(p.tallyOf(setting{Rule: r}, a.perLabel))
	}
	return sum.ofMeasure(a.Measure)
}

// decideSingly fills in the labels and counts.
func (a *ascent) decideSingly() {
	n, size := len(a.cuts), len(a.order)
	a.single, a.y = true, make([]uint8, size*n)
	a.counts, a.offCounts, a.onCounts = make([]metrics.Counts, size), make([]metrics.Counts, size), make([]metrics.Counts, size)
	at := 0
	for _, p := range a.parts {
		for k, c := range p.Scores {
			if c-a.rule.Cut-a.cutOf(k%n) > 0 {
				a.y[at+k] = 1
			}
		}
		at += len(p.Scores)
	}
	for m := range a.counts {
		a.counts[m] = countsOf(a.truth[m*n:(m+1)*n], a.y[m*n:(m+1)*n])
	}
}

// cutOf returns the cut that the rule has for label i already.
func (a *ascent) cutOf(i int) float64 {
	if a.rule.Cuts == nil {
		return 0
	}
	return a.rule.Cuts[i]
}

// lookSingly is look where no label depends on others.
func (a *ascent) lookSingly(i int) {
	n, at := len(a.cuts), 0
	for _, p := range a.parts {
		for m := range p.Len() {
			truth, y, c := a.truth[at*n+i], a.y[at*n+i], a.counts[at]
			var as [2]metrics.Counts // label i off, and on
			for v := range as {
				var without, with metrics.Counts
				without.Add(truth, y)
				with.Add(truth, uint8(v))
				as[v] = c
				merge(&as[v], without, -1)
				merge(&as[v], with, 1)
			}
			a.offCounts[at], a.onCounts[at] = as[0], as[1]
			a.margin[at] = p.Scores[m*n+i] - (a.rule.Cut + a.cuts[i])
			at++
		}
	}
}

// moved brings the labels and counts to what they are with the cut of label i changed.
func (a *ascent) moved(i int, by float64) {
	if !a.single {
		return
	}
	n := len(a.cuts)
	for m, margin := range a.margin {
		if margin > by {
			a.y[m*n+i], a.counts[m] = 1, a.onCounts[m]
		} else {
			a.y[m*n+i], a.counts[m] = 0, a.offCounts[m]
		}
	}
}

// look finds the labels with label i off and with it on, and its margins.
func (a *ascent) look(i int) {
	a.label = i
	if a.single {
		a.lookSingly(i)
		return
	}
	n, at := len(a.cuts), 0
	c := make([]float64, n)
	for k, p := range a.parts {
		o := a.maximizers[k]
		for j := range o.cuts {
			o.cuts[j] = a.rule.Cut + a.cuts[j]
		}
		for m := range p.Len() {
			scores, _, weights := p.row(m)
			p.weigh(o, weights)
			copy(c, scores)
			sure := o.certain(c, weights)
			off, on := a.off[at*n:(at+1)*n], a.on[at*n:(at+1)*n]
			c[i] = scores[i] - sure
			o.MaximizeTo(off, c)
			c[i] = scores[i] + sure
			o.MaximizeTo(on, c)
			a.margin[at] = o.score(on, scores, weights) - o.score(off, scores, weights)
			at++
		}
	}
}

// certain returns more than the scores of any two labelings differ by: added to the score
// of a label, it is on for certain.
func (o *Maximizer) certain(c, weights []float64) float64 {
	sum := 1.0
	for i, v := range c {
		sum += 2 * math.Abs(v-o.cuts[i])
	}
	for _, w := range weights {
		sum += 2 * o.factor * math.Abs(w)
	}
	return sum
}

// score returns the score of a labeling under the rule.
func (o *Maximizer) score(y []uint8, c, weights []float64) float64 {
	var sum float64
	for i, v := range y {
		sum += float64(v) * (c[i] - o.cuts[i])
	}
	for k, e := range o.places.Edges {
		sum += float64(y[e.I]&y[e.J]) * (weights[k] * o.factor)
	}
	return sum
}

// improve moves the cut of label i to the shrunk best, where that is better, and reports
// whether it has. It takes the nearest of several that are as good.
func (a *ascent) improve(i int) bool {
	a.measure()
	now := a.offAt(0)
	best := now
	for d := range len(a.value) {
		for _, p := range [...]int{now - d, now + d} {
			if a.isCut(p) && better(a.value[p], a.value[best]) {
				best = p
			}
		}
	}
	if best == now {
		return false
	}
	to := a.share[i] * (a.cuts[i] + a.between(best))
	if !better(a.value[a.offAt(to-a.cuts[i])], a.value[now]) {
		return false
	}
	a.moved(i, to-a.cuts[i])
	a.cuts[i] = to
	return true
}

// measure fills in the measure with the label off in none of the examples, in that of the
// smallest margin, in two, and so on.
func (a *ascent) measure() {
	a.sort()
	t := newTally(len(a.cuts), a.perLabel)
	for m := range a.order {
		a.addTo(&t, m, a.on, a.onCounts, 1)
	}
	a.value[0] = t.ofMeasure(a.Measure)
	for p, m := range a.order {
		a.addTo(&t, m, a.on, a.onCounts, -1)
		a.addTo(&t, m, a.off, a.offCounts, 1)
		a.value[p+1] = t.ofMeasure(a.Measure)
	}
	for p := range a.value {
		if a.isCut(p) {
			a.tried++
		}
	}
}

// sort puts the examples in the order of their margins.
func (a *ascent) sort() {
	compare := func(m, k int) int {
		switch {
		case a.margin[m] < a.margin[k]:
			return -1
		case a.margin[m] > a.margin[k]:
			return 1
		}
		return m - k
	}
	if !a.single || a.ranks == nil {
		for m := range a.order {
			a.order[m] = m
		}
		slices.SortFunc(a.order, compare)
		return
	}
	a.order = a.order[:0]
	for _, m := range a.ranks[a.label] {
		if m := a.place[m]; m != none {
			a.order = append(a.order, int(m))
		}
	}
	// Margins are scores less a cut: rounding may make different scores equal margins, and no more.
	for at := range a.order {
		for ; at > 0 && compare(a.order[at-1], a.order[at]) > 0; at-- {
			a.order[at-1], a.order[at] = a.order[at], a.order[at-1]
		}
	}
}

// rankScores ranks the examples of all parts by the scores of each label, once for all ascents.
func (f *fitter) rankScores() {
	if f.ranks != nil {
		return
	}
	n := f.parts[0].NumLabels
	f.ranks = make([][]int32, n)
	parallel.ForEach(context.Background(), f.Workers, n, func(_, i int) {
		var scores []float64
		for _, p := range f.parts {
			for m := range p.Len() {
				scores = append(scores, p.Scores[m*n+i])
			}
		}
		rank := make([]int32, len(scores))
		for m := range rank {
			rank[m] = int32(m)
		}
		slices.SortFunc(rank, func(m, k int32) int { return cmp.Or(cmp.Compare(scores[m], scores[k]), int(m-k)) })
		f.ranks[i] = rank
	})
}

// addTo counts example m in, or out again, by its counts where these are known.
func (a *ascent) addTo(t *tally, m int, y []uint8, counts []metrics.Counts, sign int) {
	if a.single {
		t.addCounts(counts[m], sign)
		return
	}
	n := len(a.cuts)
	t.add(a.truth[m*n:(m+1)*n], y[m*n:(m+1)*n], sign)
}

// offAt returns in how many examples the label is off with t more subtracted where it is on.
func (a *ascent) offAt(t float64) int {
	at, _ := slices.BinarySearchFunc(a.order, t, func(m int, t float64) int {
		if a.margin[m] <= t {
			return -1
		}
		return 1
	})
	return at
}

// isCut reports whether some cut has the label off in just p examples.
func (a *ascent) isCut(p int) bool {
	if p < 0 || p > len(a.order) {
		return false
	}
	return p == 0 || p == len(a.order) || a.margin[a.order[p-1]] < a.margin[a.order[p]]
}

// between returns the middle of the cuts that have the label off in p examples.
func (a *ascent) between(p int) float64 {
	const little = 1e-3
	switch {
	case p == 0:
		first := a.margin[a.order[0]]
		return first - little*(1+math.Abs(first))
	case p == len(a.order):
		last := a.margin[a.order[p-1]]
		return last + little*(1+math.Abs(last))
	}
	return (a.margin[a.order[p-1]] + a.margin[a.order[p]]) / 2
}
