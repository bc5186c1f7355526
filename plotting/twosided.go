package plotting

import (
	"math"

	"gonum.org/v1/plot"
)

// twoSidedLog is an axis for differences of very different sizes: logarithmic beyond its value on both sides of zero, linear between.
type twoSidedLog float64

// stretch maps a value: one unit from zero to where the axis turns logarithmic, then one for each factor of ten.
func (a twoSidedLog) stretch(v float64) float64 {
	if size := math.Abs(v) / float64(a); size > 1 {
		return math.Copysign(1+math.Log10(size), v)
	}
	return v / float64(a)
}

// Normalize implements plot.Normalizer.
func (a twoSidedLog) Normalize(lo, hi, v float64) float64 {
	return (a.stretch(v) - a.stretch(lo)) / (a.stretch(hi) - a.stretch(lo))
}

// Ticks implements plot.Ticker: zero and the powers of ten on both sides have labels.
func (a twoSidedLog) Ticks(lo, hi float64) []plot.Tick {
	ticks := []plot.Tick{}
	add := func(v float64, labeled bool) {
		if v < lo || v > hi {
			return
		}
		tick := plot.Tick{Value: v}
		if labeled {
			tick.Label = minus(shortNumber(v))
		}
		ticks = append(ticks, tick)
	}
	add(0, true)
	for power := float64(a); power <= math.Max(-lo, hi); power *= 10 {
		for m := 1.; m < 10; m++ {
			add(float64(m*power), m == 1)
			add(float64(-m*power), m == 1)
		}
	}
	return ticks
}

// twoSided gives the plots one axis of differences for all.
func twoSided(plots []*plot.Plot, linearTo float64) {
	axis := twoSidedLog(linearTo)
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, p := range plots {
		lo, hi = math.Min(lo, p.Y.Min), math.Max(hi, p.Y.Max)
	}
	for _, p := range plots {
		p.Y.Min, p.Y.Max, p.Y.Tick.Marker = lo, hi, axis
		bendAxis(&p.Y, axis)
	}
}
