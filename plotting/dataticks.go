package plotting

import (
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"gonum.org/v1/plot"
)

// dataTicks returns ticks at the x values of the lines where these are few and have short names: such as sizes of training sets, weights
// 0.5, 1, 2, 4 on a logarithmic axis, and whole numbers on another. Corners of lines without marks, as of functions, are not data.
func (cu Curves) dataTicks() plot.Ticker {
	const least, most = 3, 8
	var seen []float64
	for _, l := range cu.Lines {
		if l.XYs == nil {
			continue
		}
		if l.NoMarkers && !cu.LogX {
			return nil
		}
		for i := range l.XYs.Len() {
			x, _ := l.XYs.XY(i)
			if !plottable(x, cu.LogX) || tickName(x) == "" || !cu.LogX && x != math.Round(x) {
				return nil
			}
			seen = append(seen, x)
		}
	}
	slices.Sort(seen)
	seen = slices.Compact(seen)
	if len(seen) > most || len(seen) < least {
		return nil
	}
	ticks := make(plot.ConstantTicks, len(seen))
	for k, x := range seen {
		ticks[k] = plot.Tick{Value: x, Label: tickName(x)}
	}
	dropCrowded(ticks, cu.LogX)
	return ticks
}

// tickName returns a number with all its digits, or nothing where they are many.
func tickName(x float64) string {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 3, 64), 64)
	if math.Abs(x) >= 1e6 || math.Abs(x) < 1e-3 && x != 0 || x != math.Round(x) && !same(x, rounded) {
		return ""
	}
	if x != math.Round(x) {
		x = rounded
	}
	return minus(strconv.FormatFloat(x, 'f', -1, 64))
}

// dropCrowded drops labels that would touch the next one.
func dropCrowded(ticks plot.ConstantTicks, log bool) {
	const letter, space = 0.02, 0.01 // of the axis
	apart := func(i, j int) float64 {
		if log {
			return math.Log(ticks[j].Value / ticks[i].Value)
		}
		return ticks[j].Value - ticks[i].Value
	}
	next := len(ticks) - 1
	span := apart(0, next)
	for k := next - 1; k >= 0; k-- {
		letters := float64(utf8.RuneCountInString(ticks[k].Label)+utf8.RuneCountInString(ticks[next].Label)) / 2
		if apart(k, next)/span < float64(letters*letter)+space {
			ticks[k].Label = ""
			continue
		}
		next = k
	}
}
