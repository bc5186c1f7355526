package plotting

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"gonum.org/v1/plot/vg"
)

// TestForestLayout checks on random forests that no two labels overlap, that
// all stand inside the layout, and that no two edges of a tree cross.
func TestForestLayout(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for trial := range 300 {
		n := 1 + rng.IntN(30)
		boxes := make([]box, n)
		var edges []crankpkg.Edge
		for i := range boxes {
			boxes[i] = box{w: vg.Length(20 + rng.IntN(120)), h: vg.Length(12 + rng.IntN(12))}
			if i > 0 && rng.IntN(6) > 0 {
				edges = append(edges, labelgraph.NewEdge(i, rng.IntN(i)))
			}
		}
		for _, toRight := range []bool{false, true} {
			l := layoutForest(boxes, edges, toRight)
			name := fmt.Sprintf("trial %d, to right %t", trial, toRight)
			for i := range boxes {
				if at, b := l.At[i], boxes[i]; at.X-b.w/2 < -1e-6 || at.Y-b.h/2 < -1e-6 || at.X+b.w/2 > l.Width+1e-6 || at.Y+b.h/2 > l.Height+1e-6 {
					t.Fatalf("%s: label %d at %v is outside of %v x %v", name, i, at, l.Width, l.Height)
				}
				for j := range i {
					if overlap(l.At[i], l.At[j], boxes[i], boxes[j]) {
						t.Fatalf("%s: labels %d and %d overlap", name, i, j)
					}
				}
			}
			for k, e := range edges {
				for _, f := range edges[:k] {
					a, b := edgeEnds(l, boxes, e)
					c, d := edgeEnds(l, boxes, f)
					if cross(a, b, c, d) {
						t.Fatalf("%s: edges %v and %v cross", name, e, f)
					}
				}
			}
		}
	}
}

func overlap(p, q vg.Point, a, b box) bool {
	dx, dy := p.X-q.X, p.Y-q.Y
	return max(dx, -dx) < (a.w+b.w)/2-1e-6 && max(dy, -dy) < (a.h+b.h)/2-1e-6
}

// edgeEnds returns the points between which an edge is not level.
func edgeEnds(l *Layout, boxes []box, e crankpkg.Edge) (a, b vg.Point) {
	from, to := e.I, e.J
	if l.parent == nil {
		return l.At[from], l.At[to]
	}
	if l.parent[from] == to {
		from, to = to, from
	}
	return vg.Point{X: l.columnEnd[from], Y: l.At[from].Y}, vg.Point{X: l.At[to].X - boxes[to].w/2, Y: l.At[to].Y}
}

// cross reports whether the segments ab and cd cross inside both.
func cross(a, b, c, d vg.Point) bool {
	side := func(p, q, r vg.Point) float64 {
		return float64((q.X-p.X)*(r.Y-p.Y) - (q.Y-p.Y)*(r.X-p.X))
	}
	const eps = 1e-6
	return side(a, b, c)*side(a, b, d) < -eps && side(c, d, a)*side(c, d, b) < -eps
}

func TestDenseGraphGoesOnACircle(t *testing.T) {
	for _, n := range []int{3, 8, 14, 40} {
		boxes := make([]box, n)
		for i := range boxes {
			boxes[i] = box{w: 50, h: 16}
		}
		edges := labelgraph.AllPairs(n)
		l := layout(boxes, edges, make([]float64, len(edges)))
		radius := distanceTo(l.At[0], l.center)
		for i, at := range l.At {
			if d := distanceTo(at, l.center); d < radius-1e-6 || d > radius+1e-6 {
				t.Errorf("%d labels: label %d is %v from the middle, label 0 %v", n, i, d, radius)
			}
			for j := range i {
				if !l.Round && overlap(at, l.At[j], boxes[i], boxes[j]) {
					t.Errorf("%d labels: labels %d and %d overlap", n, i, j)
				}
			}
		}
	}
}

func distanceTo(p, q vg.Point) float64 { return math.Hypot(float64(p.X-q.X), float64(p.Y-q.Y)) }

func TestLayoutIsDeterministic(t *testing.T) {
	g := LabelGraph{Names: treeModel(30, className).LabelNames, Edges: treeModel(30, className).Edges}
	first := g.Place()
	for range 5 {
		again := g.Place()
		for i := range first.At {
			if first.At[i] != again.At[i] {
				t.Fatalf("label %d moved from %v to %v", i, first.At[i], again.At[i])
			}
		}
	}
}

// TestRadialLayout checks on large random forests that labels of which neither
// is an ancestor of the other have sectors of their own.
func TestRadialLayout(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for trial := range 20 {
		n := manyLabels + 1 + rng.IntN(200)
		boxes := make([]box, n)
		var edges []crankpkg.Edge
		for i := range boxes {
			boxes[i] = box{w: vg.Length(30 + rng.IntN(60)), h: 17}
			if i > 0 && rng.IntN(8) > 0 {
				edges = append(edges, labelgraph.NewEdge(i, rng.IntN(i)))
			}
		}
		l := layout(boxes, edges, make([]float64, len(edges)))
		if l.radial == nil {
			t.Fatalf("%d labels are not in rings", n)
		}
		for i, at := range l.At {
			if at.X < 0 || at.Y < 0 || at.X > l.Width || at.Y > l.Height {
				t.Fatalf("trial %d: label %d at %v is outside of %v x %v", trial, i, at, l.Width, l.Height)
			}
			for j := range i {
				// Names are as high as 17 points, scaled.
				if d := distanceTo(at, l.At[j]); d < 0.8*17*l.textScale {
					t.Fatalf("trial %d: labels %d and %d are %v apart", trial, i, j, d)
				}
			}
		}
	}
}
