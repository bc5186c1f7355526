package crankpkg

import (
	"math"
	"math/rand/v2"
)

// Shuffle returns the examples in a random order that seed determines.
func (ds *Dataset) Shuffle(seed uint64) *Dataset {
	return ds.Subset(permutation(ds.Len(), seed))
}

// Split shuffles the examples by seed and divides them: the share trainShare of
// them, rounded, is for training and the rest for testing. Each part has at
// least one example. It panics unless 0 < trainShare < 1 and there are two
// examples.
func (ds *Dataset) Split(trainShare float64, seed uint64) (train, test *Dataset) {
	if !(trainShare > 0 && trainShare < 1) || ds.Len() < 2 {
		panic("crankpkg: a split needs two examples and a share between 0 and 1")
	}
	order := permutation(ds.Len(), seed)
	cut := splitSize(trainShare, ds.Len())
	return ds.Subset(order[:cut]), ds.Subset(order[cut:])
}

// splitSize returns how many of size examples are for training.
func splitSize(trainShare float64, size int) int {
	return min(max(int(math.Round(trainShare*float64(size))), 1), size-1)
}

// Fold is one fold of a cross-validation: positions of rows.
type Fold struct{ Train, Test []int }

// Folds divides the examples at random, as seed determines, into k parts whose
// sizes differ by at most one. Fold f tests on part f and trains on the others.
// It returns an error that wraps ErrSettings unless 2 <= k <= Len.
func (ds *Dataset) Folds(k int, seed uint64) ([]Fold, error) {
	size := ds.Len()
	if err := checkFolds(k, size, "examples"); err != nil {
		return nil, err
	}
	order := permutation(size, seed)
	folds := make([]Fold, k)
	for f := range folds {
		lo, hi := f*size/k, (f+1)*size/k
		folds[f].Test = order[lo:hi:hi]
		folds[f].Train = append(append(make([]int, 0, size-(hi-lo)), order[:lo]...), order[hi:]...)
	}
	return folds, nil
}

// permutation returns a random order of 0, ..., n-1.
func permutation(n int, seed uint64) []int {
	return rand.New(rand.NewPCG(seed, splitStream)).Perm(n)
}

// splitStream keeps the random numbers of splits apart from those that other
// parts draw from the same seed.
const splitStream = 0x73706c6974 // "split"
