package main

import "math/rand/v2"

// draw puts the mutations into a random order of which every beginning is a sample that
// is even over the packages, and over the files of a package, as far as they last.
func draw(all []mutation, seed uint64) []mutation {
	r := rand.New(rand.NewPCG(seed, 0))
	var packages [][]mutation
	for _, p := range groups(all, func(m mutation) string { return m.pkg }) {
		files := groups(p, func(m mutation) string { return m.name })
		for _, f := range files {
			shuffle(r, f)
		}
		packages = append(packages, inTurn(r, files))
	}
	return inTurn(r, packages)
}

// groups splits a list by a key, in the order in which the keys come.
func groups(all []mutation, key func(mutation) string) [][]mutation {
	at := map[string]int{}
	var split [][]mutation
	for _, m := range all {
		i, ok := at[key(m)]
		if !ok {
			i = len(split)
			at[key(m)] = i
			split = append(split, nil)
		}
		split[i] = append(split[i], m)
	}
	return split
}

// inTurn takes one of each list in turn until all are empty, the lists in random order.
func inTurn(r *rand.Rand, lists [][]mutation) []mutation {
	shuffle(r, lists)
	var mixed []mutation
	for i, more := 0, true; more; i++ {
		more = false
		for _, l := range lists {
			if i < len(l) {
				mixed, more = append(mixed, l[i]), true
			}
		}
	}
	return mixed
}

func shuffle[T any](r *rand.Rand, s []T) {
	r.Shuffle(len(s), func(i, j int) { s[i], s[j] = s[j], s[i] })
}
