package results

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/crank-ml/crank/crankpkg"
)

// bestTreeRow is the outcome of one search. Seconds count the wall's time and CPU
// that of the processors.
type bestTreeRow struct {
	Set                 string
	Scaling             crankpkg.Scaling
	Lambda, Gap         float64
	Status              crankpkg.Status
	Primal, Dual        float64  // of the best of all trees
	CRANK, Greedy, Swap outcome  // of their trees; Swap starts from CRANK's
	Enumerated          *outcome `json:",omitempty"`
	Edges               []crankpkg.Edge
	Solves              int
	Seconds, CPU        float64
	Points              []searchPoint
}

// outcome is what a method came to.
type outcome struct {
	Primal, Dual float64
	CPU          float64
}

// searchPoint is a state of a search: [Dual, Primal] holds the least objective.
type searchPoint struct{ Seconds, Primal, Dual float64 }

// problem is a set at one lambda, with the gap to certify.
type problem struct {
	set         string
	lambda, gap float64
	large       bool // too many trees to train them all
}

// problems lists five lambdas of the sets with 6 labels, and a few of the larger
// ones, the hardest last.
func problems(mk *maker) []problem {
	var list []problem
	for _, lambda := range pick(mk, []float64{0.1, 0.03, 0.01, 0.003, 0.001}, []float64{0.1}) {
		list = append(list, problem{"emotions", lambda, 1e-4, false}, problem{"scene", lambda, 1e-4, false})
	}
	large := []problem{
		{"medical10", 0.01, 1e-5, true}, {"yeast", 0.01, 1e-4, true},
		{"medical10", 0.001, 1e-5, true}, {"yeast", 0.001, 1e-4, true}, {"yeast", 0.0003, 1e-4, true},
	}
	return append(list, pick(mk, large, large[:1])...)
}

// bestTree makes besttree.json.
func (mk *maker) bestTree(ctx context.Context) error {
	var rows []bestTreeRow
	for _, p := range problems(mk) {
		train, _, err := mk.Sets.Split(p.set)
		if err != nil {
			return err
		}
		inputs := []any{train, p, standing[p.set].scaling}
		r, err := kept(ctx, mk, []string{p.set, fmt.Sprint(p.lambda)}, inputs, func() (bestTreeRow, error) { return p.solve(ctx, mk, train) })
		if err = cmp.Or(err, r.check()); err != nil {
			return err
		}
		rows = append(rows, r)
	}
	return writeReport(mk, "besttree.json", rows)
}

// solve trains CRANK and Greedy, improves CRANK's tree by swaps, trains all trees
// where these are few, and searches for the best one, which may be cut.
func (p problem) solve(ctx context.Context, mk *maker, train *crankpkg.Dataset) (bestTreeRow, error) {
	s := crankpkg.Settings{Gap: p.gap, Scaling: standing[p.set].scaling}
	r := bestTreeRow{Set: p.set, Scaling: s.Scaling, Lambda: p.lambda, Gap: p.gap}
	trainers := []crankpkg.Trainer{paperCRANK(s), crankpkg.Greedy{Settings: s}, crankpkg.SwapSearch{Start: paperCRANK(crankpkg.Settings{}), Settings: s}}
	outcomes := []*outcome{&r.CRANK, &r.Greedy, &r.Swap}
	if !p.large {
		r.Enumerated = new(outcome)
		trainers, outcomes = append(trainers, crankpkg.BestTree{Enumerate: true, Settings: s}), append(outcomes, r.Enumerated)
	}
	for k, t := range trainers {
		_, trace, cpu, err := mk.train(ctx, t.WithLambda(p.lambda), train)
		if err != nil {
			return r, err
		}
		*outcomes[k] = outcome{trace.Primal, trace.Dual, cpu}
	}
	s.MaxTime = 5 * time.Minute
	m, trace, cpu, err := mk.train(ctx, crankpkg.BestTree{Lambda: p.lambda, Settings: s}, train)
	if err != nil {
		return r, err
	}
	r.Status, r.Primal, r.Dual, r.Edges, r.Solves = trace.Status, trace.Primal, trace.Dual, m.Edges, trace.Solves
	r.Seconds, r.CPU = trace.Elapsed.Seconds(), cpu
	for _, q := range trace.Points {
		r.Points = append(r.Points, searchPoint{q.Elapsed.Seconds(), q.Primal, q.Dual})
	}
	return r, nil
}

// check returns an error when the search and training all trees contradict each
// other.
func (r *bestTreeRow) check() error {
	if e := r.Enumerated; e != nil && (e.Dual > r.Primal || r.Dual > e.Primal) {
		return fmt.Errorf("%s at lambda %g: the search certifies [%v, %v], all trees [%v, %v]", r.Set, r.Lambda, r.Dual, r.Primal, e.Dual, e.Primal)
	}
	return nil
}
