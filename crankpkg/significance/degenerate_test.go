package significance

import (
	"math"
	"testing"

	"github.com/crank-ml/crank/crankpkg/metrics"
)

// everyTest has each test of differences, as a test of a list.
var everyTest = map[string]func(d []float64) metrics.Difference{
	"PairedT":    func(d []float64) metrics.Difference { return PairedT(d, 0) },
	"ResampledT": func(d []float64) metrics.Difference { return ResampledT(d, 0.25, 0) },
	"SignFlip":   func(d []float64) metrics.Difference { return SignFlip{}.Test(d) },
	"FiveByTwo": func(d []float64) metrics.Difference {
		var of [5][2]float64
		for k := range of {
			of[k] = [2]float64{d[(2*k)%len(d)], d[(2*k+1)%len(d)]}
		}
		return FiveByTwo(of, 0)
	},
	"Crossed": func(d []float64) metrics.Difference { return Crossed([][]float64{d, d, d}, 0) },
	"Crossed by seed": func(d []float64) metrics.Difference {
		var each [][]float64
		for _, v := range d {
			each = append(each, []float64{v, 1, 2})
		}
		return Crossed(each, 0)
	},
}

// TestNothingIsSaidOfWhatIsNotFinite gives each test differences with NaN or infinite ones among them: it
// neither rejects anything, nor has an interval.
func TestNothingIsSaidOfWhatIsNotFinite(t *testing.T) {
	t.Parallel()
	for name, test := range everyTest {
		for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			for _, n := range []int{1, 2, 3, 7, 10} {
				for _, all := range []bool{true, false} {
					d := make([]float64, n)
					for k := range d {
						if d[k] = float64(k) + 1; all || k == n/2 {
							d[k] = bad
						}
					}
					out := test(d)
					if out.P != 1 || !math.IsInf(out.Low, -1) || !math.IsInf(out.High, 1) || out.Test == "" {
						t.Errorf("%s of %v: %+v", name, d, out)
					}
				}
			}
		}
	}
}

// TestDegenerateDifferences gives each test differences without a spread, all zero, or so small and large that squares
// come to nothing or to too much: p is a probability, and the interval holds the mean.
func TestDegenerateDifferences(t *testing.T) {
	t.Parallel()
	for name, test := range everyTest {
		for _, scale := range []float64{0, 1e-320, 1e-170, 1, 1e150, 1e300} {
			for _, shape := range [][]float64{{1}, {1, 1}, {1, -1}, {1, 1, 1, 1, 1, 1, 1, 1}, {1, 2, 3}, {0, 0, 0, 0, 0, 0, 1}, {1, 1, 1, 1, 1, 1, 1 + 1e-16}} {
				d := make([]float64, len(shape))
				for k, v := range shape {
					d[k] = scale * v
				}
				out := test(d)
				if !(out.P > 0 && out.P <= 1) || !(out.Low <= out.Mean && out.Mean <= out.High) {
					t.Errorf("%s of %v: %+v", name, d, out)
				}
				if scale == 0 && out.P != 1 && name != "Crossed by seed" {
					t.Errorf("%s of zeros: %+v", name, out)
				}
			}
		}
	}
}
