package solver

import "sync"

// packedAlphas has the alphas that are not zero. Those of a thousand labels would
// take most of the memory of a training that no longer needs them, unless it goes on
// to another lambda.
type packedAlphas struct {
	example []int32
	value   []float64
}

// pack puts the alphas away until unpack, which all that works with them calls.
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
		}
	}
	b.alpha, b.packed = nil, p
}

func (b *SVM) unpack() {
	if b.packed == nil {
		return
	}
	b.alpha = make([]float64, len(b.t))
	for k, m := range b.packed.example {
		b.alpha[m] = b.packed.value[k]
	}
	b.packed = nil
}

// listPool has lists of examples that no solve works on.
type listPool struct{ pool sync.Pool }

var lists listPool

// take returns an empty list with room for so many.
func (p *listPool) take(size int) []int32 {
	if l, ok := p.pool.Get().(*[]int32); ok && cap(*l) >= size {
		return (*l)[:0]
	}
	return make([]int32, 0, size)
}

func (p *listPool) give(list []int32) { p.pool.Put(&list) }
