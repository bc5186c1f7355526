package plotting

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
)

// strengths returns the strength of each edge of the picture of g, and the |w_ij|
// that its widest line stands for.
func strengths(t *testing.T, g LabelGraph) (of map[crankpkg.Edge]float64, widest float64) {
	t.Helper()
	p := g.Figure().Panels[0].(*graphPanel)
	of = make(map[crankpkg.Edge]float64)
	for _, e := range p.edges {
		of[e.Edge] = e.strength
	}
	if !slices.IsSortedFunc(p.edges, func(a, b graphEdge) int { return cmp.Compare(a.strength, b.strength) }) {
		t.Error("a weak edge is drawn over a strong one")
	}
	return of, p.largest
}

// TestWidestLine checks what widths mean: |w_ij| beside the largest there is or,
// where pictures are to be compared, beside one number for all.
func TestWidestLine(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(6, 6))
	m := treeModel(7, className)
	for range 20 {
		for k := range m.Pair {
			m.Pair[k] = rng.NormFloat64()
		}
		own := 0.0
		for _, w := range m.Pair {
			own = max(own, math.Abs(w))
		}
		for _, widest := range []float64{0, own / 2, own, 3 * own} {
			want := widest
			if want == 0 {
				want = own
			}
			got, largest := strengths(t, LabelGraph{Names: m.LabelNames, Edges: m.Edges, Weights: m.Pair, Widest: widest})
			if largest != want {
				t.Fatalf("the widest line is %v, want %v", largest, want)
			}
			for k, e := range m.Edges {
				if s := min(1, math.Abs(m.Pair[k])/want); !(math.Abs(got[e]-s) <= 1e-12) {
					t.Fatalf("strength %v of the weight %v at most %v, want %v", got[e], m.Pair[k], want, s)
				}
			}
		}
	}
}

// TestPicturesOfOneWidestCompare draws a weight alone and beside a larger one: with
// the same Widest, its line is equally wide in both.
func TestPicturesOfOneWidestCompare(t *testing.T) {
	t.Parallel()
	names := []string{"a", "b", "c"}
	both := LabelGraph{Names: names, Edges: []crankpkg.Edge{{I: 0, J: 1}, {I: 1, J: 2}}, Weights: []float64{1, -4}, Widest: 4}
	alone := LabelGraph{Names: names, Edges: both.Edges[:1], Weights: both.Weights[:1], Widest: 4}
	alone.Layout = both.Place()
	both.Layout = alone.Layout
	width := func(w float64) vg.Length { return vg.Length(0.8 + 4.2*w/4) }
	for name, g := range map[string]LabelGraph{"both": both, "alone": alone} {
		widths := strokeWidths(g.Figure().Panels[0])
		for _, w := range g.Weights {
			if widths[width(math.Abs(w))] != 1 {
				t.Errorf("%s: lines of the widths %v, want one of %v for the weight %v", name, widths, width(math.Abs(w)), w)
			}
		}
	}
}

// TestEdgesPassOtherLabels places labels in lines and on grids: no edge may run beneath a label that it does not join, and those that
// have nothing in the way are straight.
func TestEdgesPassOtherLabels(t *testing.T) {
	t.Parallel()
	for _, columns := range []int{1, 2, 3, 6} {
		const n = 6
		g := LabelGraph{Names: make([]string, n), Edges: labelgraph.AllPairs(n), Layout: &Layout{Width: 600, Height: 600}}
		for i := range n {
			g.Names[i] = className(i)
			g.Layout.At = append(g.Layout.At, vg.Point{X: vg.Length(60 + 95*(i%columns)), Y: vg.Length(100 + 60*(i/columns))})
		}
		p := g.Figure().Panels[0].(*graphPanel)
		for _, e := range g.Edges {
			path := p.route(e, g.Layout.At, vg.Point{}, 1)
			obstacles := p.obstacles(e, 1)
			if hits := countHits(path, g.Layout.At, obstacles); hits > 0 {
				t.Errorf("%d columns: the edge %d %d runs beneath %d labels", columns, e.I, e.J, hits)
			}
			straight := arc(g.Layout.At[e.I], g.Layout.At[e.J], 0)
			if bent := len(path[len(path)-1].Control) > 0; bent == (countHits(straight, g.Layout.At, obstacles) == 0) {
				t.Errorf("%d columns: the edge %d %d is bent: %v", columns, e.I, e.J, bent)
			}
		}
	}
}

// TestCrossesMeetOneEdge crosses out the diagonals of a square with five labels and looks that no mark
// is where another edge passes.
func TestCrossesMeetOneEdge(t *testing.T) {
	t.Parallel()
	names, circle := Numbered(5)
	edges := labelgraph.AllPairs(5)
	g := LabelGraph{Names: names, Edges: edges, Weights: make([]float64, 10), Layout: circle, Marked: edges[4:]}
	for k := range g.Weights {
		g.Weights[k] = 1 / float64(1+k)
	}
	p := g.Figure().Panels[0].(*graphPanel)
	routes := make([]vg.Path, len(p.edges))
	for n, e := range p.edges {
		routes[n] = p.route(e.Edge, circle.At, vg.Point{}, 1)
	}
	var c marksOf
	for n, e := range p.edges {
		if !e.marked {
			continue
		}
		c.last = vg.Point{}
		p.crossOut(draw.NewCanvas(&c, 300, 300), n, routes, nil, 1)
		for m := range routes {
			if d := gapTo(routes[m], c.last); m == n && d > 2 || m != n && d < 4 {
				t.Errorf("the mark of %v is %.1f from %v", e.Edge, d, p.edges[m].Edge)
			}
		}
	}
}

// marksOf is a canvas that keeps where the last disc was filled.
type marksOf struct {
	recorder.Canvas
	last vg.Point
}

// Fill implements vg.Canvas.
func (m *marksOf) Fill(p vg.Path) {
	for _, part := range p {
		if part.Type == vg.ArcComp {
			m.last = part.Pos
		}
	}
}
