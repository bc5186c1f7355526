package plotting

import (
	"cmp"
	"fmt"
	"image/color"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Regions is a map of a plane that tells who owns each point: the labeling that
// is the maximum of a hinge, the spanning tree of largest weight, the value of
// a function with few values.
type Regions struct {
	Title, XLabel, YLabel string
	// XMin to XMax and YMin to YMax is what is shown; a range without
	// a length, or without finite ends, means [0, 1].
	XMin, XMax, YMin, YMax float64
	// Cells is how many cells each side has, zero for 200. A cell has the color
	// of its center.
	Cells int
	// Owner returns the name of the owner of a point; one without a name is
	// left blank.
	Owner func(x, y float64) string
	// Names, if there, are all owners in the order of the key. A name then has
	// the same color in every map with these names; without them the largest
	// region comes first.
	Names []string
	// Signed says that Names run from negative to positive values with zero in
	// the middle, which is pale. The key then has all of them.
	Signed bool
	// Marks are points to show: by white dots in a ring.
	Marks plotter.XYs
}

// Figure draws the map. The owners with the smallest regions share a gray where
// there are too many to tell colors apart.
func (r Regions) Figure() *Figure {
	s := theStyle()
	if r.Owner == nil {
		return s.say(r.Title, "There are no owners.")
	}
	r = r.withDefaults()
	cells := r.paint()
	if len(cells.area) == 0 {
		return s.say(r.Title, "No point has an owner.")
	}
	cells.colors = map[string]color.Color{}
	looks := s.rotation()
	names, rest := r.Names, 0
	if names == nil {
		names, rest = bySize(cells.area, len(looks))
	}
	f := s.newFigure()
	for k, name := range names {
		if cells.area[name] == 0 && !r.Signed {
			continue
		}
		cells.colors[name] = fade(looks[k%len(looks)].Color, s.paper(), 0.25)
		if r.Signed {
			cells.colors[name] = s.signed(k, len(names))
		}
		f.addKey(KeyEntry{Name: name, Fill: cells.colors[name]})
	}
	cells.rest = fade(s.Faint, s.paper(), 0.5)
	if rest > 0 {
		f.addKey(KeyEntry{Name: fmt.Sprintf("%d others", rest), Fill: cells.rest})
	}
	p := s.newPlot(r.XLabel, r.YLabel)
	p.Add(cells)
	if len(r.Marks) > 0 {
		p.Add(series{XYs: r.Marks, marker: draw.GlyphStyle{Color: s.paper(), Radius: 5, Shape: draw.CircleGlyph{}}},
			series{XYs: r.Marks, marker: draw.GlyphStyle{Color: s.Ink, Radius: 5, Shape: heavy{draw.RingGlyph{}}}})
	}
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = r.XMin, r.XMax, r.YMin, r.YMax
	p.X.Padding, p.Y.Padding = 0, 0
	f.Panels, f.Title = []Drawing{p}, r.Title
	f.setValue(0, cells.shares(names))
	f.Width, f.Height = 4.4*vg.Inch, 4.4*vg.Inch
	return f
}

func (r Regions) withDefaults() Regions {
	r.XMin, r.XMax = orUnit(r.XMin, r.XMax)
	r.YMin, r.YMax = orUnit(r.YMin, r.YMax)
	if r.Cells <= 0 {
		r.Cells = 200
	}
	return r
}

// signed returns the color of the kth of n steps from negative to positive.
func (s *Style) signed(k, n int) color.Color {
	t := float64(2*k-n+1) / math.Max(1, float64(n-1))
	end := s.Positive
	switch {
	case t < 0:
		end = s.Negative
	case t == 0:
		end = s.Faint // zero is on neither side
	}
	return fade(end, s.paper(), 0.92-float64(0.92*math.Abs(t)))
}

// paint asks for the owners of all cells.
func (r Regions) paint() *regionCells {
	cells := &regionCells{r: r, owner: make([]string, 0, r.Cells*r.Cells), area: map[string]int{}}
	for j := range r.Cells {
		for i := range r.Cells {
			x, y := r.at(float64(i)+0.5, float64(j)+0.5)
			name := r.Owner(x, y)
			cells.owner = append(cells.owner, name)
			if name != "" {
				cells.area[name]++
			}
		}
	}
	return cells
}

// at returns the point at i cells from the left and j from below.
func (r Regions) at(i, j float64) (x, y float64) {
	n := float64(r.Cells)
	return r.XMin + float64((r.XMax-r.XMin)*i/n), r.YMin + float64((r.YMax-r.YMin)*j/n)
}

// bySize returns at most the given number of names, the largest region first,
// and how many are left out.
func bySize(area map[string]int, most int) (names []string, rest int) {
	names = slices.SortedFunc(maps.Keys(area), func(a, b string) int { return cmp.Or(area[b]-area[a], cmp.Compare(a, b)) })
	if len(names) > most {
		names, rest = names[:most], len(names)-most
	}
	return names, rest
}

// regionCells draws the cells.
type regionCells struct {
	r      Regions
	owner  []string // row after row from below
	area   map[string]int
	colors map[string]color.Color
	rest   color.Color
}

// Plot implements plot.Plotter. Neighbors in a row with one owner are drawn as
// one rectangle, and each reaches a little under the next, so that no seams
// show.
func (c *regionCells) Plot(canvas draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&canvas)
	n := c.r.Cells
	for j := range n {
		for i := 0; i < n; {
			k := i + 1
			for k < n && c.owner[j*n+k] == c.owner[j*n+i] {
				k++
			}
			if name := c.owner[j*n+i]; name != "" {
				col, ok := c.colors[name]
				if !ok {
					col = c.rest
				}
				x0, y0 := c.r.at(float64(i), float64(j))
				x1, y1 := c.r.at(float64(k), float64(j+1))
				fillRect(canvas, col, trX(x0), trY(y0), min(trX(x1)+0.3, canvas.Max.X), min(trY(y1)+0.3, canvas.Max.Y))
			}
			i = k
		}
	}
}

// DataRange implements plot.DataRanger.
func (c *regionCells) DataRange() (xmin, xmax, ymin, ymax float64) {
	return c.r.XMin, c.r.XMax, c.r.YMin, c.r.YMax
}
