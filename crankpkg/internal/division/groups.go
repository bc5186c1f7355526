package division

import "slices"

// Groups returns the part, out of k, of each row so that rows of the same number in
// groups are in the same part, and how many groups there are. The largest groups go
// first, each to the part that is smallest so far; of equal ones, that which comes
// first in the given order of the rows.
func Groups(groups []int, k int, order []int) (part []int, found int) {
	sizes := make(map[int]int)
	var sorted []int
	for _, m := range order {
		if sizes[groups[m]]++; sizes[groups[m]] == 1 {
			sorted = append(sorted, groups[m])
		}
	}
	slices.SortStableFunc(sorted, func(a, b int) int { return sizes[b] - sizes[a] })
	filled, home := make([]int, max(k, 1)), make(map[int]int)
	for _, g := range sorted {
		smallest := slices.Index(filled, slices.Min(filled))
		home[g] = smallest
		filled[smallest] += sizes[g]
	}
	for _, g := range groups {
		part = append(part, home[g])
	}
	return part, len(sorted)
}
