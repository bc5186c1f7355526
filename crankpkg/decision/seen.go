package decision

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/crank-ml/crank/crankpkg/internal/among"
	"github.com/crank-ml/crank/crankpkg/internal/parallel"
	"github.com/crank-ml/crank/crankpkg/metrics"
	"gonum.org/v1/gonum/floats"
)

// Labelings returns the labelings that M examples have, y row after row of n labels, in the
// order in which they occur first, n values each, and how many examples have each.
func Labelings(y []uint8, n int) (labelings []uint8, counts []int) {
	at := make(map[string]int)
	for m := 0; m+n <= len(y); m += n {
		own := y[m : m+n]
		k, seen := at[string(own)]
		if !seen {
			k = len(counts)
			at[string(own)] = k
			labelings, counts = append(labelings, own...), append(counts, 0)
		}
		counts[k]++
	}
	return labelings, counts
}

// seenPoint is a rule that predicts by the labelings that the training examples have.
type seenPoint struct {
	prior, cut  float64
	expect      metrics.Measure // empty: the labeling of the largest score
	temperature float64
	coarse      bool // among those of a coarse search
}

// setting returns the rule, which keeps the limits that all seen labelings meet.
func (p seenPoint) setting(kept limits) setting {
	return setting{Rule: Rule{Cut: p.cut, Least: kept.least, Most: kept.most, Expect: p.expect, Temperature: p.temperature}, seen: true, prior: p.prior}
}

// seenRules are lists of what is tried, of which the coarse ones are a kind of its own, since
// the best of many on few examples can be worse than that of few on others: priors as they are for the labeling of the largest
// score, and in units of the temperature for what is expected. Scores have the scale of the
// label loss.
type seenRules struct{ priors, temperatures, shares, cuts []float64 }

var (
	seenFine = seenRules{
		priors:       []float64{0, 0.05, 0.1, 0.2, 0.3, 0.45, 0.6, 0.8, 1, 1.4, 2},
		temperatures: []float64{0.1, 0.2, 0.35, 0.55, 0.8, 1.2, 1.8},
		shares:       []float64{0, 0.5, 1, 1.5},
		cuts:         []float64{0, -0.15, 0.15, -0.3, 0.3, -0.5, -0.75, -1},
	}
	seenCoarse = seenRules{
		priors: []float64{0, 0.2, 0.6, 1}, temperatures: []float64{0.2, 0.35, 0.8}, shares: []float64{0, 0.5, 1}, cuts: []float64{0, -0.3},
	}
)

// mostSeen bounds the number of scores of labelings, over all parts, that are looked at for
// each rule. With more, up to mostPicked, rules predict the labeling of the largest score, and are
// for subset accuracy alone, by which such rules are the best: that takes one pass for all rules, and
// keeps no scores.
const (
	mostSeen   = 4_000_000
	mostPicked = 400_000_000
)

// seenGrid lists the rules by seen labelings: none where the parts do not say which these
// are, or where there are too many, or some that limits of the training leave out. Within
// such limits nothing is expected: what is best in expectation need not meet them.
func (f *fitter) seenGrid(measures []metrics.Measure) []seenPoint {
	size := int64(0)
	for _, p := range f.parts {
		if !p.seenWithin() {
			return nil
		}
		size += int64(p.Len()) * int64(len(p.Counts))
	}
	f.manySeen = size > mostSeen
	if size > mostPicked || f.manySeen && !slices.Contains(measures, metrics.SubsetAccuracy) {
		return nil
	}
	limited := f.manySeen || f.parts[0].limits() != limits{}
	coarse := seenCoarse.grid(measures, limited)
	for k := range coarse {
		coarse[k].coarse = true
	}
	if f.Coarse {
		return coarse
	}
	points := coarse
	for _, p := range seenFine.grid(measures, limited) {
		same := p
		if same.coarse = true; !slices.Contains(coarse, same) {
			points = append(points, p)
		}
	}
	// Shares at a temperature serve all points that have it next to one another.
	slices.SortStableFunc(points, func(a, b seenPoint) int { return cmp.Compare(a.temperature, b.temperature) })
	return points
}

// grid lists the rules, those before the others that predict the labeling of the largest score.
func (try seenRules) grid(measures []metrics.Measure, limited bool) (points []seenPoint) {
	for _, prior := range try.priors {
		for _, cut := range try.cuts {
			points = append(points, seenPoint{prior: prior, cut: cut})
		}
	}
	if limited {
		return points
	}
	for _, temperature := range try.temperatures {
		for _, expect := range []metrics.Measure{metrics.HammingAccuracy, metrics.ExampleF1} {
			if !slices.ContainsFunc(measures, func(m metrics.Measure) bool { return mayExpect(m, expect) }) {
				continue
			}
			for _, share := range try.shares {
				for _, cut := range try.cuts {
					points = append(points, seenPoint{prior: share * temperature, cut: cut, expect: expect, temperature: temperature})
				}
			}
		}
	}
	return points
}

// mayExpect reports whether what is best in expectation by one measure may be best by
// another: the labeling of the largest score, where nothing is expected, by any.
func mayExpect(m, expect metrics.Measure) bool {
	switch m {
	case metrics.SubsetAccuracy:
		return expect == ""
	case metrics.HammingAccuracy, metrics.ExampleF1:
		return expect == "" || expect == m
	}
	return true
}

// measureSeen measures the rules by seen labelings.
func (f *fitter) measureSeen(ctx context.Context) error {
	switch {
	case len(f.seenPoints) == 0:
		return nil
	case f.manySeen:
		return f.pickSeen(ctx)
	}
	pieces := seenPieces * len(f.parts)
	done := parallel.ForEach(ctx, f.Workers, pieces, func(_, k int) {
		part, first := k/seenPieces, k%seenPieces
		f.parts[part].seenTallies(f.seenPoints, first, f.perLabel, func(at int, t tally) { f.seenTallies[at][part] = t })
	})
	if done < pieces {
		return parallel.Cause(ctx)
	}
	return nil
}

// onSeen fits the best rule by seen labelings, of the coarse ones or of all, to all parts and
// to all but one. It returns how many there are.
func (f *fitter) onSeen(coarse bool) (rules fitted, tried int) {
	has := func(p seenPoint) bool { return mayExpect(f.Measure, p.expect) && (p.coarse || !coarse) }
	best := func(skip int) setting {
		best, at := math.Inf(-1), 0
		for k, t := range f.seenTallies {
			if !has(f.seenPoints[k]) {
				continue
			}
			if v := f.of(t, skip); better(v, best) {
				best, at = v, k
			}
		}
		return f.seenPoints[at].setting(f.parts[0].limits())
	}
	rules = fitted{all: best(none), rest: make([]setting, len(f.parts))}
	for k := range f.parts {
		rules.rest[k] = best(k)
	}
	for _, p := range f.seenPoints {
		if has(p) {
			tried++
		}
	}
	return rules, tried
}

// seenPieces is how many shares the points of a part are dealt out in.
const seenPieces = 4

// seenTallies counts how every seenPieces'th point does on the part, from the given one on.
func (p Part) seenTallies(points []seenPoint, first int, perLabel bool, put func(int, tally)) {
	own := make([]tally, len(points))
	for k := first; k < len(points); k += seenPieces {
		own[k] = newTally(p.NumLabels, perLabel)
	}
	s := p.newSeen()
	y := make([]uint8, p.NumLabels)
	added := make([][]float64, len(points))
	for k := first; k < len(points); k += seenPieces {
		added[k] = s.added(points[k])
	}
	for m := range p.Len() {
		truth := s.score(m)
		for k := first; k < len(points); k += seenPieces {
			s.labelTo(y, points[k], added[k])
			own[k].add(truth, y, 1)
		}
	}
	for k := first; k < len(points); k += seenPieces {
		put(k, own[k])
	}
}

// seen predicts the examples of a part by the labelings that their model has seen.
type seen struct {
	Part
	scorer      *among.Scorer
	expecter    *among.Expecter
	logs, sizes []float64 // by labeling
	// Likewise, of an example: the scores without a rule, the shares that these have at a
	// temperature, zero where that is not known, and either with a rule.
	scores, shares, ruled []float64
	best, temperature     float64
}

func (p Part) newSeen() *seen {
	order := make([]int32, p.NumLabels)
	for i := range order {
		order[i] = int32(i)
	}
	numbers := make([][]float64, 5)
	for k := range numbers {
		numbers[k] = make([]float64, len(p.Counts))
	}
	s := &seen{
		Part: p, logs: numbers[0], sizes: numbers[1], scores: numbers[2], shares: numbers[3], ruled: numbers[4],
		scorer: among.New(p.Seen, make([]float64, len(p.Counts)), order, p.Edges, p.Pair[:len(p.Edges)]),
	}
	for k, c := range p.Counts {
		s.logs[k], s.sizes[k] = math.Log(float64(c)), float64(s.scorer.Size(k))
	}
	s.expecter = among.NewExpecter(s.scorer, metrics.SubsetAccuracy, 1)
	return s
}

// score scores the labelings for example m and returns its labels.
func (s *seen) score(m int) (truth []uint8) {
	c, truth, weights := s.row(m)
	s.scorer.ScoresTo(s.scores, c, weights)
	s.best, s.temperature = slices.Max(s.scores), 0
	return truth
}

// added returns what a rule adds to the score of each labeling, whatever the example; where
// something is expected, what it multiplies their shares by. Only those have to be computed
// anew with the temperature.
func (s *seen) added(p seenPoint) []float64 {
	added := make([]float64, len(s.logs))
	for k := range added {
		added[k] = p.prior*s.logs[k] - p.cut*s.sizes[k]
	}
	if p.expect != "" {
		most := slices.Max(added) // so that no share overflows
		for k, v := range added {
			added[k] = math.Exp((v - most) / p.temperature)
		}
	}
	return added
}

// labelTo predicts the example that was scored last.
func (s *seen) labelTo(y []uint8, p seenPoint, added []float64) {
	if p.expect == "" {
		floats.AddTo(s.ruled, s.scores, added)
		s.expecter.Set(metrics.SubsetAccuracy, 1)
		s.expecter.DecideTo(y, s.ruled)
		return
	}
	if s.temperature != p.temperature {
		s.temperature = p.temperature
		for k, v := range s.scores {
			s.shares[k] = math.Exp((v - s.best) / s.temperature)
		}
	}
	floats.MulTo(s.ruled, s.shares, added)
	s.expecter.Set(p.expect, p.temperature)
	s.expecter.DecideByShares(y, s.ruled)
}

// seenTally counts how one rule does on the part.
func (p Part) seenTally(r setting, perLabel bool) (t tally) {
	point := seenPoint{prior: r.prior, cut: r.Cut, expect: r.Expect, temperature: r.Temperature}
	p.seenTallies([]seenPoint{point}, 0, perLabel, func(_ int, own tally) { t = own })
	return t
}
