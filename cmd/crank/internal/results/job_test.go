package results

import (
	"context"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// TestJobs does a job of each method, on planted data and on a set, and compares
// with what crankpkg computes.
func TestJobs(t *testing.T) {
	t.Parallel()
	s := crankpkg.Settings{Gap: 0.1, Scaling: crankpkg.ZScore}
	for _, trainer := range []crankpkg.Trainer{
		crankpkg.Empty{Settings: s}, crankpkg.ChowLiu{Settings: s}, crankpkg.MST{Settings: s}, crankpkg.Greedy{Settings: s},
		crankpkg.Full{Settings: s},
		crankpkg.CRANK{Restarts: 1, Settings: s}, crankpkg.Named("CRANK, beta grows",
			crankpkg.CRANK{Restarts: 1, Path: crankpkg.GrowBeta, Settings: s}),
	} {
		for _, j := range []Job{{M: 50, D: 2, N: 5, Dependencies: 3}, {Set: "yeast"}, {Set: "yeast", HoldOut: true}} {
			j.Method, j.Lambda, j.Target, j.Scaling = trainer.Name(), 0.1, 0.1, crankpkg.ZScore
			train, test, truth := crankpkg.PlantedTree{N: 5, D: 2, Removed: 1, Noise: 0.02, Seed: 1}.Generate(50, 1000)
			planted := truth.Edges
			if j.Set != "" {
				train, test, _ = testSets.Split("yeast")
				planted = nil
			}
			if j.HoldOut {
				train, test = train.Split(0.8, 1)
			}
			got, err := j.Do(context.Background(), testSets)
			if err != nil {
				t.Fatal(err)
			}
			m, trace, err := trainer.WithLambda(0.1).Train(context.Background(), train)
			if err != nil {
				t.Fatal(err)
			}
			primal := crankpkg.Primal(train, m, 0.1)
			want := JobResult{
				Job: j, CPU: got.CPU, Wall: got.Wall, Memory: got.Memory, Primal: primal, Gap: (primal - trace.Dual) / primal, Status: trace.Status, Passes: trace.Passes,
				OracleCalls: trace.OracleCalls, Edges: len(m.Edges), Forest: labelgraph.IsForest(m.NumLabels(), m.Edges),
				Scores: crankpkg.Evaluate(m, test),
			}
			for _, e := range planted {
				for _, f := range m.Edges {
					if e == f {
						want.Right++
					}
				}
			}
			if got != want || got.Wall <= 0 || got.CPU < 0 || len(planted) != 3 && j.Set == "" {
				t.Errorf("%+v, directly %+v", got, want)
			}
		}
	}
}

func TestJobString(t *testing.T) {
	t.Parallel()
	for j, want := range map[Job]string{
		{Part: "large", Set: "bibtex", HoldOut: true, Method: "Empty", Lambda: 0.001}:   "large: bibtex, held out, Empty, lambda 0.001",
		{Part: "labels", M: 100, D: 3, N: 4, Dependencies: 2, Method: "MST", Lambda: 1}: "labels: M=100 d=3 n=4, 2 dependencies, MST, lambda 1",
	} {
		if j.String() != want {
			t.Errorf("%q, and not %q", j.String(), want)
		}
	}
}
