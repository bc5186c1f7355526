package plotting

import (
	"math"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/crossval"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"
)

// ValidationCurve draws how lambda was chosen: the criterion against lambda
// with standard errors over the folds, one line for each scaling that was
// tried, and the chosen lambda. A ring is around points where a fold's training
// stopped short of its gap.
func ValidationCurve(sel *crossval.Selection) *Figure {
	if sel == nil || len(sel.Curve) == 0 {
		return theStyle().say("Validation", "Nothing was validated.")
	}
	v := Validation{
		Title:  joinTitle("Validation", sel.Method),
		YLabel: sel.Criterion.Label() + ", %",
	}
	if sel.Chosen >= 0 && sel.Chosen < len(sel.Curve) {
		v.Chosen = sel.Lambda()
	}
	for k, p := range sel.Curve {
		if k == 0 || p.Scaling != sel.Curve[k-1].Scaling {
			v.Lines = append(v.Lines, Line{Name: scalingName(p.Scaling), XYs: plotter.XYs{}})
		}
		l := &v.Lines[len(v.Lines)-1]
		mean, stdErr := p.Of(sel.Criterion)
		l.XYs = append(l.XYs.(plotter.XYs), plotter.XY{X: p.Lambda, Y: mean})
		l.Err, l.Ringed = append(l.Err, stdErr), append(l.Ringed, p.Short > 0)
	}
	if len(v.Lines) == 1 {
		v.Lines[0].Name = ""
	}
	return v.Figure()
}

func scalingName(s crankpkg.Scaling) string {
	if s == crankpkg.NoScaling {
		return "raw"
	}
	return string(s)
}

// Validation is a picture of a measure against lambda.
type Validation struct {
	Title, YLabel string
	Lines         []Line // y against lambda, with standard errors in Err
	// SmallerIsBetter says which way the measure is good.
	SmallerIsBetter bool
	// Chosen is the lambda that was chosen; zero for none.
	Chosen float64
}

// Figure draws the lines, the level one standard error from the best point, and
// the chosen lambda. It panics as Curves does.
func (v Validation) Figure() *Figure {
	s := theStyle()
	cu := Curves{Title: v.Title, XLabel: "$λ$", YLabel: v.YLabel, LogX: true, Lines: v.Lines, Ring: "a training stopped short of its gap"}
	var key []KeyEntry
	if y, name, ok := v.level(); ok {
		line := draw.LineStyle{Color: s.Faint, Width: 1, Dashes: dashed}
		cu.behind = append(cu.behind, level{y: y, line: line})
		key = append(key, KeyEntry{Name: name, Line: line})
	}
	if plottable(v.Chosen, true) {
		mark := draw.LineStyle{Color: s.Methods["CRANK"].Color, Width: 1.6, Dashes: dotted}
		cu.behind = append(cu.behind, upright{x: v.Chosen, line: mark})
		key = append(key, KeyEntry{Name: "chosen: $λ$ = " + shortNumber(v.Chosen), Line: mark})
	}
	f := cu.Figure()
	if len(f.Plots()) > 0 {
		f.addKey(key...)
	}
	return f
}

// level returns the best mean, worse by its standard error.
func (v Validation) level() (y float64, name string, ok bool) {
	best, sign := math.Inf(-1), 1.0
	name = "best mean − one standard error"
	if v.SmallerIsBetter {
		sign, name = -1, "best mean + one standard error"
	}
	for _, l := range v.Lines {
		if l.XYs == nil || len(l.Err) != l.XYs.Len() {
			continue
		}
		for i := range l.XYs.Len() {
			x, mean := l.XYs.XY(i)
			if !plottable(x, true) || !plottable(mean, false) || !plottable(l.Err[i], false) {
				continue
			}
			if sign*mean > best {
				best, y, ok = sign*mean, mean-sign*l.Err[i], true
			}
		}
	}
	return y, name, ok
}

// pairs is a plotter.XYer over two slices.
type pairs struct{ x, y []float64 }

func (p pairs) Len() int                { return min(len(p.x), len(p.y)) }
func (p pairs) XY(i int) (x, y float64) { return p.x[i], p.y[i] }

// level is a line across the plot.
type level struct {
	y    float64
	line draw.LineStyle
}

func (l level) Plot(c draw.Canvas, p *plot.Plot) {
	_, trY := p.Transforms(&c)
	if y := trY(l.y); c.ContainsY(y) {
		c.StrokeLine2(l.line, c.Min.X, y, c.Max.X, y)
	}
}

// upright is a line from bottom to top.
type upright struct {
	x    float64
	line draw.LineStyle
}

func (u upright) Plot(c draw.Canvas, p *plot.Plot) {
	trX, _ := p.Transforms(&c)
	if x := trX(u.x); c.ContainsX(x) {
		c.StrokeLine2(u.line, x, c.Min.Y, x, c.Max.Y)
	}
}
