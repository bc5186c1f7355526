package plotting

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/crank-ml/crank/crankpkg/experiment"
	"github.com/crank-ml/crank/crankpkg/metrics"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Forest is a picture of paired differences: a line for each, with its interval, beside zero,
// and the numbers at the right. Package significance makes such differences, and so does
// experiment.Table.Compare.
type Forest struct {
	Title, XLabel string
	// Labels name the Differences, from above.
	Labels      []string
	Differences []metrics.Difference
	// Corrected, where not nil, has the p-values after a correction for the whole family. The
	// table shows them beside those of each difference by itself; NaN is one that is not known.
	Corrected []float64
}

// Differences returns the comparisons of an experiment in one measure, to be drawn or shown as
// a table.
func Differences(all []experiment.Comparison, m metrics.Measure) Forest {
	fo := Forest{XLabel: m.Label() + ", points"}
	for _, c := range all {
		if c.Measure == m {
			fo.Labels = append(fo.Labels, fmt.Sprintf("%s: %s − %s", c.Set, c.A, c.B))
			fo.Differences = append(fo.Differences, c.Difference)
			fo.Corrected = append(fo.Corrected, corrected(c.Difference, c.Corrected))
		}
	}
	return fo
}

// Effects returns the effects of the settings of a sweep on a measure, to be drawn or shown as a
// table.
func Effects(effects []experiment.Effect, m metrics.Measure) Forest {
	fo := Forest{XLabel: m.Label() + ", points"}
	for _, e := range effects {
		fo.Labels = append(fo.Labels, e.Label)
		fo.Differences = append(fo.Differences, e.Difference)
		fo.Corrected = append(fo.Corrected, corrected(e.Difference, e.Corrected))
	}
	return fo
}

// corrected returns NaN for what is no corrected p-value, in a difference made by hand: a correction makes none smaller.
func corrected(d metrics.Difference, p float64) float64 {
	if !(p >= d.P) {
		return math.NaN()
	}
	return p
}

// forestRow is the height of a line.
const forestRow = vg.Length(21)

// headed returns the labels with the headings that stand over several of them, as in "scene: A − B":
// lines from above with what they say, and whether a line is a heading.
func (fo Forest) headed() (lines []string, heading []bool) {
	var groups []string
	for _, label := range fo.Labels {
		group, _, ok := strings.Cut(label, ": ")
		if !ok {
			return slices.Clone(fo.Labels), make([]bool, len(fo.Labels))
		}
		if len(groups) == 0 || groups[len(groups)-1] != group {
			groups = append(groups, group)
		}
	}
	if 2*len(groups) > len(fo.Labels) {
		return slices.Clone(fo.Labels), make([]bool, len(fo.Labels))
	}
	for k, label := range fo.Labels {
		group, rest, _ := strings.Cut(label, ": ")
		if k == 0 || !strings.HasPrefix(fo.Labels[k-1], group+": ") {
			lines, heading = append(lines, group), append(heading, true)
		}
		lines, heading = append(lines, rest), append(heading, false)
	}
	return lines, heading
}

// Figure draws the differences. An interval that leaves zero out has a filled marker, in the
// color of its sign, as the key says. It panics when there are not as many labels as differences.
func (fo Forest) Figure() *Figure {
	s := theStyle()
	fo.check()
	if len(fo.Labels) == 0 {
		return s.say(fo.Title, "There are no differences.")
	}
	p := s.newPlot(fo.XLabel, "")
	f := s.newFigure(p)
	f.Title = fo.Title
	lines, heading := fo.headed()
	for k, line := range lines {
		lines[k] = withMinus(line)
	}
	names, notes := cutNames(lines, 2*longestName) // each tells two things apart
	f.addNotes(notes...)
	rows := forestRows{s: s, decimals: fo.decimals()}
	var heights []float64 // of the differences: the axis goes up
	for k, name := range names {
		y := float64(len(names) - 1 - k)
		if heading[k] {
			rows.headings = append(rows.headings, forestHeading{name, y})
			names[k] = ""
			continue
		}
		heights = append(heights, y)
	}
	slices.Reverse(names)
	dropped := 0
	low, high := 0.0, 0.0
	for k, d := range fo.Differences {
		if !plottable(d.Mean, false) {
			dropped++
			continue
		}
		for _, v := range []float64{d.Mean, d.Low, d.High} {
			if plottable(v, false) {
				low, high = math.Min(low, v), math.Max(high, v)
			}
		}
		rows.rows = append(rows.rows, forestEntry{d, heights[k]})
	}
	if !hasLength(low, high) {
		low, high = low-1, high+1
	}
	span := high - low
	p.Add(rows)
	s.nameTicks(&p.Y, names, false)
	p.X.Min, p.X.Max = low-float64(0.04*span), high+float64(0.04*span)
	p.Y.Min, p.Y.Max = -0.6, float64(len(names))-0.4
	f.Width = 4.6*vg.Inch + s.widest(names) + rows.textWidth()
	f.addKey(rows.key()...)
	f.addNotes(fo.tests(), droppedNote(dropped, false))
	above, below := f.frame(f.Width, "")
	f.Height = forestRow*vg.Length(len(names)) + 64 + above + below
	f.Description = fo.describe()
	return f
}

func (fo Forest) check() {
	if len(fo.Labels) != len(fo.Differences) {
		panic(fmt.Sprintf("plotting: %d labels of %d differences", len(fo.Labels), len(fo.Differences)))
	}
	if fo.Corrected != nil && len(fo.Corrected) != len(fo.Differences) {
		panic(fmt.Sprintf("plotting: %d corrected p-values of %d differences", len(fo.Corrected), len(fo.Differences)))
	}
}

// widest returns the width of the widest name.
func (s *Style) widest(names []string) (width vg.Length) {
	for _, n := range names {
		width = max(width, s.nameStyle(1).Width(n))
	}
	return width
}

// tests tells which tests there were.
func (fo Forest) tests() string {
	var names []string
	for _, d := range fo.Differences {
		if d.Test != "" && !slices.Contains(names, d.Test) {
			names = append(names, d.Test)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "Intervals and p by: " + apart(names) + "."
}

// decimals returns how many decimals tell the intervals apart.
func (fo Forest) decimals() int {
	typical := 0.0
	for _, d := range fo.Differences {
		if length := d.High - d.Low; plottable(length, false) {
			typical = math.Max(typical, length)
		}
		if plottable(d.Mean, false) {
			typical = math.Max(typical, math.Abs(d.Mean))
		}
	}
	if typical == 0 {
		return 1
	}
	return int(math.Min(6, math.Max(0, 2-math.Floor(math.Log10(typical)))))
}

// withMinus writes "A - B" with a minus.
func withMinus(label string) string { return strings.ReplaceAll(label, " - ", " − ") }

// describe tells the differences to those who do not see them.
func (fo Forest) describe() string {
	const most = 12
	decimals := fo.decimals()
	var parts []string
	for k, d := range fo.Differences {
		if k == most {
			parts = append(parts, fmt.Sprintf("and %d more", len(fo.Labels)-most))
			break
		}
		parts = append(parts, fmt.Sprintf("%s: %s", spoken(withMinus(fo.Labels[k])), differenceText(d, decimals)))
	}
	return sentences(spoken(fo.Title), "Differences with intervals: "+strings.Join(parts, "; "), fo.tests())
}

// differenceText returns a difference as in "+1.20 [0.15, 2.31], p = 0.025".
func differenceText(d metrics.Difference, decimals int) string {
	return fmt.Sprintf("%s %s, %s", signed(d.Mean, decimals), intervalText(d, decimals), pText(d.P))
}

// signed writes a number with its sign, zero and what rounds to it without one.
func signed(v float64, decimals int) string {
	text := decimal(v, decimals)
	if v > 0 && strings.Trim(text, "0.") != "" {
		text = "+" + text
	}
	return text
}

func decimal(v float64, decimals int) string {
	switch {
	case math.IsInf(v, 1):
		return "∞"
	case math.IsInf(v, -1):
		return "−∞"
	case math.Abs(v) >= 1e9:
		return minus(strconv.FormatFloat(v, 'e', 1, 64))
	}
	text := strconv.FormatFloat(v, 'f', decimals, 64)
	if strings.Trim(text, "-0.") == "" {
		text = strings.TrimPrefix(text, "-")
	}
	return minus(text)
}

func intervalText(d metrics.Difference, decimals int) string {
	if math.IsNaN(d.Low) || math.IsNaN(d.High) {
		return "no interval"
	}
	return "[" + decimal(d.Low, decimals) + ", " + decimal(d.High, decimals) + "]"
}

func pText(p float64) string {
	switch {
	case math.IsNaN(p):
		return "no p"
	case p < 0.0001:
		return "p < 0.0001"
	case p < 0.001:
		return "p = " + strconv.FormatFloat(p, 'f', 4, 64)
	}
	return "p = " + strconv.FormatFloat(p, 'f', 3, 64)
}

// forestEntry is a difference at its height.
type forestEntry struct {
	metrics.Difference
	y float64
}

// forestHeading stands over the differences below it.
type forestHeading struct {
	text string
	y    float64
}

// forestRows draws the lines of a Forest and their numbers.
type forestRows struct {
	s        *Style
	rows     []forestEntry
	headings []forestHeading
	decimals int
}

func (r forestRows) columns(d metrics.Difference) [3]string {
	return [3]string{signed(d.Mean, r.decimals), intervalText(d, r.decimals), pText(d.P)}
}

const forestGap = vg.Length(10) // between columns of numbers

func (r forestRows) widths() (widths [3]vg.Length) {
	sty := r.s.textStyle(0.9, nil)
	for _, row := range r.rows {
		for k, txt := range r.columns(row.Difference) {
			widths[k] = max(widths[k], sty.Width(txt))
		}
	}
	return widths
}

func (r forestRows) textWidth() vg.Length {
	w := r.widths()
	return w[0] + w[1] + w[2] + 3*forestGap
}

// GlyphBoxes implements plot.GlyphBoxer: it keeps room for the numbers.
func (r forestRows) GlyphBoxes(*plot.Plot) []plot.GlyphBox {
	return []plot.GlyphBox{{X: 1, Y: 0.5, Rectangle: vg.Rectangle{Max: vg.Point{X: r.textWidth()}}}}
}

// Plot implements plot.Plotter.
func (r forestRows) Plot(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	zero := draw.LineStyle{Color: r.s.Ink, Width: vg.Points(0.8), Dashes: shortDash}
	c.StrokeLine2(zero, trX(0), c.Min.Y, trX(0), c.Max.Y)
	for _, h := range r.headings {
		band := fade(r.s.Faint, r.s.paper(), 0.88)
		half := forestRow * 0.42
		fillRect(c, band, c.Min.X, trY(h.y)-half, c.Max.X+r.textWidth(), trY(h.y)+half)
		sty := r.s.bold(1)
		sty.XAlign = text.XLeft
		drawText(c, sty, vg.Point{X: c.Min.X + 6, Y: trY(h.y) - r.s.TextSize*0.35}, h.text)
	}
	widths := r.widths()
	for _, row := range r.rows {
		y := trY(row.y)
		marker := r.marker(sideOf(row.Difference))
		r.interval(c, marker.Color, row.Difference, trX, y)
		c.DrawGlyph(marker, vg.Point{X: trX(row.Mean), Y: y})
		x := c.Max.X
		for k, txt := range r.columns(row.Difference) {
			sty := r.s.textStyle(0.9, r.s.Ink)
			sty.XAlign = text.XRight
			x += forestGap + widths[k]
			drawText(c, sty, vg.Point{X: x, Y: y - r.s.TextSize*0.3}, txt)
		}
	}
}

// key tells the looks that there are.
func (r forestRows) key() (key []KeyEntry) {
	for k, name := range []string{"above zero", "below zero", "with zero"} {
		side := []int{1, -1, 0}[k]
		if slices.ContainsFunc(r.rows, func(e forestEntry) bool { return sideOf(e.Difference) == side }) {
			key = append(key, KeyEntry{Name: name, Marker: r.marker(side)})
		}
	}
	if len(key) > 0 {
		key[0].Name = "interval " + key[0].Name
	}
	return key
}

// sideOf returns the sign of an interval that leaves zero out, else 0.
func sideOf(d metrics.Difference) int {
	switch {
	case d.Low > 0:
		return 1
	case d.High < 0:
		return -1
	}
	return 0
}

// marker returns that of differences whose intervals are on a side of zero; lines have its color.
func (r forestRows) marker(side int) draw.GlyphStyle {
	marker := draw.GlyphStyle{Color: r.s.Positive, Radius: 4, Shape: draw.BoxGlyph{}}
	switch side {
	case -1:
		marker.Color = r.s.Negative
	case 0:
		marker.Color, marker.Shape = r.s.Faint, heavy{draw.SquareGlyph{}}
	}
	return marker
}

// interval draws an interval, with an arrow where it goes on.
func (r forestRows) interval(c draw.Canvas, look color.Color, d metrics.Difference, trX func(float64) vg.Length, y vg.Length) {
	line := draw.LineStyle{Color: look, Width: vg.Points(1.4)}
	const tip = vg.Length(4)
	end := func(v float64, edge, inwards vg.Length) vg.Length {
		if !plottable(v, false) {
			c.StrokeLines(line, []vg.Point{{X: edge + inwards*tip, Y: y + tip}, {X: edge, Y: y}, {X: edge + inwards*tip, Y: y - tip}})
			return edge
		}
		x := trX(v)
		c.StrokeLine2(line, x, y-tip, x, y+tip)
		return x
	}
	if math.IsNaN(d.Low) || math.IsNaN(d.High) {
		return
	}
	from, to := end(d.Low, c.Min.X, 1), end(d.High, c.Max.X, -1)
	c.StrokeLine2(line, from, y, to, y)
}
