package crankpkg

import (
	"fmt"
	"slices"
)

// groupLayout tells which labels belong to which group: group i has the labels
// start[i] to start[i+1]-1, of which exactly one is on. A group is a variable,
// and its labels are the variable's states.
type groupLayout struct {
	sizes []int
	start []int
	group []int32 // by label
}

func newGroupLayout(sizes []int) *groupLayout {
	l := &groupLayout{sizes: sizes, start: make([]int, len(sizes)+1)}
	for i, k := range sizes {
		l.start[i+1] = l.start[i] + k
		for range k {
			l.group = append(l.group, int32(i))
		}
	}
	return l
}

func (l *groupLayout) numGroups() int { return len(l.sizes) }

func (l *groupLayout) numLabels() int { return len(l.group) }

// oneHotTo writes the labels of zeros and ones of the states y, one of each group.
func (l *groupLayout) oneHotTo(labels, y []uint8) {
	clear(labels)
	for i, s := range y {
		labels[l.start[i]+int(s)] = 1
	}
}

// statesTo writes, for each group, the number within it of the label that is on.
func (l *groupLayout) statesTo(y, labels []uint8) {
	for i := range l.sizes {
		y[i] = uint8(slices.Index(labels[l.start[i]:l.start[i+1]], 1))
	}
}

// maxStates is how many labels a group can have: states are kept in bytes.
const maxStates = 256

// checkGroups returns an error unless the sizes are from 2 to maxStates and add up
// to n labels.
func checkGroups(sizes []int, n int) error {
	total := 0
	for i, k := range sizes {
		if k < 2 || k > maxStates {
			return fmt.Errorf("group %d: %d labels are not between 2 and %d", i, k, maxStates)
		}
		total += k
	}
	if total != n {
		return fmt.Errorf("groups of %d labels together for %d labels", total, n)
	}
	return nil
}

// checkRow returns an error unless just one label of each group is on.
func (l *groupLayout) checkRow(labels []uint8) error {
	for i := range l.sizes {
		on := 0
		for _, v := range labels[l.start[i]:l.start[i+1]] {
			on += int(v)
		}
		if on != 1 {
			return fmt.Errorf("%d labels of group %d are on", on, i)
		}
	}
	return nil
}

// edgeOf returns the edge between the groups of two labels.
func (l *groupLayout) edgeOf(pair Edge) Edge {
	return Edge{int(l.group[pair.I]), int(l.group[pair.J])}
}

// pairs returns the pairs of labels of the given edges between groups. Both
// are in the order of Edge.Index.
func (l *groupLayout) pairs(edges []Edge) []Edge {
	var pairs []Edge
	for first := 0; first < len(edges); {
		j, last := edges[first].J, first
		for last < len(edges) && edges[last].J == j {
			last++
		}
		for b := l.start[j]; b < l.start[j+1]; b++ {
			for _, e := range edges[first:last] {
				for a := l.start[e.I]; a < l.start[e.I+1]; a++ {
					pairs = append(pairs, Edge{a, b})
				}
			}
		}
		first = last
	}
	return pairs
}

// pairTables finds the table of each edge between groups among pairs of
// labels.
type pairTables struct {
	edges []Edge
	at    [][]int32 // by edge: where the pair of the states (s, t) is, at s*states[J]+t
	owner []int32   // by pair: its edge
}

// tables returns the tables that the pairs of labels, in the order of
// Edge.Index, make up. All pairs of an edge have to be there.
func (l *groupLayout) tables(pairs []Edge) *pairTables {
	t := &pairTables{owner: make([]int32, len(pairs))}
	number := make(map[Edge]int32)
	for _, pair := range pairs {
		e := l.edgeOf(pair)
		if _, seen := number[e]; !seen {
			number[e] = int32(len(t.edges))
			t.edges = append(t.edges, e)
			t.at = append(t.at, make([]int32, l.sizes[e.I]*l.sizes[e.J]))
		}
	}
	for p, pair := range pairs {
		e := l.edgeOf(pair)
		k := number[e]
		t.owner[p] = k
		t.at[k][(pair.I-l.start[e.I])*l.sizes[e.J]+pair.J-l.start[e.J]] = int32(p)
	}
	return t
}
