package levels

import (
	"math"
	"math/rand/v2"

	"github.com/crank-ml/crank/crankpkg/metrics"
	"github.com/crank-ml/crank/crankpkg/significance"
)

// sample has examples of two classes and, for two learners, a few features each: the classes
// differ in the means of the first of them. Learners that see features of the same kind are
// equally good, and so a null is true over all samples.
type sample struct {
	positive []bool
	x        [2][][]float64 // of each learner: examples by features
}

const features = 5

// newSample draws a sample; apart is what the first learner's classes lie further apart.
func newSample(rng *rand.Rand, examples int, apart float64) sample {
	s := sample{positive: make([]bool, examples)}
	for m := range s.positive {
		s.positive[m] = rng.IntN(2) == 1
		for learner := range s.x {
			row := make([]float64, features)
			for k := range row {
				row[k] = rng.NormFloat64()
			}
			if s.positive[m] {
				row[0] += 1 + apart*float64(1-learner)
			}
			s.x[learner] = append(s.x[learner], row)
		}
	}
	return s
}

// difference returns the accuracy of the first learner less that of the second, trained and
// tested on the given examples. A learner predicts the class whose training mean is nearer.
func (s sample) difference(train, test []int) float64 {
	var right [2]float64
	for learner, x := range s.x {
		w, cut := nearestMean(x, s.positive, train)
		for _, m := range test {
			var score float64
			for k, v := range x[m] {
				score += w[k] * v
			}
			if (score > cut) == s.positive[m] {
				right[learner]++
			}
		}
	}
	return (right[0] - right[1]) / float64(len(test))
}

// nearestMean returns the direction from one class's mean to the other's, and the cut half way.
func nearestMean(x [][]float64, positive []bool, train []int) (w [features]float64, cut float64) {
	var mean [2][features]float64
	var count [2]float64
	for _, m := range train {
		class := 0
		if positive[m] {
			class = 1
		}
		count[class]++
		for k, v := range x[m] {
			mean[class][k] += v
		}
	}
	for k := range w {
		low, high := mean[0][k]/math.Max(1, count[0]), mean[1][k]/math.Max(1, count[1])
		w[k] = high - low
		cut += w[k] * (high + low) / 2
	}
	return w, cut
}

const trainedEffect = "classes twice as far apart for one learner"

// splits trains on random splits of one sample.
func splits() Design {
	return Design{
		Name: "random splits of 200 examples, two learners", Counts: seeds(), Of: "splits", Effect: trainedEffect, Size: 1,
		Tests: []Test{{Name: "corrected resampled t"}, {Name: pairedT, Naive: true}, {Name: bootstrap, Naive: true}},
		draw: func(rng *rand.Rand, count int, size float64) []float64 {
			const examples, train = 200, 200 / (1 + testOverTrain)
			s := newSample(rng, examples, size)
			d := make([]float64, count)
			for k := range d {
				order := rng.Perm(examples)
				d[k] = s.difference(order[:int(train)], order[int(train):])
			}
			return []float64{significance.ResampledT(d, testOverTrain, 0).P, significance.PairedT(d, 0).P, overSeeds(rng, d)}
		},
	}
}

// fiveByTwo repeats two-fold cross-validation on one sample.
func fiveByTwo() Design {
	return Design{
		Name: fiveByTwoName, Counts: []int{100, 200, 400}, Of: "examples", Effect: trainedEffect, Size: 1,
		Tests: []Test{{Name: "5 x 2 F"}, {Name: "paired t of all ten", Naive: true}},
		draw: func(rng *rand.Rand, count int, size float64) []float64 {
			s := newSample(rng, count, size)
			var d [5][2]float64
			var all []float64
			for r := range d {
				order := rng.Perm(count)
				one, other := order[:count/2], order[count/2:]
				d[r] = [2]float64{s.difference(one, other), s.difference(other, one)}
				all = append(all, d[r][:]...)
			}
			return []float64{significance.FiveByTwo(d, 0).P, significance.PairedT(all, 0).P}
		},
	}
}

// testSize is the number of examples that all seeds are tested on.
const testSize = 200

// crossed has several seeds on one test set. A method is right on an example where the sum
// of four normal numbers is positive: of the example, of the method on it, of the method's
// seed (of deviation seedSpread), and of all of these.
func crossed(name string, seedSpread float64) Design {
	return Design{
		Name: "several seeds on 200 examples, " + name, Counts: seeds(), Of: "seeds",
		Effect: "ten points of subset accuracy, about", Size: 0.35,
		Tests: []Test{
			{Name: "seeds x examples"}, {Name: "bootstrap over examples, first seed", Naive: true},
			{Name: "paired t over seeds", Naive: true}, {Name: bootstrap, Naive: true},
		},
		draw: func(rng *rand.Rand, count int, size float64) []float64 {
			var each, both [testSize][2]float64
			for m := range both {
				hard := rng.NormFloat64()
				for method := range 2 {
					both[m][method] = hard + 0.5*rng.NormFloat64()
				}
				both[m][0] += size
			}
			d, means := make([][]float64, count), make([]float64, count)
			for s := range d {
				d[s] = make([]float64, testSize)
				seed := [2]float64{seedSpread * rng.NormFloat64(), seedSpread * rng.NormFloat64()}
				for m := range both {
					for method := range 2 {
						each[m][method] = 0
						if both[m][method]+seed[method]+0.5*rng.NormFloat64() > 0 {
							each[m][method] = 1
						}
					}
					d[s][m] = each[m][0] - each[m][1]
					means[s] += d[s][m] / testSize
				}
			}
			boot := metrics.Bootstrap{Resamples: 199, Seed: rng.Uint64()}
			return []float64{
				significance.Crossed(d, 0).P, boot.Compare(d[0], make([]float64, testSize)).P,
				significance.PairedT(means, 0).P, overSeeds(rng, means),
			}
		},
	}
}
