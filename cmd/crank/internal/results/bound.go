package results

import (
	"context"
	"fmt"

	"github.com/crank-ml/crank/crankpkg"
)

// boundRow has certified bounds on the objectives at one lambda: each least one is within [Dual, Primal].
type boundRow struct {
	Set                string
	Scaling            crankpkg.Scaling
	Lambda             float64
	Empty, CRANK, Full outcome
}

// boundGap is the relative gap to which all are solved.
const boundGap = 1e-4

// lossBounds makes question_bound.json: what a tree loses to all pairs, in the objective, certified.
func (mk *maker) lossBounds(ctx context.Context) error {
	var rows []boundRow
	for _, set := range pick(mk, append([]string{"flags", "birds"}, tableSets...), []string{"flags", "scene"}) {
		train, _, err := mk.Sets.Split(set)
		if err != nil {
			return err
		}
		for _, lambda := range pick(mk, []float64{0.01, 0.001}, []float64{0.01}) {
			s := crankpkg.Settings{Gap: mk.gap(boundGap), Scaling: standing[set].scaling}
			r, err := kept(ctx, mk, []string{set, fmt.Sprint(lambda)}, []any{train, lambda, s}, func() (boundRow, error) {
				return mk.boundsAt(ctx, lambda, s, train)
			})
			if err != nil {
				return err
			}
			r.Set = set
			rows = append(rows, r)
		}
	}
	return writeReport(mk, "question_bound.json", rows)
}

// boundsAt trains the three.
func (mk *maker) boundsAt(ctx context.Context, lambda float64, s crankpkg.Settings, train *crankpkg.Dataset) (boundRow, error) {
	r := boundRow{Scaling: s.Scaling, Lambda: lambda}
	outcomes := []*outcome{&r.Empty, &r.CRANK, &r.Full}
	for k, t := range []crankpkg.Trainer{crankpkg.Empty{Settings: s}, crankpkg.CRANK{Settings: s}, crankpkg.Full{Settings: s}} {
		_, trace, cpu, err := mk.train(ctx, t.WithLambda(lambda), train)
		if err != nil {
			return r, err
		}
		*outcomes[k] = outcome{trace.Primal, trace.Dual, cpu}
	}
	return r, nil
}
