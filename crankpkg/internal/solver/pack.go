package solver

import (
	"sync"

	"github.com/crank-ml/crank/crankpkg/internal/interior"
)

// packedAlphas has the alphas that are not zero. With all others, those of a thousand labels
// would take most of the memory of a training.
type packedAlphas struct {
	example []int32
	value   []float64
}

// SolvePacked is Solve that leaves the alphas packed.
func (b *SVM) SolvePacked(gap float64, passes int, stop func() bool) {
	b.Solve(gap, passes, stop)
	b.pack()
}

// TakeOverPacked gives the interior point method its turn where coordinate steps have used up
// their passes short of the gap, and leaves the alphas packed.
func (b *SVM) TakeOverPacked(gap float64, stop func() bool) {
	if b.bounds.Gap() <= gap || !b.mayTry(gap) || stop() {
		return
	}
	b.unpack()
	b.rejoin()
	b.active = lists.take(len(b.alpha))
	b.settle(b.takeInterior(gap, b.passes+interior.Steps, stop))
	lists.give(b.active)
	b.active = nil
	b.pack()
}

// pack puts the alphas away until unpack, which all that works with them calls first.
func (b *SVM) pack() {
	if b.packed != nil {
		return
	}
	count := 0
	for _, a := range b.alpha {
		if a != 0 {
			count++
		}
	}
	p := &packedAlphas{make([]int32, 0, count), make([]float64, 0, count)}
	for m, a := range b.alpha {
		if a != 0 {
			p.example, p.value = append(p.example, int32(m)), append(p.value, a)
			b.alpha[m] = 0
		}
	}
	zeros.give(b.alpha)
	b.alpha, b.packed = nil, p
}

func (b *SVM) unpack() {
	if b.packed == nil {
		return
	}
	b.alpha = zeros.take(len(b.t))
	for k, m := range b.packed.example {
		b.alpha[m] = b.packed.value[k]
	}
	b.packed = nil
}

// slicePool has slices that no solve works with.
type slicePool[T any] struct{ pool sync.Pool }

var (
	lists slicePool[int32]   // of examples
	zeros slicePool[float64] // of nothing but zeros
)

// take returns a slice of so many.
func (p *slicePool[T]) take(size int) []T {
	if s, ok := p.pool.Get().(*[]T); ok && cap(*s) >= size {
		return (*s)[:size]
	}
	return make([]T, size)
}

func (p *slicePool[T]) give(s []T) { p.pool.Put(&s) }
