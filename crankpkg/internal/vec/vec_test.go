package vec

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// The tests below do not run in parallel: eachUnit changes which instructions the
// package uses. They hold every set that this processor has to definitions, written
// anew here in the plainest way.

func defineDot(x, y []float64) float64 {
	var s [16]float64
	for k := range x {
		s[k%16] += float64(x[k] * y[k])
	}
	for _, half := range []int{8, 4, 2, 1} {
		for k := range half {
			s[k] += s[k+half]
		}
	}
	return s[0]
}

func defineDot32(x, y []float32) float32 {
	var s [32]float32
	for k := range x {
		s[k%32] += float32(x[k] * y[k])
	}
	for _, half := range []int{16, 8, 4, 2, 1} {
		for k := range half {
			s[k] += s[k+half]
		}
	}
	return s[0]
}

func definePanel(x, w []float64) float64 {
	var s [4]float64
	for k := range x {
		s[k%4] += float64(x[k] * w[k])
	}
	return (s[0] + s[1]) + (s[2] + s[3])
}

// same reports whether two numbers have the same bits, or are both no numbers.
func same(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || (math.IsNaN(a) && math.IsNaN(b))
}

// kinds fill vectors with numbers for which a slip shows.
var kinds = []struct {
	name string
	draw func(rng *rand.Rand) float64
}{
	{"normal", (*rand.Rand).NormFloat64},
	// Sums depend on their order here.
	{"wide", func(rng *rand.Rand) float64 { return math.Ldexp(rng.NormFloat64(), rng.IntN(60)-30) }},
	{"tiny", func(rng *rand.Rand) float64 {
		return []float64{1e-30, -1e-20, 1e-154, 3e-162, 5e-324, -1e-308, 1e-45, -1e-38, 0, math.Copysign(0, -1), 1}[rng.IntN(11)]
	}},
	{"huge", func(rng *rand.Rand) float64 { return rng.NormFloat64() * []float64{1, 1e19, 1e154, 1e300}[rng.IntN(4)] }},
	{"special", func(rng *rand.Rand) float64 {
		if rng.IntN(40) > 0 {
			return rng.NormFloat64()
		}
		return []float64{math.Inf(1), math.Inf(-1), math.NaN(), math.Copysign(0, -1), 0}[rng.IntN(5)]
	}},
	{"negative zeros", func(*rand.Rand) float64 { return math.Copysign(0, -1) }},
}

// vector returns n numbers that begin offset places after others.
func vector(n, offset int, draw func(*rand.Rand) float64, rng *rand.Rand) []float64 {
	v := make([]float64, offset+n)
	for k := range v {
		v[k] = draw(rng)
	}
	return v[offset : offset+n : offset+n]
}

func single(v []float64) []float32 {
	s := make([]float32, len(v))
	for k := range v {
		s[k] = float32(v[k])
	}
	return s
}

const maxLength = 200

// eachCase runs f with vectors of all lengths, kinds and many offsets.
func eachCase(t *testing.T, f func(t *testing.T, x, y []float64, rng *rand.Rand)) {
	eachUnit(t, func(t *testing.T) {
		for _, kind := range kinds {
			rng := rand.New(rand.NewPCG(1, 2))
			for n := range maxLength + 1 {
				for offset := range 5 {
					f(t, vector(n, offset, kind.draw, rng), vector(n, (n+3*offset)%8, kind.draw, rng), rng)
					if t.Failed() {
						t.Fatalf("%s numbers, length %d, offset %d", kind.name, n, offset)
					}
				}
			}
		}
	})
}

func TestDot(t *testing.T) {
	eachCase(t, func(t *testing.T, x, y []float64, _ *rand.Rand) {
		if got, want := Dot(x, y), defineDot(x, y); !same(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
		if got, want := dotPortable(x, y), defineDot(x, y); !same(got, want) {
			t.Errorf("portable: %v, want %v", got, want)
		}
	})
}

func TestDistancesTo(t *testing.T) {
	eachCase(t, func(t *testing.T, x, y []float64, _ *rand.Rand) {
		var s [16]float64
		for k := range x {
			s[k%16] += math.Abs(x[k] - y[k])
		}
		for _, half := range []int{8, 4, 2, 1} {
			for k := range half {
				s[k] += s[k+half]
			}
		}
		got := []float64{1, 1}
		DistancesTo(got, x, append(slices.Clone(x), y...))
		if !same(got[1], s[0]) {
			t.Errorf("%v, want %v", got[1], s[0])
		}
		if got[0] != 0 && !math.IsNaN(got[0]) { // infinite ones less themselves
			t.Errorf("%v from itself", got[0])
		}
		if got := distancePortable(x, y); !same(got, s[0]) {
			t.Errorf("portable: %v, want %v", got, s[0])
		}
	})
}

func TestDot32(t *testing.T) {
	eachCase(t, func(t *testing.T, x, y []float64, _ *rand.Rand) {
		u, v := single(x), single(y)
		want := float64(defineDot32(u, v))
		if got := float64(Dot32(u, v)); !same(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
		if got := float64(dot32Portable(u, v)); !same(got, want) {
			t.Errorf("portable: %v, want %v", got, want)
		}
	})
}

func TestAddScaled(t *testing.T) {
	eachCase(t, func(t *testing.T, x, y []float64, rng *rand.Rand) {
		n, a := len(x), x2(x, rng)
		dst := append(append([]float64{7}, y...), 7)
		AddScaled(dst[1:n+1], a, x)
		for k := range x {
			if want := y[k] + float64(a*x[k]); !same(dst[k+1], want) {
				t.Errorf("number %d: %v, want %v", k, dst[k+1], want)
			}
		}
		if dst[0] != 7 || dst[n+1] != 7 {
			t.Error("numbers beside the vector have changed")
		}
	})
}

func TestAddScaled32(t *testing.T) {
	eachCase(t, func(t *testing.T, x, y []float64, rng *rand.Rand) {
		n, a := len(x), float32(x2(x, rng))
		u, v := single(x), single(y)
		dst := append(append([]float32{7}, v...), 7)
		AddScaled32(dst[1:n+1], a, u)
		for k := range u {
			if want := v[k] + float32(a*u[k]); !same(float64(dst[k+1]), float64(want)) {
				t.Errorf("number %d: %v, want %v", k, dst[k+1], want)
			}
		}
		if dst[0] != 7 || dst[n+1] != 7 {
			t.Error("numbers beside the vector have changed")
		}
	})
}

// x2 returns a factor of the kind of x.
func x2(x []float64, rng *rand.Rand) float64 {
	if len(x) == 0 {
		return 1
	}
	return x[rng.IntN(len(x))]
}

func TestDotsTo(t *testing.T) {
	eachUnit(t, func(t *testing.T) {
		for _, kind := range kinds {
			rng := rand.New(rand.NewPCG(3, 4))
			for d := range maxLength + 1 {
				for _, n := range []int{0, 1, 2, 3, 4, 5, 9, 14} {
					stride := d + rng.IntN(4)
					x, w := vector(d, 1, kind.draw, rng), vector(n*stride, 3, kind.draw, rng)
					dst := make([]float64, n+1)
					dst[n] = 7
					DotsTo(dst[:n], x, w, stride)
					for i := range n {
						if want := defineDot(x, w[i*stride:i*stride+d]); !same(dst[i], want) {
							t.Fatalf("%s numbers, length %d, vector %d of %d: %v, want %v", kind.name, d, i, n, dst[i], want)
						}
					}
					if dst[n] != 7 {
						t.Fatal("a number beside the products has changed")
					}
					checkSome(t, dst[:n], x, w, stride, rng)
				}
			}
		}
	})
}

// checkSome holds SomeDotsTo, of a random part of the vectors, to all products.
func checkSome(t *testing.T, all, x, w []float64, stride int, rng *rand.Rand) {
	t.Helper()
	which, chosen := []int32{}, make([]bool, len(all))
	for _, i := range rng.Perm(len(all))[:rng.IntN(len(all)+1)] {
		which, chosen[i] = append(which, int32(i)), true
	}
	dst := make([]float64, len(all))
	for i := range dst {
		dst[i] = 7
	}
	SomeDotsTo(dst, x, w, stride, which)
	for i, v := range dst {
		if (chosen[i] && !same(v, all[i])) || (!chosen[i] && v != 7) {
			t.Fatalf("vectors %v of %d of length %d: %v, all have %v", which, len(all), len(x), dst, all)
		}
	}
}

func TestPanels(t *testing.T) {
	eachUnit(t, func(t *testing.T) {
		for _, kind := range kinds {
			rng := rand.New(rand.NewPCG(5, 6))
			for _, n := range []int{1, 6, 8, 14, 17, 33} {
				for d := range 40 {
					checkPanels(t, n, d, 1, kind.draw, rng)
					checkPanels(t, n, d, rng.IntN(11), kind.draw, rng)
					if t.Failed() {
						t.Fatalf("%s numbers, %d vectors of %d", kind.name, n, d)
					}
				}
			}
		}
	})
}

func checkPanels(t *testing.T, n, d, rows int, draw func(*rand.Rand) float64, rng *rand.Rand) {
	w, x := vector(n*d, 1, draw, rng), vector(rows*d, 3, draw, rng)
	p := NewPanels(w, n, d)
	width := p.Width()
	if width < n || width >= n+8 || width%8 != 0 {
		t.Fatalf("a width of %d for %d vectors", width, n)
	}
	for i, v := range p.ByFeature(n) {
		if want := w[i%n*d+i/n]; !same(v, want) {
			t.Errorf("number %d of the vectors by feature: %v, want %v", i, v, want)
		}
	}
	dst := make([]float64, rows*width+1)
	dst[rows*width] = 7
	p.ProductTo(dst[:rows*width], x, rows)
	for m := range rows {
		for i := range n {
			if want := definePanel(x[m*d:(m+1)*d], w[i*d:(i+1)*d]); !same(dst[m*width+i], want) {
				t.Errorf("row %d of %d, vector %d: %v, want %v", m, rows, i, dst[m*width+i], want)
			}
		}
	}
	if dst[rows*width] != 7 {
		t.Error("a number beside the products has changed")
	}
}

// TestProductsAreSums looks at what no slip in an order can hide: whole numbers, whose
// sums are exact in any order.
func TestProductsAreSums(t *testing.T) {
	eachUnit(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(7, 8))
		whole := func(rng *rand.Rand) float64 { return float64(rng.IntN(201) - 100) }
		for n := range maxLength + 1 {
			x, y := vector(n, 0, whole, rng), vector(n, 0, whole, rng)
			var want float64
			for k := range x {
				want += x[k] * y[k]
			}
			var to [1]float64
			DotsTo(to[:], x, y, n)
			if p := NewPanels(y, 1, n); n > 0 {
				wide := make([]float64, p.Width())
				p.ProductTo(wide, x, 1)
				to[0] += wide[0] - want
			}
			if Dot(x, y) != want || to[0] != want || float64(Dot32(single(x), single(y))) != want {
				t.Fatalf("length %d: %v, %v and %v, want %v", n, Dot(x, y), to[0], Dot32(single(x), single(y)), want)
			}
		}
	})
}

func TestLengthsHaveToFit(t *testing.T) {
	x := make([]float64, 3)
	for name, f := range map[string]func(){
		"Dot":         func() { Dot(x, x[:2]) },
		"DotsTo":      func() { DotsTo(x[:2], x, x, 3) },
		"stride":      func() { DotsTo(x[:1], x, x[:2], 2) },
		"SomeDotsTo":  func() { SomeDotsTo(x[:2], x, x, 3, nil) },
		"DistancesTo": func() { DistancesTo(x[:2], x, x) },
		"AddScaled":   func() { AddScaled(x[:2], 1, x) },
		"Dot32":       func() { Dot32(make([]float32, 1), make([]float32, 2)) },
		"AddScaled32": func() { AddScaled32(make([]float32, 2), 1, make([]float32, 1)) },
		"NewPanels":   func() { NewPanels(x, 2, 2) },
		"rows":        func() { NewPanels(x, 3, 1).ProductTo(make([]float64, 8), x, 1) },
		"products":    func() { NewPanels(x, 1, 3).ProductTo(x, x, 1) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if said := fmt.Sprint(recover()); !strings.HasPrefix(said, "vec: ") { // and not just an index
					t.Errorf("the panic is %s", said)
				}
			}()
			f()
		})
	}
}

// FuzzUnits holds all sets of instructions to the definitions on any bits.
func FuzzUnits(f *testing.F) {
	f.Add([]byte("some sixteen bytes, and then as many again, which are numbers too."))
	f.Fuzz(func(t *testing.T, data []byte) {
		n := len(data) / 16
		x, y := make([]float64, n), make([]float64, n)
		for k := range n {
			x[k] = math.Float64frombits(binary.LittleEndian.Uint64(data[16*k:]))
			y[k] = math.Float64frombits(binary.LittleEndian.Uint64(data[16*k+8:]))
		}
		eachUnit(t, func(t *testing.T) {
			if got, want := Dot(x, y), defineDot(x, y); !same(got, want) {
				t.Errorf("%v, want %v", got, want)
			}
			u, v := single(x), single(y)
			if got, want := Dot32(u, v), defineDot32(u, v); !same(float64(got), float64(want)) {
				t.Errorf("single precision: %v, want %v", got, want)
			}
		})
	})
}

var lengths = []int{14, 103, 294, 1449}

func benchmarkLengths(b *testing.B, f func(b *testing.B, x, y []float64)) {
	for _, n := range lengths {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(9, 9))
			f(b, vector(n, 0, (*rand.Rand).NormFloat64, rng), vector(n, 0, (*rand.Rand).NormFloat64, rng))
		})
	}
}

func BenchmarkDot(b *testing.B) {
	benchmarkLengths(b, func(b *testing.B, x, y []float64) {
		for b.Loop() {
			Dot(x, y)
		}
	})
}

func BenchmarkDistancesTo(b *testing.B) {
	benchmarkLengths(b, func(b *testing.B, x, y []float64) {
		to := make([]float64, 1)
		for b.Loop() {
			DistancesTo(to, x, y)
		}
	})
}

// BenchmarkOffset has vectors that begin at a line of the cache, and one number after it.
func BenchmarkOffset(b *testing.B) {
	for _, n := range []int{103, 294} {
		for _, offset := range []int{0, 1} {
			rng := rand.New(rand.NewPCG(9, 9))
			x, y := vector(n, offset, (*rand.Rand).NormFloat64, rng), vector(n, offset, (*rand.Rand).NormFloat64, rng)
			b.Run(fmt.Sprintf("dot/%d/offset=%d", n, offset), func(b *testing.B) {
				for b.Loop() {
					Dot(x, y)
				}
			})
			b.Run(fmt.Sprintf("add/%d/offset=%d", n, offset), func(b *testing.B) {
				for b.Loop() {
					AddScaled(y, 1e-9, x)
				}
			})
		}
	}
}

func BenchmarkDot32(b *testing.B) {
	benchmarkLengths(b, func(b *testing.B, x, y []float64) {
		u, v := single(x), single(y)
		for b.Loop() {
			Dot32(u, v)
		}
	})
}

func BenchmarkAddScaled(b *testing.B) {
	benchmarkLengths(b, func(b *testing.B, x, y []float64) {
		for b.Loop() {
			AddScaled(y, 1e-9, x)
		}
	})
}

func BenchmarkAddScaled32(b *testing.B) {
	benchmarkLengths(b, func(b *testing.B, x, y []float64) {
		u, v := single(x), single(y)
		for b.Loop() {
			AddScaled32(v, 1e-9, u)
		}
	})
}

// BenchmarkRows has what a training does with rows, in double and in single precision: products of
// rows that come in random order with the weights of all labels, and additions to those of one. The
// sizes are those of Yeast, Scene and Medical.
func BenchmarkRows(b *testing.B) {
	for _, size := range []struct{ m, n, d int }{{1500, 14, 103}, {1211, 6, 294}, {333, 45, 1449}} {
		rng := rand.New(rand.NewPCG(9, 9))
		stride := (size.d + 15) &^ 15
		x, w := vector(size.m*stride, 0, (*rand.Rand).NormFloat64, rng), vector(size.n*stride, 0, (*rand.Rand).NormFloat64, rng)
		u, v := single(x), single(w)
		order, dst := rng.Perm(size.m), make([]float64, size.n)
		run := func(name string, visit func(at int)) {
			b.Run(fmt.Sprintf("%dx%d/%s", size.n, size.d, name), func(b *testing.B) {
				for b.Loop() {
					for _, m := range order {
						visit(m * stride)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*size.m), "ns/row")
			})
		}
		run("dots", func(at int) { DotsTo(dst, x[at:at+size.d], w, stride) })
		run("dots32", func(at int) {
			for i := range dst {
				dst[i] = float64(Dot32(u[at:at+size.d], v[i*stride:i*stride+size.d]))
			}
		})
		run("add", func(at int) { AddScaled(w[:size.d], 1e-9, x[at:at+size.d]) })
		run("add32", func(at int) { AddScaled32(v[:size.d], 1e-9, u[at:at+size.d]) })
	}
}

// The sizes of Yeast and Scene.
var sizes = []struct{ n, d int }{{14, 103}, {6, 294}}

func BenchmarkDotsTo(b *testing.B) {
	for _, size := range sizes {
		b.Run(fmt.Sprintf("%dx%d", size.n, size.d), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(9, 9))
			x, w := vector(size.d, 0, (*rand.Rand).NormFloat64, rng), vector(size.n*size.d, 0, (*rand.Rand).NormFloat64, rng)
			dst := make([]float64, size.n)
			for b.Loop() {
				DotsTo(dst, x, w, size.d)
			}
		})
	}
}

func BenchmarkProductTo(b *testing.B) {
	for _, size := range sizes {
		for _, rows := range []int{1, 64} {
			b.Run(fmt.Sprintf("%dx%d/rows=%d", size.n, size.d, rows), func(b *testing.B) {
				rng := rand.New(rand.NewPCG(9, 9))
				p := NewPanels(vector(size.n*size.d, 0, (*rand.Rand).NormFloat64, rng), size.n, size.d)
				x, dst := vector(rows*size.d, 0, (*rand.Rand).NormFloat64, rng), make([]float64, rows*p.Width())
				for b.Loop() {
					p.ProductTo(dst, x, rows)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*rows), "ns/row")
			})
		}
	}
}
