package crankpkg_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/envelope"
	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"github.com/crank-ml/crank/crankpkg/mrf"
)

// inferencePins are the results of every oracle on random problems.
func inferencePins() []pin {
	return slices.Concat(oraclePins(), hingePins(), multiStateOraclePins(), graphPins())
}

// labelProblem is a maximization over binary labels.
type labelProblem struct {
	graph *infer.PairGraph
	c     []float64
}

// labelProblems returns random problems on graphs with more edges than a tree by extra; every other one has integer weights,
// so that there are ties.
func labelProblems(n, extra, count int) []labelProblem {
	rng := rand.New(rand.NewPCG(uint64(n), uint64(extra)))
	problems := make([]labelProblem, count)
	for k := range problems {
		edges := labelgraph.RandomTree(n, rng)
		for len(edges) < n-1+extra {
			i, j := rng.IntN(n), rng.IntN(n)
			if i != j && !slices.Contains(edges, labelgraph.NewEdge(i, j)) {
				edges = append(edges, labelgraph.NewEdge(i, j))
			}
		}
		number := rng.NormFloat64
		if k%2 == 1 {
			number = func() float64 { return float64(rng.IntN(7) - 3) }
		}
		problems[k] = labelProblem{infer.NewPairGraph(n, edges, numbers(len(edges), number)), numbers(n, number)}
	}
	return problems
}

func numbers(count int, number func() float64) []float64 {
	list := make([]float64, count)
	for k := range list {
		list[k] = number()
	}
	return list
}

func oraclePins() []pin {
	type newOracle = func(*infer.PairGraph) infer.Oracle
	var pins []pin
	for _, o := range []struct {
		name     string
		new      newOracle
		n, extra int
	}{
		{"tree", infer.NewTreeOracle, 20, 0},
		{"auto-tree", infer.NewAutoOracle, 20, 0}, {"auto-cycles", infer.NewAutoOracle, 20, 10},
		{"lp-tree", infer.NewLPOracle, 20, 0}, {"lp-sparse", infer.NewLPOracle, 40, 10}, {"lp-dense", infer.NewLPOracle, 16, 60},
		{"exact", infer.NewExactOracle, 14, 40}, {"cutset", infer.NewCutsetOracle, 16, 4},
	} {
		pins = append(pins, pin{"infer/" + o.name, func(d digest) error {
			for _, p := range labelProblems(o.n, o.extra, 20) {
				oracle, y := o.new(p.graph), make(crankpkg.Labeling, o.n)
				d.add(oracle.Maximize(y, p.c), y)
				for _, e := range p.graph.Edges[:3] { // the oracle sees its graph change
					p.graph.Set(labelgraph.NewEdge(int(e.I), int(e.J)), 0.5-e.Weight)
				}
				d.add(oracle.Maximize(y, p.c), y)
			}
			return nil
		}})
	}
	return append(pins, pin{"infer/branch-and-bound", func(d digest) error {
		for _, p := range labelProblems(22, 100, 10) {
			r := infer.MaximizeExact(context.Background(), p.graph, p.c)
			d.add(r.Labeling, r.Value, r.Bound, r.Nodes, map[bool]string{true: "converged", false: "cancelled"}[r.Optimal])
		}
		return nil
	}})
}

// hingePins are hinges under every label loss, by max-product with one more bit and with counts on forests, by the relaxation or
// enumeration on cycles.
func hingePins() []pin {
	ds := planted(8, 40)
	var pins []pin
	losses := []crankpkg.Loss{
		{}, {Hamming: 2}, {ZeroOne: 1}, {ExampleF1: 1}, {Hamming: 0.5, ZeroOne: 1}, {Hamming: 0.2, ZeroOne: 1, ExampleF1: 3},
	}
	for _, extra := range []int{-3, 0, 6} {
		for _, loss := range losses {
			name := fmt.Sprintf("infer/hinge-%d-%g-%g-%g", 7+extra, loss.Hamming, loss.ZeroOne, loss.ExampleF1)
			pins = append(pins, pin{name, func(d digest) error {
				m := randomModel(ds, extra)
				o := crankpkg.NewObjective(ds, crankpkg.Scaler{}, 0.1)
				o.LabelLoss, o.Beta = loss, 0.1
				d.add(o.Hinges(m), o.Loss(m), o.Primal(m), o.Regularized(m))
				o.HingeCap = 1
				d.add(o.Loss(m))
				return nil
			}})
		}
	}
	return append(pins, pin{"infer/hinge-line", func(d digest) error {
		for k, p := range labelProblems(6, 3, 10) {
			rng := rand.New(rand.NewPCG(uint64(k), 1))
			line := infer.HingeLine{Truth: ds.Labels(k)[:6], Edges: labelgraph.AllPairs(6), Unary: p.c, Pair: numbers(15, rng.NormFloat64)}
			line.UnaryStep, line.PairStep = numbers(6, rng.NormFloat64), numbers(15, rng.NormFloat64)
			d.add(line.Pieces(-3, 3, infer.NewLPOracle))
		}
		return nil
	}})
}

// randomModel returns a model for ds, of a tree and extra edges, or with some fewer.
func randomModel(ds *crankpkg.Dataset, extra int) *crankpkg.Model {
	n := ds.NumLabels()
	rng := rand.New(rand.NewPCG(uint64(n), uint64(extra+n)))
	edges := labelgraph.RandomTree(n, rng)
	for _, e := range labelgraph.AllPairs(n) {
		if len(edges) < n-1+extra && !slices.Contains(edges, e) {
			edges = append(edges, e)
		}
	}
	edges = edges[:n-1+extra]
	slices.SortFunc(edges, func(a, b crankpkg.Edge) int { return a.Index() - b.Index() })
	return &crankpkg.Model{
		Method: "random", Lambda: 0.1, FeatureNames: ds.FeatureNames, LabelNames: ds.LabelNames,
		Unary: numbers(n*(ds.NumFeatures()+1), rng.NormFloat64), Edges: edges, Pair: numbers(len(edges), rng.NormFloat64),
	}
}

func multiStateOraclePins() []pin {
	return []pin{
		{"infer/states-tree", func(d digest) error {
			for _, p := range statesProblems(8, 0, 4) {
				tree, err := mrf.NewTree(p.states, p.edges)
				if err != nil {
					return err
				}
				y := make([]int, len(p.states))
				d.add(tree.Maximize(y, p.unary, p.pair), y)
			}
			return nil
		}},
		{"infer/states-lp", func(d digest) error { return d.statesLP(statesProblems(6, 6, 4)) }},
		{"infer/states-lp-two", func(d digest) error { return d.statesLP(statesProblems(7, 8, 2)) }},
	}
}

func (d digest) statesLP(problems []statesProblem) error {
	for _, p := range problems {
		lp, err := mrf.NewLP(p.states, p.edges)
		if err != nil {
			return err
		}
		value, bound := lp.Maximize(p.unary, p.pair)
		y := make([]int, len(p.states))
		lp.LabelingTo(y)
		d.add(value, bound, y, lp.Integral())
		for i, k := range p.states {
			for s := range k {
				d.add(lp.Marginal(i, s))
			}
		}
		for k, e := range p.edges {
			for s := range p.states[e.I] {
				for t := range p.states[e.J] {
					d.add(lp.PairMarginal(k, s, t))
				}
			}
		}
	}
	return nil
}

// statesProblem is a maximization over variables of several states.
type statesProblem struct {
	states      []int
	edges       []crankpkg.Edge
	unary, pair [][]float64
}

// statesProblems returns problems on the graphs of labelProblems, with up to most states; every other one has integer tables.
func statesProblems(n, extra, most int) []statesProblem {
	rng := rand.New(rand.NewPCG(uint64(n), uint64(most)))
	var problems []statesProblem
	for _, g := range labelProblems(n, extra, 12) {
		p := statesProblem{}
		number := func() float64 { return 2 * rng.NormFloat64() }
		if len(problems)%2 == 1 {
			number = func() float64 { return float64(rng.IntN(11) - 5) }
		}
		for range n {
			k := 2 + rng.IntN(most-1)
			p.states, p.unary = append(p.states, k), append(p.unary, numbers(k, number))
		}
		for _, e := range g.graph.Edges {
			p.edges = append(p.edges, labelgraph.NewEdge(int(e.I), int(e.J)))
			p.pair = append(p.pair, numbers(p.states[e.I]*p.states[e.J], number))
		}
		problems = append(problems, p)
	}
	return problems
}

// graphPins are spanning forests, the regularizer and its subgradients.
func graphPins() []pin {
	return []pin{{"graph/spanning", func(d digest) error {
		for k, p := range labelProblems(12, 30, 10) {
			edges, weights := make([]crankpkg.Edge, 0, 41), make([]float64, 0, 41)
			for _, e := range p.graph.Edges {
				edges, weights = append(edges, labelgraph.NewEdge(int(e.I), int(e.J))), append(weights, e.Weight)
			}
			v, r := make([]float64, len(edges)), envelope.Regularizer{Seed: uint64(k)}
			d.add(labelgraph.MaximumSpanningForest(12, edges, weights, uint64(k)), r.SubgradientTo(v, 12, edges, weights), v)
			d.add(infer.FeedbackVertexSet(12, edges), labelgraph.RandomTree(12, rand.New(rand.NewPCG(uint64(k), 0))))
		}
		return nil
	}}}
}
