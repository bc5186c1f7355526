package division

import (
	"container/heap"
	"math/rand/v2"
	"slices"
)

// Strata returns, for each row of n labels in y, the numbers of those that are on, and
// with order 2 numbers from n on of the pairs of them.
func Strata(y []uint8, n, order int) [][]int {
	pairs := make(map[[2]int]int)
	strata := make([][]int, len(y)/n)
	for m := range strata {
		for j, on := range y[m*n : (m+1)*n] {
			if on == 0 {
				continue
			}
			if order == 2 {
				for _, i := range strata[m] {
					if i >= n {
						continue
					}
					e := [2]int{i, j}
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

// Stratify returns the part of each row, given the strata that it is in, the sizes of
// the parts, which add up to the number of rows, and an order of the rows. Parts are to
// get of each stratum what their sizes say, or alike where these differ by at most one:
// else all that is rarer than parts are many would go to the larger ones. The rarest
// stratum among the rows that are left is next; each of its rows goes to the part that
// lacks most of it, of those with room the one with most room, and then at random.
func Stratify(strata [][]int, sizes, order []int, rng *rand.Rand) []int {
	s := &stratifier{strata: strata, part: make([]int, len(strata)), room: slices.Clone(sizes), rng: rng}
	s.count(sizes, order)
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
	for _, m := range order {
		if s.part[m] < 0 { // in no stratum
			s.place(m, -1)
		}
	}
	return s.part
}

// stratifier is a stratification under way.
type stratifier struct {
	strata  [][]int     // by row
	members [][]int     // by stratum: its rows, in random order
	left    []int       // by stratum: how many are not placed yet
	lack    [][]float64 // by stratum and part: how many the part should still get
	room    []int       // by part
	part    []int       // by row; -1: not placed yet
	queue   strataQueue
	rng     *rand.Rand
}

// count fills in what the strata have before any row is placed.
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
	shares := sharesOf(sizes)
	for id, members := range s.members {
		s.left[id], s.lack[id] = len(members), make([]float64, len(sizes))
		for f, share := range shares {
			s.lack[id][f] = float64(len(members)) * share
		}
		s.queue = append(s.queue, stratum{id, len(members)})
	}
	heap.Init(&s.queue)
}

// sharesOf returns the share of every stratum that each part is to get; where all are to get the same,
// zeros, as what they have tells then who lacks most.
func sharesOf(sizes []int) []float64 {
	shares := make([]float64, len(sizes))
	if slices.Max(sizes)-slices.Min(sizes) <= 1 {
		return shares
	}
	total := 0
	for _, size := range sizes {
		total += size
	}
	for f, size := range sizes {
		shares[f] = float64(size) / float64(total)
	}
	return shares
}

// place puts row m into a part, by what the stratum lacks there; id -1: by room alone.
func (s *stratifier) place(m, id int) {
	best := -1
	var most float64
	var ties int
	for f, room := range s.room {
		if room == 0 {
			continue
		}
		var lack float64
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
