package results

import (
	"context"
	"fmt"
	"time"

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

// largeUnitsRow is an entry of units_large.json: a training on features as they are published,
// and one on z-scored ones that is given no longer than the first one took.
type largeUnitsRow struct {
	unitsRow
	Limit float64 `json:"limit"` // MaxTime of the first training, in seconds
	Ratio float64 `json:"ratio"` // time of features as published in that of z-scored ones
	// Below says that z-scored features were stopped short of the gap: they take longer than
	// the file says, and the ratio is below Ratio.
	Below bool `json:"below"`
}

// largeUnitsSets are the sets that units leaves out. But for those of cal500 their features
// are zeros and ones, for which none is the standing scaling: z-scores make rows dense.
var largeUnitsSets = []string{"enron", "cal500", "corel5k", "bibtex", "delicious"}

// largeUnitsLimit bounds a training on features as published. One that comes to it says so by
// ErrNotConverged.
const largeUnitsLimit = 2 * time.Minute

// largeUnits makes units_large.json: the part units for sets of 53 to 983 labels. To tell
// that z-scored features are not faster, it is enough to wait as long as the others took.
func (mk *maker) largeUnits(ctx context.Context) error {
	var rows []largeUnitsRow
	for _, set := range pick(mk, largeUnitsSets, []string{"enron"}) {
		train, _, err := mk.Sets.Split(set)
		if err != nil {
			return err
		}
		for _, lambda := range unitsLambdas(mk, train) {
			for _, t := range unitsMethods() {
				r, err := kept(ctx, mk, []string{set, fmt.Sprint(lambda), t.Name()}, []any{train, lambda, t, largeUnitsLimit},
					func() (largeUnitsRow, error) { return mk.rawFirst(ctx, t, train, set, lambda) })
				if err != nil {
					return err
				}
				rows = append(rows, r)
			}
		}
	}
	return writeRows(mk, "units_large.json", rows)
}

// rawFirst trains on features as they are, and then on z-scored ones.
func (mk *maker) rawFirst(ctx context.Context, t crankpkg.Trainer, train *crankpkg.Dataset, set string, lambda float64) (r largeUnitsRow, err error) {
	r.Set, r.Lambda, r.Method, r.Limit = set, lambda, t.Name(), largeUnitsLimit.Seconds()
	within := func(limit time.Duration) crankpkg.Trainer {
		return adjust(t, func(s *crankpkg.Settings) { s.MaxTime = limit })
	}
	if r.Raw, err = mk.end(ctx, within(largeUnitsLimit), train, lambda, crankpkg.NoScaling); err != nil {
		return r, err
	}
	limit := max(time.Millisecond, time.Duration(r.Raw.CPU*float64(time.Second)))
	if r.ZScore, err = mk.end(ctx, within(limit), train, lambda, crankpkg.ZScore); err != nil {
		return r, err
	}
	r.Ratio, r.Below = r.Raw.CPU/r.ZScore.CPU, !r.ZScore.Converged
	return r, nil
}
