package solver

import (
	"iter"
	"math"
	"slices"

	"github.com/crank-ml/crank/crankpkg/internal/vec"
)

// term is one entry of a sparse vector. Its value is a multiple of one half, but for groups of
// labels, and for pairs whose ends are both one half, where it may be any in between (see
// takeMarginals).
type term struct {
	index int32
	value float32
}

// terms is a sparse vector by increasing index, in four bytes an entry: labelings are most of
// the memory of a training. An entry is index << valueBits | code, where the code stands for a
// value of halves. A vector with any other value begins with the word isWide, and its entries
// take two words each, the index and the value as a float32.
type terms []uint32

const (
	valueBits = 3
	codeMask  = 1<<valueBits - 1
	isWide    = math.MaxUint32
)

// values has those of the codes.
var values = [codeMask + 1]float64{-1, -0.5, 0, 0.5, 1}

// codeOf returns the code of a value, and whether it has one.
func codeOf(value float32) (uint32, bool) {
	switch value {
	case -1, -0.5, 0.5, 1:
		return uint32(2*value + 2), true
	}
	return 0, false
}

// add appends an entry. Indices are below 2^29: the weights of so many pairs alone would take
// some ten gigabytes.
func (t terms) add(index int32, value float32) terms {
	if !t.wide() {
		if code, ok := codeOf(value); ok {
			return append(t, uint32(index)<<valueBits|code)
		}
		t = t.widened()
	}
	return append(t, uint32(index), math.Float32bits(value))
}

// prefetch asks for the first and the last words.
func (t terms) prefetch() {
	if len(t) > 0 {
		vec.Prefetch(&t[0])
		vec.Prefetch(&t[len(t)-1])
	}
}

// wide reports whether entries take two words.
func (t terms) wide() bool { return len(t) > 0 && t[0] == isWide }

// widened returns the entries in two words each.
func (t terms) widened() terms {
	w := append(make(terms, 0, 2*len(t)+3), isWide)
	for entry := range t.all() {
		w = append(w, uint32(entry.index), math.Float32bits(entry.value))
	}
	return w
}

// count returns the number of entries.
func (t terms) count() int {
	if t.wide() {
		return len(t) / 2
	}
	return len(t)
}

// at returns entry k.
func (t terms) at(k int) term {
	if t.wide() {
		return term{int32(t[2*k+1]), math.Float32frombits(t[2*k+2])}
	}
	return term{int32(t[k] >> valueBits), float32(values[t[k]&codeMask])}
}

// all goes through the entries. Loops that take much of the time of a training go through the
// words.
func (t terms) all() iter.Seq[term] {
	return func(yield func(term) bool) {
		for k := range t.count() {
			if !yield(t.at(k)) {
				return
			}
		}
	}
}

// renumber appends the entries that have a new position to dst, with that.
func (t terms) renumber(dst []term, to []int32) []term {
	for entry := range t.all() {
		if to[entry.index] >= 0 {
			dst = append(dst, term{to[entry.index], entry.value})
		}
	}
	return dst
}

// sorted returns the entries of the list, which it sorts, in the memory of t where they fit.
func (t terms) sorted(list []term) terms {
	slices.SortFunc(list, func(s, t term) int { return int(s.index - t.index) })
	t = t[:0]
	if cap(t) < len(list) {
		t = make(terms, 0, len(list))
	}
	for _, entry := range list {
		t = t.add(entry.index, entry.value)
	}
	return t
}

// dot returns the inner product with dense, plus start.
func (t terms) dot(start float64, dense []float64) float64 {
	if t.wide() {
		for k := range t.count() {
			start += float64(t.at(k).value) * dense[t.at(k).index]
		}
		return start
	}
	for _, word := range t {
		start += values[word&codeMask] * dense[word>>valueBits]
	}
	return start
}

// scatter writes the entries, times scale, to their places in dst.
func (t terms) scatter(dst []float64, scale float64) {
	if t.wide() {
		for k := range t.count() {
			dst[t.at(k).index] = scale * float64(t.at(k).value)
		}
		return
	}
	for _, word := range t {
		dst[word>>valueBits] = scale * values[word&codeMask]
	}
}

// addTo adds the entries, times scale, to dst, and appends those of them to the list that dst had
// none of.
func (t terms) addTo(dst []float64, scale float64, list []int32) []int32 {
	add := func(i uint32, value float64) {
		if dst[i] == 0 {
			list = append(list, int32(i))
		}
		dst[i] += scale * value
	}
	if t.wide() {
		for k := range t.count() {
			add(uint32(t.at(k).index), float64(t.at(k).value))
		}
		return list
	}
	for _, word := range t {
		add(word>>valueBits, values[word&codeMask])
	}
	return list
}

// listNew appends the indices to the list where seen has another visit, and notes this one there.
func (t terms) listNew(list, seen []int32, visit int32) []int32 {
	note := func(i uint32) {
		if seen[i] != visit {
			seen[i] = visit
			list = append(list, int32(i))
		}
	}
	if t.wide() {
		for k := range t.count() {
			note(uint32(t.at(k).index))
		}
		return list
	}
	for _, word := range t {
		note(word >> valueBits)
	}
	return list
}

// subtract writes the non-zero terms of a - b to dst[:0], by increasing index.
func subtract(dst []term, a, b terms) []term {
	dst = dst[:0]
	i, j, m, n := 0, 0, a.count(), b.count()
	for i < m && j < n {
		s, t := a.at(i), b.at(j)
		switch {
		case s.index < t.index:
			dst = append(dst, s)
			i++
		case s.index > t.index:
			dst = append(dst, term{t.index, -t.value})
			j++
		default:
			if v := s.value - t.value; v != 0 {
				dst = append(dst, term{s.index, v})
			}
			i++
			j++
		}
	}
	for ; i < m; i++ {
		dst = append(dst, a.at(i))
	}
	for ; j < n; j++ {
		t := b.at(j)
		dst = append(dst, term{t.index, -t.value})
	}
	return dst
}
