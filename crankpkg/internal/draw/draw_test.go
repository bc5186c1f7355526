package draw

import (
	"slices"
	"testing"
)

func TestNames(t *testing.T) {
	t.Parallel()
	if got, want := Names("x", 11), []string{"x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := Names("x", 0); len(got) != 0 {
		t.Errorf("%q, want none", got)
	}
}
