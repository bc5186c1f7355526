package crankpkg

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"
)

func minTime(f func(), reps int) time.Duration {
	best := time.Hour
	// calibrate
	n := 1
	for {
		t := time.Now()
		for range n {
			f()
		}
		if d := time.Since(t); d > 100*time.Microsecond {
			break
		}
		n *= 2
	}
	for range reps {
		t := time.Now()
		for range n {
			f()
		}
		if d := time.Since(t) / time.Duration(n); d < best {
			best = d
		}
	}
	return best
}

func TestZZ(t *testing.T) {
	if os.Getenv("ZZ") == "" {
		t.Skip()
	}
	show := func(name string, g *PairGraph, cs [][]float64) {
		o := NewLPOracle(g)
		y := make(Labeling, g.N)
		h := 0
		for _, c := range cs {
			o.Maximize(y, c)
			h += countHalves(y)
		}
		var d time.Duration
		for _, c := range cs {
			d += minTime(func() { o.Maximize(y, c) }, 100)
		}
		fmt.Printf("%-24s %10.0f ns  halves %.2f\n", name, float64(d.Nanoseconds())/float64(len(cs)), float64(h)/float64(len(cs)))
	}
	for _, u := range []float64{0.3, 1, 3, 6} {
		g, cs := denseProblem(14, u, rand.New(rand.NewPCG(15, 1)))
		show(fmt.Sprintf("dense14 u=%v", u), g, cs)
	}
	for _, u := range []float64{1, 10, 20, 30} {
		g, cs := denseProblem(100, u, rand.New(rand.NewPCG(16, 1)))
		show(fmt.Sprintf("dense100 u=%v", u), g, cs)
	}
	for _, u := range []float64{0.1, 0.3, 1, 2} {
		rng := rand.New(rand.NewPCG(17, 1))
		var edges []Edge
		seen := map[Edge]bool{}
		for len(edges) < 3000 {
			i, j := rng.IntN(1000), rng.IntN(1000)
			if i != j && !seen[NewEdge(i, j)] {
				seen[NewEdge(i, j)] = true
				edges = append(edges, NewEdge(i, j))
			}
		}
		g, cs := gaussianProblem(1000, edges, u, rng)
		show(fmt.Sprintf("sparse1000 u=%v", u), g, cs)
	}
}
