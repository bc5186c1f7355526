package gated

import (
	"fmt"
	"math/rand/v2"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/internal/draw"
)

// Kind says how the pairs of Planted data depend on x.
type Kind int

// The kinds.
const (
	OneTree  Kind = iota // not at all
	TwoTrees             // another tree where x_0 > 0
	Linear               // one tree, whose weights are proportional to 1/4 + x_0
)

// String returns the name of a kind in words.
func (k Kind) String() string { return [...]string{"one tree", "two trees", "linear weights"}[k] }

// Planted describes data of crankpkg.PlantedTree whose pairs depend on the input. The unary
// weights of the features are the same all over; biases go with the pairs, as they do
// there, so that labels are seldom nearly constant.
type Planted struct {
	Tree crankpkg.PlantedTree
	Kind Kind
}

// Gate returns the split that TwoTrees has.
func (p Planted) Gate() Split { return Split{} }

// Generate draws the truths and labels so many random inputs with them: one truth, or with TwoTrees
// those of region 0 and 1. The same fields give the same bits. It panics when a field or number is out of range.
func (p Planted) Generate(numTrain, numTest int) (train, test *crankpkg.Dataset, truths []*crankpkg.Model) {
	if p.Kind < OneTree || p.Kind > Linear {
		panic(fmt.Sprintf("gated: kind %d", p.Kind))
	}
	clean := p.Tree
	clean.Noise = 0
	train, test, first := clean.Generate(numTrain, numTest)
	truths = []*crankpkg.Model{first}
	switch p.Kind {
	case TwoTrees:
		truths = append(truths, p.second(first))
	case Linear:
		bend(first)
	}
	p.label(train, truths, rand.New(rand.NewPCG(p.Tree.Seed, draw.Train+flips)))
	p.label(test, truths, rand.New(rand.NewPCG(p.Tree.Seed, draw.Test+flips)))
	return train, test, truths
}

// Streams of their own, for the flips and the second tree.
const (
	flips  = 1 << 32
	others = 1 << 33
)

// second returns another tree, with the unary weights of the first one.
func (p Planted) second(first *crankpkg.Model) *crankpkg.Model {
	tree := p.Tree
	tree.Seed ^= others
	_, _, m := tree.Generate(0, 0)
	for i := range m.NumLabels() {
		copy(m.UnaryWeights(i)[:m.NumFeatures()], first.UnaryWeights(i))
	}
	return m
}

// bend makes the pairs of m proportional to 1/4 + x_0, and what the biases have against them too.
func bend(m *crankpkg.Model) {
	d := m.NumFeatures()
	m.EdgeFeatures = crankpkg.EdgeFeatures{Columns: []int{0}, Scale: 1}
	for k, e := range m.Edges {
		w := m.Pair[k]
		m.PairFeatures, m.Pair[k] = append(m.PairFeatures, w), w/4
		for _, i := range []int{e.I, e.J} {
			m.UnaryWeights(i)[0] -= w / 2
			m.UnaryWeights(i)[d] += w/2 - w/8
		}
	}
}

// label labels the examples anew, and flips some labels.
func (p Planted) label(ds *crankpkg.Dataset, truths []*crankpkg.Model, rnd *rand.Rand) {
	ds.Name = p.Kind.String()
	if len(truths) == 1 {
		copy(ds.Y, truths[0].PredictAll(ds.X))
	} else {
		copy(ds.Y, (&Model{p.Gate(), truths}).PredictAll(ds.X))
	}
	for m := range ds.Len() {
		for i := range ds.Labels(m) {
			if rnd.Float64() < p.Tree.Noise {
				ds.Labels(m)[i] ^= 1
			}
		}
	}
}
