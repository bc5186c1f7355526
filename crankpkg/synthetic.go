package crankpkg

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/internal/draw"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// PlantedTree describes synthetic data whose truth is known, as in section 5 of
// the paper: x in R^D is standard normal, and y maximizes the score of a model
// whose pairs form a random tree over N labels. Zero fields mean the defaults.
//
// The unary weights are normal with standard deviation UnaryScale, and the size
// of a pair is drawn evenly from PairScale/2 to 3/2 PairScale. Each label has a
// random side g_i of +1 (on) or -1 (off); the pair ij has the sign of -g_i g_j,
// and the bias of label i is
//
//	-1/2 sum_j w_ij + 1/3 g_i sum_j |w_ij|.
//
// The first term alone would give x and -x opposite labels. The second moves
// each label to its side, while its pairs push one of any two neighbors off its
// side. So labels are seldom nearly constant, and which of two neighbors yields
// depends on x through a maximum that no linear function comes near: labels
// predicted apart from one another are often wrong.
type PlantedTree struct {
	N          int     // labels; 0: 10, as in the paper
	D          int     // features; 0: 4, as in the paper
	UnaryScale float64 // 0: 1
	PairScale  float64 // 0: 1.5 UnaryScale sqrt(D), which is 3 by default
	// Removed is how many edges, drawn at random, are left out of the spanning
	// tree, from 0 to N-1: the truth has N-1-Removed dependencies.
	Removed int
	// Noise is the probability that a label is flipped after prediction, in the
	// training and the test examples, each flip independent of the others.
	Noise float64
	Seed  uint64
}

// withDefaults returns p with the defaults in place of zeros.
func (p PlantedTree) withDefaults() PlantedTree {
	if p.N == 0 {
		p.N = 10
	}
	if p.D == 0 {
		p.D = 4
	}
	if p.UnaryScale == 0 {
		p.UnaryScale = 1
	}
	if p.PairScale == 0 {
		p.PairScale = 1.5 * p.UnaryScale * math.Sqrt(float64(p.D))
	}
	return p
}

// Generate draws the truth and labels numTrain and numTest random inputs with
// it. The same fields give the same bits. The test examples do not depend on
// numTrain, and fewer of either are the beginning of more. It panics when a
// field or number is out of range.
func (p PlantedTree) Generate(numTrain, numTest int) (train, test *Dataset, truth *Model) {
	p = p.withDefaults()
	if p.N < 1 || p.D < 1 || p.Removed < 0 || p.Removed > p.N-1 || !(p.Noise >= 0 && p.Noise <= 1) || numTrain < 0 || numTest < 0 {
		panic(fmt.Sprintf("crankpkg: %+v cannot generate %d and %d examples", p, numTrain, numTest))
	}
	truth = p.truth(rand.New(rand.NewPCG(p.Seed, draw.Weights)))
	train = p.sample(truth, numTrain, rand.New(rand.NewPCG(p.Seed, draw.Train)))
	test = p.sample(truth, numTest, rand.New(rand.NewPCG(p.Seed, draw.Test)))
	return train, test, truth
}

// truth draws the model that labels the data.
func (p PlantedTree) truth(rnd *rand.Rand) *Model {
	m := &Model{
		Method:       "planted tree",
		FeatureNames: draw.Names("x", p.D),
		LabelNames:   draw.Names("y", p.N),
		Unary:        make([]float64, p.N*(p.D+1)),
	}
	for i := range p.N {
		w := m.UnaryWeights(i)
		for k := range p.D {
			w[k] = p.UnaryScale * rnd.NormFloat64()
		}
	}
	m.Edges = labelgraph.RandomTree(p.N, rnd)
	for range p.Removed {
		k := rnd.IntN(len(m.Edges))
		m.Edges = append(m.Edges[:k], m.Edges[k+1:]...)
	}
	side := make([]float64, p.N)
	for i := range side {
		side[i] = float64(2*rnd.IntN(2) - 1)
	}
	for _, e := range m.Edges {
		size := p.PairScale * (0.5 + rnd.Float64())
		w := -side[e.I] * side[e.J] * size
		m.Pair = append(m.Pair, w)
		for _, i := range []int{e.I, e.J} {
			m.UnaryWeights(i)[p.D] += side[i]*size/3 - w/2
		}
	}
	return m
}

// sample draws inputs and labels them with the truth.
func (p PlantedTree) sample(truth *Model, size int, rnd *rand.Rand) *Dataset {
	ds := &Dataset{
		Name:         "planted tree",
		FeatureNames: truth.FeatureNames,
		LabelNames:   truth.LabelNames,
		X:            &Matrix{NumRows: size, NumCols: p.D, Value: make([]float64, size*p.D)},
		Y:            make([]uint8, size*p.N),
	}
	oracle := infer.NewTreeOracle(truth.Graph())
	y := make(Labeling, p.N)
	unary := make([]float64, p.N)
	for m := range size {
		x := ds.Row(m)
		for k := range x.Value {
			x.Value[k] = rnd.NormFloat64()
		}
		for i := range unary {
			unary[i] = x.Dot(truth.UnaryWeights(i)) + truth.Bias(i)
		}
		oracle.Maximize(y, unary)
		for i := range ds.Labels(m) {
			ds.Labels(m)[i] = y[i] / 2
			if p.Noise > 0 && rnd.Float64() < p.Noise {
				ds.Labels(m)[i] ^= 1
			}
		}
	}
	return ds
}
