package plotting

import (
	"image/color"
	"math"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// barred returns lines of three points with error bars, at heights from y on.
func barred(err float64, ys ...float64) (cu Curves, lines []errorSeries) {
	for _, y := range ys {
		l := Line{XYs: plotter.XYs{{X: 1, Y: y}, {X: 2, Y: y + 1}, {X: 4, Y: y}}, Err: []float64{err, err, err}}
		e, _ := cu.line(l, theStyle().Others[0])
		cu.Lines, lines = append(cu.Lines, l), append(lines, e)
	}
	return cu, lines
}

// TestLongBarsStandBesideOneAnother looks that long error bars that overlap are drawn at different x, in the order of the lines, and
// that lines stay in place whose bars are short, or far from others.
func TestLongBarsStandBesideOneAnother(t *testing.T) {
	t.Parallel()
	_, lines := barred(1, 0, 0.1, 0.2, 10)
	if sides, count := barSides(lines); count != 3 || !(sides[0] < sides[1] && sides[1] < sides[2]) || sides[3] != 0 {
		t.Errorf("%d lines stand beside one another, at %v", count, sides)
	}
	_, lines = barred(0.01, 0, 0.001)
	if sides, count := barSides(lines); count != 0 || sides[0] != 0 {
		t.Errorf("lines with short bars are drawn aside, at %v", sides)
	}
	_, lines = barred(1, 0, 0.1)
	for _, l := range lines {
		l.err[1], l.err[2] = 0.01, 0.01
	}
	if sides, count := barSides(lines); count != 0 || sides[0] != 0 {
		t.Errorf("lines with one long bar are drawn aside, at %v", sides)
	}
}

// TestBarsAsideStayWithinTheAxes looks that points drawn aside are not cut off at the ends, and do not reach the next ones.
func TestBarsAsideStayWithinTheAxes(t *testing.T) {
	t.Parallel()
	for _, logX := range []bool{false, true} {
		cu, lines := barred(1, 0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
		cu.LogX = logX
		p := cu.Figure().Plots()[0]
		c := draw.Canvas{Rectangle: vg.Rectangle{Max: vg.Point{X: 200, Y: 200}}}
		trX, _ := p.Transforms(&c)
		sides, count := barSides(lines)
		var last vg.Length
		for i := range lines[0].XYs {
			for k, e := range lines {
				e.side, e.beside = sides[k], count
				x := trX(e.XYs[i].X) + e.aside(trX)
				if x <= last || x-barCap < 0 || x+barCap > 200 {
					t.Errorf("logarithmic %v: point %d of line %d is at %.1f of 200, after one at %.1f", logX, i, k, x, last)
				}
				last = x
			}
		}
	}
}

// TestWeightsStandFree places the weights of all edges that a ring of six labels may have, three of which meet in the middle, and
// looks that none is on another edge, text or label.
func TestWeightsStandFree(t *testing.T) {
	t.Parallel()
	names := []string{"amazed-suprised", "happy-pleased", "relaxing-calm", "quiet-still", "sad-lonely", "angry-aggresive"}
	circle := LabelGraph{Names: names, Edges: labelgraph.AllPairs(6)}.Place()
	e := labelgraph.NewEdge
	for _, edges := range [][]crankpkg.Edge{{e(2, 5), e(1, 5), e(1, 4), e(1, 3), e(0, 3)}, {e(0, 3), e(1, 4), e(2, 5), e(0, 2), e(3, 5)}, {e(0, 1), e(1, 2), e(2, 3), e(0, 3)}} {
		weights := make([]float64, len(edges))
		for k := range weights {
			weights[k] = -1.5
		}
		g := LabelGraph{Names: names, Layout: circle, Edges: edges, Weights: weights, ShowWeights: true}.Figure().Panels[0].(*graphPanel)
		routes, texts := make([]vg.Path, len(edges)), make([]string, len(edges))
		for n, edge := range g.edges {
			routes[n], texts[n] = g.route(edge.Edge, circle.At, vg.Point{}, 1), g.weightLabel(edge.weight)
		}
		labels := g.labels(circle.At, 1)
		placed := g.placeTexts(texts, routes, labels, 1)
		for n, text := range placed {
			for m := range routes {
				if m != n && (text.gapToRoute(routes[m]) < 2 || text.beside(placed[m]) < 2) {
					t.Errorf("the weight of %v is on %v or its weight", g.edges[n].Edge, g.edges[m].Edge)
				}
			}
			for i, l := range labels {
				if text.beside(l) < 0 {
					t.Errorf("the weight of %v is on label %s", g.edges[n].Edge, names[i])
				}
			}
		}
	}
}

// TestDashesReachBothLabels looks that a dashed edge of any length begins with a dash where it leaves one label and ends with one
// where it meets the other.
func TestDashesReachBothLabels(t *testing.T) {
	t.Parallel()
	from := edgeText{half: box{10, 8}}
	for _, length := range []vg.Length{24, 26, 31, 40, 77, 300} {
		to := edgeText{at: vg.Point{X: length}, half: box{10, 8}}
		l := fitDashes(draw.LineStyle{Dashes: dashed}, arc(from.at, to.at, 0), from, to)
		if l.Dashes == nil {
			continue // a line throughout
		}
		on, period := float64(l.Dashes[0]), float64(l.Dashes[0]+l.Dashes[1])
		for _, at := range []vg.Length{11, length - 11} {
			if phase := math.Mod(float64(at+l.DashOffs), period); phase > on {
				t.Errorf("an edge of %v has a gap %v from its start", length, at)
			}
		}
	}
}

// TestTwoSidedLog looks that the scale of differences is odd and increasing, and the same in all panels, with zero in sight.
func TestTwoSidedLog(t *testing.T) {
	t.Parallel()
	a := twoSidedLog(0.01)
	last := math.Inf(-1)
	for _, v := range []float64{-10, -0.3, -0.01, -0.003, 0, 1e-5, 0.01, 0.0101, 5} {
		at := a.Normalize(-20, 20, v)
		if opposite := a.Normalize(-20, 20, -v); at <= last || math.Abs(at+opposite-1) > 1e-12 {
			t.Errorf("%v is at %v after %v, its opposite at %v", v, at, last, opposite)
		}
		last = at
	}
	co := Comparison{Methods: []string{"a", "b"}, Measures: []string{"large", "small"}, Mean: [][]float64{{3, 0.001}, {0, -0.02}}, Differences: true, LinearTo: 0.01}
	plots := co.Figure().Plots()
	if p, q := plots[0].Y, plots[1].Y; p.Min != q.Min || p.Max != q.Max || p.Min > -0.02 || p.Max < 3 {
		t.Errorf("the panels go from %v to %v and from %v to %v", p.Min, p.Max, q.Min, q.Max)
	}
}

// TestLogarithmicAxesFillTheirRoom looks that the label of an axis takes no room beyond the end of a logarithmic one.
func TestLogarithmicAxesFillTheirRoom(t *testing.T) {
	t.Parallel()
	area := func(log bool) vg.Rectangle {
		points := plotter.XYs{{X: 1, Y: 1}, {X: 3e5, Y: 3e5}}
		p := Curves{XLabel: "a label of some length below", YLabel: "a label of some length", LogX: log, LogY: log, Lines: []Line{{XYs: points}}}.Figure().Plots()[0]
		return p.DataCanvas(draw.Canvas{Rectangle: vg.Rectangle{Max: vg.Point{X: 300, Y: 200}}}).Rectangle
	}
	linear, log := area(false), area(true)
	if log.Max.Y < linear.Max.Y-1 || log.Max.X < linear.Max.X-12 {
		t.Errorf("a logarithmic plot ends at %v, a linear one at %v", log.Max, linear.Max)
	}
}

// TestNumbersOnColorsAreReadable holds the ink of the cells of a heat map to the contrast that the guidelines for accessible pages ask for.
func TestNumbersOnColorsAreReadable(t *testing.T) {
	t.Parallel()
	luminance := func(c color.Color) float64 {
		r, g, b, _ := c.RGBA()
		linear := func(v uint32) float64 {
			x := float64(v) / 0xffff
			if x <= 0.04045 {
				return x / 12.92
			}
			return math.Pow((x+0.055)/1.055, 2.4)
		}
		return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b)
	}
	for v := 0.0; v <= 1; v += 0.01 {
		fill := sequential.at(v)
		a, b := luminance(fill), luminance(inkOn(fill))
		if contrast := (math.Max(a, b) + 0.05) / (math.Min(a, b) + 0.05); contrast < 4.5 {
			t.Errorf("at %.2f of the scale the number has a contrast of %.1f", v, contrast)
		}
	}
}

// TestIndicesStandOverOneAnother looks that what is raised and what is lowered at one letter begin at the same place.
func TestIndicesStandOverOneAnother(t *testing.T) {
	t.Parallel()
	sty := theStyle().textStyle(1, nil)
	width := func(txt string) vg.Length { return runsWidth(mathRuns(txt, sty.Font)) }
	up, down := width("$w^{bound}$"), width("$w_1$")
	if both := width("$w^{bound}_1$"); math.Abs(float64(both-max(up, down))) > 1e-9 {
		t.Errorf("w with both is %v wide, with one of them %v and %v", both, up, down)
	}
	if next := width("$w^{bound}_1$ = 2"); next <= up {
		t.Errorf("what follows begins before %v", up)
	}
}

// TestKeysNameTheGraphOfAWidth looks that a key says whose the widest line is where graphs differ in it, and says it once where not.
func TestKeysNameTheGraphOfAWidth(t *testing.T) {
	t.Parallel()
	graph := func(title string, w float64) *Figure {
		return LabelGraph{Title: title, Names: []string{"a", "b"}, Edges: labelgraph.AllPairs(2), Weights: []float64{w}}.Figure()
	}
	widest := func(f *Figure) (names []string) {
		for _, e := range f.Key {
			if strings.Contains(e.Name, widestKey) {
				names = append(names, e.Name)
			}
		}
		return names
	}
	if got := widest(Grid(2, graph("Label graph: one", 1), graph("two", 2))); len(got) != 2 || !strings.HasPrefix(got[0], "one, ") || !strings.HasPrefix(got[1], "two, ") {
		t.Errorf("the key has %q", got)
	}
	if got := widest(Grid(2, graph("one", 2), graph("two", 2))); len(got) != 1 || !strings.HasPrefix(got[0], widestKey) {
		t.Errorf("the key has %q", got)
	}
}
