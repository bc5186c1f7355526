package results

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/crank-ml/crank/crankpkg"
)

// endsRow is an entry of ends.json: how a training to a gap ended.
type endsRow struct {
	Set     string           `json:"set"`
	Scaling crankpkg.Scaling `json:"scaling"`
	Method  string           `json:"method"`
	Lambda  float64          `json:"lambda"`
	Asked   float64          `json:"asked"` // the relative gap
	End     string           `json:"end"`   // one of those below
	// Gap is what is left between the objective of the model, by its definition, and the dual
	// of the trace, Told what the trace says of it.
	Gap    float64         `json:"gap"`
	Told   float64         `json:"told"`
	Status crankpkg.Status `json:"status"`
	CPU    float64         `json:"cpu"` // seconds
}

// How a training ends.
const (
	endCertified = "certified"     // nil, and the gap holds by definition
	endShort     = "not converged" // ErrNotConverged
	endNeither   = "neither"
)

// endsLimit bounds each training: one that comes to it says so by ErrNotConverged.
const endsLimit = 5 * time.Second

// endsCase is what ends.json has of a set.
type endsCase struct {
	set     string
	methods []crankpkg.Trainer
}

// ends makes ends.json: trainings at lambdas from 1 to 0.00001, to gaps from 0.01 to 0.000001, on
// features as they are published and on z-scored ones.
func (mk *maker) ends(ctx context.Context) error {
	all := []crankpkg.Trainer{crankpkg.Empty{}, crankpkg.Full{}, crankpkg.CRANK{Restarts: 1}}
	full := []endsCase{{"flags", all}, {"emotions", all}, {"birds", all[:1]}}
	var rows []endsRow
	for _, c := range pick(mk, full, []endsCase{{"flags", all[:2]}}) {
		train, _, err := mk.Sets.Split(c.set)
		if err != nil {
			return err
		}
		for _, scaling := range []crankpkg.Scaling{crankpkg.NoScaling, crankpkg.ZScore} {
			for _, t := range c.methods {
				of, err := kept(ctx, mk, []string{c.set, "scaling " + string(scaling), t.Name()}, []any{train, scaling, t, endsLimit}, func() ([]endsRow, error) {
					return mk.endsOf(ctx, t, train, endsRow{Set: c.set, Scaling: scaling, Method: t.Name()})
				})
				if err != nil {
					return err
				}
				rows = append(rows, of...)
			}
		}
	}
	return writeRows(mk, "ends.json", rows)
}

// endsOf trains at all lambdas and to all gaps, on one processor.
func (mk *maker) endsOf(ctx context.Context, t crankpkg.Trainer, train *crankpkg.Dataset, r endsRow) (rows []endsRow, err error) {
	one := *mk
	one.Workers = 1
	for _, r.Lambda = range pick(mk, []float64{1, 0.1, 0.01, 1e-3, 1e-4, 1e-5}, []float64{1, 0.01}) {
		for _, r.Asked = range pick(mk, []float64{1e-2, 1e-4, 1e-6}, []float64{0.1, 1e-3}) {
			own := adjust(t, func(s *crankpkg.Settings) {
				s.Scaling, s.Gap, s.MaxTime, s.Workers = r.Scaling, r.Asked, endsLimit, 1
			}).WithLambda(r.Lambda)
			if r, err = one.ending(ctx, own, train, r); err != nil {
				return nil, err
			}
			rows = append(rows, r)
		}
	}
	return rows, nil
}

// ending trains, and holds what comes back to the definition of the objective.
func (mk *maker) ending(ctx context.Context, t crankpkg.Trainer, train *crankpkg.Dataset, r endsRow) (endsRow, error) {
	m, trace, cpu, err := mk.trainTelling(ctx, t, train)
	if ctx.Err() != nil {
		return r, ctx.Err()
	}
	r.CPU, r.End = cpu, endNeither
	if m == nil || trace == nil {
		fmt.Fprintf(mk.Log, "%s, %s: no model, error %v\n", r.Set, r.Method, err)
		return r, nil
	}
	primal := crankpkg.NewObjective(train, m.Scaler, r.Lambda).Loss(m)
	r.Gap, r.Told, r.Status = crankpkg.TracePoint{Primal: primal, Dual: trace.Dual}.Gap(), trace.Gap(), trace.Status
	const rounding = 1e-6 // what rounding may leave, as training counts it
	switch {
	case errors.Is(err, crankpkg.ErrNotConverged):
		r.End = endShort
	case err == nil && r.Gap <= max(r.Asked, rounding)+1e-9:
		r.End = endCertified
	}
	return r, nil
}
