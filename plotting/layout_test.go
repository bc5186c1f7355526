package plotting

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
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
				edges = append(edges, crankpkg.NewEdge(i, rng.IntN(i)))
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
	if l := layout(make([]box, 8), crankpkg.AllPairs(8), make([]float64, 28)); !l.Round {
		t.Error("a complete graph is not drawn on a circle")
	}
	m := treeModel(8, className)
	if l := layout(make([]box, 8), m.Edges, m.Pair); l.Round {
		t.Error("a tree is drawn on a circle")
	}
}

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
