package among

import (
	"math"

	"github.com/crank-ml/crank/crankpkg/metrics"
)

// Expecter predicts the labels whose expected measure is the largest, by the probabilities
//
//	p(y) ~ exp(score(y) / Temperature)
//
// of the labelings of a Scorer. The labels need not be one of the labelings. It owns its
// workspace: it allocates nothing, and each goroutine needs its own.
type Expecter struct {
	s           *Scorer
	measure     metrics.Measure
	temperature float64

	scores, shares []float64 // by labeling
	sizes          []int     // numbers of labels that labelings have, without zero
	slot           []int32   // of each labeling, the place of its size, -1 of none on
	bySize         []float64 // by slot and position: the share of labelings with that label on
	total          []float64 // by slot
	worth          []float64 // by position
	rank           []int32   // positions, by worth
	best           []int32
}

// NewExpecter returns one for a measure of the paper's, and a positive temperature.
func NewExpecter(s *Scorer, measure metrics.Measure, temperature float64) *Expecter {
	n := s.n
	e := &Expecter{
		s: s, measure: measure, temperature: temperature,
		scores: make([]float64, len(s.scores)), shares: make([]float64, len(s.scores)),
		worth: make([]float64, n), rank: make([]int32, n), best: make([]int32, 0, n),
	}
	at := make(map[int]int32)
	for k := range s.scores {
		size, slot := s.Size(k), int32(-1)
		if size > 0 {
			known := false
			if slot, known = at[size]; !known {
				slot = int32(len(e.sizes))
				at[size], e.sizes = slot, append(e.sizes, size)
			}
		}
		e.slot = append(e.slot, slot)
	}
	e.bySize, e.total = make([]float64, len(e.sizes)*n), make([]float64, len(e.sizes))
	for pos := range e.rank {
		e.rank[pos] = int32(pos)
	}
	return e
}

// Set changes what is expected.
func (e *Expecter) Set(measure metrics.Measure, temperature float64) {
	e.measure, e.temperature = measure, temperature
}

// LabelTo writes the labels for unary scores and weights of pairs as Scorer.LabelTo has them.
func (e *Expecter) LabelTo(y []uint8, unary, pairs []float64) {
	e.s.ScoresTo(e.scores, unary, pairs)
	e.DecideTo(y, e.scores)
}

// DecideTo writes the labels for the scores of the labelings.
func (e *Expecter) DecideTo(y []uint8, scores []float64) {
	at, best := 0, math.Inf(-1)
	for k, v := range scores {
		if v > best {
			at, best = k, v
		}
	}
	if e.measure == metrics.SubsetAccuracy || math.IsInf(best, 0) { // scores that overflow have no shares
		copy(y, e.s.labeling(at))
		return
	}
	for k, v := range scores {
		e.shares[k] = math.Exp((v - best) / e.temperature)
	}
	e.DecideByShares(y, e.shares)
}

// DecideByShares writes the labels for shares of the labelings, which need not add up to
// one. Their measure is not SubsetAccuracy.
func (e *Expecter) DecideByShares(y []uint8, shares []float64) {
	if e.measure == metrics.HammingAccuracy {
		e.majority(y, shares)
	} else {
		e.mostF1(y, shares)
	}
}

// majority turns each label on that more than half of the shares have on.
func (e *Expecter) majority(y []uint8, shares []float64) {
	clear(e.worth)
	var sum float64
	first := int32(0)
	for k, share := range shares {
		sum += share
		end := e.s.labelsEnd[k]
		for _, pos := range e.s.labels[first:end] {
			e.worth[pos] += share
		}
		first = end
	}
	for pos, i := range e.s.order {
		y[i] = 0
		if e.worth[pos] > sum/2 {
			y[i] = 1
		}
	}
}

// mostF1 turns the labels on that have the largest expected F1 (Dembczynski, Waegeman,
// Cheng, Huellermeier 2011). With k labels on, label i adds the expectation of 2 / (|y| + k)
// over the labelings that have it on, so that for each k the k labels of the largest sums
// are best.
func (e *Expecter) mostF1(y []uint8, shares []float64) {
	none := e.sortShares(shares)
	n := e.s.n
	e.best = e.best[:0]
	most := none // with no label on, F1 is 1 where there is none
	for k := 1; k <= n; k++ {
		if e.bound(k) <= most {
			continue
		}
		clear(e.worth)
		for slot, size := range e.sizes {
			factor := 2 / float64(size+k)
			for pos, share := range e.bySize[slot*n : (slot+1)*n] {
				e.worth[pos] += factor * share
			}
		}
		e.sortByWorth()
		var sum float64
		for _, pos := range e.rank[:k] {
			sum += e.worth[pos]
		}
		if sum > most {
			most, e.best = sum, append(e.best[:0], e.rank[:k]...)
		}
	}
	clear(y)
	for _, pos := range e.best {
		y[e.s.order[pos]] = 1
	}
}

// bound returns no less than what k labels can reach, were they among those that are on, or
// all of them, whatever the labeling.
func (e *Expecter) bound(k int) (sum float64) {
	for slot, size := range e.sizes {
		sum += e.total[slot] * 2 * float64(min(size, k)) / float64(size+k)
	}
	return sum
}

// sortShares fills in bySize and total, and returns the share of no label.
func (e *Expecter) sortShares(shares []float64) (none float64) {
	clear(e.bySize)
	clear(e.total)
	first := int32(0)
	for k, share := range shares {
		end := e.s.labelsEnd[k]
		if slot := e.slot[k]; slot < 0 {
			none += share
		} else {
			e.total[slot] += share
			own := e.bySize[int(slot)*e.s.n:]
			for _, pos := range e.s.labels[first:end] {
				own[pos] += share
			}
		}
		first = end
	}
	return none
}

// sortByWorth ranks positions of equal worth by their number. From one k to the next, few
// change places.
func (e *Expecter) sortByWorth() {
	for at := 1; at < len(e.rank); at++ {
		pos, to := e.rank[at], at
		for ; to > 0; to-- {
			if before := e.rank[to-1]; e.worth[before] > e.worth[pos] || e.worth[before] == e.worth[pos] && before < pos {
				break
			}
			e.rank[to] = e.rank[to-1]
		}
		e.rank[to] = pos
	}
}
