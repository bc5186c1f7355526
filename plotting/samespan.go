package plotting

import "math"

// SameSpan gives the vertical axes of figures one length, the longest that one of them has and at least the given one, each about
// its own middle. Panels of one unit at different levels then show a difference of one size at one size, and small ones are not
// blown up. It is for linear axes, and leaves drawings alone that are no figures.
func SameSpan(least float64, drawings ...Drawing) {
	var axes []*axisRange
	span := least
	for _, d := range drawings {
		f, ok := d.(*Figure)
		if !ok {
			continue
		}
		for _, p := range f.Plots() {
			a := &axisRange{&p.Y.Min, &p.Y.Max}
			if length := a.length(); !math.IsNaN(length) && !math.IsInf(length, 0) {
				axes, span = append(axes, a), math.Max(span, length)
			}
		}
	}
	for _, a := range axes {
		middle := *a.min + float64(a.length()/2)
		*a.min, *a.max = middle-float64(span/2), middle+float64(span/2)
	}
}

// axisRange is the range of an axis, to be changed.
type axisRange struct{ min, max *float64 }

func (a *axisRange) length() float64 { return *a.max - *a.min }
