package infer

// HammingLoss returns the number of labels in which y and truth differ,
// Delta(y, y^m) of eq. (1). Both hold zeros and ones.
func HammingLoss(y, truth []uint8) int {
	if len(y) != len(truth) {
		panic("infer: labelings of different lengths")
	}
	loss := 0
	for i, v := range y {
		if v != truth[i] {
			loss++
		}
	}
	return loss
}

// Loss returns the Hamming loss of a labeling in halves, sum_i |y_i - truth_i|,
// where truth holds zeros and ones. It is the linear extension of HammingLoss
// to the local polytope.
func (y Labeling) Loss(truth []uint8) float64 {
	if len(y) != len(truth) {
		panic("infer: labelings of different lengths")
	}
	halves := 0
	for i, v := range y {
		if truth[i] == 0 {
			halves += int(v)
		} else {
			halves += 2 - int(v)
		}
	}
	return float64(halves) / 2
}

// AugmentTo sets dst to c_i + 1 - 2 y_i, the unary terms of loss-augmented
// inference for the true labels y (zeros and ones):
//
//	max_s score(x, s) + Delta(s, y) = AugmentConstant(y) + max_s sum_i dst_i s_i + sum_ij w_ij s_i s_j
//
// dst and c may be the same slice.
func AugmentTo(dst, c []float64, y []uint8) {
	if len(dst) != len(c) || len(c) != len(y) {
		panic("infer: unequal numbers of labels")
	}
	for i, v := range y {
		dst[i] = c[i] + float64(1-2*int(v))
	}
}

// AugmentConstant returns the loss of the labeling without any label, sum_i y_i.
func AugmentConstant(y []uint8) float64 {
	sum := 0
	for _, v := range y {
		sum += int(v)
	}
	return float64(sum)
}
