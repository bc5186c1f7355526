package plotting

import (
	"fmt"
	"math"
	"sort"
	"strconv"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// LabelGraph is a picture of labels and the pairs between them.
type LabelGraph struct {
	Title string
	Names []string
	// Edges are the pairs with their weights: a line is as wide as |w_ij| is
	// large beside the largest, and its color and dash tell the sign. Without
	// weights all are drawn alike.
	Edges   []crankpkg.Edge
	Weights []float64
	// Frequency, if there, is the share of the examples that have each label:
	// frequent labels are drawn larger.
	Frequency []float64
	// Layout, if there, says where the labels stand; else they are placed so
	// that a tree looks like one.
	Layout *Layout
	// Widest is the |w_ij| of the widest line; zero means the largest there is.
	// Pictures to be compared need one for all.
	Widest float64
	// ShowWeights writes each weight at its edge.
	ShowWeights bool
	// Marked edges stand out: crossed out or, without weights, dotted. MarkedName says in the key
	// what they are; empty means that they are to be removed.
	Marked     []crankpkg.Edge
	MarkedName string

	norms bool // the weights are |w_ij|_1, which have no sign
}

// Numbered returns the names 1 to n, and the places of so many labels on a circle.
func Numbered(n int) (names []string, circle *Layout) {
	for i := range n {
		names = append(names, strconv.Itoa(i+1))
	}
	return names, LabelGraph{Names: names, Edges: labelgraph.AllPairs(n)}.Place()
}

// Network draws the label graph of a model: the pairs with a weight, as wide as
// |w_ij| and colored by sign. Where the weights depend on x, the signs do too: then
// a line is as wide as |w_ij|_1, and all have the color of positive ones.
func Network(m *crankpkg.Model) *Figure {
	if m == nil {
		return theStyle().say("Label graph", "There is no model.")
	}
	g := LabelGraph{
		Title: joinTitle(graphTitle, m.Method),
		Names: m.LabelNames,
		Edges: m.Edges, Weights: m.Pair,
	}
	if len(m.EdgeFeatures.Columns) > 0 {
		g.Weights, g.norms = m.PairNorms(), true
	}
	return g.Figure()
}

// Place computes the layout that Figure uses when there is none. It panics as
// Figure does.
func (g LabelGraph) Place() *Layout {
	g.check()
	s, scales, weights := theStyle(), g.scales(), g.weights()
	var l *Layout
	for _, letters := range []int{longestName, 20, 14} { // until the page is wide enough
		names, _ := cutNames(g.Names, letters)
		l = layout(s.boxes(names, scales), g.Edges, weights)
		l.nameLength = letters
		if l.Width <= widestGraph {
			break
		}
	}
	return l
}

// Figure draws the graph. It panics when slices that belong together differ in
// length or an edge names a label that is not there.
func (g LabelGraph) Figure() *Figure {
	s := theStyle()
	if len(g.Names) == 0 {
		return s.say(g.Title, "There are no labels.")
	}
	g.check()
	l := g.Layout
	if l == nil {
		l = g.Place()
	}
	letters := l.nameLength
	if letters == 0 { // a layout of the caller's own
		letters = longestName
	}
	names, notes := cutNames(g.Names, letters)
	p := &graphPanel{s: s, layout: l, names: names, scales: g.scales(), showWeights: g.ShowWeights && g.Weights != nil, plain: g.Weights == nil}
	p.edges, p.largest = g.lines()
	f := s.newFigure(p)
	f.Title = g.Title
	f.addNotes(notes...)
	g.explain(f, p)
	return f
}

func (g LabelGraph) check() {
	n := len(g.Names)
	switch {
	case g.Weights != nil && len(g.Weights) != len(g.Edges):
		panic("plotting: unequal numbers of edges and weights")
	case g.Frequency != nil && len(g.Frequency) != n:
		panic("plotting: unequal numbers of labels and frequencies")
	case g.Layout != nil && len(g.Layout.At) != n:
		panic("plotting: the layout is for another number of labels")
	}
	for _, e := range g.Edges {
		if e.I < 0 || e.J < 0 || e.I >= n || e.J >= n {
			panic("plotting: an edge of a label that is not there")
		}
	}
}

// What a key says of the widest line begins with widestKey, the title of a model's label graph with graphTitle.
const (
	widestKey  = "widest: "
	graphTitle = "Label graph"
)

// weights returns the weights with 0 for those that are not finite; all 1 when
// there are none.
func (g LabelGraph) weights() []float64 {
	w := make([]float64, len(g.Edges))
	for k := range w {
		switch {
		case g.Weights == nil:
			w[k] = 1
		case plottable(g.Weights[k], false):
			w[k] = g.Weights[k]
		}
	}
	return w
}

// scales returns how much larger than TextSize each label is drawn.
func (g LabelGraph) scales() []float64 {
	scales := make([]float64, len(g.Names))
	most := 0.0
	for _, f := range g.Frequency {
		if plottable(f, true) {
			most = math.Max(most, f)
		}
	}
	for i := range scales {
		scales[i] = 1
		if most > 0 {
			f := g.Frequency[i]
			if !plottable(f, true) {
				f = 0
			}
			scales[i] = 0.75 + float64(0.75*math.Sqrt(f/most))
		}
	}
	return scales
}

// graphEdge is an edge as it is drawn.
type graphEdge struct {
	crankpkg.Edge
	weight   float64
	strength float64 // |w| beside the largest
	marked   bool
}

// lines returns the edges, the weakest first, and the |w| of the widest line.
func (g LabelGraph) lines() (edges []graphEdge, largest float64) {
	marked := make(map[crankpkg.Edge]bool, len(g.Marked))
	for _, e := range g.Marked {
		marked[e] = true
	}
	weights := g.weights()
	for _, w := range weights {
		largest = math.Max(largest, math.Abs(w))
	}
	if plottable(g.Widest, true) {
		largest = g.Widest
	}
	for k, e := range g.Edges {
		line := graphEdge{Edge: e, weight: weights[k], marked: marked[e]}
		if largest > 0 {
			line.strength = math.Min(1, math.Abs(weights[k])/largest)
		}
		edges = append(edges, line)
	}
	sort.SliceStable(edges, func(a, b int) bool { return edges[a].strength < edges[b].strength })
	return edges, largest
}

// explain adds the key and the notes.
func (g LabelGraph) explain(f *Figure, p *graphPanel) {
	broken := 0
	for _, w := range g.Weights {
		if !plottable(w, false) {
			broken++
		}
	}
	if broken > 0 {
		f.addNotes(fmt.Sprintf("%d weights are not finite and drawn as zero.", broken))
	}
	var positive, negative, marked bool
	for _, e := range p.edges {
		marked = marked || e.marked
		positive = positive || e.weight > 0
		negative = negative || e.weight < 0
	}
	line := func(e graphEdge) draw.LineStyle { l := p.line(e); l.Width = vg.Points(2.4); return l }
	if g.Weights != nil && positive && !g.norms {
		f.addKey(KeyEntry{Name: "$w_{ij}$ > 0", Line: line(graphEdge{weight: 1, strength: 1})})
	}
	if g.Weights != nil && negative {
		f.addKey(KeyEntry{Name: "$w_{ij}$ < 0", Line: line(graphEdge{weight: -1, strength: 1})})
	}
	switch {
	case marked && g.Weights != nil:
		f.addKey(KeyEntry{Name: g.markedName(), Marker: p.s.removal(1)})
	case marked:
		f.addKey(KeyEntry{Name: g.markedName(), Line: line(graphEdge{weight: 1, strength: 1, marked: true})})
	}
	if g.Weights != nil && (positive || negative) {
		size := "|$w_{ij}$|"
		if g.norms {
			size = "|$w_{ij}$|$_1$"
		}
		f.addKey(KeyEntry{Name: widestKey + size + " = " + shortNumber(p.largest)})
	}
	if len(p.edges) == 0 {
		note := "No pair has a weight: the labels are predicted one by one."
		if g.Title != "" { // it may be one of several
			note = g.Title + ": no pair has a weight, so that the labels are predicted one by one."
		}
		f.addNotes(note)
	}
}

func (g LabelGraph) markedName() string {
	if g.MarkedName != "" {
		return g.MarkedName
	}
	return "to be removed"
}

// graphPanel is the drawing area of a label graph.
type graphPanel struct {
	s           *Style
	layout      *Layout
	names       []string
	scales      []float64
	edges       []graphEdge
	largest     float64
	showWeights bool
	plain       bool // there are no weights
}

const dotRadius = vg.Length(3.5)

// boxes returns the extents of the labels.
func (s *Style) boxes(names []string, scales []float64) []box {
	boxes := make([]box, len(names))
	for i, name := range names {
		sty := s.nameStyle(scales[i])
		h := sty.Font.Size * 1.7
		boxes[i] = box{w: max(h, sty.Width(name)+sty.Font.Size), h: h}
	}
	return boxes
}

// Size implements sizer.
func (g *graphPanel) Size() (width, height vg.Length) { return g.layout.Width, g.layout.Height }

// Draw draws the graph in the middle of c, smaller if c is.
func (g *graphPanel) Draw(c draw.Canvas) {
	w, h := c.Max.X-c.Min.X, c.Max.Y-c.Min.Y
	k := min(1, w/g.layout.Width, h/g.layout.Height)
	origin := vg.Point{X: c.Center().X - k*g.layout.Width/2, Y: c.Center().Y - k*g.layout.Height/2}
	at := make([]vg.Point, len(g.names))
	for i, p := range g.layout.At {
		at[i] = origin.Add(p.Scale(k))
	}
	routes := make([]vg.Path, len(g.edges))
	labels := g.labels(at, k)
	for n, e := range g.edges {
		routes[n] = g.route(e.Edge, at, origin, k)
		line := g.line(e)
		line.Width *= k
		from, to := labels[e.I], labels[e.J]
		if routes[n][0].Pos != at[e.I] {
			from, to = to, from
		}
		c.SetLineStyle(fitDashes(line, routes[n], from, to))
		c.Stroke(routes[n])
	}
	var weights []edgeText
	if g.showWeights {
		texts := make([]string, len(g.edges))
		for n, e := range g.edges {
			texts[n] = g.weightLabel(e.weight)
		}
		weights = g.placeTexts(texts, routes, labels, k)
		for n, t := range weights {
			g.drawWeight(c, t, texts[n], k)
		}
	}
	for n, e := range g.edges {
		if e.marked && !g.plain {
			g.crossOut(c, n, routes, weights, k)
		}
	}
	center := origin.Add(g.layout.center.Scale(k))
	for i := range g.names {
		switch r := g.layout.radial; {
		case r != nil && r.inner[i]:
			g.drawInner(c, i, at[i], r.angle[i], k)
		case g.layout.Round:
			g.drawDot(c, i, at[i], center, k)
		default:
			g.drawBox(c, i, at[i], k)
		}
	}
}

// drawInner draws a label in a ring as a box that points outward.
func (g *graphPanel) drawInner(c draw.Canvas, i int, at vg.Point, angle float64, k vg.Length) {
	if math.Cos(angle) < -1e-9 {
		angle += math.Pi
	}
	if g.layout.radial.radius[i] == 0 {
		angle = 0
	}
	c.Push()
	c.Translate(at)
	c.Rotate(angle)
	g.drawBox(c, i, vg.Point{}, k)
	c.Pop()
}

// route returns the way of an edge: straight; to a child at the right, bent so
// that it leaves and arrives at the sides of the boxes; or along the rings.
func (g *graphPanel) route(e crankpkg.Edge, at []vg.Point, origin vg.Point, k vg.Length) vg.Path {
	from, to := e.I, e.J
	parent := g.layout.parent
	if r := g.layout.radial; r != nil {
		parent = r.parent
	}
	if parent != nil && parent[from] == to {
		from, to = to, from
	}
	if parent == nil || parent[to] != from {
		return g.bend(e, at, origin, k)
	}
	if r := g.layout.radial; r != nil {
		return r.route(from, to, origin.Add(g.layout.center.Scale(k)), float64(k))
	}
	var p vg.Path
	width := g.s.boxes(g.names[to:to+1], g.scales[to:to+1])[0].w
	bend := vg.Point{X: origin.X + k*g.layout.columnEnd[from], Y: at[from].Y}
	end := vg.Point{X: at[to].X - k*width/2, Y: at[to].Y}
	middle := (bend.X + end.X) / 2
	p.Move(at[from])
	p.Line(bend)
	p.CubeTo(vg.Point{X: middle, Y: bend.Y}, vg.Point{X: middle, Y: end.Y}, end)
	return p
}

// weightLabel writes a weight; all of one picture have two decimals if that
// tells them apart.
func (g *graphPanel) weightLabel(w float64) string {
	if g.largest < 0.1 || g.largest >= 1000 {
		return shortNumber(w)
	}
	return minus(strconv.FormatFloat(w, 'f', 2, 64))
}

// line returns the look of an edge.
func (g *graphPanel) line(e graphEdge) draw.LineStyle {
	l := draw.LineStyle{Width: vg.Length(0.8 + float64(4.2*e.strength))}
	switch {
	case e.marked && g.plain:
		return draw.LineStyle{Color: g.s.Negative, Dashes: dotted, Width: 2.4}
	case g.plain:
		return draw.LineStyle{Color: g.s.Ink, Width: 1.6}
	case e.weight < 0:
		l.Color, l.Dashes = g.s.Negative, dashed
	default:
		l.Color = g.s.Positive
	}
	// Weak edges step back, or a dense graph would be a ball of wool.
	l.Color = fade(l.Color, g.s.paper(), float64(0.6*(1-e.strength)))
	return l
}

// drawBox draws a label as its name in a box with round ends.
func (g *graphPanel) drawBox(c draw.Canvas, i int, at vg.Point, k vg.Length) {
	sty := g.nameStyle(i, k)
	size := sty.Font.Size
	b := box{w: max(size*1.7, sty.Width(g.names[i])+size), h: size * 1.7}
	outline := pill(at, b)
	c.SetColor(fade(g.s.Faint, g.s.paper(), 0.86))
	c.Fill(outline)
	c.SetLineStyle(draw.LineStyle{Color: g.s.Faint, Width: 0.8 * k})
	c.Stroke(outline)
	drawText(c, sty, vg.Point{X: at.X, Y: at.Y - size*0.35}, g.names[i])
}

// nameStyle sets the name of label i in a picture drawn at scale k.
func (g *graphPanel) nameStyle(i int, k vg.Length) text.Style {
	sty := g.s.nameStyle(g.scales[i])
	sty.Font.Size *= k
	if g.layout.textScale > 0 {
		sty.Font.Size *= vg.Length(g.layout.textScale)
	}
	return sty
}

// pill returns the outline of a box with round ends.
func pill(at vg.Point, b box) vg.Path {
	r := b.h / 2
	left, right := at.X-b.w/2+r, at.X+b.w/2-r
	var p vg.Path
	p.Move(vg.Point{X: left, Y: at.Y - r})
	p.Line(vg.Point{X: right, Y: at.Y - r})
	p.Arc(vg.Point{X: right, Y: at.Y}, r, -math.Pi/2, math.Pi)
	p.Line(vg.Point{X: left, Y: at.Y + r})
	p.Arc(vg.Point{X: left, Y: at.Y}, r, math.Pi/2, math.Pi)
	p.Close()
	return p
}

// drawDot draws a label as a dot, its name pointing away from the center.
func (g *graphPanel) drawDot(c draw.Canvas, i int, at, center vg.Point, k vg.Length) {
	sty := g.nameStyle(i, k)
	radius := sty.Font.Size * 0.35
	c.DrawGlyphNoClip(draw.GlyphStyle{Color: g.s.Ink, Radius: radius, Shape: draw.CircleGlyph{}}, at)
	angle := math.Atan2(float64(at.Y-center.Y), float64(at.X-center.X))
	out := radius * 2
	c.Push()
	c.Translate(at)
	if math.Cos(angle) < -1e-9 {
		c.Rotate(angle + math.Pi)
		sty.XAlign, out = draw.XRight, -out
	} else {
		c.Rotate(angle)
		sty.XAlign = draw.XLeft
	}
	drawText(c, sty, vg.Point{X: out, Y: -sty.Font.Size * 0.35}, g.names[i])
	c.Pop()
}

// weightStyle sets weights in a picture drawn at scale k.
func (g *graphPanel) weightStyle(k vg.Length) text.Style {
	sty := g.s.textStyle(0.85, g.s.Ink)
	sty.Font.Size *= k
	sty.XAlign = draw.XCenter
	return sty
}

// drawWeight writes a weight on its edge, on a patch of background.
func (g *graphPanel) drawWeight(c draw.Canvas, t edgeText, txt string, k vg.Length) {
	sty := g.weightStyle(k)
	c.SetColor(g.s.paper())
	c.Fill(pill(t.at, box{w: 2 * t.half.w, h: 2 * t.half.h}))
	drawText(c, sty, vg.Point{X: t.at.X, Y: t.at.Y - sty.Font.Size*0.35}, txt)
}
