package plotting

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Anytime is a picture of searches that can be stopped at any time: the best value so far
// against time, or against the number of trainings, with a dot for each training.
type Anytime struct {
	Title, XLabel, YLabel string
	Searches              []SearchRun
	SmallerIsBetter       bool
	LogX                  bool
}

// SearchRun is one search: what it has found, and when.
type SearchRun struct {
	Name       string
	At, Values []float64
}

// Figure draws the searches; each line goes on to where the last search ends. It panics when
// a search has not as many times as values.
func (a Anytime) Figure() *Figure {
	s := theStyle()
	p := s.newPlot(a.XLabel, a.YLabel)
	p.Add(gridLines{style: s.gridStyle()})
	f := s.newFigure(p)
	f.Title = a.Title
	names := make([]string, len(a.Searches))
	runs, dropped := make([]plotter.XYs, len(a.Searches)), 0
	end := math.Inf(-1)
	for k, run := range a.Searches {
		if len(run.At) != len(run.Values) {
			panic(fmt.Sprintf("plotting: %d times of %d values", len(run.At), len(run.Values)))
		}
		names[k] = run.Name
		points, d := newSeries(run.At, run.Values, a.LogX, false)
		dropped += d
		sort.SliceStable(points.XYs, func(i, j int) bool { return points.XYs[i].X < points.XYs[j].X })
		runs[k] = points.XYs
		if n := len(points.XYs); n > 0 {
			end = math.Max(end, points.XYs[n-1].X)
		}
	}
	looks := s.methodStyles(names)
	for k, points := range runs {
		if len(points) == 0 {
			continue
		}
		dot := draw.GlyphStyle{Color: fade(looks[k].Color, s.paper(), 0.6), Radius: 1.8, Shape: draw.CircleGlyph{}}
		p.Add(series{XYs: points, marker: dot})
	}
	for k, points := range runs {
		if len(points) == 0 {
			continue
		}
		p.Add(series{XYs: a.best(points, end), line: looks[k].line()})
		f.addKey(KeyEntry{Name: names[k], Line: looks[k].line()})
	}
	if math.IsInf(end, -1) {
		f = s.say(a.Title, "No search has found anything.")
	} else {
		f.addKey(KeyEntry{Name: "each training", Marker: draw.GlyphStyle{Color: fade(s.Ink, s.paper(), 0.5), Radius: 1.8, Shape: draw.CircleGlyph{}}})
	}
	finish(p, a.LogX, false)
	all := slices.Concat(runs...)
	makeRoom(p, markRoom, all, markRoom, all)
	f.setValue(0, a.found(names, runs))
	f.addNotes(droppedNote(dropped, a.LogX))
	return f
}

// best returns the steps of the best value so far, up to the end.
func (a Anytime) best(points plotter.XYs, end float64) (steps plotter.XYs) {
	best := points[0].Y
	for _, v := range points {
		if a.SmallerIsBetter == (v.Y < best) && v.Y != best || len(steps) == 0 {
			steps = append(steps, plotter.XY{X: v.X, Y: best}, v)
			best = v.Y
		}
	}
	return append(steps, plotter.XY{X: end, Y: best})
}

// Scatter is a picture of points in groups, such as the trainings of a sweep by two measures.
type Scatter struct {
	Title, XLabel, YLabel string
	Groups                []ScatterGroup
	LogX, LogY            bool
	// Diagonal, if there, is the name of the line of equal values, and draws it; both axes
	// then have one range.
	Diagonal string
}

// ScatterGroup is a group of points of one look. A group that bears the name of a method has
// its color and marker.
type ScatterGroup struct {
	Name string
	XYs  plotter.XYer
	// Labels, if there, are written beside the points; most are better left empty.
	Labels []string
}

// Figure draws the points. It panics when a group has labels and points in different numbers.
func (sc Scatter) Figure() *Figure {
	s := theStyle()
	p := s.newPlot(sc.XLabel, sc.YLabel)
	p.Add(gridLines{style: s.gridStyle(), vertical: true})
	f := s.newFigure(p)
	f.Title = sc.Title
	names := make([]string, len(sc.Groups))
	for k, g := range sc.Groups {
		names[k] = g.Name
	}
	looks := s.methodStyles(names)
	drawn, dropped := 0, 0
	groups := make([]labeledPoints, len(sc.Groups))
	var all plotter.XYs
	for k, g := range sc.Groups {
		if g.XYs == nil {
			continue
		}
		if n := g.XYs.Len(); g.Labels != nil && len(g.Labels) != n {
			panic(fmt.Sprintf("plotting: %d labels of %d points", len(g.Labels), n))
		}
		points := labeledPoints{s: s, series: series{marker: looks[k].glyph()}}
		points.marker.Radius = vg.Points(3)
		for i := range g.XYs.Len() {
			x, y := g.XYs.XY(i)
			if !plottable(x, sc.LogX) || !plottable(y, sc.LogY) {
				dropped++
				continue
			}
			label := ""
			if g.Labels != nil {
				label = shorten(g.Labels[i], longestName)
			}
			points.XYs, points.labels = append(points.XYs, plotter.XY{X: x, Y: y}), append(points.labels, label)
		}
		drawn += len(points.XYs)
		groups[k], all = points, append(all, points.XYs...)
		p.Add(points)
		if g.Name != "" {
			f.addKey(KeyEntry{Name: g.Name, Marker: points.marker})
		}
	}
	if drawn == 0 {
		f = s.say(sc.Title, "There are no points to draw.")
	}
	if sc.Diagonal != "" && drawn > 0 {
		line := draw.LineStyle{Color: s.Faint, Width: vg.Points(1.2), Dashes: dashed}
		p.Add(diagonal{line})
		f.addKey(KeyEntry{Name: sc.Diagonal, Line: line})
		p.X.Min = math.Min(p.X.Min, p.Y.Min)
		p.X.Max = math.Max(p.X.Max, p.Y.Max)
		p.Y.Min, p.Y.Max = p.X.Min, p.X.Max
	}
	finish(p, sc.LogX, sc.LogY)
	if sc.Diagonal == "" { // no point is on an axis
		widen(&p.X, sc.LogX)
		widen(&p.Y, sc.LogY)
	} else if drawn > 0 {
		evenRoom(p, all)
	}
	f.setValue(0, sc.values(groups))
	f.addNotes(droppedNote(dropped, sc.LogX || sc.LogY))
	return f
}

// diagonal is the line of equal values.
type diagonal struct{ line draw.LineStyle }

// Plot implements plot.Plotter.
func (d diagonal) Plot(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	low, high := math.Max(p.X.Min, p.Y.Min), math.Min(p.X.Max, p.Y.Max)
	if low < high {
		c.StrokeLine2(d.line, trX(low), trY(low), trX(high), trY(high))
	}
}
