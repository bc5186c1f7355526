// Package nearest finds among names those that a misspelled one may have meant: Names, and Hint for an error.
package nearest

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// most is how many names are given.
const most = 3

// longest is how many letters a name may have that is compared.
const longest = 100

// Names returns up to three of names, the nearest to word first: those that at most an edit, and another one for each four
// letters of word, make of it, but not so many that no letter is kept. The case of letters does not matter. It returns nil
// where nothing is near.
func Names(word string, names []string) []string {
	letters := utf8.RuneCountInString(word)
	if letters > longest {
		return nil
	}
	type candidate struct {
		name  string
		edits int
	}
	var near []candidate
	bound := 1 + letters/4
	lower := strings.ToLower(word)
	for _, name := range names {
		size := utf8.RuneCountInString(name)
		if name == "" || size > letters+bound || size < letters-bound {
			continue
		}
		if e := edits(lower, strings.ToLower(name)); e <= bound && e < max(size, letters) {
			near = append(near, candidate{name, e})
		}
	}
	slices.SortStableFunc(near, func(a, b candidate) int { return cmp.Compare(a.edits, b.edits) })
	var found []string
	for _, c := range near[:min(most, len(near))] {
		found = append(found, c.name)
	}
	return found
}

// Hint returns what an error about word says of the names that are near, "; the nearest: "age"", or "" where none is.
func Hint(word string, names []string) string {
	near := Names(word, names)
	if near == nil {
		return ""
	}
	for k, name := range near {
		near[k] = strconv.Quote(name)
	}
	return "; the nearest: " + strings.Join(near, ", ")
}

// edits counts the letters to insert, delete or replace, and the neighbors to swap, on the way from a to b.
func edits(a, b string) int {
	from, to := []rune(a), []rune(b)
	before, last, row := make([]int, len(to)+1), make([]int, len(to)+1), make([]int, len(to)+1)
	for j := range row {
		row[j] = j // from nothing to each beginning of b
	}
	for i, letter := range from {
		before, last, row = last, row, before
		row[0] = i + 1
		for j := range to {
			replaced := last[j]
			if letter != to[j] {
				replaced++
			}
			row[j+1] = min(replaced, row[j]+1, last[j+1]+1)
			if i > 0 && j > 0 && letter == to[j-1] && from[i-1] == to[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
	}
	return row[len(to)]
}
