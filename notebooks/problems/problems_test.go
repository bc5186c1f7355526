package problems_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"github.com/crank-ml/crank/notebooks/problems"
)

// score is that of the paper's section 2, by its formula for zeros and ones.
func score(p problems.Problem, y crankpkg.Labeling) (sum float64) {
	on := func(i int) float64 { return float64(y[i]) / 2 }
	for i, c := range p.C {
		sum += c * on(i)
	}
	for k, e := range p.Edges {
		sum += p.W[k] * on(e.I) * on(e.J)
	}
	return sum
}

// TestByDefinition holds the hinge, its owner and the margin to lists of all labelings.
func TestByDefinition(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		p := problems.RandomTree(rng)
		truth := score(p, infer.NewLabeling(p.Truth))
		hinge, rival := math.Inf(-1), math.Inf(-1)
		for _, y := range infer.AllLabelings(len(p.C)) {
			hinge = max(hinge, score(p, y)+y.Loss(p.Truth)-truth)
			if y.Loss(p.Truth) > 0 {
				rival = max(rival, score(p, y))
			}
		}
		owner := p.Owner(infer.NewTreeOracle)
		if got := p.Hinge(infer.NewTreeOracle); math.Abs(got-hinge) > 1e-9 || math.Abs(score(p, owner)+owner.Loss(p.Truth)-truth-hinge) > 1e-9 {
			t.Fatalf("hinge %g, owner %v; by the list %g", got, owner, hinge)
		}
		if got := p.Margin(); math.Abs(got-(truth-rival)) > 1e-9 {
			t.Fatalf("margin %g, by the list %g", got, truth-rival)
		}
	}
}

// TestAlong holds a moved problem to the line that it is on, and leaves the first as it was.
func TestAlong(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	a := problems.Random(rng, 4, labelgraph.AllPairs(4))
	d := problems.Random(rng, 4, a.Edges)
	before := fmt.Sprint(a)
	line, y := a.Line(d), infer.AllLabelings(4)[5]
	for _, at := range []float64{-1, 0, 0.5} {
		moved := a.Along(d, at)
		want := score(moved, y) + y.Loss(a.Truth) - score(moved, infer.NewLabeling(a.Truth))
		if got := line.Piece(y, 0).At(at); math.Abs(got-want) > 1e-9 {
			t.Errorf("at %g: %g, want %g", at, got, want)
		}
	}
	if fmt.Sprint(a) != before {
		t.Error("the problem itself moved")
	}
}

// TestOf has a problem for each example, with the model's scores.
func TestOf(t *testing.T) {
	t.Parallel()
	train, _, m := crankpkg.PlantedTree{N: 4, Seed: 1}.Generate(20, 0)
	all := problems.Of(m, train)
	if len(all) != 20 {
		t.Fatal(len(all))
	}
	for k, p := range all {
		y := train.Labels(k)
		if got, want := score(p, infer.NewLabeling(y)), m.Score(train.Row(k), y); math.Abs(got-want) > 1e-9 || fmt.Sprint(p.Truth) != fmt.Sprint(y) {
			t.Errorf("example %d: score %g, the model's %g", k, got, want)
		}
	}
}

func Example() {
	p := problems.Problem{C: []float64{0.5}, Truth: []uint8{1}}
	fmt.Println(p.Hinge(infer.NewTreeOracle), p.Margin())
	// Output: 0.5 0.5
}
