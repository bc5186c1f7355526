package plotting

import (
	"math"

	"github.com/crank-ml/crank/crankpkg"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// bend returns the way of an edge between two labels: straight or, where other labels are in the way, an arc just as high as it has
// to be to pass them. An arc that leaves the picture is one that meets a label.
func (g *graphPanel) bend(e crankpkg.Edge, at []vg.Point, origin vg.Point, k vg.Length) vg.Path {
	from, to := at[e.I], at[e.J]
	obstacles := g.obstacles(e, k)
	var best vg.Path
	fewest := math.MaxInt
	for _, height := range []vg.Length{0, 0.08, -0.08, 0.14, -0.14, 0.24, -0.24, 0.36, -0.36, 0.5, -0.5} {
		p := arc(from, to, height)
		hits := countHits(p, at, obstacles)
		if height != 0 && g.leaves(p, origin, k) {
			hits++
		}
		if hits < fewest {
			best, fewest = p, hits
		}
		if fewest == 0 {
			break
		}
	}
	return best
}

// obstacles returns the half extents of the labels that an edge has to pass, zero for its own and for dots.
func (g *graphPanel) obstacles(e crankpkg.Edge, k vg.Length) []box {
	boxes := make([]box, len(g.names))
	if g.layout.Round {
		return boxes
	}
	for i, b := range g.s.boxes(g.names, g.scales) {
		if i != e.I && i != e.J {
			const air = vg.Length(2)
			boxes[i] = box{w: k * (b.w/2 + air), h: k * (b.h/2 + air)}
		}
	}
	return boxes
}

// arc returns a curve from a to b whose middle is as far from the straight line as height times its length.
func arc(a, b vg.Point, height vg.Length) vg.Path {
	var p vg.Path
	p.Move(a)
	if height == 0 {
		p.Line(b)
		return p
	}
	side := vg.Point{X: a.Y - b.Y, Y: b.X - a.X}.Scale(height * 4 / 3)
	third := b.Sub(a).Scale(1. / 3)
	p.CubeTo(a.Add(third).Add(side), b.Sub(third).Add(side), b)
	return p
}

// countHits returns how many boxes a path from label to label meets.
func countHits(p vg.Path, at []vg.Point, boxes []box) (hits int) {
	for i, b := range boxes {
		if b.w == 0 {
			continue
		}
		for t := 0.02; t < 1; t += 0.02 {
			d := pointOn(p, t).Sub(at[i])
			if math.Abs(float64(d.X)) < float64(b.w) && math.Abs(float64(d.Y)) < float64(b.h) {
				hits++
				break
			}
		}
	}
	return hits
}

// leaves reports whether a path goes beyond the layout by more than a label's height, which titles and keys leave free.
func (g *graphPanel) leaves(p vg.Path, origin vg.Point, k vg.Length) bool {
	air := 0.7 * g.s.TextSize
	for t := 0.02; t < 1; t += 0.02 {
		d := pointOn(p, t).Sub(origin)
		if d.X < -air || d.Y < -air || d.X > k*g.layout.Width+air || d.Y > k*g.layout.Height+air {
			return true
		}
	}
	return false
}

// pointOn returns the point at t of 0 to 1 on the last part of a path.
func pointOn(p vg.Path, t float64) vg.Point {
	last, from := p[len(p)-1], p[len(p)-2].Pos
	u, v := vg.Length(1-t), vg.Length(t)
	if last.Type != vg.CurveComp {
		return from.Scale(u).Add(last.Pos.Scale(v))
	}
	at := from.Scale(u * u * u).Add(last.Pos.Scale(v * v * v))
	return at.Add(last.Control[0].Scale(3 * u * u * v)).Add(last.Control[1].Scale(3 * u * v * v))
}

// removal is the mark of an edge with a weight that is to be removed: its line goes on telling sign and size.
func (s *Style) removal(k vg.Length) draw.GlyphStyle {
	return draw.GlyphStyle{Color: s.Ink, Radius: 3.2 * k, Shape: heavy{draw.CrossGlyph{}}}
}

// crossOut draws the mark of edge n at the place of its route that is farthest from the other edges and from texts, so that it crosses
// out no other one, on a patch of background.
func (g *graphPanel) crossOut(c draw.Canvas, n int, routes []vg.Path, texts []edgeText, k vg.Length) {
	const enough = 9 // points from other edges
	best, farthest := vg.Point{}, vg.Length(-1)
	for _, t := range []float64{0.62, 0.5, 0.38, 0.56, 0.44, 0.68, 0.32, 0.74, 0.26} {
		at := along(routes[n], t)
		d := enough * k
		for m, p := range routes {
			if m != n {
				d = min(d, gapTo(p, at))
			}
		}
		for _, t := range texts {
			d = min(d, t.gap(at))
		}
		if d > farthest {
			best, farthest = at, d
		}
	}
	c.DrawGlyphNoClip(draw.GlyphStyle{Color: g.s.paper(), Radius: 5 * k, Shape: draw.CircleGlyph{}}, best)
	c.DrawGlyphNoClip(g.s.removal(k), best)
}

// along returns the point at t between 0 and 1 on a route.
func along(p vg.Path, t float64) vg.Point {
	if len(p) > 2 && p[len(p)-1].Type != vg.CurveComp { // many short lines
		return p[int(t*float64(len(p)))].Pos
	}
	return pointOn(p, t)
}

// gapTo returns about how far a point is from a route.
func gapTo(p vg.Path, at vg.Point) vg.Length {
	least := vg.Length(math.Inf(1))
	for t := 0.0; t < 1; t += 0.02 {
		d := along(p, t).Sub(at)
		least = min(least, vg.Length(math.Hypot(float64(d.X), float64(d.Y))))
	}
	return least
}
