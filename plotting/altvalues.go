package plotting

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/plotter"
)

// setValue says what a panel holds in numbers, for those who do not see it.
func (f *Figure) setValue(panel int, words string) {
	for len(f.values) <= panel {
		f.values = append(f.values, "")
	}
	f.values[panel] = words
}

// value returns what was said of a panel, or nothing.
func (f *Figure) value(panel int) string {
	if panel < len(f.values) {
		return f.values[panel]
	}
	return ""
}

// listed joins names with what each has, and says how many more there are.
func listed(words []string) string { return listedTo(8, words) }

// listedTo is listed with up to the given number of names.
func listedTo(most int, words []string) string {
	if len(words) > most {
		words = append(words[:most:most], fmt.Sprintf("%d more", len(words)-most))
	}
	return strings.Join(words, "; ")
}

// inSpan returns how to write values of an axis that is so long: to a hundredth of it or less, so that what differs in the picture
// differs in words, and what is not zero is not called so, but for rounding.
func inSpan(span float64, log bool) func(v float64) string {
	if log || !plottable(span, true) {
		return shortNumber
	}
	decimals := 2 - int(math.Floor(math.Log10(span)))
	if decimals > 6 || decimals < -2 {
		return shortNumber
	}
	return func(v float64) string {
		txt := strconv.FormatFloat(v, 'f', max(0, decimals), 64)
		if strings.Contains(txt, ".") {
			txt = strings.TrimRight(strings.TrimRight(txt, "0"), ".")
		}
		if txt != "0" && txt != "-0" {
			return minus(txt)
		}
		if math.Abs(v) <= float64(1e-9*span) {
			return "0"
		}
		digit, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 1, 64), 64)
		return shortNumber(digit)
	}
}

// ends says where lines begin and end, and where points are that no line joins. Those without a name among others are left out.
func (cu Curves) ends(lines []errorSeries) string {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, l := range lines {
		_, _, low, high := l.series.DataRange()
		lo, hi = math.Min(lo, low), math.Max(hi, high)
	}
	text := inSpan(hi-lo, cu.LogY)
	far := func(y, end float64) bool { return math.Abs(y-end) > float64(0.15*(hi-lo)) }
	if cu.LogY {
		far = func(y, end float64) bool { return math.Abs(math.Log(y/end)) > float64(0.15*math.Log(hi/lo)) }
	}
	var words, clouds []string
	for k, l := range cu.Lines {
		points := lines[k].XYs
		if len(points) == 0 || len(points) == 1 && !l.Dots {
			continue
		}
		if l.Dots {
			_, _, low, high := lines[k].series.DataRange()
			if said := counted(len(points), "point") + ", " + text(low) + " to " + text(high); l.Name != "" || len(cu.Lines) == 1 {
				clouds = append(clouds, spoken(orDefault(l.Name, "all")+": "+said))
			}
			continue
		}
		switch way := course(points, text, far); {
		case l.Name != "":
			words = append(words, spoken(l.Name+": "+way))
		case len(cu.Lines) == 1:
			words = append(words, spoken(way))
		}
	}
	if len(words) > 0 {
		words = []string{"From the first to the last point: " + listed(words)}
	}
	return sentences(append(words, listed(clouds), listed(cu.together(lines, text)))...)
}

// together names the lines that hide one another: those with the same values, as far as the picture tells them apart, at every x that both have.
func (cu Curves) together(lines []errorSeries, text func(v float64) string) (pairs []string) {
	hidden := map[int]bool{}
	for k, a := range cu.Lines {
		for m := k + 1; m < len(lines); m++ {
			if b := cu.Lines[m]; a.Name != "" && b.Name != "" && !a.Dots && !b.Dots && !hidden[m] && coincide(lines[k].XYs, lines[m].XYs, text) {
				hidden[m], pairs = true, append(pairs, spoken(a.Name+" lies beneath "+b.Name))
			}
		}
	}
	return pairs
}

// coincide reports whether two lines have two points or more at the same x, and are alike at all of them.
func coincide(a, b plotter.XYs, text func(v float64) string) bool {
	at := map[float64]float64{}
	for _, p := range a {
		at[p.X] = p.Y
	}
	shared := 0
	for _, p := range b {
		y, ok := at[p.X]
		if ok && text(y) != text(p.Y) {
			return false
		}
		if ok {
			shared++
		}
	}
	return shared > 1 && 2*shared >= min(len(a), len(b))
}

// named is a line with its name.
type named struct {
	name string
	series
}

// courses says where lines begin and end.
func courses(log bool, lines ...named) string {
	cu := Curves{LogY: log}
	all := make([]errorSeries, len(lines))
	for k, l := range lines {
		cu.Lines, all[k].series = append(cu.Lines, Line{Name: l.name}), l.series
	}
	return cu.ends(all)
}

// course says where a line begins and ends and, where it goes far beyond both, how far.
func course(points plotter.XYs, text func(v float64) string, far func(y, end float64) bool) string {
	a, b := points[0].Y, points[len(points)-1].Y
	first, last := text(a), text(b)
	beyond := func(y float64) float64 { return math.Max(y-math.Max(a, b), math.Min(a, b)-y) }
	most := slices.MaxFunc(points, func(p, q plotter.XY) int { return cmp.Compare(beyond(p.Y), beyond(q.Y)) }).Y
	between := text(most)
	switch apart := between != first && between != last; {
	case first == last && apart:
		return first + " at both ends, " + between + " between"
	case first == last:
		return first
	case apart && far(most, a) && far(most, b):
		return first + " to " + last + ", " + between + " between"
	}
	return first + " to " + last
}

// extremes says where the least and the greatest of some values stand; text writes a value, and place names its row and column. What
// is not finite is left out.
func extremes(values [][]float64, text func(v float64) string, place func(row, column int) string) string {
	least, most, at := math.Inf(1), math.Inf(-1), [2]string{}
	for i, row := range values {
		for j, v := range row {
			if !plottable(v, false) {
				continue
			}
			if v < least {
				least, at[0] = v, place(i, j)
			}
			if v > most {
				most, at[1] = v, place(i, j)
			}
		}
	}
	switch {
	case least > most:
		return ""
	case text(least) == text(most):
		return spoken("All values are " + text(least))
	}
	return spoken(fmt.Sprintf("Least: %s (%s); greatest: %s (%s)", text(least), at[0], text(most), at[1]))
}

// extremes says where the least and the greatest value of the map stand.
func (h HeatMap) extremes() string {
	text := func(v float64) string { return minus(h.number(v)) }
	if h.Decimals < 0 {
		text = shortNumber
	}
	return sentences(spoken(h.ZLabel), extremes(h.Values, text, func(i, j int) string { return h.YNames[i] + ", " + h.XNames[j] }))
}

// cells says where the least and the greatest number of the table stand or, where not all of its texts are numbers, what its cells say.
func (ct CellTable) cells() string {
	values := make([][]float64, len(ct.Cells))
	written := map[float64]string{}
	for i, row := range ct.Cells {
		for _, cell := range row {
			v, err := strconv.ParseFloat(strings.ReplaceAll(cell, "−", "-"), 64)
			if err != nil {
				if cell != "" {
					return ct.texts()
				}
				v = math.NaN()
			}
			values[i], written[v] = append(values[i], v), cell
		}
	}
	said := extremes(values, func(v float64) string { return written[v] }, func(i, j int) string { return ct.Rows[i] + ", " + ct.Columns[j] })
	if faint := ct.countPale(); faint > 0 {
		said = sentences(said, fmt.Sprintf("%d of %d cells are pale", faint, len(ct.Rows)*len(ct.Columns)))
	}
	return said
}

// countPale returns how many of the shaded cells are pale.
func (ct CellTable) countPale() (n int) {
	for i, row := range ct.Shade {
		for j, shade := range row {
			if shade != 0 && ct.pale(i, j) {
				n++
			}
		}
	}
	return n
}

// texts says what the rows of the table say, each text with its columns.
func (ct CellTable) texts() string {
	var rows []string
	for i, row := range ct.Cells {
		var order []string
		columns := map[string][]string{}
		for j, cell := range row {
			if cell == "" {
				continue
			}
			if columns[cell] == nil {
				order = append(order, cell)
			}
			columns[cell] = append(columns[cell], ct.Columns[j])
		}
		var said []string
		for _, cell := range order {
			said = append(said, cell+" ("+apart(columns[cell])+")")
		}
		if len(said) > 0 {
			rows = append(rows, spoken(ct.Rows[i]+": "+apart(said)))
		}
	}
	return listed(rows)
}

// means says what the methods have in one of the measures.
func (co Comparison) means(measure int) string {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, row := range co.Mean {
		if v := row[measure]; plottable(v, co.LogY) {
			lo, hi = math.Min(lo, v), math.Max(hi, v)
		}
	}
	if co.Differences {
		lo, hi = math.Min(lo, 0), math.Max(hi, 0)
	}
	text := inSpan(hi-lo, co.LogY || co.LinearTo > 0)
	var words []string
	for i, method := range co.Methods {
		if v := co.Mean[i][measure]; plottable(v, co.LogY) {
			words = append(words, spoken(method+": "+text(v)))
		}
	}
	return listed(words)
}
