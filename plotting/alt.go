package plotting

import (
	"bytes"
	"fmt"
	"html"
	"slices"
	"strings"
	"unicode"

	"gonum.org/v1/plot"
)

// describer is a panel that can say what it shows.
type describer interface{ describe() string }

// describe says in a few sentences what d shows, for those who do not see it.
func describe(d Drawing) string {
	switch d := d.(type) {
	case *Figure:
		return d.describe()
	case *plot.Plot:
		return describePlot(d)
	case *Animation:
		if len(d.Frames) == 0 {
			return "An animation without pictures."
		}
		return fmt.Sprintf("An animation of %d pictures. The last: %s", len(d.Frames), describe(d.Frames[len(d.Frames)-1]))
	case *Positions:
		if len(d.Frames) == 0 {
			return "There are no positions to move between."
		}
		first := d.Frames[d.start()]
		if f, ok := first.(*Figure); ok { // its title is in the alternative
			under := *f
			under.Title, first = "", &under
		}
		return sentences(spoken(d.alternative(d.start())), describe(first))
	case titled:
		return sentences(spoken(d.title), describe(d.Drawing))
	case describer:
		return d.describe()
	}
	return "A picture."
}

// describe returns the Description or, without one, the title, the axes of each panel with some values, the key
// and the notes.
func (f *Figure) describe() string {
	if f.Description != "" {
		return f.Description
	}
	const most = 6
	parts := []string{spoken(f.Title)}
	for k := range f.Panels {
		if k == most {
			parts = append(parts, more(f.Panels[most:]))
			break
		}
		parts = append(parts, describe(f.labeledBelow(k)), f.value(k))
	}
	var names []string
	for _, e := range f.Key {
		names = append(names, spoken(e.Name))
	}
	if len(names) > 0 {
		parts = append(parts, "Key: "+apart(names))
	}
	for _, note := range f.Notes {
		parts = append(parts, spoken(note))
	}
	return sentences(parts...)
}

// labeledBelow returns a panel, with the label that one below it has for both where they share the x axis or go equally far along it.
func (f *Figure) labeledBelow(k int) Drawing {
	upper, ok := f.Panels[k].(*plot.Plot)
	if !ok || upper.X.Label.Text != "" {
		return f.Panels[k]
	}
	columns := max(f.Columns, 1)
	for k += columns; k < len(f.Panels); k += columns {
		lower, ok := f.Panels[k].(*plot.Plot)
		shares := ok && (f.ShareX || lower.X.Min == upper.X.Min && lower.X.Max == upper.X.Max)
		if shares && lower.X.Label.Text != "" {
			labeled := *upper
			labeled.X.Label.Text = lower.X.Label.Text
			return &labeled
		}
	}
	return upper
}

// more counts the panels that are not described, and gives the titles of those that have one.
func more(panels []Drawing) string {
	said := fmt.Sprintf("%d more panels", len(panels))
	var titles []string
	for _, panel := range panels {
		switch d := panel.(type) {
		case *plot.Plot:
			titles = append(titles, spoken(d.Title.Text))
		case titled:
			titles = append(titles, spoken(d.title))
		}
	}
	titles = slices.DeleteFunc(titles, func(title string) bool { return title == "" })
	if len(titles) == 0 {
		return said
	}
	return said + ": " + apart(titles)
}

func describePlot(p *plot.Plot) string {
	x, y := describeAxis(&p.X, "x"), describeAxis(&p.Y, "y")
	switch {
	case x != "" && y != "":
		x = y + " against " + x
	case x == "":
		x = y
	}
	return sentences(spoken(p.Title.Text), x)
}

// describeAxis returns the label of an axis, or its letter where it has numbers and no label, with its ends or with the names along it.
func describeAxis(a *plot.Axis, letter string) string {
	label, log := spoken(a.Label.Text), isLog(a)
	if _, named := a.Tick.Marker.(plot.ConstantTicks); label == "" && !named {
		label = letter
	}
	if log {
		label = strings.TrimSpace(label + ", logarithmic,")
	}
	if !(a.Max > a.Min) || a.Tick.Marker == nil {
		return label
	}
	const most = 12
	var shown []string
	for _, t := range labeledTicks(*a) {
		if t.Label != "" {
			shown = append(shown, spoken(t.Label))
		}
	}
	if _, named := a.Tick.Marker.(plot.ConstantTicks); named {
		switch {
		case len(shown) == 0:
			return label
		case len(shown) <= most:
			return strings.TrimSpace(label + " (" + apart(shown) + ")")
		}
		return strings.TrimSpace(label + " from " + shown[0] + " to " + shown[len(shown)-1])
	}
	if len(shown) == 0 {
		return strings.TrimSuffix(spoken(a.Label.Text), ",")
	}
	lo, hi := ends(a)
	text := inSpan(float64(10*(hi-lo)), log)
	from, to := spoken(text(lo)), spoken(text(hi))
	if from == to {
		return strings.TrimSpace(label + " around " + from)
	}
	return strings.TrimSpace(label + " from " + from + " to " + to)
}

// apart joins names by commas, or by semicolons where names have commas of their own.
func apart(names []string) string {
	for _, name := range names {
		if strings.Contains(name, ",") {
			return strings.Join(names, "; ")
		}
	}
	return strings.Join(names, ", ")
}

// sentences joins what is not empty, with a full stop after each that has no mark at its end.
func sentences(parts ...string) string {
	var all []string
	for _, p := range parts {
		if p = strings.TrimSpace(p); p == "" {
			continue
		}
		if !strings.HasSuffix(p, ".") && !strings.HasSuffix(p, "?") {
			p += "."
		}
		all = append(all, p)
	}
	return strings.Join(all, " ")
}

// spoken returns a text on one line, without the signs that set mathematics.
func spoken(txt string) string {
	return strings.Join(strings.FieldsFunc(plainMath(txt), func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
}

// describe implements describer.
func (m message) describe() string { return m.text }

// describe implements describer.
func (g *graphPanel) describe() string {
	most := 8
	if len(g.edges) <= 12 {
		most = 12
	}
	strongest := slices.Clone(g.edges)
	slices.Reverse(strongest) // they come with the weakest first
	var pairs []string
	for _, e := range strongest[:min(most, len(strongest))] {
		pair := g.names[e.I] + " and " + g.names[e.J]
		if !g.plain {
			pair += " (" + spoken(shortNumber(e.weight)) + ")"
		}
		pairs = append(pairs, pair)
	}
	out := counted(len(g.names), "node") + " with " + counted(len(g.edges), "edge")
	switch {
	case len(pairs) == 0:
	case len(pairs) < len(g.edges) && g.plain:
		out += ", among them those between " + apart(pairs)
	case len(pairs) < len(g.edges):
		out += ", the strongest between " + apart(pairs)
	default:
		out += ": between " + apart(pairs)
	}
	return "A graph of " + out + "."
}

// counted returns a number of things.
func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// describe implements describer.
func (p *tablePanel) describe() string {
	var rows []string
	for _, i := range p.order {
		var cells []string
		for j, column := range p.columnNames {
			cells = append(cells, column+" "+p.value(i, j))
		}
		rows = append(rows, p.rowNames[i]+": "+apart(cells))
	}
	const most = 12
	if len(rows) > most {
		rows = append(rows[:most], fmt.Sprintf("%d more rows", len(rows)-most))
	}
	return "A table, the best mean rank first. " + strings.Join(rows, "; ") + "."
}

// describe implements describer.
func (p *surfacePanel) describe() string {
	return sentences(fmt.Sprintf("A surface: %s over %s and %s", spoken(p.sl.ZLabel), spoken(p.sl.XLabel), spoken(p.sl.YLabel)), p.base.extremes())
}

// withDescription puts the title and the description of d into an SVG file, for programs that
// read pages aloud.
func withDescription(svg []byte, d Drawing) []byte {
	title := ""
	if f, ok := d.(*Figure); ok {
		title = spoken(f.Title)
	}
	begin := bytes.Index(svg, []byte("<svg"))
	if begin < 0 {
		return svg
	}
	end := bytes.IndexByte(svg[begin:], '>')
	if end < 0 {
		return svg
	}
	at := begin + end + 1
	var said strings.Builder
	if title != "" {
		said.WriteString("\n<title>" + html.EscapeString(title) + "</title>")
	}
	said.WriteString("\n<desc>" + html.EscapeString(describe(d)) + "</desc>")
	return bytes.Join([][]byte{svg[:at], []byte(said.String()), svg[at:]}, nil)
}
