// Package draw has what synthetic data are drawn from and named by.
package draw

import "strconv"

// The streams that synthetic data draw from: what one draws moves no other, so
// that, for instance, the test set stays when numTrain changes.
const (
	Weights = 0x776569676874 + iota // "weight"
	Train
	Test
)

// Names returns the names prefix0, prefix1, ...
func Names(prefix string, n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = prefix + strconv.Itoa(i)
	}
	return names
}
