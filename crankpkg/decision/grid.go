package decision

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/crank-ml/crank/crankpkg/internal/parallel"
)

// point is a rule of the grid.
type point struct {
	cut, factor float64
	limits      limits
}

type limits struct{ least, most int }

// of returns the same limits for n labels.
func (l limits) of(n int) limits {
	if l.most >= n {
		l.most = 0
	}
	return l
}

// within returns the numbers of labels that are in both, and whether there are any.
func (l limits) within(other limits) (limits, bool) {
	l.least = max(l.least, other.least)
	if l.most == 0 || other.most > 0 && other.most < l.most {
		l.most = other.most
	}
	return l, l.most == 0 || l.least <= l.most
}

func (p point) rule() Rule {
	r := Rule{Cut: p.cut, Least: p.limits.least, Most: p.limits.most}
	if p.factor != 1 {
		r.PairFactor = p.factor
	}
	return r
}

// kind is a family of points; each has those of the kinds before.
type kind struct {
	name string
	has  func(point) bool
}

// kinds lists the kinds of rules that the grid has.
func (f *fitter) kinds() []kind {
	trained := f.parts[0].limits()
	list := []kind{{"plain", func(p point) bool { return p == point{factor: 1, limits: trained} }}}
	if len(f.limits()) > 1 {
		list = append(list, kind{"limits", func(p point) bool { return p.cut == 0 && p.factor == 1 }})
	}
	list = append(list, kind{"cut", func(p point) bool { return p.factor == 1 }})
	if len(f.factors()) > 1 {
		list = append(list, kind{"pair factor", func(point) bool { return true }})
	}
	return list
}

// grid lists the points: no limits before limits, small cuts before large, and factors
// near 1 first. Of points that are equally good the first is taken.
func (f *fitter) grid() []point {
	var points []point
	for _, l := range f.limits() {
		for _, factor := range f.factors() {
			for _, cut := range f.cuts() {
				points = append(points, point{cut, factor, l})
			}
		}
	}
	return points
}

// limits lists those of the training, which are none as a rule, and those on offer within them.
func (f *fitter) limits() []limits {
	trained := f.parts[0].limits()
	list := []limits{trained}
	for _, l := range []limits{{f.Least, 0}, {0, f.Most}, {f.Least, f.Most}} {
		l, some := l.of(f.parts[0].NumLabels).within(trained)
		if some && !slices.Contains(list, l) {
			list = append(list, l)
		}
	}
	return list
}

// factors lists 1 and, where there are pairs, smaller and larger factors.
func (f *fitter) factors() []float64 {
	switch {
	case !f.pairs || f.Coarse:
		return []float64{1}
	case f.cycles:
		return []float64{1, 0.6, 1.6}
	}
	return []float64{1, 0.8, 1.25, 0.6, 1.6, 0.4, 2.5, 4}
}

// numCuts returns the number of cuts of the grid besides 0. Where a prediction takes long,
// there are fewer.
func (f *fitter) numCuts() int {
	switch {
	case f.Coarse:
		return 12
	case f.cycles:
		return 30
	}
	return 60
}

// cuts lists 0 and the cuts at which, were each label decided by itself, from a third to
// three times as many labels would be predicted as there are, in equal steps of the
// logarithm; small cuts first.
func (f *fitter) cuts() []float64 {
	var margins []float64
	on := 0
	for _, p := range f.parts {
		margins = append(margins, p.singleMargins()...)
		for _, v := range p.Y {
			on += int(v)
		}
	}
	slices.Sort(margins)
	cuts := []float64{0}
	for k := range f.numCuts() {
		share := math.Pow(3, 2*float64(k)/float64(f.numCuts()-1)-1)
		rank := len(margins) - int(math.Round(share*float64(on)))
		if rank > 0 && rank < len(margins) {
			cuts = append(cuts, (margins[rank-1]+margins[rank])/2)
		}
	}
	slices.SortFunc(cuts, func(a, b float64) int { return cmp.Or(cmp.Compare(math.Abs(a), math.Abs(b)), cmp.Compare(a, b)) })
	return slices.Compact(cuts)
}

// singleMargins returns how much more each labeling is worth with a label on than with it
// off, the other labels as plainly predicted.
func (p Part) singleMargins() []float64 {
	margins := slices.Clone(p.Scores)
	o, y := p.maximizer(Rule{}), make([]uint8, p.NumLabels)
	for m := range p.Len() {
		c, _, weights := p.row(m)
		p.weigh(o, weights)
		o.MaximizeTo(y, c)
		own := margins[m*p.NumLabels : (m+1)*p.NumLabels]
		for k, e := range p.Edges {
			own[e.I] += weights[k] * float64(y[e.J])
			own[e.J] += weights[k] * float64(y[e.I])
		}
	}
	return margins
}

// measureGrid fills in the tallies of all points. Points that differ in their limits alone
// share the search without limits.
func (f *fitter) measureGrid(ctx context.Context) error {
	all := f.limits()
	perLimits := len(f.points) / len(all) // in the order of the grid, limits come last
	pieces := perLimits * len(f.parts)
	done := parallel.ForEach(ctx, f.Workers, pieces, func(_, k int) {
		at, part := k/len(f.parts), k%len(f.parts)
		for l, t := range f.parts[part].tallies(f.points[at].rule(), all, f.perLabel) {
			f.tallies[at+l*perLimits][part] = t
		}
	})
	if done < pieces {
		return parallel.Cause(ctx)
	}
	return nil
}

// tallies counts how a rule does on the part with each of several limits.
func (p Part) tallies(r Rule, all []limits, perLabel bool) []tally {
	o := p.maximizer(r)
	rules, tallies := make([]*Maximizer, len(all)), make([]tally, len(all))
	for l, limits := range all {
		tallies[l] = newTally(p.NumLabels, perLabel)
		rules[l] = &Maximizer{n: p.NumLabels}
		rules[l].setRule(Rule{Least: limits.least, Most: limits.most})
	}
	free, y := make([]uint8, p.NumLabels), make([]uint8, p.NumLabels)
	for m := range p.Len() {
		c, truth, weights := p.row(m)
		p.weigh(o, weights)
		optimal := o.free(free, c)
		for l := range all {
			copy(y, free)
			if limiter := rules[l].limiter; limiter != nil {
				o.limit(limiter, y, optimal)
			}
			tallies[l].add(truth, y, 1)
		}
	}
	return tallies
}

// onGrid fits the rules of a kind.
func (f *fitter) onGrid(has func(point) bool) fitted {
	rules := fitted{all: f.bestOnGrid(has, none), rest: make([]setting, len(f.parts))}
	for k := range f.parts {
		rules.rest[k] = f.bestOnGrid(has, k)
	}
	return rules
}

// bestOnGrid returns the best rule of a kind on all parts but one.
func (f *fitter) bestOnGrid(has func(point) bool, skip int) setting {
	best, at := math.Inf(-1), 0
	for k, p := range f.points {
		if !has(p) {
			continue
		}
		if v := f.of(f.tallies[k], skip); better(v, best) {
			best, at = v, k
		}
	}
	return setting{Rule: f.points[at].rule()}
}
