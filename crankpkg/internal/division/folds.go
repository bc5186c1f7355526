package division

import (
	"math"
	"math/rand/v2"
)

// Fold is one fold of a cross-validation: positions of rows.
type Fold struct{ Train, Test []int }

// Folds divides so many rows at random into k parts whose sizes differ by at most one. Fold f
// tests on part f and trains on the others.
func Folds(size, k int, seed uint64) []Fold {
	order := Permutation(size, seed)
	folds := make([]Fold, k)
	for f := range folds {
		lo, hi := f*size/k, (f+1)*size/k
		folds[f].Test = order[lo:hi:hi]
		folds[f].Train = append(append(make([]int, 0, size-(hi-lo)), order[:lo]...), order[hi:]...)
	}
	return folds
}

// FoldsOf returns the folds that test on each part, rows in the given order.
func FoldsOf(part []int, k int, order []int) []Fold {
	folds := make([]Fold, k)
	for _, m := range order {
		for f := range folds {
			if f == part[m] {
				folds[f].Test = append(folds[f].Test, m)
			} else {
				folds[f].Train = append(folds[f].Train, m)
			}
		}
	}
	return folds
}

// TrainSize returns how many of so many rows, at least 2, are for training; at least one is,
// and one is not.
func TrainSize(share float64, size int) int {
	return min(max(int(math.Round(share*float64(size))), 1), size-1)
}

// Permutation returns a random order of 0, ..., n-1.
func Permutation(n int, seed uint64) []int {
	return rand.New(rand.NewPCG(seed, stream)).Perm(n)
}

// Ties returns the random numbers that settle what stratification leaves open.
func Ties(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, stream+1)) }

// stream keeps the random numbers of splits apart from those that other
// parts draw from the same seed.
const stream = 0x73706c6974 // "split"
