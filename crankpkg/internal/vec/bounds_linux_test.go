package vec

import (
	"math"
	"syscall"
	"testing"
	"unsafe"
)

// TestReadsNothingPastTheEnd has vectors that end where memory ends: reading on, not
// under a mask, would fault.
func TestReadsNothingPastTheEnd(t *testing.T) {
	x, w, y := lastPage(t), lastPage(t), lastPage(t)
	eachUnit(t, func(*testing.T) {
		for n := 1; n <= 70; n++ {
			a, b, dst := x[len(x)-n:], w[len(w)-n:], y[len(y)-n:]
			Dot(a, b)
			DistancesTo(make([]float64, 1), a, b)
			AddScaled(dst, 1, a)
			for _, vectors := range []int{1, 2, 4, 5} {
				if vectors*n <= len(w) {
					DotsTo(y[len(y)-vectors:], a, w[len(w)-vectors*n:], n)
				}
			}
			u, v, to := singles(a), singles(b), singles(dst)
			for k := 1; k <= len(u); k++ {
				Dot32(u[len(u)-k:], v[len(v)-k:])
				AddScaled32(to[len(to)-k:], 1, u[len(u)-k:])
			}
		}
		for d := 1; d <= 60; d++ {
			for rows := 1; rows <= 8; rows++ {
				p := &Panels{numFeatures: d, numPanels: 1, w: w[len(w)-panel*d:]}
				p.ProductTo(y[len(y)-panel*rows:], x[len(x)-rows*d:], rows)
			}
			if 2*panel*d <= len(w) {
				p := &Panels{numFeatures: d, numPanels: 2, w: w[len(w)-2*panel*d:]}
				p.ProductTo(y[len(y)-2*panel:], x[len(x)-d:], 1)
			}
		}
	})
}

// lastPage returns a page of numbers with no memory behind it.
func lastPage(t *testing.T) []float64 {
	size := syscall.Getpagesize()
	m, err := syscall.Mmap(-1, 0, 2*size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() {
		if err := syscall.Munmap(m); err != nil {
			t.Error(err)
		}
	})
	if err := syscall.Mprotect(m[size:], syscall.PROT_NONE); err != nil {
		t.Fatal(err)
	}
	page := unsafe.Slice((*float64)(unsafe.Pointer(&m[0])), size/8)
	for k := range page {
		page[k] = math.Sqrt(float64(k))
	}
	return page
}

// singles returns the same memory as numbers in single precision.
func singles(v []float64) []float32 {
	return unsafe.Slice((*float32)(unsafe.Pointer(&v[0])), 2*len(v))
}
