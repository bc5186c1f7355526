package plotting

import (
	"math"
	"testing"

	"gonum.org/v1/plot/plotter"
)

// TestSameSpan checks that all axes get one length, that of the longest or the least that is asked for, about their own middles,
// and that what they had in sight stays there.
func TestSameSpan(t *testing.T) {
	t.Parallel()
	for _, least := range []float64{0, 2, 50} {
		panels := []Drawing{
			Scatter{Groups: []ScatterGroup{{XYs: plotter.XYs{{X: 1, Y: 39.4}, {X: 2, Y: 39.5}}}}}.Figure(),
			Scatter{Groups: []ScatterGroup{{XYs: plotter.XYs{{X: 1, Y: -7}, {X: 2, Y: 5}}}}}.Figure(),
			Scatter{Groups: []ScatterGroup{{XYs: plotter.XYs{{X: 1, Y: 3}}}}}.Figure(),
			Table{Columns: []string{"no figure"}},
		}
		var before [][2]float64
		longest := least
		for _, d := range panels[:3] {
			p := d.(*Figure).Plots()[0]
			before, longest = append(before, [2]float64{p.Y.Min, p.Y.Max}), math.Max(longest, p.Y.Max-p.Y.Min)
		}
		SameSpan(least, panels...)
		for k, d := range panels[:3] {
			p, was := d.(*Figure).Plots()[0], before[k]
			if math.Abs(p.Y.Max-p.Y.Min-longest) > 1e-9 || math.Abs(p.Y.Max+p.Y.Min-was[0]-was[1]) > 1e-9 {
				t.Errorf("least %v: panel %d from %v to %v, was %v; want the length %v", least, k, p.Y.Min, p.Y.Max, was, longest)
			}
			if p.Y.Min > was[0]+1e-9 || p.Y.Max < was[1]-1e-9 {
				t.Errorf("least %v: panel %d lost something from sight: from %v to %v, was %v", least, k, p.Y.Min, p.Y.Max, was)
			}
		}
	}
}
