package results

import (
	"context"
	"fmt"
	"slices"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/crossval"
	"github.com/crank-ml/crank/crankpkg/metrics"
	plant "github.com/crank-ml/crank/crankpkg/planted"
	"github.com/crank-ml/crank/crankpkg/significance"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// tagsRow is one measure of one method on planted tags, beside scikit-learn's LinearSVC for
// each label with a cut, tuned on the same draws.
type tagsRow struct {
	Method     string
	Measure    metrics.Measure
	Test, Peer []float64 // by draw
	Mean       float64
	PeerMean   float64
	// Difference is what the mean has more, with a 95 % interval and the p-value of a paired
	// t-test over the draws.
	Difference, Low, High, P float64
	// Over is what CRANK has more than Empty, which shows what the tree buys: in the same procedure on the same draws, with the same test
	// and Holm's correction for both measures. Files of before Empty was among the methods have none.
	Over *lead `json:",omitempty"`
}

const (
	// tagExamples is how many examples there are for training, and for testing.
	tagExamples = 2000
	tagDraws    = 5 // seeds from 1 on
	tagsFile    = "tags_peers.json"
)

// tagMeasures are what is compared: nearly all labels being off, Hamming accuracy tells little.
func tagMeasures() []metrics.Measure {
	return []metrics.Measure{metrics.SubsetAccuracy, metrics.ExampleF1}
}

// tagMethods are what is compared, linear, with the squared hinge.
func tagMethods() []crankpkg.Trainer {
	squared := crankpkg.Settings{Loss: crankpkg.Loss{Squared: true}}
	return []crankpkg.Trainer{crankpkg.CRANK{Restarts: 1, Settings: squared}, crankpkg.Empty{Settings: squared}}
}

// tags makes tags.json: linear CRANK, and Empty, with rules on planted tags, scaling, lambda and rule
// chosen for each measure by crossval.General on the training examples.
func (mk *maker) tags(ctx context.Context) error {
	peers, err := readPeersFileNamed(mk.Out, tagsFile)
	if err != nil {
		return err
	}
	var rows []tagsRow
	for _, t := range tagMethods() {
		own := make([]tagsRow, len(tagMeasures()))
		for draw := range pick(mk, tagDraws, 2) {
			values, err := mk.tagged(ctx, t, uint64(draw+1))
			if err != nil {
				return err
			}
			for k, v := range values {
				own[k].Test = append(own[k].Test, v)
			}
		}
		for k, m := range tagMeasures() {
			own[k].Method, own[k].Measure = t.Name(), m
			own[k].compare(peers)
			fmt.Fprintf(mk.Log, "%s, %s: %.2f, LinearSVC %.2f, p %s\n", t.Name(), m.Label(), own[k].Mean, own[k].PeerMean, metrics.PText(own[k].P))
		}
		rows = append(rows, own...)
	}
	overEmpty(rows)
	return writeReport(mk, "tags.json", rows)
}

// tagged chooses, trains and tests on one draw, and returns the values by measure.
func (mk *maker) tagged(ctx context.Context, t crankpkg.Trainer, seed uint64) ([]float64, error) {
	size := pick(mk, tagExamples, 50)
	train, test := plant.Tags{N: pick(mk, 0, 8), Rarest: pick(mk, 0, 0.1), Seed: seed}.Generate(size, size)
	g := mk.chooser(crossval.General{Linear: true, Trainers: []crankpkg.Trainer{t}, Measures: tagMeasures()})
	return kept(ctx, mk, []string{t.Name(), fmt.Sprintf("seed %d", seed)}, []any{t, train, test, g.Measures}, func() ([]float64, error) {
		choice, err := g.Choose(ctx, train)
		if err != nil {
			return nil, err
		}
		var values []float64
		for _, m := range g.Measures {
			model, _, err := g.Train(ctx, choice, m, train)
			if notConverged(err) != nil {
				return nil, err
			}
			values = append(values, crankpkg.Evaluate(model, test).Of(m))
		}
		return values, nil
	})
}

// compare fills in the peer and the test.
func (r *tagsRow) compare(peers *peersFile) {
	if r.P = 1; len(r.Test) == 0 {
		return // a trial of the plan
	}
	r.Mean = stat.Mean(r.Test, nil)
	for draw := range r.Test {
		k := slices.IndexFunc(peers.Rows, func(p peerRow) bool { return p.Set == fmt.Sprintf("tags-%d", draw+1) && p.Measure == r.Measure })
		if k < 0 {
			r.Peer = nil
			return
		}
		r.Peer = append(r.Peer, peers.Rows[k].Test)
	}
	r.PeerMean = stat.Mean(r.Peer, nil)
	if len(r.Test) < 2 {
		return
	}
	d := ofPercent(pairedT(r.Test, r.Peer))
	r.Difference, r.Low, r.High, r.P = d.Mean, d.Low, d.High, d.P
}

// overEmpty sets the rows of CRANK beside those of Empty.
func overEmpty(rows []tagsRow) {
	var over []*lead
	for k, r := range rows {
		e := slices.IndexFunc(rows, func(o tagsRow) bool { return o.Method == "Empty" && o.Measure == r.Measure })
		if r.Method == "Empty" || e < 0 || len(r.Test) < 2 || len(rows[e].Test) != len(r.Test) {
			continue
		}
		d := ofPercent(pairedT(r.Test, rows[e].Test))
		rows[k].Over = &lead{Than: "Empty", Difference: d.Mean, Low: d.Low, High: d.High, P: d.P}
		over = append(over, rows[k].Over)
	}
	holmLeads(over)
}

// pairedT tests what a has more than b over the draws.
func pairedT(a, b []float64) metrics.Difference {
	differences := make([]float64, len(a))
	floats.SubTo(differences, a, b)
	return significance.PairedT(differences, 0.95)
}
