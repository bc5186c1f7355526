package results

import (
	"cmp"
	"context"
	"fmt"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
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

// early makes early.json, for features as they are.
func (mk *maker) early(ctx context.Context) error {
	stops := pick(mk, []int{1, 2, 5, 10, 20, 50, 100, 200}, []int{1, 3, 10})
	var points []earlyPoint
	for _, set := range tableSets {
		train, test, err := mk.Sets.Split(set)
		if err != nil {
			return err
		}
		lambda := cmp.Or(standing[set].raw, standing[set].lambda)
		for seed := range uint64(pick(mk, 5, 2)) {
			more, err := kept(ctx, mk, []string{set, fmt.Sprint("seed ", seed)}, []any{train, test, lambda, stops, seed},
				func() ([]earlyPoint, error) {
					return stopEarly(ctx, set, train, test, lambda, stops, seed)
				})
			if err != nil {
				return err
			}
			points = append(points, more...)
		}
	}
	return writeRows(mk, "early.json", points)
}

// stopEarly returns the scores of Empty, Full and Project after the given numbers
// of passes. Project takes the tree from Full after that many passes and trains it
// from the start with as many.
func stopEarly(ctx context.Context, set string, train, test *crankpkg.Dataset, lambda float64, stops []int,
	seed uint64) ([]earlyPoint, error) {
	full := newPlainFW(train, lambda, labelgraph.AllPairs(train.NumLabels()), seed)
	empty := newPlainFW(train, lambda, nil, seed)
	var points []earlyPoint
	done := 0
	for _, stop := range stops {
		for ; done < stop; done++ {
			full.pass()
			empty.pass()
		}
		project := newPlainFW(train, lambda, full.spanningTree(), seed)
		for range stop {
			project.pass()
		}
		for _, f := range []struct {
			method string
			*plainFW
		}{{"Full", full}, {"Empty", empty}, {"Project", project}} {
			m, gap := f.model(f.method)
			points = append(points, earlyPoint{set, f.method, lambda, stop, seed, gap, crankpkg.Evaluate(m, test)})
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return points, nil
}
