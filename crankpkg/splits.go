package crankpkg

import (
	"fmt"

	"github.com/crank-ml/crank/crankpkg/internal/division"
)

// Shuffle returns the examples in a random order that seed determines.
func (ds *Dataset) Shuffle(seed uint64) *Dataset {
	return ds.Subset(division.Permutation(ds.Len(), seed))
}

// Split shuffles the examples by seed and divides them: the share trainShare of
// them, rounded, is for training and the rest for testing. Each part has at
// least one example. It panics unless 0 < trainShare < 1 and there are two
// examples.
func (ds *Dataset) Split(trainShare float64, seed uint64) (train, test *Dataset) {
	if !(trainShare > 0 && trainShare < 1) || ds.Len() < 2 {
		panic("crankpkg: a split needs two examples and a share between 0 and 1")
	}
	order := division.Permutation(ds.Len(), seed)
	cut := division.TrainSize(trainShare, ds.Len())
	return ds.Subset(order[:cut]), ds.Subset(order[cut:])
}

// Folds divides the examples at random, as seed determines, into k parts whose
// sizes differ by at most one. Fold f tests on part f and trains on the others.
// It returns an error that wraps ErrSettings unless 2 <= k <= Len.
func (ds *Dataset) Folds(k int, seed uint64) ([]Fold, error) {
	size := ds.Len()
	if err := checkFolds(k, size, "examples"); err != nil {
		return nil, err
	}
	return division.Folds(size, k, seed), nil
}

// StratifiedFolds divides the examples into k parts whose sizes differ by at most one,
// as Folds does, but so that each part has its share of the examples of each label, as
// far as that goes: iterative stratification (Sechidis, Tsoumakas, Vlahavas 2011). With
// order 2 it does so for each pair of labels that examples have together, too (Szymanski,
// Kajdanowicz 2017). Rare labels come first, so that they gain most; seed determines
// what is left open. It returns an error that wraps ErrSettings unless 2 <= k <= Len
// and order is 1 or 2.
func (ds *Dataset) StratifiedFolds(k int, seed uint64, order int) ([]Fold, error) {
	size := ds.Len()
	if err := checkFolds(k, size, "examples"); err != nil {
		return nil, err
	}
	sizes := make([]int, k)
	for f := range sizes {
		sizes[f] = (f+1)*size/k - f*size/k
	}
	part, err := ds.stratify(sizes, seed, order)
	if err != nil {
		return nil, err
	}
	return division.FoldsOf(part, k, division.Permutation(size, seed)), nil
}

// StratifiedSplit is Split with the examples of each label divided by the share, as far
// as that goes; order is that of StratifiedFolds. It returns an error that wraps
// ErrSettings unless 0 < trainShare < 1, there are two examples, and order is 1 or 2.
func (ds *Dataset) StratifiedSplit(trainShare float64, seed uint64, order int) (train, test *Dataset, err error) {
	size := ds.Len()
	if !(trainShare > 0 && trainShare < 1) || size < 2 {
		return nil, nil, fmt.Errorf("%w: a split of %d examples by the share %v", ErrSettings, size, trainShare)
	}
	cut := division.TrainSize(trainShare, size)
	part, err := ds.stratify([]int{cut, size - cut}, seed, order)
	if err != nil {
		return nil, nil, err
	}
	fold := division.FoldsOf(part, 2, division.Permutation(size, seed))[1]
	return ds.Subset(fold.Train), ds.Subset(fold.Test), nil
}

// GroupedFolds divides the examples into k parts so that those of a group, which have the
// same number in groups, stay together: the rows of one patient, say. The largest groups
// go first, each to the part that is smallest so far, so that the sizes of the parts
// differ by at most that of the largest group; seed determines what is left open. It
// returns an error that wraps ErrSettings unless groups has a number for each example
// and there are k groups.
func (ds *Dataset) GroupedFolds(groups []int, k int, seed uint64) ([]Fold, error) {
	if len(groups) != ds.Len() {
		return nil, fmt.Errorf("%w: groups of %d examples for %d", ErrSettings, len(groups), ds.Len())
	}
	shuffled := division.Permutation(ds.Len(), seed)
	part, found := division.Groups(groups, k, shuffled)
	if err := checkFolds(k, found, "groups"); err != nil {
		return nil, err
	}
	return division.FoldsOf(part, k, shuffled), nil
}

func checkFolds(k, size int, what string) error {
	if k < 2 || k > size {
		return fmt.Errorf("%w: %d folds of %d %s: take 2 or more, and no more than %s", ErrSettings, k, size, what, what)
	}
	return nil
}

// stratify returns the part of each example, given the sizes of the parts.
func (ds *Dataset) stratify(sizes []int, seed uint64, order int) ([]int, error) {
	if order != 1 && order != 2 {
		return nil, fmt.Errorf("%w: stratification of order %d is neither 1 nor 2", ErrSettings, order)
	}
	return division.Stratify(division.Strata(ds.Y, ds.NumLabels(), order), sizes, division.Permutation(ds.Len(), seed), division.Ties(seed)), nil
}
