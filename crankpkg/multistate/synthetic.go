package multistate

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"strconv"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/internal/draw"
	"github.com/crank-ml/crank/crankpkg/internal/groups"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// Planted describes synthetic data of variables of several states
// whose truth is known, in the way of PlantedTree: x in R^D is standard normal,
// and y maximizes the score of a model whose pairs form a random tree over N
// variables. Zero fields mean the defaults.
//
// The weights w_i(s) are normal with standard deviation 1. The table of a pair
// is a random matching of states: each state of one variable shuns one state of
// the other, at a price drawn evenly from half to three halves of PairScale;
// normal noise of a tenth of the price is added to all entries. So which of two
// neighbors gives way depends on x through a maximum that no linear function
// comes near.
type Planted struct {
	N         int     // variables; 0: 8
	States    int     // states of each, from 2 to 256; 0: 3
	D         int     // features; 0: 4
	PairScale float64 // 0: 3
	Noise     float64 // probability that a state is replaced by one drawn evenly
	Seed      uint64
}

// Generate draws the truth and labels numTrain and numTest random inputs with
// it. The same fields give the same bits. The test examples do not depend on
// numTrain, and fewer of either are the beginning of more. It panics when a
// field or number is out of range.
func (p Planted) Generate(numTrain, numTest int) (train, test *Dataset, truth *Model) {
	p.N, p.States, p.D = cmp.Or(p.N, 8), cmp.Or(p.States, 3), cmp.Or(p.D, 4)
	p.PairScale = cmp.Or(p.PairScale, 3)
	if p.N < 1 || p.D < 1 || p.States < 2 || p.States > groups.MaxSize || !(p.Noise >= 0 && p.Noise <= 1) || numTrain < 0 || numTest < 0 {
		panic(fmt.Sprintf("multistate: %+v cannot generate %d and %d examples", p, numTrain, numTest))
	}
	truth = p.truth(rand.New(rand.NewPCG(p.Seed, draw.Weights)))
	train = p.sample(truth, numTrain, rand.New(rand.NewPCG(p.Seed, draw.Train)))
	test = p.sample(truth, numTest, rand.New(rand.NewPCG(p.Seed, draw.Test)))
	return train, test, truth
}

// truth draws the model that labels the data.
func (p Planted) truth(rnd *rand.Rand) *Model {
	m := &Model{LabelNames: draw.Names("y", p.N), StateNames: make([][]string, p.N)}
	for i := range m.StateNames {
		for s := range p.States {
			m.StateNames[i] = append(m.StateNames[i], strconv.Itoa(s))
		}
	}
	l := groups.New(m.States())
	m.Indicators = &crankpkg.Model{
		Method: "planted tree", FeatureNames: draw.Names("x", p.D),
		LabelNames: indicatorNames(m.LabelNames, m.StateNames), Unary: make([]float64, l.NumLabels()*(p.D+1)),
		Groups: m.States(),
	}
	for label := range l.NumLabels() {
		for k := range p.D {
			m.Indicators.UnaryWeights(label)[k] = rnd.NormFloat64()
		}
	}
	tree := labelgraph.RandomTree(p.N, rnd)
	m.Indicators.Edges = l.Pairs(tree)
	tables := l.Tables(m.Indicators.Edges)
	m.Indicators.Pair = make([]float64, len(m.Indicators.Edges))
	for _, at := range tables.At {
		size := p.PairScale * (0.5 + rnd.Float64())
		partner := rnd.Perm(p.States)
		for k, pos := range at {
			m.Indicators.Pair[pos] = 0.1 * size * rnd.NormFloat64()
			if k%p.States == partner[k/p.States] {
				m.Indicators.Pair[pos] -= size
			}
		}
	}
	return m
}

// sample draws inputs and labels them with the truth.
func (p Planted) sample(truth *Model, size int, rnd *rand.Rand) *Dataset {
	ds := &Dataset{
		Name: "planted tree", FeatureNames: truth.Indicators.FeatureNames,
		LabelNames: truth.LabelNames, StateNames: truth.StateNames,
		X: &crankpkg.Matrix{NumRows: size, NumCols: p.D, Value: make([]float64, size*p.D)}, Y: make([]uint8, size*p.N),
	}
	predictor := truth.Predictor()
	for m := range size {
		x := ds.Row(m)
		for k := range x.Value {
			x.Value[k] = rnd.NormFloat64()
		}
		predictor.PredictTo(ds.Labels(m), x)
		for i := range ds.Labels(m) {
			if p.Noise > 0 && rnd.Float64() < p.Noise {
				ds.Labels(m)[i] = uint8(rnd.IntN(p.States))
			}
		}
	}
	return ds
}
