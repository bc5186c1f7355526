package significance

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/distuv"
)

// Ranks compares several methods over several data sets by the ranks that they have on each
// set, as Demsar (2006) recommends.
type Ranks struct {
	Sets int
	// Mean has the mean rank of each method: 1 is the best, and equal values share the mean
	// of their ranks.
	Mean []float64
	// ChiSquare is Friedman's statistic, corrected for equal values.
	ChiSquare float64
	// P is the p-value of the hypothesis that all methods are equally good, by ranks permuted
	// within the sets: exact with any number of sets and methods.
	P float64
	// F is Iman and Davenport's statistic (1980), and FP its p-value: an approximation for
	// ten sets or more. With two or three it rejects a true null far too often.
	F, FP float64
}

// Friedman is Friedman's test of several methods over several data sets. Its zero fields
// mean the documented defaults.
type Friedman struct {
	// Resamples is the number of random permutations where there are more than 20,000 in all;
	// up to that all are taken. Zero means 9999.
	Resamples int
	// Seed determines the permutations.
	Seed uint64
}

// Test ranks the values[set][method] on each set, the larger the better. It panics on fewer
// than two sets or methods, on rows of different lengths and on NaN.
func (t Friedman) Test(values [][]float64) Ranks {
	if len(values) < 2 || len(values[0]) < 2 {
		panic(fmt.Sprintf("significance: ranks on %d sets", len(values)))
	}
	k, n := len(values[0]), float64(len(values))
	r := Ranks{Sets: len(values), Mean: make([]float64, k), P: 1, FP: 1}
	ranks := make([][]float64, len(values))
	var squares float64 // of all ranks
	for s, row := range values {
		if len(row) != k || slices.ContainsFunc(row, math.IsNaN) {
			panic(fmt.Sprintf("significance: %v among ranks of %d methods", row, k))
		}
		ranks[s] = ranksOf(row)
		for _, rank := range ranks[s] {
			squares += rank * rank
		}
	}
	between := r.average(ranks)
	middle := float64(k+1) / 2
	spread := (squares - n*float64(k)*middle*middle) / (n * float64(k-1)) // of the ranks within a set
	if spread == 0 {                                                      // all are equal everywhere
		return r
	}
	r.ChiSquare = n * between / spread
	r.P = t.permuted(ranks, between)
	r.F, r.FP = math.Inf(1), 0
	if left := n*float64(k-1) - r.ChiSquare; left > 1e-9*r.ChiSquare { // not one order on all sets
		r.F = (n - 1) * r.ChiSquare / left
		r.FP = distuv.F{D1: float64(k - 1), D2: float64(k-1) * (n - 1)}.Survival(r.F)
	}
	return r
}

// average sets the mean ranks, and returns the sum of their squares about the middle.
func (r *Ranks) average(ranks [][]float64) float64 {
	clear(r.Mean)
	for _, row := range ranks {
		floats.Add(r.Mean, row)
	}
	var between float64
	for j := range r.Mean {
		r.Mean[j] /= float64(len(ranks))
		off := r.Mean[j] - float64(len(r.Mean)+1)/2
		between += off * off
	}
	return between
}

// mostOrders is the number of permutations up to which all are taken.
const mostOrders = 20000

// permuted returns the share of permutations within the sets whose mean ranks are at least
// as far apart, of all or of random ones, among which the ranks as they are count too. It
// leaves ranks permuted.
func (t Friedman) permuted(ranks [][]float64, between float64) float64 {
	if t.Resamples == 0 {
		t.Resamples = 9999
	}
	other := Ranks{Mean: make([]float64, len(ranks[0]))}
	asFar, orders := 0, 0
	count := func() {
		orders++
		if other.average(ranks) >= between*(1-1e-9) {
			asFar++
		}
	}
	if few(len(ranks), len(ranks[0])) {
		everyOrder(ranks[1:], 0, count) // what the first set has for its order does not matter
		return float64(asFar) / float64(orders)
	}
	count()
	rng := rand.New(rand.NewPCG(t.Seed, 0))
	for range t.Resamples {
		for _, row := range ranks {
			rng.Shuffle(len(row), func(a, b int) { row[a], row[b] = row[b], row[a] })
		}
		count()
	}
	return float64(asFar) / float64(orders)
}

// few reports whether all but one of the sets have few orders together.
func few(sets, methods int) bool {
	orders := 1
	for range sets - 1 {
		for k := 2; k <= methods; k++ {
			if orders *= k; orders > mostOrders {
				return false
			}
		}
	}
	return true
}

// everyOrder calls visit with every order of every row, of the first row from place k on.
func everyOrder(rows [][]float64, k int, visit func()) {
	if len(rows) == 0 {
		visit()
		return
	}
	row := rows[0]
	if k == len(row) {
		everyOrder(rows[1:], 0, visit)
		return
	}
	for i := k; i < len(row); i++ {
		row[k], row[i] = row[i], row[k]
		everyOrder(rows, k+1, visit)
		row[k], row[i] = row[i], row[k]
	}
}

// ranksOf returns the rank of each value, 1 for the largest.
func ranksOf(values []float64) []float64 {
	order := make([]int, len(values))
	for k := range order {
		order[k] = k
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(values[b], values[a]) })
	ranks := make([]float64, len(values))
	for first := 0; first < len(order); {
		last := first
		for last+1 < len(order) && values[order[last+1]] == values[order[first]] {
			last++
		}
		for _, j := range order[first : last+1] {
			ranks[j] = float64(first+last)/2 + 1
		}
		first = last + 1
	}
	return ranks
}

// stdErr returns the standard error of the difference of two mean ranks.
func (r Ranks) stdErr() float64 {
	k := float64(len(r.Mean))
	return math.Sqrt(k * (k + 1) / (6 * float64(r.Sets)))
}

// CriticalDifference returns how far apart two mean ranks have to be for Nemenyi's test to
// tell the methods apart at the level alpha, all pairs taken together. It panics unless
// alpha is between 0 and 1.
func (r Ranks) CriticalDifference(alpha float64) float64 {
	return studentizedRangeQuantile(1-alpha, len(r.Mean)) / math.Sqrt2 * r.stdErr()
}

// Nemenyi returns the p-value of the difference of methods i and j, corrected for all pairs.
func (r Ranks) Nemenyi(i, j int) float64 {
	return 1 - studentizedRange(math.Abs(r.Mean[i]-r.Mean[j])/r.stdErr()*math.Sqrt2, len(r.Mean))
}

// studentizedRange returns the probability that k standard normal numbers are at most q
// apart: the integral of k phi(x) (Phi(x) - Phi(x-q))^(k-1) over the largest, x.
func studentizedRange(q float64, k int) float64 {
	const step, end = 0.05, 9.0 // for a function this smooth, the sum is exact to rounding
	normal := distuv.UnitNormal
	var sum float64
	for x := -end; x <= end+step/2; x += step {
		sum += normal.Prob(x) * math.Pow(normal.CDF(x)-normal.CDF(x-q), float64(k-1))
	}
	return math.Min(1, float64(k)*step*sum)
}

// studentizedRangeQuantile is the inverse of studentizedRange.
func studentizedRangeQuantile(p float64, k int) float64 {
	if !(p > 0 && p < 1) {
		panic(fmt.Sprintf("significance: level %v", 1-p))
	}
	low, high := 0.0, 40.0
	for range 60 {
		if middle := (low + high) / 2; studentizedRange(middle, k) < p {
			low = middle
		} else {
			high = middle
		}
	}
	return (low + high) / 2
}
