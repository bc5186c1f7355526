package plotting

import (
	"math"
	"testing"
)

func TestSampled(t *testing.T) {
	t.Parallel()
	l := Sampled("square", -2, 3, func(x float64) float64 { return x * x })
	n := l.XYs.Len()
	for k := range n {
		x, y := l.XYs.XY(k)
		if want := -2 + 5*float64(k)/float64(n-1); math.Abs(x-want) > 1e-12 || y != x*x {
			t.Fatalf("point %d is (%v, %v)", k, x, y)
		}
	}
	if first, _ := l.XYs.XY(0); first != -2 {
		t.Errorf("begins at %v", first)
	}
	if last, _ := l.XYs.XY(n - 1); last != 3 {
		t.Errorf("ends at %v", last)
	}
}

func TestMeanLine(t *testing.T) {
	t.Parallel()
	l := MeanLine("m", []float64{10, 20}, [][]float64{{1, 2, 3}, {5, 5, 5}})
	x, y := l.XYs.XY(0)
	if x != 10 || y != 2 || math.Abs(l.Err[0]-1/math.Sqrt(3)) > 1e-12 || l.Err[1] != 0 {
		t.Errorf("%v %v with errors %v", x, y, l.Err)
	}
}
