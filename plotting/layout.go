package plotting

import (
	"math"
	"sort"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"gonum.org/v1/plot/vg"
)

// Layout is where the labels of a graph stand. A layout that is computed once
// keeps the labels in place through all pictures of a film strip.
type Layout struct {
	// At are the centers of the labels in points, in a box from (0, 0) to
	// (Width, Height) that holds their names too.
	At            []vg.Point
	Width, Height vg.Length
	// Round says that the labels stand on circles, as dots with their names
	// outward; elsewhere they are boxes around their names.
	Round bool

	// For a forest from left to right: the parent of each label (itself for a
	// root) and where the column of the label ends. Edges run straight to there
	// and then bend to the side of the child, so that none cross.
	parent    []int
	columnEnd []vg.Length
	// nameLength is how many letters of a name there is room for.
	nameLength int
	// center is the middle of what is Round.
	center vg.Point
	// For a forest in rings.
	radial    *radial
	textScale float64 // of the names; zero means one
}

// Distances in a layout, in points.
const (
	siblingGap  = vg.Length(10) // between boxes side by side
	levelGap    = vg.Length(26) // between levels from top to bottom
	columnGap   = vg.Length(36) // between levels from left to right
	widestGraph = vg.Length(660)
)

// box is the extent of a label.
type box struct{ w, h vg.Length }

// layout places boxes. A forest is drawn as trees with their centers as roots,
// from top to bottom or from left to right, whichever suits the page, or in
// rings if there are many labels. So is a graph with few edges more than a
// forest, along its maximum spanning tree; a dense or small one goes on a circle.
func layout(boxes []box, edges []crankpkg.Edge, weights []float64) *Layout {
	tree := spanningTree(len(boxes), edges, weights)
	if extra := len(edges) - len(tree); extra > len(boxes)/2 || extra > 0 && len(boxes) <= 8 {
		return circle(boxes, tree)
	}
	if len(boxes) > manyLabels {
		return layoutRadial(boxes, tree)
	}
	down := layoutForest(boxes, tree, false)
	right := layoutForest(boxes, tree, true)
	if misfit(down) <= misfit(right) {
		return down
	}
	return right
}

// misfit measures how badly a layout suits a page: its distance from the
// shape of a page, and its width beyond the page's.
func misfit(l *Layout) float64 {
	w, h := float64(l.Width), float64(l.Height)
	bad := math.Abs(math.Log(w / (1.6 * h)))
	if l.Width > widestGraph {
		bad += 4 * math.Log(w/float64(widestGraph))
	}
	return bad
}

// SpanningTree returns a maximum spanning forest by |weight|.
func spanningTree(n int, edges []crankpkg.Edge, weights []float64) []crankpkg.Edge {
	sizes := make([]float64, len(weights))
	for k, w := range weights {
		sizes[k] = math.Abs(w)
	}
	var tree []crankpkg.Edge
	for _, k := range labelgraph.MaximumSpanningForest(n, edges, sizes, 0) {
		tree = append(tree, edges[k])
	}
	return tree
}

// adjacency lists the neighbors of each label in increasing order.
func adjacency(n int, edges []crankpkg.Edge) [][]int {
	adj := make([][]int, n)
	for _, e := range edges {
		adj[e.I] = append(adj[e.I], e.J)
		adj[e.J] = append(adj[e.J], e.I)
	}
	for _, a := range adj {
		sort.Ints(a)
	}
	return adj
}

// forest is a rooted forest: the trees with more than one label, largest
// first, and the labels on their own.
type forest struct {
	children [][]int
	depth    []int
	roots    []int
	alone    []int
}

func rootForest(n int, tree []crankpkg.Edge) forest {
	adj := adjacency(n, tree)
	f := forest{children: make([][]int, n), depth: make([]int, n)}
	seen := make([]bool, n)
	sizes := map[int]int{}
	for i := range n {
		if seen[i] {
			continue
		}
		if len(adj[i]) == 0 {
			f.alone = append(f.alone, i)
			continue
		}
		root := center(adj, i)
		f.roots = append(f.roots, root)
		seen[root] = true
		for queue := []int{root}; len(queue) > 0; queue = queue[1:] {
			at := queue[0]
			sizes[root]++
			for _, to := range adj[at] {
				if !seen[to] {
					seen[to] = true
					f.depth[to] = f.depth[at] + 1
					f.children[at] = append(f.children[at], to)
					queue = append(queue, to)
				}
			}
		}
	}
	sort.SliceStable(f.roots, func(a, b int) bool { return sizes[f.roots[a]] > sizes[f.roots[b]] })
	return f
}

// parents returns the parent of each label, itself for one without.
func (f *forest) parents() []int {
	parent := make([]int, len(f.children))
	for i := range parent {
		parent[i] = i
	}
	for i, children := range f.children {
		for _, child := range children {
			parent[child] = i
		}
	}
	return parent
}

// center returns the middle of a longest path in the tree that holds start; of
// two middles the one with more neighbors.
func center(adj [][]int, start int) int {
	far, _ := farthest(adj, start)
	end, parent := farthest(adj, far)
	path := []int{end}
	for at := end; at != far; {
		at = parent[at]
		path = append(path, at)
	}
	a, b := path[(len(path)-1)/2], path[len(path)/2]
	if len(adj[b]) > len(adj[a]) {
		return b
	}
	return a
}

// farthest returns the last label that a breadth-first search from start
// reaches, and from where each label was reached.
func farthest(adj [][]int, start int) (last int, parent map[int]int) {
	parent = map[int]int{start: start}
	queue := []int{start}
	for k := 0; k < len(queue); k++ {
		for _, to := range adj[queue[k]] {
			if _, ok := parent[to]; !ok {
				parent[to] = queue[k]
				queue = append(queue, to)
			}
		}
	}
	return queue[len(queue)-1], parent
}

// layoutForest places trees level by level, downwards or to the right, after
// Reingold and Tilford: subtrees move together until they touch, and parents
// stand over the middle of their children.
func layoutForest(boxes []box, tree []crankpkg.Edge, toRight bool) *Layout {
	n := len(boxes)
	f := rootForest(n, tree)
	across := make([]vg.Length, n) // extent along a level
	var levels []vg.Length         // extent of each level
	for i, b := range boxes {
		along := b.h
		if across[i] = b.w; toRight {
			across[i], along = b.h, b.w
		}
		for len(levels) <= f.depth[i] {
			levels = append(levels, 0)
		}
		if len(f.children[i]) > 0 || f.depth[i] > 0 {
			levels[f.depth[i]] = max(levels[f.depth[i]], along)
		}
	}
	pos := make([]vg.Length, n)
	var right []vg.Length // how far each level is taken
	for _, root := range f.roots {
		sub := f.place(root, across, pos)
		shift := vg.Length(0)
		for d := range sub.lo {
			if d < len(right) {
				shift = max(shift, right[d]+2*siblingGap-sub.lo[d])
			} else if len(right) > 0 {
				shift = max(shift, -sub.lo[d])
			}
		}
		f.move(root, shift, pos)
		for d := range sub.hi {
			if d == len(right) {
				right = append(right, 0)
			}
			right[d] = sub.hi[d] + shift
		}
	}
	return assemble(boxes, f, pos, levels, toRight)
}

// contour is the extent of a subtree at each level below its root.
type contour struct{ lo, hi []vg.Length }

// place sets pos for the subtree of root, and returns its contour.
func (f *forest) place(root int, across, pos []vg.Length) contour {
	var all contour
	for k, child := range f.children[root] {
		sub := f.place(child, across, pos)
		var shift vg.Length
		if k > 0 {
			shift = vg.Length(math.Inf(-1))
			for d := range min(len(sub.lo), len(all.hi)) {
				shift = max(shift, all.hi[d]+siblingGap-sub.lo[d])
			}
		}
		f.move(child, shift, pos)
		for d := range sub.lo {
			if d == len(all.lo) {
				all.lo, all.hi = append(all.lo, sub.lo[d]+shift), append(all.hi, sub.hi[d]+shift)
			}
			all.lo[d], all.hi[d] = min(all.lo[d], sub.lo[d]+shift), max(all.hi[d], sub.hi[d]+shift)
		}
	}
	if c := f.children[root]; len(c) > 0 {
		pos[root] = (pos[c[0]] + pos[c[len(c)-1]]) / 2
	}
	half := across[root] / 2
	return contour{
		lo: append([]vg.Length{pos[root] - half}, all.lo...),
		hi: append([]vg.Length{pos[root] + half}, all.hi...),
	}
}

// move shifts the subtree of root.
func (f *forest) move(root int, by vg.Length, pos []vg.Length) {
	pos[root] += by
	for _, child := range f.children[root] {
		f.move(child, by, pos)
	}
}

// assemble turns positions along the levels into points, with the labels on
// their own in rows below.
func assemble(boxes []box, f forest, pos, levels []vg.Length, toRight bool) *Layout {
	l := &Layout{At: make([]vg.Point, len(boxes))}
	gap := levelGap
	if toRight {
		gap = columnGap
	}
	start := make([]vg.Length, len(levels)+1)
	for d, extent := range levels {
		start[d+1] = start[d] + extent + gap
	}
	alone := make(map[int]bool, len(f.alone))
	for _, i := range f.alone {
		alone[i] = true
	}
	inf := vg.Length(math.Inf(1))
	lo, hi := vg.Point{X: inf, Y: inf}, vg.Point{X: -inf, Y: -inf}
	if toRight {
		l.parent, l.columnEnd = f.parents(), make([]vg.Length, len(boxes))
	}
	for i, b := range boxes {
		if alone[i] {
			continue
		}
		d := f.depth[i]
		at := vg.Point{X: pos[i], Y: -(start[d] + levels[d]/2)}
		if toRight {
			at = vg.Point{X: start[d] + b.w/2, Y: -pos[i]}
		}
		l.At[i] = at
		lo.X, lo.Y = min(lo.X, at.X-b.w/2), min(lo.Y, at.Y-b.h/2)
		hi.X, hi.Y = max(hi.X, at.X+b.w/2), max(hi.Y, at.Y+b.h/2)
	}
	if len(f.roots) == 0 {
		lo, hi = vg.Point{}, vg.Point{}
	}
	width := hi.X - lo.X
	if len(f.alone) > 0 {
		width = max(width, 320)
	}
	rows, below := flow(boxes, f.alone, width)
	if len(f.roots) > 0 && below > 0 {
		below += levelGap
	}
	l.Width, l.Height = width, hi.Y-lo.Y+below
	for i := range boxes {
		if alone[i] {
			l.At[i] = rows[i]
			continue
		}
		if toRight {
			d := f.depth[i]
			l.columnEnd[i] = start[d] + levels[d] + (width-(hi.X-lo.X))/2 - lo.X
		}
		l.At[i].X += (width-(hi.X-lo.X))/2 - lo.X
		l.At[i].Y += below - lo.Y
	}
	return l
}

// flow sets boxes in centered rows of at most the given width, the lowest at
// zero, and returns their centers and the height of all.
func flow(boxes []box, which []int, width vg.Length) (at map[int]vg.Point, height vg.Length) {
	at = make(map[int]vg.Point, len(which))
	var rows [][]int
	var used vg.Length
	tallest := vg.Length(0)
	for _, i := range which {
		tallest = max(tallest, boxes[i].h)
		if len(rows) == 0 || used+siblingGap+boxes[i].w > width {
			rows, used = append(rows, nil), -siblingGap
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], i)
		used += siblingGap + boxes[i].w
	}
	for r, row := range rows {
		total := -siblingGap
		for _, i := range row {
			total += siblingGap + boxes[i].w
		}
		x := (width - total) / 2
		for _, i := range row {
			at[i] = vg.Point{X: x + boxes[i].w/2, Y: vg.Length(len(rows)-1-r)*(tallest+siblingGap) + tallest/2}
			x += boxes[i].w + siblingGap
		}
	}
	if len(rows) > 0 {
		height = vg.Length(len(rows))*(tallest+siblingGap) - siblingGap
	}
	return at, height
}

// circle places the labels on one circle in the order in which a walk through
// the tree meets them, so that strong edges are short.
func circle(boxes []box, tree []crankpkg.Edge) *Layout {
	n := len(boxes)
	order := walk(n, tree)
	widest, tallest := vg.Length(0), vg.Length(0)
	for _, b := range boxes {
		widest, tallest = max(widest, b.w), max(tallest, b.h)
	}
	radius := max(60, (widest+siblingGap)/vg.Length(2*math.Sin(math.Pi/float64(max(2, n)))))
	half := vg.Point{X: radius + widest/2, Y: radius + tallest/2}
	round := radius > 200 // too many, or too long names, for boxes
	if round {
		radius = max(110, vg.Length(float64(n)*float64(tallest)/(2*math.Pi)))
		out := radius + widest + dotRadius + 4
		half = vg.Point{X: out, Y: out}
	}
	l := &Layout{At: make([]vg.Point, n), Width: 2 * half.X, Height: 2 * half.Y, Round: round, center: half}
	for k, i := range order {
		sin, cos := math.Sincos(math.Pi/2 - 2*math.Pi*float64(k)/float64(n))
		l.At[i] = vg.Point{X: half.X + vg.Length(float64(cos*float64(radius))), Y: half.Y + vg.Length(float64(sin*float64(radius)))}
	}
	return l
}

// walk lists the labels depth first through the trees.
func walk(n int, tree []crankpkg.Edge) []int {
	f := rootForest(n, tree)
	var order []int
	var visit func(i int)
	visit = func(i int) {
		order = append(order, i)
		for _, child := range f.children[i] {
			visit(child)
		}
	}
	for _, root := range f.roots {
		visit(root)
	}
	return append(order, f.alone...)
}
