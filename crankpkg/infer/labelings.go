package infer

import "strings"

// AllLabelings returns the 2^n labelings of n labels in counting order, the
// last label changing fastest: 00, 01, 10, 11. It is for looking at small
// problems whole, and panics when n is negative or above 20.
func AllLabelings(n int) []Labeling { return countUp(n, 20, Off, On) }

// AllHalfLabelings returns the 3^n half-integral labelings of n labels in
// counting order: 00, 0½, 01, ½0, ... For any weights, one of them is an
// optimum of the LP relaxation. It panics when n is negative or above 12.
func AllHalfLabelings(n int) []Labeling { return countUp(n, 12, Off, Half, On) }

// countUp lists all labelings with the given values of a label.
func countUp(n, most int, values ...uint8) []Labeling {
	if n < 0 || n > most {
		panic("infer: too many labels to list all labelings")
	}
	all := []Labeling{make(Labeling, 0, n)}
	for range n {
		longer := make([]Labeling, 0, len(values)*len(all))
		for _, y := range all {
			for _, v := range values {
				longer = append(longer, append(append(make(Labeling, 0, n), y...), v))
			}
		}
		all = longer
	}
	return all
}

// String writes one character for each label: 0, ½ or 1.
func (y Labeling) String() string {
	var b strings.Builder
	for _, v := range y {
		switch v {
		case Off:
			b.WriteByte('0')
		case Half:
			b.WriteRune('½')
		case On:
			b.WriteByte('1')
		default:
			b.WriteByte('?')
		}
	}
	return b.String()
}
