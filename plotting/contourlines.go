package plotting

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// contourLines draws lines of equal height through samples, by marching squares.
// Unlike plotter.Contour it draws any samples: that one panics where heights lie
// on a level exactly, as those of piecewise linear functions do.
type contourLines struct {
	samples
	levels []float64
	line   draw.LineStyle
}

// Plot implements plot.Plotter.
func (l contourLines) Plot(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	for _, level := range l.levels {
		for _, path := range l.at(level).paths() {
			points := make([]vg.Point, len(path))
			for k, side := range path {
				x, y := l.crossing(side, level)
				points[k] = vg.Point{X: trX(x), Y: trY(y)}
			}
			c.StrokeLines(l.line, c.ClipLinesXY(points)...)
		}
	}
}

// side is a side of a cell: from the sample at (i, j) to the right or upwards.
type side struct {
	i, j int
	up   bool
}

// crossing returns where the level is on a side, by linear interpolation.
func (l contourLines) crossing(s side, level float64) (x, y float64) {
	i, j := s.i+1, s.j
	if s.up {
		i, j = s.i, s.j+1
	}
	a, b := l.z[s.i][s.j], l.z[i][j]
	t := (level - a) / (b - a)
	return l.x[s.i] + float64(t*(l.x[i]-l.x[s.i])), l.y[s.j] + float64(t*(l.y[j]-l.y[s.j]))
}

// levelLines holds, for each side that a level crosses, the sides that its line
// goes on to: one or two.
type levelLines struct {
	next  map[side][]side
	order []side // as found, so that a picture is the same each time
}

// at finds the lines of a level cell by cell. A corner is above the level or it
// is not; at the level counts as not.
func (l contourLines) at(level float64) *levelLines {
	found := &levelLines{next: map[side][]side{}}
	for i := range len(l.x) - 1 {
		for j := range len(l.y) - 1 {
			corners := [4]float64{l.z[i][j], l.z[i+1][j], l.z[i+1][j+1], l.z[i][j+1]}
			sides := [4]side{{i, j, false}, {i + 1, j, true}, {i, j + 1, false}, {i, j, true}}
			middle := (corners[0] + corners[1] + corners[2] + corners[3]) / 4
			if math.IsNaN(middle) {
				continue
			}
			var crossed []side
			for k := range 4 {
				if (corners[k] > level) != (corners[(k+1)%4] > level) {
					crossed = append(crossed, sides[k])
				}
			}
			switch {
			case len(crossed) == 2:
				found.join(crossed[0], crossed[1])
			case len(crossed) == 4 && (middle > level) == (corners[0] > level):
				found.join(crossed[0], crossed[1])
				found.join(crossed[2], crossed[3])
			case len(crossed) == 4: // a saddle the other way
				found.join(crossed[3], crossed[0])
				found.join(crossed[1], crossed[2])
			}
		}
	}
	return found
}

func (c *levelLines) join(a, b side) {
	for _, s := range []side{a, b} {
		if c.next[s] == nil {
			c.order = append(c.order, s)
		}
	}
	c.next[a], c.next[b] = append(c.next[a], b), append(c.next[b], a)
}

// paths puts the pieces together to lines, open ones from their ends and then
// closed ones.
func (c *levelLines) paths() [][]side {
	var paths [][]side
	seen := map[side]bool{}
	for _, open := range []bool{true, false} {
		for _, start := range c.order {
			if seen[start] || open && len(c.next[start]) != 1 {
				continue
			}
			path := c.follow(start, seen)
			if !open {
				path = append(path, start)
			}
			paths = append(paths, path)
		}
	}
	return paths
}

// follow walks from start to sides not yet seen.
func (c *levelLines) follow(start side, seen map[side]bool) []side {
	path := []side{start}
	seen[start] = true
	for at := start; ; {
		moved := false
		for _, s := range c.next[at] {
			if !seen[s] {
				seen[s], moved, at = true, true, s
				path = append(path, s)
				break
			}
		}
		if !moved {
			return path
		}
	}
}
