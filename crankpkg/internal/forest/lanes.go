package forest

// Width is the number of rows whose labels Lanes finds together.
const Width = 8

// Lanes finds the labels of eight rows side by side. What one row waits for, the sum of
// one node before that of the next, then passes while the others are worked on.
type Lanes struct {
	nodes []Node
	// By position, and one more for the parent of the roots. The labels of the eight rows
	// are the bytes of a word, zeros and ones: if the parent is off, if it is on, and as
	// they are.
	gain         [][Width]float64
	off, with, y []uint64
}

// NewLanes returns lanes for a forest.
func NewLanes(nodes []Node) *Lanes {
	n := len(nodes) + 1
	return &Lanes{nodes: nodes, gain: make([][Width]float64, n), off: make([]uint64, n), with: make([]uint64, n), y: make([]uint64, n)}
}

// Set gives row r its unary scores by position.
func (l *Lanes) Set(r int, scores []float64) {
	for k, v := range scores {
		l.gain[k][r] = v
	}
}

// Label writes the labels of the rows to y, one row after the other. They are those of
// the function Label.
func (l *Lanes) Label(y []uint8) {
	n := len(l.nodes)
	for k := n - 1; k >= 0; k-- {
		node := &l.nodes[k]
		from, to := &l.gain[k], &l.gain[node.Parent]
		var off, on uint64
		for r, a := range from {
			with := a + node.Weight
			to[r] += positive(with) - positive(a)
			off |= uint64(isPositive(a)) << (8 * r)
			on |= uint64(isPositive(with)) << (8 * r)
		}
		l.off[k], l.with[k] = off, on
	}
	for k := range l.nodes {
		parent, at := l.y[l.nodes[k].Parent], int(l.nodes[k].Label)
		labels := l.off[k]&^parent | l.with[k]&parent
		l.y[k] = labels
		for r := range Width {
			y[at+r*n] = uint8(labels >> (8 * r))
		}
	}
}
