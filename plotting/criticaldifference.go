package plotting

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// CriticalDifference is Demsar's diagram (2006): methods by their mean ranks over several data
// sets, the best at the left, with bars over those that Nemenyi's test does not tell apart.
// Package significance has ranks and critical differences.
type CriticalDifference struct {
	Title   string
	Methods []string
	Ranks   []float64 // mean ranks; 1 is the best
	// CD is how far apart ranks have to be.
	CD float64
}

// Figure draws the diagram. It panics when there are not as many methods as ranks.
func (cd CriticalDifference) Figure() *Figure {
	s := theStyle()
	if len(cd.Methods) != len(cd.Ranks) {
		panic(fmt.Sprintf("plotting: %d methods with %d ranks", len(cd.Methods), len(cd.Ranks)))
	}
	names, notes := cleanNames(cd.Methods)
	looks := s.methodStyles(cd.Methods)
	p := &rankPanel{s: s, cd: cd.CD}
	dropped := 0
	for k, rank := range cd.Ranks {
		if !plottable(rank, false) {
			dropped++
			continue
		}
		p.methods = append(p.methods, rankedMethod{names[k], rank, looks[k]})
	}
	if len(p.methods) == 0 {
		return s.say(cd.Title, "There are no ranks.")
	}
	slices.SortStableFunc(p.methods, func(a, b rankedMethod) int { return cmp.Compare(a.rank, b.rank) })
	p.low, p.high = math.Floor(math.Min(1, p.methods[0].rank)), math.Ceil(math.Max(float64(len(cd.Ranks)), p.methods[len(p.methods)-1].rank))
	if !hasLength(p.low, p.high) {
		p.high = p.low + math.Max(1, math.Abs(p.low)/2)
	}
	f := s.newFigure(p)
	f.Title = cd.Title
	f.addNotes(notes...)
	f.addNotes(droppedNote(dropped, false))
	return f
}

// rankedMethod is a method with its mean rank.
type rankedMethod struct {
	name string
	rank float64
	look MethodStyle
}

// rankPanel is the drawing of a CriticalDifference.
type rankPanel struct {
	s         *Style
	cd        float64
	methods   []rankedMethod // by rank
	low, high float64        // of the axis
}

const (
	rankAxis = vg.Length(300) // length of the axis
	rankLine = vg.Length(19)  // between names
	rankBar  = vg.Length(7)   // between bars
)

// bars returns the first and the last method of each longest group without a difference.
func (p *rankPanel) bars() (bars [][2]int) {
	for first := range p.methods {
		last := first
		for last+1 < len(p.methods) && p.methods[last+1].rank-p.methods[first].rank < p.cd {
			last++
		}
		if last > first && (len(bars) == 0 || last > bars[len(bars)-1][1]) {
			bars = append(bars, [2]int{first, last})
		}
	}
	return bars
}

// half is how many names stand at the left.
func (p *rankPanel) half() int { return (len(p.methods) + 1) / 2 }

// sides returns the room for the names on either side.
func (p *rankPanel) sides() (left, right vg.Length) {
	sty := p.s.textStyle(1, nil)
	for k, m := range p.methods {
		w := sty.Width(m.name+"  "+p.number(m)) + 22
		if k < p.half() {
			left = max(left, w)
		} else {
			right = max(right, w)
		}
	}
	return left, max(right, 12)
}

func (p *rankPanel) number(m rankedMethod) string { return decimal(m.rank, 2) }

// Size implements sizer.
func (p *rankPanel) Size() (width, height vg.Length) {
	left, right := p.sides()
	return left + rankAxis + right, 52 + rankBar*vg.Length(len(p.bars())) + rankLine*vg.Length(p.half())
}

// Draw implements Drawing.
func (p *rankPanel) Draw(c draw.Canvas) {
	left, right := p.sides()
	width, _ := p.Size()
	x0 := c.Center().X - width/2 + left
	at := func(rank float64) vg.Length {
		return x0 + rankAxis*vg.Length((rank-p.low)/(p.high-p.low))
	}
	y := c.Max.Y - 42
	p.axis(c, at, y)
	p.ruler(c, at, x0, c.Max.Y-8)
	y -= 9
	for _, bar := range p.bars() {
		line := draw.LineStyle{Color: p.s.Ink, Width: vg.Points(3)}
		c.StrokeLine2(line, at(p.methods[bar[0]].rank)-3, y, at(p.methods[bar[1]].rank)+3, y)
		y -= rankBar
	}
	y -= 6
	top := c.Max.Y - 42
	for k, m := range p.methods {
		row, side := k, -1
		edge := x0 - 6
		if k >= p.half() { // from the worst down, so that lines do not cross
			row, side, edge = len(p.methods)-1-k, 1, x0+rankAxis+min(6, right)
		}
		p.method(c, m, at(m.rank), top, edge, y-rankLine*vg.Length(row), side)
	}
}

// axis draws the axis with whole ranks.
func (p *rankPanel) axis(c draw.Canvas, at func(float64) vg.Length, y vg.Length) {
	line := draw.LineStyle{Color: p.s.Ink, Width: vg.Points(0.8)}
	c.StrokeLine2(line, at(p.low), y, at(p.high), y)
	for _, t := range (integerTicks{}).Ticks(p.low, p.high) {
		c.StrokeLine2(line, at(t.Value), y, at(t.Value), y+5)
		sty := p.s.textStyle(1, p.s.Ink)
		sty.XAlign = text.XCenter
		drawText(c, sty, vg.Point{X: at(t.Value), Y: y + 8}, t.Label)
	}
}

// ruler draws the critical difference as a length, above the axis.
func (p *rankPanel) ruler(c draw.Canvas, at func(float64) vg.Length, x, y vg.Length) {
	if !plottable(p.cd, true) {
		return
	}
	line := draw.LineStyle{Color: p.s.Faint, Width: vg.Points(1.2)}
	end := min(at(p.low+math.Min(p.cd, p.high-p.low)), x+rankAxis)
	c.StrokeLine2(line, x, y, end, y)
	for _, v := range []vg.Length{x, end} {
		c.StrokeLine2(line, v, y-3, v, y+3)
	}
	sty, txt := p.s.textStyle(0.9, p.s.Faint), "critical difference "+decimal(p.cd, 2)
	left := min(end+6, x+rankAxis-sty.Width(txt))
	if left < end { // the ruler is as long as the axis
		left = end - sty.Width(txt)
		y -= p.s.TextSize * 1.1
	}
	drawText(c, sty, vg.Point{X: left, Y: y - p.s.TextSize*0.3}, txt)
}

// method draws the line from the axis down to a name.
func (p *rankPanel) method(c draw.Canvas, m rankedMethod, x, top, edge, y vg.Length, side int) {
	line := draw.LineStyle{Color: m.look.Color, Width: vg.Points(1)}
	c.StrokeLines(line, []vg.Point{{X: x, Y: top}, {X: x, Y: y}, {X: edge, Y: y}})
	marker := m.look.glyph()
	marker.Radius = 3.2
	c.DrawGlyphNoClip(marker, vg.Point{X: x, Y: top})
	sty := p.s.nameStyle(1)
	number := p.s.textStyle(0.9, p.s.Faint)
	base := y - p.s.TextSize*0.32
	gap := sty.Width("  ")
	if side < 0 {
		sty.XAlign, number.XAlign = text.XRight, text.XRight
		drawText(c, sty, vg.Point{X: edge - 4, Y: base}, m.name)
		drawText(c, number, vg.Point{X: edge - 4 - gap - sty.Width(m.name), Y: base}, p.number(m))
		return
	}
	sty.XAlign, number.XAlign = text.XLeft, text.XLeft
	drawText(c, sty, vg.Point{X: edge + 4, Y: base}, m.name)
	drawText(c, number, vg.Point{X: edge + 4 + gap + sty.Width(m.name), Y: base}, p.number(m))
}

// describe implements describer.
func (p *rankPanel) describe() string {
	var parts, groups []string
	for _, m := range p.methods {
		parts = append(parts, m.name+" "+p.number(m))
	}
	for _, bar := range p.bars() {
		groups = append(groups, p.methods[bar[0]].name+" to "+p.methods[bar[1]].name)
	}
	out := "Mean ranks, the best first: " + apart(parts) + ". Critical difference " + decimal(p.cd, 2) + "."
	if len(groups) > 0 {
		out += " Not told apart: " + strings.Join(groups, "; ") + "."
	}
	return out
}
