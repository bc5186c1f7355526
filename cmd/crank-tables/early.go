package main

import (
	"fmt"

	"github.com/crank-ml/crank/crankpkg"
)

// earlyPoint is an entry of early.json: test scores of models that plain
// Frank-Wolfe was stopped at.
type earlyPoint struct {
	Set    string          `json:"set"`
	Method string          `json:"method"`
	Lambda float64         `json:"lambda"`
	Passes int             `json:"passes"`
	Seed   uint64          `json:"seed"`
	Gap    float64         `json:"gap"`
	Scores crankpkg.Scores `json:"scores"`
}

// earlySets are the four sets with features as they are, at lambdas near those
// that suit them.
var earlySets = []struct {
	name   string
	lambda float64
}{{"scene", 0.003}, {"emotions", 0.01}, {"medical10", 0.01}, {"yeast", 0.001}}

// early makes early.json: the scores of Empty, Full and Project after a number of
// passes of plain Frank-Wolfe on unscaled features. Project takes the tree from
// Full after that many passes and trains it from the start with as many.
func (mk *maker) early() error {
	stops, seeds := []int{1, 2, 5, 10, 20, 50, 100, 200}, uint64(5)
	if mk.quick {
		stops, seeds = []int{1, 3, 10, 30}, 2
	}
	var points []earlyPoint
	for _, set := range earlySets {
		train, test, err := crankpkg.LoadSplit(set.name)
		if err != nil {
			return err
		}
		add := func(f *plainFW, method string, passes int, seed uint64) {
			m, gap := f.model(method)
			points = append(points, earlyPoint{set.name, method, set.lambda, passes, seed, gap, crankpkg.Evaluate(m, test)})
		}
		for seed := range seeds {
			full, err := newPlainFW(train, crankpkg.NoScaling, set.lambda, crankpkg.AllPairs(train.NumLabels()), seed)
			if err != nil {
				return err
			}
			empty, err := newPlainFW(train, crankpkg.NoScaling, set.lambda, nil, seed)
			if err != nil {
				return err
			}
			done := 0
			for _, stop := range stops {
				for ; done < stop; done++ {
					full.pass()
					empty.pass()
				}
				add(full, "Full", stop, seed)
				add(empty, "Empty", stop, seed)
				tree, err := newPlainFW(train, crankpkg.NoScaling, set.lambda, full.spanningTree(), seed)
				if err != nil {
					return err
				}
				for range stop {
					tree.pass()
				}
				add(tree, "Project", stop, seed)
				if mk.ctx.Err() != nil {
					return mk.ctx.Err()
				}
			}
			fmt.Fprintf(mk.log, "early %s, seed %d: done\n", set.name, seed)
		}
	}
	return write(mk, "early.json", points)
}
