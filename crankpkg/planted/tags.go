package planted

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/internal/draw"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"gonum.org/v1/gonum/floats"
)

// Tags describes texts with tags: labels that are rare, sparse words that tell little of
// them, and at least one label for each example. Zero fields mean the defaults.
//
// The labels' frequencies are spaced evenly by their logarithm, and the labels depend on one
// another along a random tree: with p and q the frequencies of a label and of its
// parent, their covariance is Dependence (min(p, q) - p q), of which the second
// factor is the largest there is. Each label has words of its own, a fiftieth of the
// vocabulary. A word of an example is, with probability Signal, one of those of its labels,
// and else any word; the frequencies of words fall as 1/rank. Rows hold 1 for each
// word that occurs.
type Tags struct {
	N                 int     // labels; 0: 28
	Words             int     // of the vocabulary; 0: 300
	Length            int     // words of an example, not all of them different; 0: 15
	Rarest, Commonest float64 // the least and the largest frequency; 0: 0.003, 0.26
	Signal            float64 // 0: 0.1
	Dependence        float64 // 0: 0.3
	Seed              uint64
}

func (t Tags) withDefaults() Tags {
	t.N = cmp.Or(t.N, 28)
	t.Words = cmp.Or(t.Words, 300)
	t.Length = cmp.Or(t.Length, 15)
	t.Rarest = cmp.Or(t.Rarest, 0.003)
	t.Commonest = cmp.Or(t.Commonest, 0.26)
	t.Signal = cmp.Or(t.Signal, 0.1)
	t.Dependence = cmp.Or(t.Dependence, 0.3)
	return t
}

// check returns an error when a field is out of range.
func (t Tags) check() error {
	inside := func(v float64) bool { return v >= 0 && v <= 1 }
	switch {
	case t.N < 2 || t.Words < 1 || t.Length < 1:
		return fmt.Errorf("planted: %+v has too few labels, words or words of a row", t)
	case !(t.Rarest > 0 && t.Rarest <= t.Commonest && t.Commonest < 1):
		return fmt.Errorf("planted: frequencies from %v to %v", t.Rarest, t.Commonest)
	case !inside(t.Signal) || !inside(t.Dependence):
		return fmt.Errorf("planted: Signal %v or Dependence %v is not in [0, 1]", t.Signal, t.Dependence)
	}
	if sum := floats.Sum(t.Frequencies()); !(sum > 1) {
		return fmt.Errorf("planted: the frequencies sum to %v: at least one label each needs more than 1", sum)
	}
	return nil
}

// Frequencies returns the share of examples that each label is expected on, the commonest
// first.
func (t Tags) Frequencies() []float64 {
	t = t.withDefaults()
	f := make([]float64, t.N)
	for i := range f {
		f[i] = t.Commonest * math.Pow(t.Rarest/t.Commonest, float64(i)/float64(t.N-1))
	}
	return f
}

// Generate draws the words of the labels and so many examples. The same fields give the
// same bits. The test examples do not depend on numTrain, and fewer of either are the
// beginning of more. It panics when a field or number is out of range, or when the
// frequencies do not sum to more than 1.
func (t Tags) Generate(numTrain, numTest int) (train, test *crankpkg.Dataset) {
	t = t.withDefaults()
	if err := t.check(); err != nil {
		panic(err.Error())
	}
	if numTrain < 0 || numTest < 0 {
		panic(fmt.Sprintf("planted: %d and %d examples", numTrain, numTest))
	}
	s := newTagSource(t)
	return s.sample(numTrain, draw.Train), s.sample(numTest, draw.Test)
}

// tagSource is what examples are drawn from.
type tagSource struct {
	Tags
	order   []int // labels, parents first
	parent  []int // -1 at the root
	on, off []float64
	any     []float64   // cumulated frequencies of all words
	own     [][]int     // by label
	ownAny  [][]float64 // cumulated, of own
}

func newTagSource(t Tags) *tagSource {
	rng := rand.New(rand.NewPCG(t.Seed, draw.Weights))
	s := &tagSource{Tags: t, parent: make([]int, t.N), on: make([]float64, t.N), off: make([]float64, t.N)}
	s.root(labelgraph.RandomTree(t.N, rng))
	s.calibrate()
	s.any = falling(t.Words)
	for range t.N {
		own := rng.Perm(t.Words)[:max(1, t.Words/50)]
		s.own = append(s.own, own)
		s.ownAny = append(s.ownAny, falling(len(own)))
	}
	return s
}

// root lists the labels of the tree from label 0 on.
func (s *tagSource) root(edges []labelgraph.Edge) {
	s.order, s.parent[0] = append(s.order, 0), -1
	for k := 0; k < len(s.order); k++ {
		i := s.order[k]
		for _, e := range edges {
			if j := e.I + e.J - i; (e.I == i || e.J == i) && j != s.parent[i] {
				s.parent[j] = i
				s.order = append(s.order, j)
			}
		}
	}
}

// calibrate finds the frequencies before examples without any label are left out: smaller
// by the share of those that stay.
func (s *tagSource) calibrate() {
	lo, hi := 0.0, 1.0
	for range 60 {
		share := (lo + hi) / 2
		if 1-s.setFrequencies(share) > share {
			lo = share
		} else {
			hi = share
		}
	}
}

// setFrequencies sets the frequencies of each label, with its parent on and off, to those
// that multiply all by share. It returns the probability that no label is on.
func (s *tagSource) setFrequencies(share float64) (none float64) {
	f := s.Frequencies()
	none = 1
	for _, i := range s.order {
		p := share * f[i]
		s.on[i], s.off[i] = p, p
		if j := s.parent[i]; j >= 0 {
			q := share * f[j]
			covariance := s.Dependence * (min(p, q) - p*q)
			s.on[i], s.off[i] = p+covariance/q, p-covariance/(1-q)
		}
		none *= 1 - s.off[i]
	}
	return none
}

// falling returns the cumulated frequencies of so many words, proportional to 1/(rank + 10).
func falling(count int) []float64 {
	c := make([]float64, count)
	var total float64
	for r := range c {
		total += 1 / float64(r+11)
		c[r] = total
	}
	for r := range c {
		c[r] /= total
	}
	return c
}

// pick returns the position that a number in [0, 1) falls to.
func pick(cumulated []float64, v float64) int {
	k, _ := slices.BinarySearch(cumulated, v)
	return min(k, len(cumulated)-1)
}

// sample draws examples from a stream.
func (s *tagSource) sample(size int, stream uint64) *crankpkg.Dataset {
	rng := rand.New(rand.NewPCG(s.Seed, stream))
	ds := &crankpkg.Dataset{
		Name: "planted tags", FeatureNames: draw.Names("word", s.Words), LabelNames: draw.Names("tag", s.N),
		X: &crankpkg.Matrix{NumRows: size, NumCols: s.Words, Start: make([]int, 1, size+1)}, Coding: crankpkg.Coding{Sparse: true},
		Y: make([]uint8, size*s.N),
	}
	for m := range size {
		tags := s.drawTags(ds.Labels(m), rng)
		words := s.drawWords(tags, rng)
		for _, k := range words {
			ds.X.Index, ds.X.Value = append(ds.X.Index, int32(k)), append(ds.X.Value, 1)
		}
		ds.X.Start = append(ds.X.Start, len(ds.X.Index))
	}
	return ds
}

// drawTags draws labels until one is on, and returns those that are.
func (s *tagSource) drawTags(y []uint8, rng *rand.Rand) (tags []int) {
	for len(tags) == 0 {
		for _, i := range s.order {
			p := s.off[i]
			if j := s.parent[i]; j >= 0 && y[j] == 1 {
				p = s.on[i]
			}
			y[i] = 0
			if rng.Float64() < p {
				y[i] = 1
				tags = append(tags, i)
			}
		}
	}
	return tags
}

// drawWords returns the words of an example, increasing.
func (s *tagSource) drawWords(tags []int, rng *rand.Rand) []int {
	words := make([]int, 0, s.Length)
	for range s.Length {
		if rng.Float64() < s.Signal {
			i := tags[rng.IntN(len(tags))]
			words = append(words, s.own[i][pick(s.ownAny[i], rng.Float64())])
		} else {
			words = append(words, pick(s.any, rng.Float64()))
		}
	}
	slices.Sort(words)
	return slices.Compact(words)
}
