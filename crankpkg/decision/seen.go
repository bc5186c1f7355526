package decision

import (
	"context"
	"math"

	"github.com/crank-ml/crank/crankpkg/internal/among"
	"github.com/crank-ml/crank/crankpkg/internal/parallel"
	"github.com/crank-ml/crank/crankpkg/metrics"
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
}

func (p seenPoint) setting() setting {
	return setting{Rule: Rule{Cut: p.cut, Expect: p.expect, Temperature: p.temperature}, seen: true, prior: p.prior}
}

// What is tried: priors as they are for the labeling of the largest score, and in units of
// the temperature for what is expected; scores have the scale of the label loss.
var (
	seenPriors       = []float64{0, 0.05, 0.1, 0.2, 0.3, 0.45, 0.6, 0.8, 1, 1.4, 2}
	seenTemperatures = []float64{0.1, 0.2, 0.35, 0.5, 0.7, 1, 1.4, 2}
	seenShares       = []float64{0, 0.5, 1, 1.5}
	seenCuts         = []float64{0, -0.15, 0.15, -0.3, 0.3, -0.45, -0.6}
)

// mostSeen bounds the number of scores of labelings, over all parts, that are looked at for
// each rule.
const mostSeen = 4_000_000

// seenPoints lists the rules by seen labelings: none where the parts do not say which these
// are, or where there are too many.
func (f *fitter) seenPoints() []seenPoint {
	size := 0
	for _, p := range f.parts {
		if len(p.Counts) == 0 {
			return nil
		}
		size += p.Len() * len(p.Counts)
	}
	if size > mostSeen {
		return nil
	}
	var points []seenPoint
	for _, prior := range seenPriors {
		for _, cut := range seenCuts {
			points = append(points, seenPoint{prior: prior, cut: cut})
		}
	}
	for _, expect := range f.expectations() {
		for _, temperature := range seenTemperatures {
			for _, share := range seenShares {
				for _, cut := range seenCuts {
					points = append(points, seenPoint{share * temperature, cut, expect, temperature})
				}
			}
		}
	}
	return points
}

// expectations lists what else than the labeling of the largest score may be best by the
// measure.
func (f *fitter) expectations() []metrics.Measure {
	switch f.Measure {
	case metrics.SubsetAccuracy:
		return nil
	case metrics.HammingAccuracy, metrics.ExampleF1:
		return []metrics.Measure{f.Measure}
	}
	return []metrics.Measure{metrics.HammingAccuracy, metrics.ExampleF1}
}

// onSeen measures the rules by seen labelings and fits the best, to all parts and to all but
// one.
func (f *fitter) onSeen(ctx context.Context, points []seenPoint) (fitted, error) {
	tallies := make([][]tally, len(points))
	for k := range tallies {
		tallies[k] = make([]tally, len(f.parts))
	}
	pieces := seenPieces * len(f.parts)
	done := parallel.ForEach(ctx, f.Workers, pieces, func(_, k int) {
		part, first := k/seenPieces, k%seenPieces
		f.parts[part].seenTallies(points, first, f.perLabel, func(at int, t tally) { tallies[at][part] = t })
	})
	if done < pieces {
		return fitted{}, parallel.Cause(ctx)
	}
	best := func(skip int) setting {
		best, at := math.Inf(-1), 0
		for k, t := range tallies {
			if v := f.of(t, skip); better(v, best) {
				best, at = v, k
			}
		}
		return points[at].setting()
	}
	rules := fitted{all: best(none), rest: make([]setting, len(f.parts))}
	for k := range f.parts {
		rules.rest[k] = best(k)
	}
	return rules, nil
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
	for m := range p.Len() {
		truth := s.score(m)
		for k := first; k < len(points); k += seenPieces {
			s.labelTo(y, points[k])
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
	scorer        *among.Scorer
	expecter      *among.Expecter
	logs, sizes   []float64 // by labeling
	plain, scores []float64 // likewise, of an example: without and with a rule
}

func (p Part) newSeen() *seen {
	order := make([]int32, p.NumLabels)
	for i := range order {
		order[i] = int32(i)
	}
	count := len(p.Counts)
	s := &seen{
		Part: p, logs: make([]float64, count), sizes: make([]float64, count),
		plain: make([]float64, count), scores: make([]float64, count),
		scorer: among.New(p.Seen, make([]float64, count), order, p.Edges, p.Pair[:len(p.Edges)]),
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
	s.scorer.ScoresTo(s.plain, c, weights)
	return truth
}

// labelTo predicts the example that was scored last.
func (s *seen) labelTo(y []uint8, p seenPoint) {
	for k, v := range s.plain {
		s.scores[k] = v + p.prior*s.logs[k] - p.cut*s.sizes[k]
	}
	if p.expect == "" {
		s.expecter.Set(metrics.SubsetAccuracy, 1)
	} else {
		s.expecter.Set(p.expect, p.temperature)
	}
	s.expecter.DecideTo(y, s.scores)
}

// seenTally counts how one rule does on the part.
func (p Part) seenTally(r setting, perLabel bool) (t tally) {
	point := seenPoint{r.prior, r.Cut, r.Expect, r.Temperature}
	p.seenTallies([]seenPoint{point}, 0, perLabel, func(_ int, own tally) { t = own })
	return t
}
