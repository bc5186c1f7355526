package plotting

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

// markRoom is the share of an axis that goes on beyond a mark or an error bar at its end: about half a mark of a small panel.
const markRoom = 0.02

// inner is a scale that knows where the data ends on an axis that goes on for the marks at its ends.
type inner struct {
	plot.Normalizer
	min, max   float64 // of the data
	from, upTo float64 // of the axis
}

// extend lets an axis go on by a share at each end, and remembers where the data ends.
func extend(a *plot.Axis, low, high float64) {
	if low == 0 && high == 0 {
		return
	}
	in := inner{Normalizer: a.Scale, min: a.Min, max: a.Max}
	if isLog(a) {
		ratio := a.Max / a.Min
		a.Min, a.Max = a.Min/math.Pow(ratio, low), float64(a.Max*math.Pow(ratio, high))
	} else {
		span := a.Max - a.Min
		a.Min, a.Max = a.Min-float64(low*span), a.Max+float64(high*span)
	}
	in.from, in.upTo = a.Min, a.Max
	a.Scale = in
}

// ends returns where an axis ends or, where it goes on for marks alone, where the data does.
func ends(a *plot.Axis) (lo, hi float64) {
	lo, hi = a.Min, a.Max
	if in, ok := a.Scale.(inner); ok {
		if lo == in.from {
			lo = in.min
		}
		if hi == in.upTo {
			hi = in.max
		}
	}
	if _, whole := a.Tick.Marker.(integerTicks); whole {
		lo, hi = math.Ceil(lo-1e-9), math.Floor(hi+1e-9)
	}
	return lo, hi
}

// isLog tells whether an axis is logarithmic.
func isLog(a *plot.Axis) bool {
	scale := a.Scale
	if in, ok := scale.(inner); ok {
		scale = in.Normalizer
	}
	if m, ok := scale.(middled); ok {
		scale = m.Normalizer
	}
	_, log := scale.(plot.LogScale)
	return log
}

// roomAt returns the shares by which an axis has to go on at its ends: the given one where some of the marks would lie on the end, else
// none. Place tells from where to where on the axis, of 0 to 1, a mark is.
func roomAt(share float64, marks plotter.XYs, place func(at plotter.XY) (least, most float64)) (low, high float64) {
	for _, at := range marks {
		least, most := place(at)
		if least < share {
			low = share
		}
		if most > 1-share {
			high = share
		}
	}
	return low, high
}

// evenRoom is makeRoom for axes with one range, which they keep.
func evenRoom(p *plot.Plot, marks plotter.XYs) {
	low, high := roomAt(markRoom, marks, func(at plotter.XY) (least, most float64) {
		x, y := p.X.Norm(at.X), p.Y.Norm(at.Y)
		return math.Min(x, y), math.Max(x, y)
	})
	extend(&p.X, low, high)
	extend(&p.Y, low, high)
}

// roomForMarks is makeRoom for the small marks of some lines.
func roomForMarks(p *plot.Plot, lines []named) {
	var marks plotter.XYs
	for _, l := range lines {
		if l.marker.Shape != nil {
			marks = append(marks, l.XYs...)
		}
	}
	makeRoom(p, markRoom/2, marks, markRoom/2, marks)
}

// makeRoom lets the axes of a plot whose ranges are settled go on by a share where some of the marks would lie on their ends: that of x
// for the first marks, that of y for the second.
func makeRoom(p *plot.Plot, shareX float64, alongX plotter.XYs, shareY float64, alongY plotter.XYs) {
	left, right := roomAt(shareX, alongX, func(at plotter.XY) (least, most float64) { return p.X.Norm(at.X), p.X.Norm(at.X) })
	below, above := roomAt(shareY, alongY, func(at plotter.XY) (least, most float64) { return p.Y.Norm(at.Y), p.Y.Norm(at.Y) })
	extend(&p.X, left, right)
	extend(&p.Y, below, above)
}
