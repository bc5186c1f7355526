package claims

import (
	"math"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg/experiment"
	"github.com/crank-ml/crank/crankpkg/metrics"
)

// TestApart has one effect that is clear, one that is clear only by itself, one that is not, and one of nothing at all.
func TestApart(t *testing.T) {
	effect := func(label string, mean, half, p float64) experiment.Effect {
		return experiment.Effect{Label: label, Difference: metrics.Difference{Mean: mean, Low: mean - half, High: mean + half, P: p}}
	}
	said := Apart([]experiment.Effect{effect("A 1 - 0", 2, 0.5, 1e-6), effect("B 1 - 0", -3, 2.5, 0.02), effect("C 1 - 0", 0.1, 1, 0.8), effect("D 1 - 0", 0, math.Inf(1), 1)})
	for _, part := range []string{"4 comparisons: A 1 - 0 (+2).", "Nothing at all is changed by D 1 - 0.", "2 others lie within ±5.5"} {
		if !strings.Contains(said, part) {
			t.Errorf("%q does not say %q", said, part)
		}
	}
	if said := Apart([]experiment.Effect{effect("B 1 - 0", -3, 2.5, 0.02)}); !strings.Contains(said, "1 comparison: B 1 - 0 (-3).") || strings.Contains(said, "other") {
		t.Errorf("one alone: %q", said)
	}
	if said := Apart([]experiment.Effect{effect("C 1 - 0", 0.1, 1, 0.8)}); !strings.Contains(said, "none. The 95 % intervals of the 1 other lie within ±1.1.") {
		t.Errorf("none: %q", said)
	}
}
