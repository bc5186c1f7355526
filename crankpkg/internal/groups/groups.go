package groups

import (
	"errors"
	"fmt"
	"slices"

	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// Layout tells which labels belong to which group: group i has the labels
// start[i] to start[i+1]-1, of which exactly one is on. A group is a variable,
// and its labels are the variable's states.
type Layout struct {
	Sizes []int
	Start []int
	Group []int32 // by label
}

func New(sizes []int) *Layout {
	l := &Layout{Sizes: sizes, Start: make([]int, len(sizes)+1)}
	for i, k := range sizes {
		l.Start[i+1] = l.Start[i] + k
		for range k {
			l.Group = append(l.Group, int32(i))
		}
	}
	return l
}

func (l *Layout) NumGroups() int { return len(l.Sizes) }

func (l *Layout) NumLabels() int { return len(l.Group) }

// OneHotTo writes the labels of zeros and ones of the states y, one of each group.
func (l *Layout) OneHotTo(labels, y []uint8) {
	clear(labels)
	for i, s := range y {
		labels[l.Start[i]+int(s)] = 1
	}
}

// StatesTo writes, for each group, the number within it of the label that is on.
func (l *Layout) StatesTo(y, labels []uint8) {
	for i := range l.Sizes {
		y[i] = uint8(slices.Index(labels[l.Start[i]:l.Start[i+1]], 1))
	}
}

// MaxSize is how many labels a group can have: states are kept in bytes.
const MaxSize = 256

// Check returns an error unless the sizes are from 2 to MaxSize and add up
// to n labels.
func Check(sizes []int, n int) error {
	total := 0
	for i, k := range sizes {
		if k < 2 || k > MaxSize {
			return fmt.Errorf("group %d: %d labels are not between 2 and %d", i, k, MaxSize)
		}
		total += k
	}
	if total != n {
		return fmt.Errorf("groups of %d labels together for %d labels", total, n)
	}
	return nil
}

// Reorder returns the sizes of the groups when the labels are in another order,
// which has to keep those of a group together.
func Reorder(sizes, order []int) ([]int, error) {
	if sizes == nil {
		return nil, nil
	}
	group, last := New(sizes).Group, int32(-1)
	var reordered []int
	for _, i := range order {
		if group[i] != last {
			last = group[i]
			reordered = append(reordered, 0)
		}
		reordered[len(reordered)-1]++
	}
	if len(reordered) != len(sizes) {
		return nil, errors.New("the labels of a group are not together in the order that is asked for")
	}
	return reordered, nil
}

// CheckRow returns an error unless just one label of each group is on.
func (l *Layout) CheckRow(labels []uint8) error {
	for i := range l.Sizes {
		on := 0
		for _, v := range labels[l.Start[i]:l.Start[i+1]] {
			on += int(v)
		}
		if on != 1 {
			return fmt.Errorf("%d labels of group %d are on", on, i)
		}
	}
	return nil
}

// EdgeOf returns the edge between the groups of two labels.
func (l *Layout) EdgeOf(pair labelgraph.Edge) labelgraph.Edge {
	return labelgraph.Edge{I: int(l.Group[pair.I]), J: int(l.Group[pair.J])}
}

// Pairs returns the pairs of labels of the given edges between groups. Both
// are in the order of Edge.Index.
func (l *Layout) Pairs(edges []labelgraph.Edge) []labelgraph.Edge {
	var pairs []labelgraph.Edge
	for first := 0; first < len(edges); {
		j, last := edges[first].J, first
		for last < len(edges) && edges[last].J == j {
			last++
		}
		for b := l.Start[j]; b < l.Start[j+1]; b++ {
			for _, e := range edges[first:last] {
				for a := l.Start[e.I]; a < l.Start[e.I+1]; a++ {
					pairs = append(pairs, labelgraph.Edge{I: a, J: b})
				}
			}
		}
		first = last
	}
	return pairs
}

// Tables finds the table of each edge between groups among pairs of
// labels.
type Tables struct {
	Edges []labelgraph.Edge
	At    [][]int32 // by edge: where the pair of the states (s, t) is, at s*states[J]+t
	Owner []int32   // by pair: its edge
}

// Tables returns the tables that the pairs of labels, in the order of
// Edge.Index, make up. All pairs of an edge have to be there.
func (l *Layout) Tables(pairs []labelgraph.Edge) *Tables {
	t := &Tables{Owner: make([]int32, len(pairs))}
	number := make(map[labelgraph.Edge]int32)
	for _, pair := range pairs {
		e := l.EdgeOf(pair)
		if _, seen := number[e]; !seen {
			number[e] = int32(len(t.Edges))
			t.Edges = append(t.Edges, e)
			t.At = append(t.At, make([]int32, l.Sizes[e.I]*l.Sizes[e.J]))
		}
	}
	for p, pair := range pairs {
		e := l.EdgeOf(pair)
		k := number[e]
		t.Owner[p] = k
		t.At[k][(pair.I-l.Start[e.I])*l.Sizes[e.J]+pair.J-l.Start[e.J]] = int32(p)
	}
	return t
}
