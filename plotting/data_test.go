package plotting

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// treeModel returns a model over a random tree of n labels.
func treeModel(n int, names func(i int) string) *crankpkg.Model {
	rng := rand.New(rand.NewPCG(7, uint64(n)))
	m := &crankpkg.Model{Method: "CRANK", Lambda: 0.001, Unary: make([]float64, n)}
	for i := range n {
		m.LabelNames = append(m.LabelNames, names(i))
		if i > 0 {
			m.Edges = append(m.Edges, labelgraph.NewEdge(i, rng.IntN(i)))
			m.Pair = append(m.Pair, rng.NormFloat64())
		}
	}
	return m
}

func className(i int) string { return fmt.Sprintf("Class%d", i+1) }

// cliqueModel returns a model over all pairs of n labels.
func cliqueModel(n int) *crankpkg.Model {
	rng := rand.New(rand.NewPCG(8, uint64(n)))
	m := treeModel(n, className)
	m.Method, m.Edges, m.Pair = "Full", labelgraph.AllPairs(n), nil
	for range m.Edges {
		m.Pair = append(m.Pair, math.Pow(rng.NormFloat64(), 3))
	}
	return m
}

// crankTrace returns a trace of the kind that CRANK leaves.
func crankTrace() *crankpkg.Trace {
	t := &crankpkg.Trace{Method: "CRANK", Lambda: 0.001}
	for pass := 1; pass <= 400; pass += 1 + pass/6 {
		x := float64(pass)
		t.Points = append(t.Points, crankpkg.TracePoint{
			Pass: pass, OracleCalls: 1500 * pass, Elapsed: time.Duration(pass) * 8 * time.Millisecond,
			Primal: 2.1 + 1.9/x, Dual: 2.1 - 2/(x+0.5),
		})
	}
	t.Primal, t.Dual = 2.104, 2.096
	full := cliqueModel(14)
	sizes := make([]float64, len(full.Pair))
	for k, w := range full.Pair {
		sizes[k] = math.Abs(w)
	}
	inTree := map[int]bool{}
	for _, k := range labelgraph.MaximumSpanningForest(14, full.Edges, sizes, 0) {
		inTree[k] = true
	}
	beta := 1e-4
	for step := range 14 {
		st := crankpkg.Step{
			Beta: beta,
			Loss: 2.0 + 0.1*(1-math.Exp(-float64(step)/4)), Objective: 2.0 + 0.13*(1-math.Exp(-float64(step)/3)),
		}
		for k, e := range full.Edges {
			if inTree[k] || sizes[k] > float64(step*step)/60 && step < 13 {
				st.Edges, st.Weights = append(st.Edges, e), append(st.Weights, full.Pair[k])
			}
		}
		st.CircuitRank = len(st.Edges) - 13
		t.Steps = append(t.Steps, st)
		if step%2 == 1 {
			beta *= 2.5
		}
	}
	for k := range 10 {
		primal := 2.104 + 0.01*float64(k*k%7)/7
		t.Restarts = append(t.Restarts, crankpkg.Restart{Seed: uint64(k), Primal: primal, Dual: primal - 0.004})
	}
	return t
}
