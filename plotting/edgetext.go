package plotting

import (
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// edgeText is a text on an edge: where it stands and its half extents.
type edgeText struct {
	at   vg.Point
	half box
}

// gap returns how far a point is from the patch of the text, negative within.
func (t edgeText) gap(p vg.Point) vg.Length {
	return max(vg.Length(math.Abs(float64(p.X-t.at.X)))-t.half.w, vg.Length(math.Abs(float64(p.Y-t.at.Y)))-t.half.h)
}

// beside returns how far another patch is, negative where they overlap.
func (t edgeText) beside(other edgeText) vg.Length {
	t.half.w, t.half.h = t.half.w+other.half.w, t.half.h+other.half.h
	return t.gap(other.at)
}

// labels returns where the labels are, in a picture drawn at scale k.
func (g *graphPanel) labels(at []vg.Point, k vg.Length) []edgeText {
	labels := make([]edgeText, len(at))
	for i, b := range g.s.boxes(g.names, g.scales) {
		labels[i] = edgeText{at[i], box{k * b.w / 2, k * b.h / 2}}
		if g.layout.Round {
			labels[i].half = box{k * dotRadius, k * dotRadius}
		}
	}
	return labels
}

// placeTexts returns a place for each text on its route: rather towards the end, where edges to the children of one label have parted,
// and elsewhere if there it would touch another edge, another text or a label. Edges of a circle all meet in the middle; their texts do not.
func (g *graphPanel) placeTexts(texts []string, routes []vg.Path, labels []edgeText, k vg.Length) []edgeText {
	enough := vg.Length(9) // points to what is near
	sty := g.weightStyle(k)
	placed := make([]edgeText, 0, len(texts))
	places := []float64{0.62, 0.5, 0.38, 0.56, 0.44, 0.68, 0.32, 0.74, 0.26, 0.8, 0.2}
	if g.layout.parent != nil { // from left to right there is room between the columns only
		places, enough = []float64{0.62, 0.66, 0.7, 0.74, 0.78}, 2
	}
	for n, txt := range texts {
		half := box{w: sty.Width(txt)/2 + sty.Font.Size*0.4, h: sty.Font.Size * 0.65}
		var best edgeText
		farthest := vg.Length(math.Inf(-1))
		for _, t := range places {
			here := edgeText{along(routes[n], t), half}
			d := enough * k
			for _, others := range [][]edgeText{labels, placed} {
				for _, other := range others {
					d = min(d, here.beside(other))
				}
			}
			for m, p := range routes {
				if m != n {
					d = min(d, here.gapToRoute(p))
				}
			}
			if d > farthest {
				best, farthest = here, d
			}
		}
		placed = append(placed, best)
	}
	return placed
}

// gapToRoute returns how far a route is.
func (t edgeText) gapToRoute(p vg.Path) vg.Length {
	least := vg.Length(math.Inf(1))
	for u := 0.0; u < 1; u += 0.02 {
		least = min(least, t.gap(along(p, u)))
	}
	return least
}

// fitDashes returns the look of an edge whose dashes begin and end at the labels, so that a short edge too is seen to reach
// both of them: the pattern is stretched to the part of the route that is in sight, and starts there.
func fitDashes(l draw.LineStyle, route vg.Path, from, to edgeText) draw.LineStyle {
	if len(l.Dashes) != 2 {
		return l
	}
	start, length := inSight(route, from, to)
	on, off := l.Dashes[0], l.Dashes[1]
	if length <= on {
		l.Dashes = nil
		return l
	}
	repeats := math.Max(1, math.Round(float64((length-on)/(on+off))))
	stretch := length / (on + vg.Length(repeats)*(on+off))
	on, off = on*stretch, off*stretch
	l.Dashes = []vg.Length{on, off}
	l.DashOffs = on + off - vg.Length(math.Mod(float64(start), float64(on+off)))
	return l
}

// inSight returns after what length a route leaves the label that it begins at, and how long it is from there to the label
// that it ends at.
func inSight(route vg.Path, from, to edgeText) (start, length vg.Length) {
	const steps = 400
	last := route[0].Pos
	var all, end vg.Length
	left := false
	for _, p := range trace(route, steps) {
		all += vg.Length(math.Hypot(float64(p.X-last.X), float64(p.Y-last.Y)))
		last = p
		if !left && from.gap(p) >= 0 {
			start, left = all, true
		}
		if to.gap(p) >= 0 {
			end = all
		}
	}
	return start, max(0, end-start)
}

// trace returns points along a whole route, close to one another.
func trace(route vg.Path, steps int) (points []vg.Point) {
	for k := 1; k < len(route); k++ {
		part := vg.Path{{Type: vg.MoveComp, Pos: route[k-1].Pos}, route[k]}
		for i := 1; i <= steps; i++ {
			points = append(points, pointOn(part, float64(i)/float64(steps)))
		}
	}
	return points
}
