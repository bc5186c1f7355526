package results

import (
	"context"
	"fmt"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/crossval"
	"github.com/crank-ml/crank/crankpkg/metrics"
	"github.com/crank-ml/crank/crankpkg/significance"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// halvesRow is one measure on one set by five times two-fold cross-validation: all choices
// are made on one half, and the other tests.
type halvesRow struct {
	Set     string
	Measure metrics.Measure
	// HeldOut and Test have an entry for each training: entry 2r+f tests on half f of
	// halving r.
	HeldOut, Test []float64
	Mean          float64
	// Peer is that of the peers that has the best mean of held-out values, and PeerMean the
	// mean of its test values on the same halves.
	Peer     string
	PeerMean float64
	// P is the p-value of a corrected resampled t-test (Nadeau, Bengio 2003) of the ten
	// differences, and Holm the same with Holm's correction for all rows.
	P, Holm float64
}

// halves makes halves.json: what the part general does on Mulan's split, on both halves of
// five halvings of all examples, beside the peers on the same halves.
func (mk *maker) halves(ctx context.Context) error {
	peers, err := readPeersFile(mk.Out)
	if err != nil {
		return err
	}
	var rows []halvesRow
	for _, set := range pick(mk, halvedSets, []string{"emotions"}) {
		each, err := onHalves(ctx, mk, set, pick(mk, halvings, 1), func(train, test *crankpkg.Dataset) ([]halfScore, error) { return mk.half(ctx, train, test) })
		if err != nil {
			return err
		}
		own := make([]halvesRow, len(metrics.PaperMeasures()))
		for _, scores := range each {
			for k, s := range scores {
				own[k].HeldOut, own[k].Test = append(own[k].HeldOut, s.HeldOut), append(own[k].Test, s.Test)
			}
		}
		for k, m := range metrics.PaperMeasures() {
			own[k].Set, own[k].Measure = set, m
			own[k].compare(peers)
			fmt.Fprintf(mk.Log, "%s, %s: %.2f, %s %.2f, p %.3f\n", set, m.Label(), own[k].Mean, own[k].Peer, own[k].PeerMean, own[k].P)
		}
		rows = append(rows, own...)
	}
	holm(rows)
	return writeReport(mk, "halves.json", rows)
}

// halvedSets are those that are halved: all of Table 1.
var halvedSets = []string{"scene", "emotions", "medical10", "yeast"}

// halvings is how often all examples are halved.
const halvings = 5

// onHalves does something on both halves of so many halvings of all examples of a set, to train on one half and to test on the other, and returns what
// comes of each; cells keep it.
func onHalves[T any](ctx context.Context, mk *maker, set string, halvings int, do func(train, test *crankpkg.Dataset) (T, error)) (each []T, err error) {
	train, test, err := mk.Sets.Split(set)
	if err != nil {
		return nil, err
	}
	all, err := train.Append(test)
	if err != nil {
		return nil, err
	}
	for r := range halvings {
		parts, err := all.StratifiedFolds(2, 1+uint64(r), 1)
		if err != nil {
			return nil, err
		}
		for f, part := range parts {
			one, err := kept(ctx, mk, []string{set, fmt.Sprintf("halving %d", r+1), fmt.Sprintf("half %d", f+1)}, []any{all, r, f, finalGap},
				func() (T, error) { return do(all.Subset(part.Train), all.Subset(part.Test)) })
			if err != nil {
				return nil, err
			}
			each = append(each, one)
		}
	}
	return each, nil
}

// halfScore is one measure of one training.
type halfScore struct{ HeldOut, Test float64 }

// half chooses and trains on one half by each of the paper's measures, and tests on the other.
func (mk *maker) half(ctx context.Context, train, test *crankpkg.Dataset) ([]halfScore, error) {
	g := mk.chooser(crossval.General{Measures: metrics.PaperMeasures()})
	choice, err := g.Choose(ctx, train)
	if err != nil {
		return nil, err
	}
	var scores []halfScore
	for _, best := range choice.Chosen {
		m, _, err := g.Train(ctx, choice, best.Measure, train)
		if notConverged(err) != nil {
			return nil, err
		}
		value := metrics.Evaluate(test.Y, m.PredictAll(test.X), test.NumLabels()).Of(best.Measure)
		scores = append(scores, halfScore{best.Choice.Best().Nested, value})
	}
	return scores, nil
}

// compare fills in the means, the peer and the test.
func (r *halvesRow) compare(peers *peersFile) {
	if r.P = 1; len(r.Test) == 0 {
		return // a trial of the plan
	}
	r.Mean = stat.Mean(r.Test, nil)
	best := -1.0
	for _, p := range peers.Halved {
		if p.Set != r.Set || p.Measure != r.Measure || len(p.Test) != len(r.Test) {
			continue
		}
		if value := stat.Mean(p.HeldOut, nil); value > best {
			best, r.Peer, r.PeerMean = value, p.Peer, p.Mean
			r.P = resampled(r.Test, p.Test)
		}
	}
}

// resampled returns the p-value of the corrected resampled t-test for equal halves.
func resampled(a, b []float64) float64 {
	differences := make([]float64, len(a))
	floats.SubTo(differences, a, b)
	return significance.ResampledT(differences, 1, 0.95).P
}

// holm corrects the p-values of all rows for their number.
func holm(rows []halvesRow) {
	family := make([]*halvesRow, len(rows))
	for k := range rows {
		family[k] = &rows[k]
	}
	holmOf(family, func(r *halvesRow) (float64, *float64) { return r.P, &r.Holm })
}
