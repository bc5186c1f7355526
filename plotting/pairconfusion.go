package plotting

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// PairConfusion compares how often pairs of labels occur together in the truth
// and in predictions, both examples by labels, row after row, each value 0 or
// 1. At the left is a matrix with the truth below the diagonal and the
// predictions above it: a good predictor makes it symmetric. At the right is a
// point for each pair; a good predictor puts all on the diagonal. It panics when
// the lengths do not fit.
func PairConfusion(names []string, truth, predicted []uint8) *Figure {
	s := theStyle()
	n := len(names)
	if n < 2 || len(truth) == 0 {
		return s.say("Pairs of labels", "There are no pairs to compare.")
	}
	if len(truth) != len(predicted) || len(truth)%n != 0 {
		panic(fmt.Sprintf("plotting: %d true and %d predicted values of %d labels", len(truth), len(predicted), n))
	}
	clean, notes := cleanNames(names)
	a, b := together(n, truth), together(n, predicted)
	most := 0.0
	m := &pairMatrix{s: s, n: n, share: make([]float64, n*n)}
	var points plotter.XYs
	for i := range n {
		for j := range i {
			m.share[i*n+j], m.share[j*n+i] = a[i*n+j], b[i*n+j]
			most = math.Max(most, math.Max(a[i*n+j], b[i*n+j]))
			points = append(points, plotter.XY{X: 100 * a[i*n+j], Y: 100 * b[i*n+j]})
		}
	}
	m.most = most

	matrix := s.newPlot("", "")
	matrix.Title.Text = "truth below, predictions above the diagonal"
	matrix.Add(m, colorScale{s: s, colors: s.intensity(), max: 100 * most})
	matrix.X.Min, matrix.X.Max, matrix.Y.Min, matrix.Y.Max = -0.5, float64(n)-0.5, -0.5, float64(n)-0.5
	reversed := make([]string, n) // the first label stands at the top
	for i := range n {
		reversed[n-1-i] = clean[i]
	}
	s.matrixNames(matrix, clean, reversed)

	scatter := s.newPlot("together in the truth, % of examples", "together in the predictions, %")
	scatter.Title.Text = "each pair"
	scatter.Add(gridLines{style: s.gridStyle(), vertical: true})
	end := math.Max(float64(105*most), 1)
	scatter.Add(series{XYs: plotter.XYs{{X: 0, Y: 0}, {X: end, Y: end}}, line: draw.LineStyle{Color: s.Faint, Width: 1, Dashes: dashed}})
	scatter.Add(series{XYs: points, marker: draw.GlyphStyle{Color: s.Positive, Radius: 2.6, Shape: draw.CircleGlyph{}}})
	finish(scatter, false, false)

	f := s.newFigure(matrix, scatter)
	f.Title, f.Columns = "Pairs of labels", 2
	f.Width = 9.6 * vg.Inch
	f.Height = 4.6 * vg.Inch
	f.addNotes(notes...)
	if n > mostNamesOnAxis {
		f.addNotes(fmt.Sprintf("There are %d labels: the axes name every %dth.", n, nameStep(n)))
	}
	return f
}

// together returns, at [i*n+j], the share of the examples with labels i and j.
func together(n int, y []uint8) []float64 {
	share := make([]float64, n*n)
	rows := len(y) / n
	for m := range rows {
		row := y[m*n : (m+1)*n]
		for i, vi := range row {
			if vi == 0 {
				continue
			}
			for j, vj := range row {
				if vj != 0 {
					share[i*n+j]++
				}
			}
		}
	}
	for k := range share {
		share[k] /= float64(rows)
	}
	return share
}

const mostNamesOnAxis = 40

// nameStep returns 1 if the names of n labels fit on an axis, else every how
// many-th is shown.
func nameStep(n int) int { return (n + mostNamesOnAxis - 1) / mostNamesOnAxis }

// matrixNames names the columns and rows of a matrix, smaller if they are many.
func (s *Style) matrixNames(p *plot.Plot, columns, rows []string) {
	n := len(columns)
	s.nameTicks(&p.X, columns, false)
	s.nameTicks(&p.Y, rows, false)
	p.X.Tick.Length = 8
	p.X.Tick.Label.Rotation = math.Pi / 2
	p.X.Tick.Label.XAlign, p.X.Tick.Label.YAlign = draw.XRight, -0.35
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Tick.Label.Handler = plainText{}
		if n > 16 {
			a.Tick.Label.Font.Size *= 0.7
		}
		a.Width, a.Padding = 0, 0
		ticks := a.Tick.Marker.(plot.ConstantTicks)
		for k := range ticks {
			ticks[k].Label = shorten(ticks[k].Label, 16)
			if k%nameStep(n) != 0 {
				ticks[k].Label = ""
			}
		}
	}
}

// pairMatrix draws n x n cells, the first row at the top.
type pairMatrix struct {
	s     *Style
	n     int
	share []float64
	most  float64
}

// Plot implements plot.Plotter.
func (m *pairMatrix) Plot(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	gap := min(vg.Length(0.7), (c.Max.X-c.Min.X)/vg.Length(12*m.n))
	colors := m.s.intensity()
	for i := range m.n {
		for j := range m.n {
			col := fade(m.s.Faint, m.s.paper(), 0.6) // the diagonal is no pair
			if i != j {
				col = colors.at(m.share[i*m.n+j] / math.Max(m.most, 1e-300))
			}
			x, y := float64(j), float64(m.n-1-i)
			fillRect(c, col, trX(x-0.5)+gap, trY(y-0.5)+gap, trX(x+0.5)-gap, trY(y+0.5)-gap)
		}
	}
}
