package metrics_test

import "math"

// sklearnCase is a random test set and what scikit-learn 1.9.1 says of it, with y the true
// labels, p the predicted ones and s the scores, as shares:
//
//	ranking        label_ranking_loss(y, s), coverage_error(y, s), label_ranking_average_precision_score(y, s)
//	jaccard        jaccard_score(y, p, average=a, zero_division=z) for a = "samples", "micro", "macro"
//	f1             f1_score(y, p, average=None, zero_division=z)
//	labelJaccard   jaccard_score(y, p, average=None, zero_division=z)
//	precision ...  precision_recall_fscore_support(y, p, average=None, zero_division=np.nan), and so recall, support
//	auc            roc_auc_score(y[:, i], s[:, i]) by label; NaN where y[:, i] is constant
//
// with z = 1 (one) and z = 0 (zero). Scores have few values, so that many are tied, but in
// the third set. Some examples have no labels or all, some labels no examples or all, and
// some are never predicted.
type sklearnCase struct {
	n                int
	truth, predicted []uint8
	scores           []float64
	ranking          [3]float64
	one, zero        sklearnShares
	precision        []float64
	recall           []float64
	support          []int
	auc              []float64
}

type sklearnShares struct {
	jaccard          [3]float64
	f1, labelJaccard []float64
}

var sklearnCases = []sklearnCase{
	{
		n: 4,
		truth: []uint8{
			0, 0, 0, 0,
			1, 1, 1, 1,
			0, 0, 1, 0,
			1, 1, 0, 0,
			0, 0, 1, 1,
			0, 0, 0, 0,
		},
		predicted: []uint8{
			0, 0, 1, 0,
			0, 0, 0, 0,
			1, 0, 1, 0,
			1, 1, 1, 0,
			0, 1, 1, 0,
			1, 0, 0, 0,
		},
		scores: []float64{
			-0.25, -0.25, 0.25, 0.25,
			-0.25, 0, -0.25, 0.25,
			0.25, 0, 0.25, -0.25,
			0.25, 0.25, 0.25, 0,
			-0.25, 0.25, 0.25, -0.25,
			0.25, -0.25, 0, 0.25,
		},
		ranking: [3]float64{0.2638888888888889, 2.1666666666666665, 0.7777777777777777},
		one: sklearnShares{
			jaccard:      [3]float64{0.24999999999999997, 0.2857142857142857, 0.24583333333333332},
			f1:           []float64{0.4, 0.5, 0.5714285714285714, 0.0},
			labelJaccard: []float64{0.25, 0.3333333333333333, 0.4, 0.0},
		},
		zero: sklearnShares{
			jaccard:      [3]float64{0.24999999999999997, 0.2857142857142857, 0.24583333333333332},
			f1:           []float64{0.4, 0.5, 0.5714285714285714, 0.0},
			labelJaccard: []float64{0.25, 0.3333333333333333, 0.4, 0.0},
		},
		precision: []float64{0.3333333333333333, 0.5, 0.5, math.NaN()},
		recall:    []float64{0.5, 0.5, 0.6666666666666666, 0.0},
		support:   []int{2, 2, 3, 2},
		auc:       []float64{0.5, 0.75, 0.4444444444444444, 0.4375},
	},
	{
		n: 3,
		truth: []uint8{
			1, 0, 1,
			0, 1, 1,
			1, 0, 0,
			0, 0, 0,
			0, 0, 0,
		},
		predicted: []uint8{
			0, 0, 0,
			0, 0, 0,
			0, 0, 0,
			0, 0, 0,
			0, 0, 0,
		},
		scores: []float64{
			0, -0.25, 0,
			-0.25, 0, 0,
			0, 0, 0,
			-0.25, -0.25, 0,
			0, 0, 0,
		},
		ranking: [3]float64{0.2, 1.4, 0.8666666666666668},
		one: sklearnShares{
			jaccard:      [3]float64{0.4, 0.0, 0.0},
			f1:           []float64{0.0, 0.0, 0.0},
			labelJaccard: []float64{0.0, 0.0, 0.0},
		},
		zero: sklearnShares{
			jaccard:      [3]float64{0.0, 0.0, 0.0},
			f1:           []float64{0.0, 0.0, 0.0},
			labelJaccard: []float64{0.0, 0.0, 0.0},
		},
		precision: []float64{math.NaN(), math.NaN(), math.NaN()},
		recall:    []float64{0.0, 0.0, 0.0},
		support:   []int{2, 1, 2},
		auc:       []float64{0.8333333333333334, 0.75, 0.5},
	},
	{
		n: 5,
		truth: []uint8{
			1, 0, 0, 0, 0,
			0, 0, 0, 0, 0,
			1, 0, 0, 0, 0,
			1, 0, 0, 1, 1,
			1, 1, 0, 0, 0,
			1, 0, 0, 0, 0,
			0, 1, 0, 1, 0,
			1, 1, 0, 0, 0,
		},
		predicted: []uint8{
			1, 1, 0, 0, 1,
			0, 1, 0, 1, 1,
			0, 0, 0, 0, 0,
			0, 0, 0, 0, 1,
			1, 0, 0, 0, 0,
			0, 1, 0, 1, 0,
			1, 1, 0, 0, 0,
			0, 1, 0, 0, 1,
		},
		scores: []float64{
			449, 421, 294, -298, 359,
			-76, 35, -230, 275, 290,
			-208, -3, -350, -383, -311,
			-175, -493, -113, -429, 172,
			251, -148, 403, -400, -443,
			-365, 220, 134, 277, -202,
			181, 487, -1, -347, -15,
			-439, 194, 4, -255, 323,
		},
		ranking: [3]float64{0.38541666666666663, 3.125, 0.6548611111111111},
		one: sklearnShares{
			jaccard:      [3]float64{0.22916666666666663, 0.23809523809523808, 0.3738095238095238},
			f1:           []float64{0.4444444444444444, 0.5, 1.0, 0.0, 0.4},
			labelJaccard: []float64{0.2857142857142857, 0.3333333333333333, 1.0, 0.0, 0.25},
		},
		zero: sklearnShares{
			jaccard:      [3]float64{0.22916666666666663, 0.23809523809523808, 0.1738095238095238},
			f1:           []float64{0.4444444444444444, 0.5, 0.0, 0.0, 0.4},
			labelJaccard: []float64{0.2857142857142857, 0.3333333333333333, 0.0, 0.0, 0.25},
		},
		precision: []float64{0.6666666666666666, 0.4, math.NaN(), 0.0, 0.25},
		recall:    []float64{0.3333333333333333, 0.6666666666666666, math.NaN(), 0.0, 1.0},
		support:   []int{6, 3, 0, 2, 1},
		auc:       []float64{0.3333333333333333, 0.6, math.NaN(), 0.16666666666666669, 0.5714285714285714},
	},
	{
		n: 2,
		truth: []uint8{
			1, 1,
			0, 1,
			1, 1,
			1, 1,
		},
		predicted: []uint8{
			1, 0,
			1, 0,
			0, 1,
			0, 0,
		},
		scores: []float64{
			0.25, -0.25,
			0.25, 0,
			0, 0.25,
			-0.25, -0.25,
		},
		ranking: [3]float64{0.25, 2.0, 0.875},
		one: sklearnShares{
			jaccard:      [3]float64{0.25, 0.25, 0.25},
			f1:           []float64{0.4, 0.4},
			labelJaccard: []float64{0.25, 0.25},
		},
		zero: sklearnShares{
			jaccard:      [3]float64{0.25, 0.25, 0.25},
			f1:           []float64{0.4, 0.4},
			labelJaccard: []float64{0.25, 0.25},
		},
		precision: []float64{0.5, 1.0},
		recall:    []float64{0.3333333333333333, 0.25},
		support:   []int{3, 4},
		auc:       []float64{0.16666666666666666, math.NaN()},
	},
	{
		n: 6,
		truth: []uint8{
			1, 0, 0, 0, 1, 1,
			1, 1, 1, 0, 1, 1,
			1, 0, 0, 1, 1, 0,
			0, 0, 0, 0, 0, 0,
			1, 0, 1, 1, 1, 1,
			1, 0, 1, 0, 1, 0,
			1, 1, 0, 0, 1, 1,
		},
		predicted: []uint8{
			0, 0, 0, 0, 0, 0,
			0, 1, 0, 1, 0, 0,
			0, 1, 1, 0, 1, 0,
			0, 1, 0, 0, 0, 0,
			1, 0, 0, 0, 0, 0,
			0, 0, 0, 1, 0, 0,
			1, 0, 0, 0, 1, 0,
		},
		scores: []float64{
			-0.5, -0.5, -0.5, 0, 0, -0.5,
			-0.25, 0.5, -0.5, 0.5, -0.25, 0.25,
			-0.25, 0.25, 0.5, 0, 0.25, 0.5,
			0, 0.25, 0, 0, 0, 0.5,
			0.5, -0.25, -0.25, -0.5, -0.5, 0.5,
			-0.5, 0, -0.5, 0.5, -0.25, 0.5,
			0.25, -0.5, -0.25, 0, 0.5, -0.5,
		},
		ranking: [3]float64{0.6968253968253969, 5.142857142857143, 0.6766666666666666},
		one: sklearnShares{
			jaccard:      [3]float64{0.15238095238095237, 0.17857142857142858, 0.15277777777777776},
			f1:           []float64{0.5, 0.4, 0.0, 0.0, 0.5, 0.0},
			labelJaccard: []float64{0.3333333333333333, 0.25, 0.0, 0.0, 0.3333333333333333, 0.0},
		},
		zero: sklearnShares{
			jaccard:      [3]float64{0.15238095238095237, 0.17857142857142858, 0.15277777777777776},
			f1:           []float64{0.5, 0.4, 0.0, 0.0, 0.5, 0.0},
			labelJaccard: []float64{0.3333333333333333, 0.25, 0.0, 0.0, 0.3333333333333333, 0.0},
		},
		precision: []float64{1.0, 0.3333333333333333, 0.0, 0.0, 1.0, math.NaN()},
		recall:    []float64{0.3333333333333333, 0.5, 0.0, 0.0, 0.3333333333333333, 0.0},
		support:   []int{6, 2, 3, 2, 6, 4},
		auc:       []float64{0.3333333333333333, 0.55, 0.20833333333333331, 0.15, 0.41666666666666663, 0.125},
	},
}
