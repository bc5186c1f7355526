package results

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/experiment"
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

// restricted makes question_restricted.json: the best forests by edges and by
// degree.
func (mk *maker) restricted(ctx context.Context) error {
	var rows []restrictedRow
	for _, set := range mk.named(pick(mk, []string{"scene", "emotions", "yeast"}, []string{"emotions"})...) {
		train, _, err := set.Load(0)
		if err != nil {
			return err
		}
		s := standing[set.Name]
		s.lambda = cmp.Or(s.certified, s.lambda)
		set.Prepare = s.fit
		e, limits := experiment.Experiment{Sets: []experiment.Set{set}}, bounds(train.NumLabels())
		for _, b := range limits {
			e.Trainers = append(e.Trainers, b.trainer())
		}
		table, err := mk.experiment(ctx, "restricted", e)
		if err != nil {
			return err
		}
		for k, c := range table.Cells {
			rows = append(rows, restrictedRow{
				Set: c.Set, Lambda: c.Lambda, MaxEdges: limits[k].edges, MaxDegree: limits[k].degree, Primal: c.Primal, Dual: c.Dual, Status: c.Status,
				Edges: c.Edges, Scores: c.Scores, Seconds: c.TrainTime.Seconds(),
			})
		}
	}
	return writeReport(mk, "question_restricted.json", rows)
}

// bound is a bound on forests, zero for none.
type bound struct{ edges, degree int }

// trainer returns what finds the best forest; without any bound that is Empty, the
// forest of no edges.
func (b bound) trainer() crankpkg.Trainer {
	s := crankpkg.Settings{Gap: 1e-3, MaxTime: 2 * time.Minute}
	if b == (bound{}) {
		return crankpkg.Empty{Settings: s}
	}
	return crankpkg.Named(fmt.Sprintf("edges %d, degree %d", b.edges, b.degree),
		crankpkg.BestTree{MaxEdges: b.edges, MaxDegree: b.degree, Settings: s})
}

// bounds lists no edges, more and more edges, and higher and higher degrees.
func bounds(n int) []bound {
	list := []bound{{}}
	for k := 1; k < n; k++ {
		if n < 10 || k <= 3 || k%4 == 1 {
			list = append(list, bound{edges: k})
		}
	}
	for d := 1; d <= min(n-1, 4); d++ {
		list = append(list, bound{degree: d})
	}
	return list
}
