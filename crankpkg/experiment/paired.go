package experiment

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/crank-ml/crank/crankpkg/metrics"
	"github.com/crank-ml/crank/crankpkg/significance"
	"gonum.org/v1/gonum/stat/distuv"
)

// Effect is a paired difference: how far a setting changes a measure, with its 95 % confidence
// interval and the p-value of this comparison by itself. A forest plot takes its Label and its
// Difference.
type Effect struct {
	Label string // what is compared
	metrics.Difference
	// Corrected is the p-value by Holm's correction for all effects of the family: those that
	// came from the same call of Effects, EffectsOn or EffectsOf, all levels of all factors in one measure,
	// or that Family has put together. That of Compare, which is asked for by itself, is P.
	Corrected float64
}

// String returns the effect in one line.
func (e Effect) String() string {
	return fmt.Sprintf("%s: %v, corrected %s (%s, n %d)", e.Label, e.Difference, metrics.PText(e.Corrected), e.Test, e.N)
}

// effectJSON is an Effect as JSON has it: with its label, which the methods of Difference leave
// out.
type effectJSON struct {
	Label      string
	Difference metrics.Difference
	Corrected  *float64
}

// MarshalJSON implements json.Marshaler. An infinite end of the interval is null.
func (e Effect) MarshalJSON() ([]byte, error) {
	return json.Marshal(effectJSON{e.Label, e.Difference, &e.Corrected})
}

// UnmarshalJSON is the inverse of MarshalJSON. An effect without a corrected p-value is taken by itself.
func (e *Effect) UnmarshalJSON(data []byte) error {
	var v effectJSON
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	if v.Corrected == nil {
		v.Corrected = &v.Difference.P
	}
	*e = Effect{v.Label, v.Difference, *v.Corrected}
	return nil
}

// pair is two cells that differ in one factor alone.
type pair struct{ a, b *Row }

// setDifferences are those of one set, by seed or split.
type setDifferences struct {
	values []float64
	pairs  [][]pair // of each, by the other factors
}

// differencesOf returns the differences of pairs, grouped by seed, or by split where there are splits.
func differencesOf(pairs map[uint64][]pair, value func(*Row) float64) setDifferences {
	var d setDifferences
	for _, k := range slices.Sorted(maps.Keys(pairs)) {
		var sum float64
		for _, p := range pairs[k] {
			sum += value(p.b) - value(p.a)
		}
		d.values = append(d.values, sum/float64(len(pairs[k])))
		d.pairs = append(d.pairs, pairs[k])
	}
	return d
}

// test tests the differences of one set, by what seeds or splits draw anew:
//
//	examples of their own (drawn)      significance.PairedT
//	one test set for all               significance.Crossed: seeds and examples are samples
//	parts of the same examples         significance.ResampledT
//
// Measures that are no means over examples cannot be crossed: on one test set they are tested over
// the seeds alone, and Test says so.
func (d setDifferences) test(t *SweepTable, m metrics.Measure, drawn bool) metrics.Difference {
	first := d.pairs[0][0].a
	switch {
	case drawn && first.Split == 0:
		return significance.PairedT(d.values, 0)
	case first.Split == 0 && d.oneTestSet():
		if each := t.byExample(d, m); each != nil {
			return significance.Crossed(each, 0)
		}
		out := significance.PairedT(d.values, 0)
		out.Test += " over seeds, for this one test set"
		return out
	}
	var train, test float64
	for _, pairs := range d.pairs {
		train, test = train+float64(pairs[0].a.Train), test+float64(pairs[0].a.Test)
	}
	if !(train > 0 && test > 0) { // a table made by hand, which does not say
		train, test = 1, 1
	}
	return significance.ResampledT(d.values, test/train, 0)
}

// oneTestSet reports whether all rows have the same test set.
func (d setDifferences) oneTestSet() bool {
	first := d.pairs[0][0].a.TestSet
	for _, pairs := range d.pairs {
		for _, p := range pairs {
			if p.a.TestSet != first || p.b.TestSet != first {
				return false
			}
		}
	}
	return true
}

// byExample returns the difference for each seed and example, averaged over the other factors; nil where
// the table does not have them.
func (t *SweepTable) byExample(d setDifferences, m metrics.Measure) [][]float64 {
	if m != metrics.MeanOfThree && !slices.Contains(metrics.PaperMeasures(), m) {
		return nil
	}
	var all [][]float64
	for _, pairs := range d.pairs {
		var sum []float64
		for _, p := range pairs {
			a, b := t.examples(p.a, m), t.examples(p.b, m)
			if a == nil || len(a) != len(b) || sum != nil && len(sum) != len(a) {
				return nil
			}
			if sum == nil {
				sum = make([]float64, len(a))
			}
			for k := range a {
				sum[k] += (b[k] - a[k]) / float64(len(pairs))
			}
		}
		all = append(all, sum)
	}
	return all
}

// examples returns a measure of each test example of a row, nil where it does not have the predictions.
func (t *SweepTable) examples(r *Row, m metrics.Measure) []float64 {
	if r.NumLabels <= 0 {
		return nil
	}
	truth, predicted := unpackBits(t.Truth[r.TestSet], r.Test*r.NumLabels), unpackBits(r.Predicted, r.Test*r.NumLabels)
	if len(truth) == 0 || len(predicted) == 0 {
		return nil
	}
	scores := metrics.Evaluator{}.Examples(truth, predicted, r.NumLabels)
	if m != metrics.MeanOfThree {
		return scores.Of(m)
	}
	mean := make([]float64, r.Test)
	for _, part := range metrics.PaperMeasures() {
		for k, v := range scores.Of(part) {
			mean[k] += v / 3
		}
	}
	return mean
}

// halfWidth returns half the width of the 95 % interval of a difference. One that is a point, as that of
// significance.SignFlip of equal differences, is as wide as its p-value makes a normal one.
func halfWidth(d metrics.Difference) float64 {
	half, normal := (d.High-d.Low)/2, distuv.UnitNormal
	if half > 0 || d.Mean == 0 || d.P == 0 {
		return half
	}
	if d.P >= 1 {
		return math.Inf(1)
	}
	return math.Abs(d.Mean) * normal.Quantile(0.975) / normal.Quantile(1-d.P/2)
}

// overSets returns the mean of the differences on several sets, each set counting alike. The squares of the
// half widths of their intervals add up, which is exact for many seeds and careful with few. Test names the
// tests of the sets.
func overSets(each []metrics.Difference) metrics.Difference {
	out := metrics.Difference{}
	var tests []string
	var squares float64
	for _, d := range each {
		out.Mean += d.Mean / float64(len(each))
		out.N += d.N
		if !slices.Contains(tests, d.Test) {
			tests = append(tests, d.Test)
		}
		half := halfWidth(d)
		squares += half * half
	}
	out.Test = strings.Join(tests, " or ") + " on each set, mean over the sets"
	half := math.Sqrt(squares) / float64(len(each))
	out.Low, out.High, out.P = out.Mean-half, out.Mean+half, 1
	normal := distuv.UnitNormal
	switch {
	case math.IsInf(half, 1):
		out.Low, out.High = math.Inf(-1), math.Inf(1)
	case half > 0:
		out.P = 2 * normal.Survival(math.Abs(out.Mean)/half*normal.Quantile(0.975))
	case out.Mean != 0:
		out.P = 0
	}
	return out
}
