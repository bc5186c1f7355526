package plotting

import (
	"math"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"
)

// A circle is one closed line, at its radius; a plane one open line.
func TestContourLines(t *testing.T) {
	bowl := contourLines{samples: sample(func(x, y float64) float64 { return math.Hypot(x, y) }, Slice{XMin: -1, XMax: 1, YMin: -1, YMax: 1}, 81)}
	paths := bowl.at(0.5).paths()
	if len(paths) != 1 || paths[0][0] != paths[0][len(paths[0])-1] {
		t.Fatalf("a circle in %d lines", len(paths))
	}
	for _, s := range paths[0] {
		x, y := bowl.crossing(s, 0.5)
		if r := math.Hypot(x, y); !(math.Abs(r-0.5) <= 1e-3) {
			t.Errorf("the circle of radius 0.5 passes (%v, %v)", x, y)
		}
	}
	plane := contourLines{samples: sample(func(x, y float64) float64 { return x + y }, Slice{XMax: 1, YMax: 1}, 11)}
	if paths := plane.at(0.73).paths(); len(paths) != 1 || paths[0][0] == paths[0][len(paths[0])-1] {
		t.Errorf("a straight line in %d lines", len(paths))
	}
}

// Heights exactly on levels, plateaus and saddles, as piecewise linear functions
// have them, and holes.
func TestContoursOfPiecewiseLinearFunctions(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]func(x, y float64) float64{
		"cross":   func(x, y float64) float64 { return math.Min(math.Min(math.Abs(x), math.Abs(y)), 0.5) },
		"diamond": func(x, y float64) float64 { return math.Abs(x) + math.Abs(y) + 0.5 },
		"plateau": func(x, y float64) float64 { return math.Max(0, math.Abs(x)-0.5) },
		"plain":   func(x, y float64) float64 { return 1 },
		"saddle":  func(x, y float64) float64 { return math.Copysign(1, x) * math.Copysign(1, y) },
		"hole":    func(x, y float64) float64 { return math.Sqrt(x*x + y*y - 0.25) },
	} {
		sl := Slice{F: f, XMin: -1, XMax: 1, YMin: -1, YMax: 1, Levels: []float64{0, 0.1, 0.2, 0.3, 0.4, 0.5, 1}}
		checkDrawn(t, name, sl.Contours())
	}
}

// TestRimTakesTheRoomOfAll lays out maps of few samples and many, on axes that end where they do: the canvas for the data is that which all
// samples ask for, to the last bit.
func TestRimTakesTheRoomOfAll(t *testing.T) {
	t.Parallel()
	for _, n := range []int{2, 3, 4, 5, 9, 121} {
		for _, ends := range [][4]float64{{-1, 1, -1, 1}, {0, 0.1, 0.3, 0.7}, {-1, 0.5, -2, 0}, {0.2, 3, 0, 1e9}, {-1e-9, 1e-9, 1.1, 2.3}, {1. / 3, 2. / 3, 0.1, 0.3}} {
			grid := sample(func(x, y float64) float64 { return x + y }, Slice{XMin: ends[0], XMax: ends[1], YMin: ends[2], YMax: ends[3]}, n)
			heat := plotter.NewHeatMap(grid, sequential)
			var canvases [2]draw.Canvas
			for k, plotted := range []plot.Plotter{heat, heights{heat}} {
				p := plot.New()
				p.Add(plotted)
				p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = ends[0], ends[1], ends[2], ends[3]
				canvases[k] = p.DataCanvas(draw.NewCanvas(within{new(witness)}, 300, 200))
			}
			if canvases[0].Rectangle != canvases[1].Rectangle {
				t.Errorf("%d samples within %v: %v by all, %v by the rim", n, ends, canvases[0].Rectangle, canvases[1].Rectangle)
			}
		}
	}
}
