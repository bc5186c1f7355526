package crankpkg

import (
	"container/heap"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

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
	return foldsOf(part, k, permutation(size, seed)), nil
}

// StratifiedSplit is Split with the examples of each label divided by the share, as far
// as that goes; order is that of StratifiedFolds. It returns an error that wraps
// ErrSettings unless 0 < trainShare < 1, there are two examples, and order is 1 or 2.
func (ds *Dataset) StratifiedSplit(trainShare float64, seed uint64, order int) (train, test *Dataset, err error) {
	size := ds.Len()
	if !(trainShare > 0 && trainShare < 1) || size < 2 {
		return nil, nil, fmt.Errorf("%w: a split of %d examples by the share %v", ErrSettings, size, trainShare)
	}
	cut := splitSize(trainShare, size)
	part, err := ds.stratify([]int{cut, size - cut}, seed, order)
	if err != nil {
		return nil, nil, err
	}
	fold := foldsOf(part, 2, permutation(size, seed))[1]
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
	shuffled := permutation(ds.Len(), seed)
	sizes, found := make(map[int]int), []int(nil) // found in random order
	for _, m := range shuffled {
		if sizes[groups[m]]++; sizes[groups[m]] == 1 {
			found = append(found, groups[m])
		}
	}
	if err := checkFolds(k, len(found), "groups"); err != nil {
		return nil, err
	}
	slices.SortStableFunc(found, func(a, b int) int { return sizes[b] - sizes[a] })
	filled, home := make([]int, k), make(map[int]int)
	for _, g := range found {
		smallest := slices.Index(filled, slices.Min(filled))
		home[g] = smallest
		filled[smallest] += sizes[g]
	}
	part := make([]int, ds.Len())
	for m, g := range groups {
		part[m] = home[g]
	}
	return foldsOf(part, k, shuffled), nil
}

func checkFolds(k, size int, what string) error {
	if k < 2 || k > size {
		return fmt.Errorf("%w: %d folds of %d %s", ErrSettings, k, size, what)
	}
	return nil
}

// foldsOf returns the folds that test on each part, rows in the given order.
func foldsOf(part []int, k int, order []int) []Fold {
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

// stratify returns the part of each example, given the sizes of the parts. The rarest
// stratum among the examples that are left is next; each of its examples goes to the
// part that lacks most of it, of those with room the one with most room, and then at
// random.
func (ds *Dataset) stratify(sizes []int, seed uint64, order int) ([]int, error) {
	if order != 1 && order != 2 {
		return nil, fmt.Errorf("%w: stratification of order %d is neither 1 nor 2", ErrSettings, order)
	}
	s := &stratifier{
		strata: ds.strata(order), part: make([]int, ds.Len()), room: slices.Clone(sizes),
		rng: rand.New(rand.NewPCG(seed, splitStream+1)),
	}
	s.count(sizes, permutation(ds.Len(), seed))
	for s.queue.Len() > 0 {
		next := heap.Pop(&s.queue).(stratum)
		if next.left != s.left[next.id] || next.left == 0 {
			continue // there is a later entry
		}
		for _, m := range s.members[next.id] {
			if s.part[m] < 0 {
				s.place(m, next.id)
			}
		}
	}
	for _, m := range permutation(ds.Len(), seed) {
		if s.part[m] < 0 { // no labels
			s.place(m, -1)
		}
	}
	return s.part, nil
}

// strata returns, for each example, the numbers of its labels, and with order 2 of its
// pairs of labels.
func (ds *Dataset) strata(order int) [][]int {
	n := ds.NumLabels()
	pairs := make(map[Edge]int)
	strata := make([][]int, ds.Len())
	for m := range strata {
		for j, on := range ds.Labels(m) {
			if on == 0 {
				continue
			}
			if order == 2 {
				for _, i := range strata[m] {
					if i >= n {
						continue
					}
					e := Edge{I: i, J: j}
					if _, seen := pairs[e]; !seen {
						pairs[e] = n + len(pairs)
					}
					strata[m] = append(strata[m], pairs[e])
				}
			}
			strata[m] = append(strata[m], j)
		}
	}
	return strata
}

// stratifier is a stratification under way.
type stratifier struct {
	strata  [][]int     // by example
	members [][]int     // by stratum: its examples, in random order
	left    []int       // by stratum: how many are not placed yet
	lack    [][]float64 // by stratum and part: how many the part should still get
	room    []int       // by part
	part    []int       // by example; -1: not placed yet
	queue   strataQueue
	rng     *rand.Rand
}

// count fills in what the strata have before any example is placed.
func (s *stratifier) count(sizes, order []int) {
	for _, m := range order {
		s.part[m] = -1
		for _, id := range s.strata[m] {
			for id >= len(s.members) {
				s.members = append(s.members, nil)
			}
			s.members[id] = append(s.members[id], m)
		}
	}
	s.left, s.lack = make([]int, len(s.members)), make([][]float64, len(s.members))
	for id, members := range s.members {
		s.left[id], s.lack[id] = len(members), make([]float64, len(sizes))
		for f, size := range sizes {
			s.lack[id][f] = float64(len(members)) * float64(size) / float64(len(order))
		}
		s.queue = append(s.queue, stratum{id, len(members)})
	}
	heap.Init(&s.queue)
}

// place puts example m into a part, by what the stratum lacks there; -1: by room alone.
func (s *stratifier) place(m, id int) {
	best, ties := -1, 0
	most := math.Inf(-1)
	for f, room := range s.room {
		if room == 0 {
			continue
		}
		lack := 0.0
		if id >= 0 {
			lack = s.lack[id][f]
		}
		switch {
		case best < 0 || lack > most || lack == most && room > s.room[best]:
			best, most, ties = f, lack, 1
		case lack == most && room == s.room[best]:
			if ties++; s.rng.IntN(ties) == 0 {
				best = f
			}
		}
	}
	s.part[m] = best
	s.room[best]--
	for _, t := range s.strata[m] {
		s.left[t]--
		s.lack[t][best]--
		heap.Push(&s.queue, stratum{t, s.left[t]})
	}
}

// stratum is an entry of the queue: outdated once fewer are left.
type stratum struct{ id, left int }

// strataQueue has the rarest stratum in front, among equals the first.
type strataQueue []stratum

func (q strataQueue) Len() int { return len(q) }
func (q strataQueue) Less(a, b int) bool {
	return q[a].left < q[b].left || q[a].left == q[b].left && q[a].id < q[b].id
}
func (q strataQueue) Swap(a, b int) { q[a], q[b] = q[b], q[a] }
func (q *strataQueue) Push(x any)   { *q = append(*q, x.(stratum)) }
func (q *strataQueue) Pop() any {
	old := *q
	last := old[len(old)-1]
	*q = old[:len(old)-1]
	return last
}
