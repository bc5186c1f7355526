package plotting

import (
	"math"

	"github.com/crank-ml/crank/crankpkg"
	"gonum.org/v1/plot/vg"
)

// manyLabels is from where on a forest is drawn in rings rather than rows.
const manyLabels = 60

// radial is what a layout in rings knows of each label beyond its place.
type radial struct {
	parent []int     // itself for a root
	angle  []float64 // seen from the center
	radius []float64 // distance from the center, in points
	inner  []bool    // has children: its name stands on it, not outward
}

// layoutRadial places a forest in rings, for many labels: the root of a tree in
// the middle (several trees share the circle), children further out than
// parents. Each label has a sector as wide as its leaves need, and stands so
// far out that its name fits into it. Labels on their own stand among the
// leaves.
func layoutRadial(boxes []box, tree []crankpkg.Edge) *Layout {
	n := len(boxes)
	f := rootForest(n, tree)
	scale := math.Max(0.5, math.Min(0.8, math.Sqrt(float64(manyLabels)/float64(n))))
	r := &radial{parent: f.parents(), angle: make([]float64, n), radius: make([]float64, n), inner: make([]bool, n)}
	l := &Layout{At: make([]vg.Point, n), Round: true, textScale: scale, radial: r}

	leaves := make([]int, n)
	var count func(i int) int
	count = func(i int) int {
		for _, child := range f.children[i] {
			leaves[i] += count(child)
		}
		leaves[i] = max(1, leaves[i])
		return leaves[i]
	}
	roots := append(append([]int(nil), f.roots...), f.alone...)
	total := 0
	for _, root := range roots {
		total += count(root)
	}
	tallest, widestInner := 0.0, 0.0
	for i, b := range boxes {
		r.inner[i] = len(f.children[i]) > 0
		tallest = math.Max(tallest, float64(scale*float64(b.h)))
		if r.inner[i] {
			widestInner = math.Max(widestInner, float64(scale*float64(b.w)))
		}
	}
	step := widestInner + 14
	// fits is the radius at which a sector of the given number of leaves is as
	// wide as a name is high.
	fits := func(leaves int) float64 {
		return float64(float64(total)*tallest) / (2 * math.Pi * float64(leaves))
	}
	var place func(i int, from float64)
	place = func(i int, from float64) {
		width := 2 * math.Pi * float64(leaves[i]) / float64(total)
		r.angle[i] = math.Pi/2 - (from + width/2)
		switch p := r.parent[i]; {
		case p != i:
			r.radius[i] = math.Max(r.radius[p]+step, fits(leaves[i]))
		case len(roots) > 1:
			r.radius[i] = math.Max(step, fits(leaves[i]))
		}
		for _, child := range f.children[i] {
			place(child, from)
			from += 2 * math.Pi * float64(leaves[child]) / float64(total)
		}
	}
	from := 0.0
	for _, root := range roots {
		place(root, from)
		from += 2 * math.Pi * float64(leaves[root]) / float64(total)
	}
	var lo, hi vg.Point
	for i, b := range boxes {
		// A name ends here; one on its label needs no more room than one outward.
		end := r.point(vg.Point{}, r.angle[i], r.radius[i]+float64(scale*float64(b.w))+6)
		lo, hi = vg.Point{X: min(lo.X, end.X-5), Y: min(lo.Y, end.Y-5)}, vg.Point{X: max(hi.X, end.X+5), Y: max(hi.Y, end.Y+5)}
	}
	l.center = vg.Point{X: -lo.X, Y: -lo.Y}
	l.Width, l.Height = hi.X-lo.X, hi.Y-lo.Y
	for i := range l.At {
		l.At[i] = r.point(l.center, r.angle[i], r.radius[i])
	}
	return l
}

// point turns an angle and a distance from the center into a point.
func (r *radial) point(center vg.Point, angle, radius float64) vg.Point {
	sin, cos := math.Sincos(angle)
	return vg.Point{X: center.X + vg.Length(float64(cos*radius)), Y: center.Y + vg.Length(float64(sin*radius))}
}

// route returns the way from a parent to a child: it leaves outward and turns
// within the parent's sector, so that edges of a tree do not cross.
func (r *radial) route(from, to int, center vg.Point, scale float64) vg.Path {
	var p vg.Path
	const steps = 16
	for k := range steps + 1 {
		t := float64(k) / steps
		turn := float64(t*t) * (3 - float64(2*t))
		angle := r.angle[from] + float64(turn*(r.angle[to]-r.angle[from]))
		if r.radius[from] == 0 { // from the middle there is nothing to turn
			angle = r.angle[to]
		}
		at := r.point(center, angle, scale*(r.radius[from]+float64(t*(r.radius[to]-r.radius[from]))))
		if k == 0 {
			p.Move(at)
		} else {
			p.Line(at)
		}
	}
	return p
}
