package plotting

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"github.com/crank-ml/crank/crankpkg"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// LabelingScores is a bar chart of the scores of labelings.
type LabelingScores struct {
	Title string
	// Names are the labelings, such as "010".
	Names []string
	// Scores are score(x, y) of each labeling. Losses, if there, are
	// Delta(y, y^m), set on top: loss augmentation (eq. 1).
	Scores, Losses []float64
	// True is the position of the true labeling, -1 for none.
	True int
}

// ScoresOf returns the chart of some labelings with their losses. Without Losses it is that of the
// scores alone.
func ScoresOf(title string, labelings []crankpkg.Labeling, truth []uint8, score func(crankpkg.Labeling) float64) LabelingScores {
	l := LabelingScores{Title: title, True: -1}
	for k, y := range labelings {
		loss := y.Loss(truth)
		l.Names, l.Scores, l.Losses = append(l.Names, y.String()), append(l.Scores, score(y)), append(l.Losses, loss)
		if loss == 0 {
			l.True = k
		}
	}
	return l
}

// Figure draws the chart; the highest bar with and without losses is marked. It
// panics when the slices differ in length.
func (l LabelingScores) Figure() *Figure {
	s := theStyle()
	n := len(l.Names)
	if len(l.Scores) != n || l.Losses != nil && len(l.Losses) != n {
		panic(fmt.Sprintf("plotting: %d labelings, %d scores, %d losses", n, len(l.Scores), len(l.Losses)))
	}
	if n == 0 {
		return s.say(l.Title, "There are no labelings.")
	}
	p := s.newPlot("labeling $y$", "score")
	if l.Losses != nil {
		p.Y.Label.Text = "score + loss"
	}
	b := &bars{s: s, l: l, total: slices.Clone(l.Scores)}
	f := s.newFigure(p)
	f.Title = l.Title
	dropped := 0
	for i := range n {
		if l.Losses != nil {
			b.total[i] += l.Losses[i]
		}
		if !b.drawn(i) {
			dropped++
		}
	}
	b.best = argmaxOf(n, b.drawn, func(i int) float64 { return l.Scores[i] })
	b.bestTotal = argmaxOf(n, b.drawn, func(i int) float64 { return b.total[i] })
	if b.best < 0 {
		f := s.say(l.Title, "No score is finite.")
		f.addNotes(droppedNote(dropped, false))
		return f
	}
	p.Add(gridLines{style: s.gridStyle()}, b)
	p.X.Min, p.X.Max = -0.6, float64(n)-0.4
	finish(p, false, false)
	span := p.Y.Max - p.Y.Min
	p.Y.Max += float64(0.1 * span) // for the marks
	if p.Y.Min < 0 {
		p.Y.Min -= float64(0.1 * span)
	}
	s.nameTicks(&p.X, l.Names, n > 16)
	p.X.Width = 0
	if n > 40 {
		p.X.Tick.Marker = plot.ConstantTicks{}
		f.addNotes(fmt.Sprintf("The %d labelings are not named.", n))
	}
	f.setValue(0, b.values())
	f.addKey(KeyEntry{Name: "score", Fill: b.color(false)})
	if l.Losses != nil {
		f.addKey(KeyEntry{Name: "loss $Δ$", Fill: b.lossColor()})
	}
	if l.True >= 0 && l.True < n {
		f.addKey(KeyEntry{Name: "score of the true labeling", Fill: b.color(true)})
	}
	f.addKey(KeyEntry{Name: "highest score", Marker: b.mark(false)})
	if l.Losses != nil {
		f.addKey(KeyEntry{Name: "highest score + loss", Marker: b.mark(true)})
	}
	f.addNotes(droppedNote(dropped, false))
	return f
}

// argmaxOf returns which of n values is the largest of those that count, -1 if
// none do.
func argmaxOf(n int, counts func(int) bool, value func(int) float64) int {
	best := -1
	for i := range n {
		if counts(i) && (best < 0 || value(i) > value(best)) {
			best = i
		}
	}
	return best
}

// bars draws LabelingScores.
type bars struct {
	s               *Style
	l               LabelingScores
	total           []float64
	best, bestTotal int
}

// drawn reports whether labeling i has a bar.
func (b *bars) drawn(i int) bool {
	return plottable(b.l.Scores[i], false) && plottable(b.total[i], false)
}

func (b *bars) color(truth bool) color.Color {
	if truth {
		return b.s.Methods["Greedy"].Color
	}
	return b.s.Methods["Full"].Color
}

func (b *bars) lossColor() color.Color { return fade(b.s.Methods["CRANK"].Color, b.s.paper(), 0.35) }

func (b *bars) mark(total bool) draw.GlyphStyle {
	if total {
		return draw.GlyphStyle{Color: b.s.Methods["CRANK"].Color, Radius: 4, Shape: draw.PyramidGlyph{}}
	}
	return draw.GlyphStyle{Color: b.s.Ink, Radius: 3.5, Shape: draw.CircleGlyph{}}
}

// DataRange implements plot.DataRanger.
func (b *bars) DataRange() (xmin, xmax, ymin, ymax float64) {
	for i := range b.total {
		if b.drawn(i) {
			ymin, ymax = math.Min(ymin, math.Min(b.l.Scores[i], b.total[i])), math.Max(ymax, math.Max(b.l.Scores[i], b.total[i]))
		}
	}
	return 0, float64(len(b.total) - 1), ymin, ymax
}

// Plot implements plot.Plotter.
func (b *bars) Plot(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	rect := func(col color.Color, i int, left, right, from, to float64) {
		x := float64(i)
		fillRect(c, col, trX(x+left), trY(math.Min(from, to)), trX(x+right), trY(math.Max(from, to)))
	}
	for i, score := range b.l.Scores {
		if !b.drawn(i) {
			continue
		}
		if b.l.Losses == nil {
			rect(b.color(i == b.l.True), i, -0.36, 0.36, 0, score)
			continue
		}
		rect(b.color(i == b.l.True), i, -0.4, 0, 0, score) // the loss goes on where the score ends, beside it
		rect(b.lossColor(), i, 0, 0.4, score, b.total[i])
	}
	c.StrokeLine2(draw.LineStyle{Color: b.s.Ink, Width: 0.8}, c.Min.X, trY(0), c.Max.X, trY(0))
	for i, score := range b.l.Scores { // a score of zero is its piece of the line
		if y := trY(0); b.drawn(i) && math.Abs(float64(trY(score)-y)) < 1 {
			left, right := -0.36, 0.36
			if b.l.Losses != nil {
				left, right = -0.4, 0
			}
			fillRect(c, b.color(i == b.l.True), trX(float64(i)+left), y-0.5, trX(float64(i)+right), y+0.5)
		}
	}
	above := func(x, v float64, sty draw.GlyphStyle) {
		c.DrawGlyphNoClip(sty, vg.Point{X: trX(x), Y: trY(math.Max(v, 0)) + 7})
	}
	if b.l.Losses == nil {
		above(float64(b.best), b.l.Scores[b.best], b.mark(false))
		return
	}
	above(float64(b.best)-0.2, b.l.Scores[b.best], b.mark(false)) // each over its own bar
	if b.bestTotal >= 0 {
		above(float64(b.bestTotal)+0.2, b.total[b.bestTotal], b.mark(true))
	}
}
