package plotting

import (
	"math"
	"sort"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Surface draws the function as a surface over its slice, and the tangents as
// meshes.
func (sl Slice) Surface() *Figure {
	s := theStyle()
	if sl.F == nil {
		return s.say(sl.Title, "There is no function.")
	}
	sl = sl.withDefaults()
	p := &surfacePanel{s: s, sl: sl, base: sample(sl.F, sl, surfaceCells+1)}
	if p.base.min > p.base.max {
		return s.say(sl.Title, "The function is finite nowhere on this slice.")
	}
	p.min, p.max = p.base.min, p.base.max
	f := s.newFigure(p)
	f.Title = sl.Title
	f.addNotes(p.base.note())
	for _, t := range sl.Tangents {
		mesh := sample(t, sl, 13)
		f.addNotes(mesh.note())
		p.meshes = append(p.meshes, mesh)
		if mesh.min <= mesh.max {
			p.min, p.max = math.Min(p.min, mesh.min), math.Max(p.max, mesh.max)
		}
	}
	if !hasLength(p.min, p.max) {
		pad := math.Max(0.5, float64(0.05*math.Abs(p.min)))
		p.min, p.max = p.min-pad, p.max+pad
	}
	return f
}

// A surface has so many cells along each side: enough that steep parts have no steps of color.
const surfaceCells = 80

// surfacePanel is a surface in a box, seen from afar (without perspective).
type surfacePanel struct {
	s        *Style
	sl       Slice
	base     samples
	meshes   []samples
	min, max float64
}

// Size implements sizer.
func (p *surfacePanel) Size() (width, height vg.Length) { return 4.6 * vg.Inch, 3.7 * vg.Inch }

// view turns the unit cube so that the viewer looks along the depth axis.
type view struct {
	sinA, cosA, sinE, cosE float64
	scale                  float64
	origin                 vg.Point
}

// look returns where a point of the cube [-1/2, 1/2]^3 appears, and how far
// towards the viewer it is.
func (v view) look(x, y, z float64) (pt vg.Point, near float64) {
	right := float64(-x*v.sinA) + float64(y*v.cosA)
	towards := float64(x*v.cosA) + float64(y*v.sinA)
	up := float64(z*v.cosE) - float64(towards*v.sinE)
	near = float64(towards*v.cosE) + float64(z*v.sinE)
	return vg.Point{X: v.origin.X + vg.Length(float64(right*v.scale)), Y: v.origin.Y + vg.Length(float64(up*v.scale))}, near
}

func (p *surfacePanel) view(c draw.Canvas) view {
	var v view
	v.sinA, v.cosA = math.Sincos(p.sl.Azimuth * math.Pi / 180)
	v.sinE, v.cosE = math.Sincos(p.sl.Elevation * math.Pi / 180)
	w, h := float64(c.Max.X-c.Min.X)-70, float64(c.Max.Y-c.Min.Y)-50
	wide := math.Abs(v.sinA) + math.Abs(v.cosA)
	tall := 0.8*math.Abs(v.cosE) + math.Abs(v.sinE)*(math.Abs(v.sinA)+math.Abs(v.cosA))
	v.scale = math.Min(w/wide, h/tall)
	v.origin = vg.Point{X: c.Center().X + 10, Y: c.Center().Y + 8}
	return v
}

// cube maps data into the cube; the box is 0.8 high.
func (p *surfacePanel) cube(x, y, z float64) (float64, float64, float64) {
	return (x-p.sl.XMin)/(p.sl.XMax-p.sl.XMin) - 0.5,
		(y-p.sl.YMin)/(p.sl.YMax-p.sl.YMin) - 0.5,
		0.8 * ((z-p.min)/(p.max-p.min) - 0.5)
}

// piece is a part of the picture; pieces are drawn from far to near.
type piece struct {
	near float64
	draw func()
}

// Draw paints the faces of the surface and the lines of the meshes from far to
// near.
func (p *surfacePanel) Draw(c draw.Canvas) {
	v := p.view(c)
	p.drawBox(c, v)
	var pieces []piece
	quad := func(g samples, i, j int) (pts []vg.Point, near float64, ok bool) {
		for _, k := range [][2]int{{i, j}, {i + 1, j}, {i + 1, j + 1}, {i, j + 1}} {
			z := g.z[k[0]][k[1]]
			if math.IsNaN(z) {
				return nil, 0, false
			}
			pt, n := v.look(p.cube(g.x[k[0]], g.y[k[1]], z))
			pts, near = append(pts, pt), near+n/4
		}
		return pts, near, true
	}
	n := len(p.base.x) - 1
	for i := range n {
		for j := range n {
			pts, near, ok := quad(p.base, i, j)
			if !ok {
				continue
			}
			height := (p.base.z[i][j] + p.base.z[i+1][j+1]) / 2
			col := sequential.at((height - p.base.min) / math.Max(p.base.max-p.base.min, 1e-300))
			pieces = append(pieces, piece{near, func() {
				c.FillPolygon(col, pts)
				// The outline closes the seams.
				c.StrokeLines(draw.LineStyle{Color: col, Width: 0.7}, append(pts, pts[0]))
			}})
			// Lines of the grid stand before the cells on both of their sides, or these would hide pieces of them.
			grid := draw.LineStyle{Color: fade(col, p.s.Ink, 0.45), Width: 0.5}
			const before = 2. / surfaceCells
			if i > 0 && i%(surfaceCells/10) == 0 {
				pieces = append(pieces, piece{near + before, func() { c.StrokeLine2(grid, pts[0].X, pts[0].Y, pts[3].X, pts[3].Y) }})
			}
			if j > 0 && j%(surfaceCells/10) == 0 {
				pieces = append(pieces, piece{near + before, func() { c.StrokeLine2(grid, pts[0].X, pts[0].Y, pts[1].X, pts[1].Y) }})
			}
		}
	}
	for k, mesh := range p.meshes {
		line := p.s.Others[(k+1)%len(p.s.Others)].line()
		line.Width, line.Dashes = 0.9, nil
		line.Color = p.s.Negative
		for i := range len(mesh.x) - 1 {
			for j := range len(mesh.y) - 1 {
				if pts, near, ok := quad(mesh, i, j); ok {
					// A hair nearer, so that a tangent is seen where it touches.
					pieces = append(pieces, piece{near + 0.01, func() { c.StrokeLines(line, append(pts, pts[0])) }})
				}
			}
		}
	}
	sort.SliceStable(pieces, func(a, b int) bool { return pieces[a].near < pieces[b].near })
	for _, piece := range pieces {
		piece.draw()
	}
}

// drawBox draws the floor with its numbers and one upright axis.
func (p *surfacePanel) drawBox(c draw.Canvas, v view) {
	sl := p.sl
	axis := draw.LineStyle{Color: p.s.Ink, Width: 0.7}
	faint := p.s.gridStyle()
	at := func(x, y, z float64) vg.Point { pt, _ := v.look(p.cube(x, y, z)); return pt }
	line := func(l draw.LineStyle, a, b vg.Point) { c.StrokeLine2(l, a.X, a.Y, b.X, b.Y) }
	// The upright axis stands at the leftmost corner. Its numbers begin there, so
	// that the floor's go without one.
	corner := vg.Point{X: vg.Length(math.Inf(1))}
	var cx, cy float64
	for _, x := range []float64{sl.XMin, sl.XMax} {
		for _, y := range []float64{sl.YMin, sl.YMax} {
			if pt := at(x, y, p.min); pt.X < corner.X {
				corner, cx, cy = pt, x, y
			}
		}
	}
	floorNumber := func(pt, from vg.Point, label string) {
		if math.Hypot(float64(pt.X-corner.X), float64(pt.Y-corner.Y)) > 1 {
			p.outside(c, pt, from, 10, label, 0.9)
		}
	}
	// The edges of the floor towards the viewer carry the numbers of x and y.
	nearX, nearY := sl.XMin, sl.YMin
	if v.cosA > 0 {
		nearX = sl.XMax
	}
	if v.sinA > 0 {
		nearY = sl.YMax
	}
	farX, farY := sl.XMin+sl.XMax-nearX, sl.YMin+sl.YMax-nearY
	for _, t := range (linearTicks{}).Ticks(sl.XMin, sl.XMax) {
		line(faint, at(t.Value, nearY, p.min), at(t.Value, farY, p.min))
		line(faint, at(t.Value, farY, p.min), at(t.Value, farY, p.max))
		floorNumber(at(t.Value, nearY, p.min), at(t.Value, farY, p.min), t.Label)
	}
	for _, t := range (linearTicks{}).Ticks(sl.YMin, sl.YMax) {
		line(faint, at(nearX, t.Value, p.min), at(farX, t.Value, p.min))
		line(faint, at(farX, t.Value, p.min), at(farX, t.Value, p.max))
		floorNumber(at(nearX, t.Value, p.min), at(farX, t.Value, p.min), t.Label)
	}
	line(axis, at(sl.XMin, nearY, p.min), at(sl.XMax, nearY, p.min))
	line(axis, at(nearX, sl.YMin, p.min), at(nearX, sl.YMax, p.min))
	midX, midY := (sl.XMin+sl.XMax)/2, (sl.YMin+sl.YMax)/2
	p.outside(c, at(midX, nearY, p.min), at(midX, farY, p.min), 30, sl.XLabel, 1.1)
	p.outside(c, at(nearX, midY, p.min), at(farX, midY, p.min), 30, sl.YLabel, 1.1)
	line(axis, corner, at(cx, cy, p.max))
	for _, t := range (linearTicks{}).Ticks(p.min, p.max) {
		pt := at(cx, cy, t.Value)
		line(axis, pt, vg.Point{X: pt.X - 3, Y: pt.Y})
		sty := p.s.textStyle(0.9, p.s.Ink)
		sty.XAlign = draw.XRight
		drawText(c, sty, vg.Point{X: pt.X - 6, Y: pt.Y - p.s.TextSize*0.32}, t.Label)
	}
	sty := p.s.textStyle(1.1, p.s.Ink)
	sty.XAlign = draw.XCenter
	top := at(cx, cy, p.max)
	drawText(c, sty, vg.Point{X: top.X, Y: top.Y + 10}, sl.ZLabel)
}

// outside writes text near a point, away from another.
func (p *surfacePanel) outside(c draw.Canvas, at, from vg.Point, by vg.Length, txt string, scale float64) {
	dx, dy := float64(at.X-from.X), float64(at.Y-from.Y)
	r := math.Hypot(dx, dy)
	if r == 0 {
		return
	}
	sty := p.s.textStyle(scale, p.s.Ink)
	sty.XAlign = draw.XCenter
	drawText(c, sty, vg.Point{X: at.X + by*vg.Length(dx/r), Y: at.Y + by*vg.Length(dy/r) - sty.Font.Size*0.35}, txt)
}
