package plotting

import (
	"fmt"
	"math"

	"github.com/crank-ml/crank/crankpkg"
	"gonum.org/v1/plot/plotter"
)

// mostNamed is how many of the named values of a picture are told.
const mostNamed = 14

// values says what the names have in each group.
func (d DotPlot) values() string {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, g := range d.Groups {
		for _, v := range g.Values {
			if plottable(v, d.LogX) {
				lo, hi = math.Min(lo, v), math.Max(hi, v)
			}
		}
	}
	text := inSpan(hi-lo, d.LogX)
	var words []string
	for i, name := range d.Names {
		var own []string
		for _, g := range d.Groups {
			if v := g.Values[i]; plottable(v, d.LogX) {
				own = append(own, text(v)+inBrackets(g.Name, len(d.Groups) > 1))
			}
		}
		if len(own) > 0 {
			words = append(words, spoken(name+": "+apart(own)))
		}
	}
	return listedTo(mostNamed, words)
}

// inBrackets returns a name in brackets after a value, where it tells anything.
func inBrackets(name string, tells bool) string {
	if !tells || name == "" {
		return ""
	}
	return " (" + name + ")"
}

// values says how high the bars are, or which are the least and the greatest of many, and where the levels are.
func (b Bars) values() string {
	lo, hi := 0.0, 0.0
	for _, v := range b.Values {
		if plottable(v, false) {
			lo, hi = math.Min(lo, v), math.Max(hi, v)
		}
	}
	text := inSpan(hi-lo, false)
	var words []string
	for i, v := range b.Values {
		if plottable(v, false) {
			words = append(words, spoken(b.Names[i]+": "+text(v)))
		}
	}
	if len(words) > mostNamed {
		words = []string{extremes([][]float64{b.Values}, text, func(_, j int) string { return b.Names[j] })}
	}
	for _, l := range b.Levels {
		if l.Name != "" && plottable(l.Value, false) {
			words = append(words, spoken(l.Name+": "+text(l.Value)))
		}
	}
	return listedTo(2*mostNamed, words)
}

// values says how high the labelings score, with their losses where there are any.
func (b *bars) values() string {
	_, _, lo, hi := b.DataRange()
	text := inSpan(hi-lo, false)
	var words []string
	for i, name := range b.l.Names {
		switch {
		case !b.drawn(i):
		case b.l.Losses == nil:
			words = append(words, spoken(name+": "+text(b.l.Scores[i])))
		default:
			words = append(words, spoken(name+": "+text(b.l.Scores[i])+", with its loss "+text(b.total[i])))
		}
	}
	if len(words) > mostNamed {
		words = []string{extremes([][]float64{b.total}, text, func(_, j int) string { return b.l.Names[j] })}
	}
	return listedTo(mostNamed, words)
}

// values says where the points of each group are, those with a name one by one, and on which side of the diagonal they lie.
func (sc Scatter) values(groups []labeledPoints) string {
	inf := math.Inf(1)
	xmin, xmax, ymin, ymax := inf, -inf, inf, -inf
	for _, g := range groups {
		a, b, c, d := g.DataRange()
		xmin, xmax, ymin, ymax = math.Min(xmin, a), math.Max(xmax, b), math.Min(ymin, c), math.Max(ymax, d)
	}
	x, y := inSpan(xmax-xmin, sc.LogX), inSpan(ymax-ymin, sc.LogY)
	const few = 3
	var words []string
	for k, g := range groups {
		for i, at := range g.XYs {
			if g.labels[i] != "" || len(g.XYs) <= few {
				name := orDefault(joined(sc.Groups[k].Name, g.labels[i]), "a point")
				words = append(words, spoken(fmt.Sprintf("%s: %s at %s", name, y(at.Y), x(at.X))))
			}
		}
		if len(g.XYs) > few {
			a, b, c, d := g.DataRange()
			words = append(words, spoken(fmt.Sprintf("%s: %d points, %s to %s at %s to %s", orDefault(sc.Groups[k].Name, "all"), len(g.XYs), y(c), y(d), x(a), x(b))))
		}
	}
	if sc.Diagonal != "" && len(words) > 0 {
		words = append(words, sides(groups))
	}
	return listedTo(mostNamed, words)
}

// sides counts the points above and below the diagonal.
func sides(groups []labeledPoints) string {
	above, below, on := 0, 0, 0
	for _, g := range groups {
		for _, at := range g.XYs {
			switch {
			case at.Y > at.X:
				above++
			case at.Y < at.X:
				below++
			default:
				on++
			}
		}
	}
	said := fmt.Sprintf("%d above the diagonal, %d below it", above, below)
	if on > 0 {
		said += fmt.Sprintf(", %d on it", on)
	}
	return said
}

func orDefault(name, otherwise string) string {
	if name == "" {
		return otherwise
	}
	return name
}

// found says what the searches found first and in the end.
func (a Anytime) found(names []string, runs []plotter.XYs) string {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, points := range runs {
		for _, at := range points {
			lo, hi = math.Min(lo, at.Y), math.Max(hi, at.Y)
		}
	}
	text := inSpan(hi-lo, false)
	var words []string
	for k, points := range runs {
		if len(points) > 0 {
			words = append(words, endsOf(names[k], a.best(points, points[len(points)-1].X), text))
		}
	}
	if len(words) == 0 {
		return ""
	}
	return "The best at first and in the end: " + listed(words)
}

// restartValues says where the starts ended.
func restartValues(trace *crankpkg.Trace) string {
	primal, dual := []float64{}, []float64{}
	for _, r := range trace.Restarts {
		p, d := r.Primal, r.Dual
		if !plottable(p, false) || !plottable(d, false) {
			p, d = math.NaN(), math.NaN()
		}
		primal, dual = append(primal, p), append(dual, d)
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for k := range primal {
		if plottable(primal[k], false) {
			lo, hi = math.Min(lo, math.Min(primal[k], dual[k])), math.Max(hi, math.Max(primal[k], dual[k]))
		}
	}
	text := inSpan(hi-lo, false)
	return sentences(extremes([][]float64{primal}, text, func(_, k int) string { return fmt.Sprintf("start %d", k+1) }))
}

// endsOf says where a line begins and ends.
func endsOf(name string, points plotter.XYs, text func(float64) string) string {
	if len(points) == 0 {
		return ""
	}
	never := func(_, _ float64) bool { return false }
	return spoken(name + ": " + course(points, text, never))
}

// extremes says where the least and the greatest of the samples are.
func (s samples) extremes() string {
	x, y := inSpan(s.x[len(s.x)-1]-s.x[0], false), inSpan(s.y[len(s.y)-1]-s.y[0], false)
	return extremes(s.z, inSpan(s.max-s.min, false), func(i, j int) string { return "at " + x(s.x[i]) + ", " + y(s.y[j]) })
}

// shares says how large the regions of the owners are.
func (c *regionCells) shares(names []string) string {
	var words []string
	named := 0
	all := float64(len(c.owner))
	share := func(cells int) string { return inSpan(100, false)(100*float64(cells)/all) + " %" }
	for _, name := range names {
		if c.area[name] > 0 {
			words = append(words, spoken(name+": "+share(c.area[name])))
			named += c.area[name]
		}
	}
	rest := 0
	for _, area := range c.area {
		rest += area
	}
	if rest -= named; rest > 0 {
		words = append(words, "others: "+share(rest))
	}
	return "Shares of the map: " + listedTo(mostNamed, words)
}
