package results

import (
	"context"
	"fmt"

	"github.com/crank-ml/crank/crankpkg"
)

// unitsRow is an entry of units.json: a training on features as they are published, and on
// z-scored ones.
type unitsRow struct {
	Set    string      `json:"set"`
	Lambda float64     `json:"lambda"`
	Method string      `json:"method"`
	Raw    unitsEnding `json:"raw"`
	ZScore unitsEnding `json:"zscore"`
}

// unitsEnding is how a training ended: certified to the gap, or with the best model known.
type unitsEnding struct {
	CPU       float64         `json:"cpu"` // seconds
	Converged bool            `json:"converged"`
	Gap       float64         `json:"gap"`
	Primal    float64         `json:"primal"`
	Status    crankpkg.Status `json:"status"`
}

// units makes units.json: how long Empty and CRANK take to 1 % on the sets of up to 45 labels,
// or until they say that they do not get there. CRANK has one start.
func (mk *maker) units(ctx context.Context) error {
	sets := []string{"flags", "emotions", "scene", "yeast", "birds", "genbase", "medical"}
	var rows []unitsRow
	for _, set := range pick(mk, sets, []string{"emotions"}) {
		train, _, err := mk.Sets.Split(set)
		if err != nil {
			return err
		}
		for _, lambda := range unitsLambdas(mk, train) {
			for _, t := range unitsMethods() {
				r := unitsRow{Set: set, Lambda: lambda, Method: t.Name()}
				for ending, scaling := range map[*unitsEnding]crankpkg.Scaling{&r.Raw: crankpkg.NoScaling, &r.ZScore: crankpkg.ZScore} {
					*ending, err = kept(ctx, mk, []string{set, fmt.Sprint(lambda), t.Name(), "scaling " + string(scaling)}, []any{train, lambda, t, scaling},
						func() (unitsEnding, error) { return mk.end(ctx, t, train, lambda, scaling) })
					if err != nil {
						return err
					}
				}
				rows = append(rows, r)
			}
		}
	}
	return writeRows(mk, "units.json", rows)
}

// unitsLambdas returns the lambdas that times are taken at.
func unitsLambdas(mk *maker, train *crankpkg.Dataset) []float64 {
	return pick(mk, []float64{1 / float64(train.Len()), 0.01, 0.001, 0.0001}, []float64{0.1})
}

// unitsMethods returns the methods that times are taken of.
func unitsMethods() []crankpkg.Trainer {
	return []crankpkg.Trainer{crankpkg.Empty{}, crankpkg.CRANK{Restarts: 1}}
}

// end trains on one processor.
func (mk *maker) end(ctx context.Context, t crankpkg.Trainer, train *crankpkg.Dataset, lambda float64, scaling crankpkg.Scaling) (unitsEnding, error) {
	one := *mk
	one.Workers = 1
	_, trace, cpu, err := one.train(ctx, adjust(t, func(s *crankpkg.Settings) { s.Scaling = scaling }).WithLambda(lambda), train)
	if err != nil {
		return unitsEnding{}, err
	}
	return unitsEnding{cpu, !trace.Short(), trace.Gap(), trace.Primal, trace.Status}, nil
}
