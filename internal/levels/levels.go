// Package levels measures, by simulation, how often tests reject: where nothing differs, which
// is their level, and where something does, which is their power. Beside each design stand the
// tests that do not fit it, to show what they do.
//
//	Designs, Design, Test   what is drawn, and which tests look at it
//	Design.Measure, Rate    the shares of rejections at five per cent
//
// It stands on packages significance and metrics. The command crank makes the table of it.
package levels

import (
	"hash/fnv"
	"math/rand/v2"
)

// Level is the level that all tests are measured at.
const Level = 0.05

// Test is a test as a Design has it.
type Test struct {
	Name string
	// Exact says that the test keeps its level in this design whatever the number: a true null
	// is rejected in five per cent of the cases, or as near below as its p-values allow.
	Exact bool
	// Naive marks a test that does not fit the design.
	Naive bool
}

// Design is a way to compare predictors, as a model with two of them that are equally good.
type Design struct {
	Name   string
	Counts []int  // of what there can be more or fewer of
	Of     string // what Counts counts
	// Effect is what the power is measured at, in the terms of Name; Size is what draw is given.
	Effect string
	Size   float64
	Tests  []Test
	// draw makes data, with a difference of the given size, and returns the p-value of each of
	// Tests.
	draw func(rng *rand.Rand, count int, size float64) []float64
}

// Rate is how often one test rejects.
type Rate struct {
	Design string  `json:"design"`
	Of     string  `json:"of"`
	Count  int     `json:"count"`
	Test   string  `json:"test"`
	Exact  bool    `json:"exact"`
	Naive  bool    `json:"naive"`
	Runs   int     `json:"runs"`
	Null   float64 `json:"null"` // share of the runs in which a true null is rejected
	// Reach is the largest share that the p-values allow: less than the level for a test of
	// few outcomes. It is the level where it is not known to be less.
	Reach  float64 `json:"reach"`
	Effect string  `json:"effect"`
	Power  float64 `json:"power"` // share of the runs in which the effect is found
}

// Measure draws the data runs times without a difference and with one.
func (d Design) Measure(count, runs int) []Rate {
	null, power := d.rejections(count, runs, 0), d.rejections(count, runs, d.Size)
	rates := make([]Rate, len(d.Tests))
	for k, t := range d.Tests {
		rates[k] = Rate{
			Design: d.Name, Of: d.Of, Count: count, Test: t.Name, Exact: t.Exact, Naive: t.Naive, Runs: runs,
			Null: null[k], Reach: reach(t.Name, count), Effect: d.Effect, Power: power[k],
		}
	}
	return rates
}

// rejections returns the share of runs in which each test rejects, given a difference of
// some size. The noise is the same for all sizes.
func (d Design) rejections(count, runs int, size float64) []float64 {
	h := fnv.New64a()
	h.Write([]byte(d.Name))
	shares := make([]float64, len(d.Tests))
	for run := range runs {
		rng := rand.New(rand.NewPCG(h.Sum64()+uint64(count), uint64(run)))
		for k, p := range d.draw(rng, count, size) {
			if p <= Level {
				shares[k]++
			}
		}
	}
	for k := range shares {
		shares[k] /= float64(runs)
	}
	return shares
}

// reach returns the largest share of rejections that a test of all signs can have: of 2^n
// signs, it can reject a whole number on either side.
func reach(test string, count int) float64 {
	if test != signFlips || count > 16 {
		return Level
	}
	signs := 1 << count
	return 2 * float64(int(Level/2*float64(signs))) / float64(signs)
}
