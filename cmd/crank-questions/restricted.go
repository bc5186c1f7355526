package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/crank-ml/crank/crankpkg"
)

// restrictedRow is the best forest within the bounds, zero for no bound.
type restrictedRow struct {
	Set                 string
	Lambda              float64
	MaxEdges, MaxDegree int
	Primal, Dual        float64
	Status              crankpkg.Status
	Edges               []crankpkg.Edge
	Scores              crankpkg.Scores
	Seconds             float64
}

// restricted finds the best forests by edges and by degree. A bound of no edges
// at all is Empty.
func restricted(ctx context.Context, log io.Writer) (any, error) {
	var rows []restrictedRow
	for _, s := range []setting{{"scene", crankpkg.NoScaling, 0.003}, {"emotions", crankpkg.ZScore, 0.03}, {"yeast", crankpkg.NoScaling, 0.01}} {
		train, test, err := crankpkg.LoadSplit(s.set)
		if err != nil {
			return nil, err
		}
		set := crankpkg.Settings{Gap: 1e-3, Scaling: s.scaling, MaxTime: 2 * time.Minute}
		n := train.NumLabels()
		trainers := []crankpkg.Trainer{crankpkg.Empty{Lambda: s.lambda, Settings: set}}
		for k := 1; k < n; k++ {
			if n < 10 || k <= 3 || k%4 == 1 {
				trainers = append(trainers, crankpkg.BestTree{Lambda: s.lambda, MaxEdges: k, Settings: set})
			}
		}
		for d := 1; d <= min(n-1, 4); d++ {
			trainers = append(trainers, crankpkg.BestTree{Lambda: s.lambda, MaxDegree: d, Settings: set})
		}
		for _, trainer := range trainers {
			m, trace, err := trainer.Train(ctx, train)
			if err != nil {
				return nil, err
			}
			r := restrictedRow{
				Set: s.set, Lambda: s.lambda, Primal: trace.Primal, Dual: trace.Dual, Status: trace.Status,
				Edges: m.Edges, Scores: crankpkg.Evaluate(m, test), Seconds: trace.Elapsed.Seconds(),
			}
			if b, ok := trainer.(crankpkg.BestTree); ok {
				r.MaxEdges, r.MaxDegree = b.MaxEdges, b.MaxDegree
			}
			fmt.Fprintf(log, "%s edges %d degree %d: [%.5f, %.5f] %v %v, %.0f s\n", r.Set, r.MaxEdges, r.MaxDegree, r.Dual, r.Primal, r.Status, r.Scores, r.Seconds)
			rows = append(rows, r)
		}
	}
	return rows, nil
}
