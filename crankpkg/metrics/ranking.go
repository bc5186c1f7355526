package metrics

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/crank-ml/crank/crankpkg/internal/errs"
)

// Ranking measures how scores rank the labels of each example: true ones should stand
// above the others. All but Coverage are in percent. Labels of equal score count against
// the ranking, except in MacroAUC, where a tied pair is half right.
//
// An example with no label true has nothing to rank: its ranking loss, coverage and
// one-error are 0 and its average precision is 100. With all labels true it has no pair to
// get wrong, and coverage n. Values and conventions are those of scikit-learn, which has no
// one-error.
type Ranking struct {
	RankingLoss float64 // pairs of a true and another label in the wrong order; the smaller the better
	// Coverage is how many labels one has to take from the top to have all true ones; the
	// smaller the better. Where it is counted from 0, as by Schapire and Singer (2000), it
	// is one less.
	Coverage         float64
	AveragePrecision float64 // mean, over true labels, of the share of true ones down to it
	OneError         float64 // examples with another label than a true one at the top; the smaller the better
	MacroAUC         float64 // mean of the AUC of the labels that have one, NaN if none has
}

// EvaluateRanking returns the measures of scores against truth, both M x n, row after row;
// the larger the score, the surer the label. Scores may be infinite, and an error that
// wraps ErrData names one that is NaN. It panics when the lengths differ or are no multiple
// of n, and when there is nothing to measure.
func EvaluateRanking(truth []uint8, scores []float64, n int) (Ranking, error) {
	if n <= 0 || len(truth) == 0 || len(truth)%n != 0 || len(scores) != len(truth) {
		panic(fmt.Sprintf("metrics: %d true values and %d scores for rows of %d labels", len(truth), len(scores), n))
	}
	if k := slices.IndexFunc(scores, math.IsNaN); k >= 0 {
		return Ranking{}, fmt.Errorf("%w: row %d, label %d: a score of NaN", errs.ErrData, k/n, k%n)
	}
	return rank(truth, scores, n, labelAUCs(truth, scores, n)), nil
}

// rank returns the measures, given the AUC of each label.
func rank(truth []uint8, scores []float64, n int, aucs []float64) Ranking {
	r := Ranking{MacroAUC: meanOfNumbers(aucs)}
	order := make([]int, n)
	for first := 0; first < len(truth); first += n {
		row := rankRow(truth[first:first+n], scores[first:first+n], order)
		r.RankingLoss += row.RankingLoss
		r.Coverage += row.Coverage
		r.AveragePrecision += row.AveragePrecision
		r.OneError += row.OneError
	}
	rows := float64(len(truth) / n)
	r.RankingLoss *= 100 / rows
	r.Coverage /= rows
	r.AveragePrecision *= 100 / rows
	r.OneError *= 100 / rows
	return r
}

// rankRow returns the measures of one example as shares. It goes down the ranking; labels
// of equal score share the lowest place among them.
func rankRow(truth []uint8, scores []float64, order []int) (r Ranking) {
	n, labels := len(truth), 0
	for i, v := range truth {
		order[i] = i
		labels += int(v)
	}
	if labels == 0 {
		return Ranking{AveragePrecision: 1}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	var wrongPairs, hits int
	var precision float64
	for place := 0; place < n; {
		top := place == 0
		tied := 0 // true labels of this score
		for score := scores[order[place]]; place < n && scores[order[place]] == score; place++ {
			tied += int(truth[order[place]])
		}
		hits += tied
		if top && hits < place {
			r.OneError = 1
		}
		if tied > 0 {
			r.Coverage = float64(place)
		}
		wrongPairs += tied * (place - hits)
		precision += float64(tied) * float64(hits) / float64(place)
	}
	r.AveragePrecision = precision / float64(labels)
	if labels < n {
		r.RankingLoss = float64(wrongPairs) / float64(labels*(n-labels))
	}
	return r
}

// AUC returns the area under the ROC curve of one label, in [0, 1]: the share of the pairs
// of an example with it and one without in which the first has the larger score, where a
// tied pair is half right. It is NaN where all examples have the label, or none has, and
// where a score is. It panics when the lengths differ.
func AUC(truth []uint8, scores []float64) float64 {
	if len(truth) != len(scores) {
		panic(fmt.Sprintf("metrics: %d true values and %d scores", len(truth), len(scores)))
	}
	if slices.ContainsFunc(scores, math.IsNaN) {
		return math.NaN()
	}
	order := make([]int, len(truth))
	for m := range order {
		order[m] = m
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(scores[a], scores[b]) })
	var halves, with, without int // pairs that are right, counted in halves; examples up to here
	for k := 0; k < len(order); {
		var tied [2]int
		for score := scores[order[k]]; k < len(order) && scores[order[k]] == score; k++ {
			tied[truth[order[k]]]++
		}
		halves += tied[1] * (2*without + tied[0])
		with, without = with+tied[1], without+tied[0]
	}
	return float64(halves) / float64(2*with*without) // 0/0 is NaN
}

// labelAUCs returns the AUC of each label, in percent.
func labelAUCs(truth []uint8, scores []float64, n int) []float64 {
	rows := len(truth) / n
	aucs, y, s := make([]float64, n), make([]uint8, rows), make([]float64, rows)
	for i := range aucs {
		for m := range rows {
			y[m], s[m] = truth[m*n+i], scores[m*n+i]
		}
		aucs[i] = 100 * AUC(y, s)
	}
	return aucs
}

// meanOfNumbers returns the mean of the values that are numbers, NaN if none is.
func meanOfNumbers(values []float64) float64 {
	var sum float64
	count := 0
	for _, v := range values {
		if !math.IsNaN(v) {
			sum += v
			count++
		}
	}
	return sum / float64(count)
}

// jsonNumber is a number that may be NaN, which JSON has as null.
type jsonNumber float64

// MarshalJSON implements json.Marshaler.
func (v jsonNumber) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(v)) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(v))
}

// UnmarshalJSON implements json.Unmarshaler.
func (v *jsonNumber) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		*v = jsonNumber(math.NaN())
		return nil
	}
	return json.Unmarshal(data, (*float64)(v))
}
