package draw

import (
	"encoding/binary"
	"slices"
	"strings"
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

// What a seed draws stays what it was as long as the streams do: the first spells its name, and the others follow it.
func TestStreams(t *testing.T) {
	t.Parallel()
	var spelled []string
	for _, stream := range []uint64{Weights, Train, Test} {
		spelled = append(spelled, strings.TrimLeft(string(binary.BigEndian.AppendUint64(nil, stream)), "\x00"))
	}
	if want := []string{"weight", "weighu", "weighv"}; !slices.Equal(spelled, want) {
		t.Errorf("streams %q, want %q", spelled, want)
	}
}
