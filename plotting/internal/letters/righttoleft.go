package letters

import (
	"slices"
	"unicode"
)

// RightToLeft reports whether r is of a script that runs from right to left.
func RightToLeft(r rune) bool {
	return r >= 0x590 && (r <= 0x8ff || r >= 0xfb1d && r <= 0xfdff || r >= 0xfe70 && r <= 0xfefc ||
		r >= 0x10800 && r <= 0x10fff || r >= 0x1e800 && r <= 0x1efff)
}

// Visual returns the letters of a line in the order in which they stand on the
// page, Arabic ones in the forms in which they join. A line runs from left to
// right; in it, what is written from right to left is turned around as a whole,
// but for the numbers in it.
func Visual(line string) []rune {
	letters := []rune(line)
	if !slices.ContainsFunc(letters, RightToLeft) {
		return letters
	}
	letters = joinArabic(letters)
	for from := 0; from < len(letters); from++ {
		if !RightToLeft(letters[from]) {
			continue
		}
		to := endOfPassage(letters, from)
		turn(letters[from:to])
		from = to
	}
	return letters
}

// endOfPassage returns where a passage from right to left ends: behind the last
// of its letters, and a number that follows, before one from left to right.
func endOfPassage(letters []rune, from int) int {
	end := from + 1
	for k := from; k < len(letters); k++ {
		switch r := letters[k]; {
		case RightToLeft(r), unicode.IsDigit(r) && k > from:
			end = k + 1
		case unicode.IsLetter(r):
			return end
		}
	}
	return end
}

// turn reverses a passage. Numbers, and marks behind their letters, keep their
// order; brackets are mirrored.
func turn(passage []rune) {
	slices.Reverse(passage)
	keep := func(k, next int) bool { return isMark(passage[k]) || inNumber(passage, k) && inNumber(passage, next) }
	for k := 0; k < len(passage); k++ {
		if m, ok := mirrored[passage[k]]; ok {
			passage[k] = m
		}
		end := k
		for end+1 < len(passage) && keep(end, end+1) {
			end++
		}
		slices.Reverse(passage[k : end+1])
		k = end
	}
}

var mirrored = map[rune]rune{'(': ')', ')': '(', '[': ']', ']': '[', '{': '}', '}': '{', '<': '>', '>': '<', '«': '»', '»': '«'}

func isMark(r rune) bool { return unicode.Is(unicode.Mn, r) }

// inNumber reports whether a digit, or a point within a number, stands at k.
func inNumber(s []rune, k int) bool {
	if unicode.IsDigit(s[k]) {
		return true
	}
	return (s[k] == '.' || s[k] == ',') && k > 0 && k+1 < len(s) && unicode.IsDigit(s[k-1]) && unicode.IsDigit(s[k+1])
}

// arabic are the first of the forms of each letter in Unicode: alone, at the end
// and, where there are four, at the beginning and in the middle of a word.
type arabic struct {
	alone rune
	forms int
}

var arabicForms = func() map[rune]arabic {
	table := map[rune]arabic{
		'ٹ': {0xfb66, 4}, 'پ': {0xfb56, 4}, 'چ': {0xfb7a, 4}, 'ڈ': {0xfb88, 2}, 'ڑ': {0xfb8c, 2}, 'ژ': {0xfb8a, 2}, 'ک': {0xfb8e, 4},
		'گ': {0xfb92, 4}, 'ں': {0xfb9e, 2}, 'ھ': {0xfbaa, 4}, 'ہ': {0xfba6, 4}, 'ی': {0xfbfc, 4}, 'ے': {0xfbae, 2},
	}
	// The basic letters follow one another in both places.
	at := rune(0xfe80)
	for _, block := range []struct {
		first rune
		forms []int
	}{
		{'ء', []int{1, 2, 2, 2, 2, 4, 2, 4, 2, 4, 4, 4, 4, 4, 2, 2, 2, 2, 4, 4, 4, 4, 4, 4, 4, 4}},
		{'ف', []int{4, 4, 4, 4, 4, 4, 4, 2, 2, 4}},
	} {
		for k, forms := range block.forms {
			table[block.first+rune(k)] = arabic{at, forms}
			at += rune(forms)
		}
	}
	return table
}()

// lamAlef are the first forms of lam with an alef.
var lamAlef = map[rune]rune{'آ': 0xfef5, 'أ': 0xfef7, 'إ': 0xfef9, 'ا': 0xfefb}

const (
	lam     = 'ل'
	tatweel = 'ـ' // joins on both sides
)

// joinArabic puts Arabic letters into the forms in which they join.
func joinArabic(letters []rune) []rune {
	var out []rune
	// Whether the letter before r joins it.
	joined := false
	for k := 0; k < len(letters); k++ {
		r := letters[k]
		if isMark(r) {
			out = append(out, r)
			continue
		}
		if r == lam && k+1 < len(letters) && lamAlef[letters[k+1]] != 0 {
			out = append(out, lamAlef[letters[k+1]]+shift(joined, false))
			joined = false
			k++
			continue
		}
		a, ok := arabicForms[r]
		if !ok {
			out = append(out, r)
			joined = r == tatweel
			continue
		}
		before := joined && a.forms > 1
		after := a.forms == 4 && joinsBefore(letters[k+1:])
		out = append(out, a.alone+shift(before, after))
		joined = a.forms == 4
	}
	return out
}

// shift returns how far the form of a letter is behind that which stands alone.
func shift(before, after bool) rune {
	switch {
	case before && after:
		return 3
	case after:
		return 2
	case before:
		return 1
	}
	return 0
}

// joinsBefore reports whether the first letter that is no mark joins the one
// before it.
func joinsBefore(letters []rune) bool {
	for _, r := range letters {
		if !isMark(r) {
			return r == tatweel || arabicForms[r].forms > 1
		}
	}
	return false
}
