package levels

import (
	"math"
	"math/rand/v2"

	"github.com/crank-ml/crank/crankpkg/metrics"
	"github.com/crank-ml/crank/crankpkg/significance"
	"gonum.org/v1/gonum/floats"
)

// Names of tests that several designs have.
const (
	pairedT   = "paired t"
	signFlips = "sign flips"
	bootstrap = "bootstrap over seeds"
)

// Names of designs that tests have to know.
const (
	normalDraws   = "planted draws, normal differences"
	skewedDraws   = "planted draws, skewed differences"
	fiveByTwoName = "5 x 2 folds, two learners"
)

// resamples is a tenth of what the tests do by default, and as exact where a test is: the
// level is that of the test, and its power hardly less.
const resamples = 999

// seeds are the numbers of seeds, splits and sets.
func seeds() []int { return []int{2, 3, 5, 10, 20} }

// Designs returns all designs.
func Designs() []Design {
	return []Design{
		draws(normalDraws, true, (*rand.Rand).NormFloat64),
		draws("planted draws, heavy tails", true, heavy),
		draws(skewedDraws, false, func(rng *rand.Rand) float64 { return rng.ExpFloat64() - 1 }),
		correlated(),
		splits(),
		fiveByTwo(),
		crossed("seeds that change little", 0.02),
		crossed("seeds and examples alike", 0.08),
		crossed("seeds that change much", 0.3),
		oneTestSet(),
		family(),
		manySets(),
	}
}

// heavy returns Student's t with three degrees of freedom, of variance one.
func heavy(rng *rand.Rand) float64 {
	var square float64
	for range 3 {
		z := rng.NormFloat64()
		square += z * z
	}
	return rng.NormFloat64() / math.Sqrt(square)
}

// draws has an independent difference for each seed. All of them have variance one.
func draws(name string, symmetric bool, noise func(*rand.Rand) float64) Design {
	return Design{
		Name: name, Counts: seeds(), Of: "seeds", Effect: "a mean of one standard deviation of the differences", Size: 1,
		Tests: []Test{{Name: pairedT, Exact: name == normalDraws}, {Name: signFlips, Exact: symmetric}, {Name: bootstrap, Naive: true}},
		draw: func(rng *rand.Rand, count int, size float64) []float64 {
			d := make([]float64, count)
			for k := range d {
				d[k] = noise(rng) + size
			}
			return []float64{
				significance.PairedT(d, 0).P,
				significance.SignFlip{Resamples: resamples, Seed: rng.Uint64()}.Test(d).P,
				overSeeds(rng, d),
			}
		},
	}
}

// overSeeds is the bootstrap of the values of seeds.
func overSeeds(rng *rand.Rand, d []float64) float64 {
	return metrics.Bootstrap{Resamples: resamples, Seed: rng.Uint64()}.Compare(d, make([]float64, len(d))).P
}

// testOverTrain is how many test examples there are to each training example of a split.
const testOverTrain = 0.25

// correlated has normal differences with the correlation that the corrected test assumes.
func correlated() Design {
	return Design{
		Name: "random splits, normal differences of correlation 1/5", Counts: seeds(), Of: "splits",
		Effect: "a mean of one standard deviation of the differences", Size: 1,
		Tests: []Test{{Name: "corrected resampled t", Exact: true}, {Name: pairedT, Naive: true}, {Name: bootstrap, Naive: true}},
		draw: func(rng *rand.Rand, count int, size float64) []float64 {
			const rho = testOverTrain / (1 + testOverTrain)
			shared := math.Sqrt(rho) * rng.NormFloat64()
			d := make([]float64, count)
			for k := range d {
				d[k] = shared + math.Sqrt(1-rho)*rng.NormFloat64() + size
			}
			return []float64{significance.ResampledT(d, testOverTrain, 0).P, significance.PairedT(d, 0).P, overSeeds(rng, d)}
		},
	}
}

// oneTestSet has one model of each kind, right or wrong on each of some examples.
func oneTestSet() Design {
	return Design{
		Name: "one test set, right or wrong", Counts: []int{50, 200, 1000}, Of: "examples",
		Effect: "five points of subset accuracy", Size: 0.05,
		Tests: []Test{{Name: "bootstrap over examples"}, {Name: "McNemar, exact"}, {Name: "McNemar, mid-p"}},
		draw: func(rng *rand.Rand, count int, size float64) []float64 {
			// One in eight each is right for one of them alone.
			a, b := make([]float64, count), make([]float64, count)
			var onlyA, onlyB int
			for m := range a {
				switch u := rng.Float64(); {
				case u < 0.125+size/2:
					a[m] = 1
					onlyA++
				case u < 0.25:
					b[m] = 1
					onlyB++
				}
			}
			mcNemar := metrics.NewMcNemar(onlyA, onlyB)
			boot := metrics.Bootstrap{Resamples: resamples / 3, Seed: rng.Uint64()}.Compare(a, b)
			return []float64{boot.P, mcNemar.Exact, mcNemar.MidP}
		},
	}
}

// family has ten comparisons at a time, all of them between equals, or none: it rejects where
// any of the ten does.
func family() Design {
	return Design{
		Name: "ten comparisons of planted draws", Counts: seeds(), Of: "seeds",
		Effect: "a mean of two standard deviations in all ten, any found", Size: 2,
		Tests: []Test{{Name: "paired t, Holm", Exact: true}, {Name: "paired t, each by itself", Naive: true}},
		draw: func(rng *rand.Rand, count int, size float64) []float64 {
			p := make([]float64, 10)
			for k := range p {
				d := make([]float64, count)
				for s := range d {
					d[s] = rng.NormFloat64() + size
				}
				p[k] = significance.PairedT(d, 0).P
			}
			return []float64{floats.Min(significance.Holm(p)), floats.Min(p)}
		},
	}
}

// manySets has five methods on several data sets.
func manySets() Design {
	return Design{
		Name: "five methods on several sets", Counts: seeds(), Of: "sets",
		Effect: "the first method two standard deviations above the others", Size: 2,
		Tests: []Test{{Name: "Friedman, permutations", Exact: true}, {Name: "Friedman, Iman and Davenport's F"}, {Name: "Nemenyi, any pair"}},
		draw: func(rng *rand.Rand, count int, size float64) []float64 {
			values := make([][]float64, count)
			for s := range values {
				values[s] = make([]float64, 5)
				for j := range values[s] {
					values[s][j] = rng.NormFloat64()
				}
				values[s][0] += size
			}
			r := significance.Friedman{Resamples: resamples, Seed: rng.Uint64()}.Test(values)
			best, worst := 0, 0
			for j, mean := range r.Mean {
				if mean < r.Mean[best] {
					best = j
				}
				if mean > r.Mean[worst] {
					worst = j
				}
			}
			return []float64{r.P, r.FP, r.Nemenyi(best, worst)}
		},
	}
}
