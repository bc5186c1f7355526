package testkit

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"gonum.org/v1/gonum/stat"
)

// TestRandomProblemsVary guards the tests that draw from here: a generator that fell silent would let them pass.
func TestRandomProblemsVary(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var zeros, integers, normals, large, sparse, dense, negative int
	for range 300 {
		v := RandomNumbers(20, rng)
		var zero, whole int
		var biggest float64
		for _, x := range v {
			if x == 0 {
				zero++
			}
			if x == math.Trunc(x) {
				whole++
			}
			biggest = max(biggest, math.Abs(x))
		}
		switch {
		case zero == len(v):
			zeros++
		case whole == len(v):
			integers++
		case biggest > 10:
			large++
		default:
			normals++
		}
		edges, weights, c := RandomProblem(8, rng)
		if len(weights) != len(edges) || len(c) != 8 {
			t.Fatalf("%d weights of %d edges, %d scores of 8 labels", len(weights), len(edges), len(c))
		}
		if len(edges) < 14 {
			sparse++
		} else {
			dense++
		}
		for _, w := range weights {
			if w < 0 {
				negative++
				break
			}
		}
	}
	if zeros > 0 {
		t.Errorf("%d times nothing but zeros", zeros)
	}
	for name, count := range map[string]int{
		"small integers": integers, "normal": normals, "different sizes": large,
		"few edges": sparse, "many edges": dense, "negative weights": negative,
	} {
		if count < 30 {
			t.Errorf("%s: %d of 300 times", name, count)
		}
	}
}

// Every label of every row is there, at its place.
func TestLabelRows(t *testing.T) {
	t.Parallel()
	y := []uint8{0, 1, 2, 1, 1, 0, 0, 0, 9}
	if got, want := LabelRows(y, 3, 3), []string{"012", "110", "009"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := LabelRows(y, 2, 4), []string{"0121", "1000"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := LabelRows(nil, 2, 0); !slices.Equal(got, []string{"", ""}) {
		t.Errorf("%q, want two of no labels", got)
	}
}

// What other tests rest on does what its name says.
func TestPanics(t *testing.T) {
	t.Parallel()
	called := false
	if Panics(func() { called = true }) || !called {
		t.Error("a panic of what does not panic, or it is not called")
	}
	if !Panics(func() { panic("no") }) {
		t.Error("no panic")
	}
}

func TestNear(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b, tol float64
		near      bool
	}{
		{1, 1, 0, true}, {0, 0, 0, true}, {100, 101, 0.01, true}, {101, 100, 0.01, true}, {100, 102, 0.01, false}, {102, 100, 0.01, false},
		{-100, -101, 0.01, true}, {-100, 100, 0.5, false}, {0, 1e-300, 0.5, false}, {1e-300, 2e-300, 0.4, false}, {math.NaN(), math.NaN(), 1, false},
	} {
		if Near(c.a, c.b, c.tol) != c.near {
			t.Errorf("%v and %v by %v: near is not %v", c.a, c.b, c.tol, c.near)
		}
	}
}

// TestRandomGraphs draws pairs and forests with the shares that they are asked for.
func TestRandomGraphs(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(2, 2))
	const n, rounds = 6, 400
	for _, share := range []float64{0, 0.3, 1} {
		var pairs, kept, on float64
		for range rounds {
			edges := RandomEdges(n, share, rng)
			pairs += float64(len(edges)) / (n * (n - 1) / 2)
			forest := RandomForest(n, share, rng)
			kept += float64(len(forest)) / (n - 1)
			for _, list := range [][]labelgraph.Edge{edges, forest} {
				for k, e := range list {
					if e.I < 0 || e.I >= e.J || e.J >= n || slices.Contains(list[:k], e) {
						t.Fatalf("edges %v", list)
					}
				}
			}
			if !labelgraph.IsForest(n, forest) {
				t.Fatalf("%v is no forest", forest)
			}
			for _, v := range RandomLabels(rng, 10) {
				on += float64(v) / 10
			}
		}
		for name, got := range map[string]float64{"pairs": pairs - share*rounds, "edges of a tree": kept - share*rounds, "labels": on - 0.25*rounds} {
			if !(math.Abs(got) <= 0.05*rounds) {
				t.Errorf("share %v: %s are off by %v", share, name, got/rounds)
			}
		}
	}
}

func TestSubsets(t *testing.T) {
	t.Parallel()
	edges := labelgraph.AllPairs(4)
	for code := range 1 << len(edges) {
		s := Subset(edges, code)
		if len(s) != bits.OnesCount(uint(code)) || SharedEdges(edges, s) != len(s) || SharedEdges(s, edges) != len(s) {
			t.Fatalf("code %b: %v", code, s)
		}
		for k, e := range edges {
			if slices.Contains(s, e) != (code>>k&1 == 1) {
				t.Fatalf("code %b: %v", code, s)
			}
		}
		if rest := Subset(edges, ^code); SharedEdges(rest, s) != 0 {
			t.Fatalf("%v and %v", s, rest)
		}
	}
}

// TestNextLabeling meets each labeling once.
func TestNextLabeling(t *testing.T) {
	t.Parallel()
	for _, states := range [][]int{{2}, {2, 2, 2}, {3, 2, 4}, {1, 3}} {
		want := 1
		for _, s := range states {
			want *= s
		}
		y, seen := make([]int, len(states)), map[string]bool{}
		for more := true; more; more = NextLabeling(y, states) {
			seen[fmt.Sprint(y)] = true
			for i, v := range y {
				if v < 0 || v >= states[i] {
					t.Fatalf("states %v: %v", states, y)
				}
			}
		}
		if len(seen) != want || slices.Max(y) != 0 {
			t.Errorf("states %v: %d labelings, want %d; then %v", states, len(seen), want, y)
		}
	}
}

func TestSmallHelpers(t *testing.T) {
	t.Parallel()
	if got := SumAbs([]float64{1, -2}, nil, []float64{-3}); got != 6 {
		t.Errorf("sum of absolute values %v, want 6", got)
	}
	if got := Median([]float64{5, 1, 4}); got != 4 {
		t.Errorf("median %v, want 4", got)
	}
	x := feature.NewSparse(3)
	x.AppendSparse([]int32{1}, []float64{7})
	x.AppendSparse(nil, nil)
	if got := DenseRows(x); !reflect.DeepEqual(got, [][]float64{{0, 7, 0}, {0, 0, 0}}) {
		t.Errorf("rows %v", got)
	}
	v := Normals(4000, rand.New(rand.NewPCG(3, 2)))
	if mean, dev := stat.MeanStdDev(v, nil); math.Abs(mean) > 0.08 || math.Abs(dev-1) > 0.06 {
		t.Errorf("normals of mean %v and deviation %v", mean, dev)
	}
}

// TestRandomExamples has labels that depend on the row and on one another, in rows that are dense, or sparse by two thirds.
func TestRandomExamples(t *testing.T) {
	t.Parallel()
	const m, d, n = 2000, 3, 4
	for _, sparse := range []bool{false, true} {
		x, y := RandomExamples(rand.New(rand.NewPCG(4, 2)), m, d, n, sparse)
		if x.NumRows != m || x.NumCols != d || x.IsSparse() != sparse || len(y) != m*n {
			t.Fatalf("sparse %v: %d by %d, %d labels", sparse, x.NumRows, x.NumCols, len(y))
		}
		stored := m * d
		if sparse {
			stored /= 3
		}
		if off := len(x.Value) - stored; off < -m/5 || off > m/5 {
			t.Errorf("sparse %v: %d values, want about %d", sparse, len(x.Value), stored)
		}
		rows := DenseRows(x)
		for i := range n {
			var withRow, withLabel float64
			for m, row := range rows {
				sign := 2*float64(y[m*n+i]) - 1
				withRow += sign * row[i%d]
				if i > 0 {
					withLabel += sign * (2*float64(y[m*n+i-1]) - 1)
				}
			}
			if withRow < 0.1*m || i > 0 && withLabel < 0.1*m {
				t.Errorf("sparse %v: label %d goes with its feature by %v, with the label before by %v", sparse, i, withRow/m, withLabel/m)
			}
		}
	}
}
