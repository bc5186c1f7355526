package plotting

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
)

// TestSolvesSplitThePoints checks what the parts have to be: all points in their
// order, each part of one solve, and neighbors of different ones.
func TestSolvesSplitThePoints(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 6))
	for range 300 {
		points := make([]crankpkg.TracePoint, rng.IntN(12))
		solve := 0
		for k := range points {
			solve += rng.IntN(2) * (1 + rng.IntN(2))
			points[k] = crankpkg.TracePoint{Solve: solve, Pass: k}
		}
		split := solves(points)
		if all := slices.Concat(split...); len(all) != len(points) || len(all) > 0 && !reflect.DeepEqual(all, points) {
			t.Fatalf("%v of %v", split, points)
		}
		for k, part := range split {
			if len(part) == 0 || k > 0 && part[0].Solve == split[k-1][0].Solve {
				t.Fatalf("part %d of %v", k, split)
			}
			for _, p := range part {
				if p.Solve != part[0].Solve {
					t.Fatalf("part %d of %v holds two solves", k, split)
				}
			}
		}
	}
}

// severalSolves returns a trace of so many solves, each with its own optimum.
func severalSolves(count int) *crankpkg.Trace {
	trace := &crankpkg.Trace{Method: "CRANK"}
	for solve := range count {
		for k := range 4 {
			trace.Points = append(trace.Points, crankpkg.TracePoint{
				Solve: solve, Pass: 4*solve + k, Primal: float64(3 + solve + 4 - k), Dual: float64(2 + solve),
			})
		}
	}
	return trace
}

// strokeWidths returns how many lines of each width a drawing has.
func strokeWidths(d Drawing) map[vg.Length]int {
	var rec recorder.Canvas
	w, h := sizeOf(d)
	d.Draw(draw.NewCanvas(&rec, w, h))
	widths := make(map[vg.Length]int)
	var width vg.Length
	for _, action := range rec.Actions {
		switch a := action.(type) {
		case *recorder.SetLineWidth:
			width = a.Width
		case *recorder.Stroke:
			widths[width]++
		}
	}
	return widths
}

// TestConvergenceTellsSolvesApart counts lines: a thick one for each solve and each
// of primal, dual and gap, besides those of the key, and a thin one from each
// solve to the next.
func TestConvergenceTellsSolvesApart(t *testing.T) {
	t.Parallel()
	for count := 1; count <= 3; count++ {
		f := Convergence(severalSolves(count))
		note := fmt.Sprintf("%d solves, each with its own optimum: thin lines lead from one to the next.", count)
		if slices.Contains(f.Notes, note) != (count > 1) {
			t.Errorf("%d solves: notes %q", count, f.Notes)
		}
		widths := strokeWidths(f)
		if thick, thin := widths[1.6]-len(f.Key), widths[0.6]; thick != 3*count || thin != 3*(count-1) {
			t.Errorf("%d solves: %d thick lines and %d thin ones", count, thick, thin)
		}
	}
}
