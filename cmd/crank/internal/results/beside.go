package results

import (
	"slices"

	"github.com/crank-ml/crank/crankpkg/metrics"
	"github.com/crank-ml/crank/crankpkg/significance"
)

// lead is what CRANK's model has more than another of a measure on the same test examples.
type lead struct {
	Than       string  `json:"than"`
	Difference float64 `json:"difference"`
	Low        float64 `json:"low"` // of a 95 % interval, and P the p-value, by a paired bootstrap
	High       float64 `json:"high"`
	P          float64 `json:"p_value"`
	// Holm is P with Holm's correction for all comparisons of the file with methods of our own,
	// or with peers.
	Holm float64 `json:"holm"`
}

// leadOver compares labels y with those of another, both predicted for examples of n labels.
func leadOver(than string, truth, y, theirs []uint8, n int, m metrics.Measure) lead {
	var e metrics.Evaluator
	d := metrics.Bootstrap{Seed: 1}.Compare(e.Examples(truth, y, n).Of(m), e.Examples(truth, theirs, n).Of(m))
	return lead{Than: than, Difference: d.Mean, Low: d.Low, High: d.High, P: d.P, Holm: d.P}
}

// holmBeside corrects the p-values of all rows: of the first leads of a row, which are over
// methods of our own, and of the others, which are over peers.
func holmBeside(rows []generalRow, own int) {
	var families [2][]*lead
	for k := range rows {
		for q := range rows[k].Beside {
			family := min(q/max(1, own), 1)
			families[family] = append(families[family], &rows[k].Beside[q])
		}
	}
	for _, leads := range families {
		holmLeads(leads)
	}
}

// holmLeads corrects the p-values of one family.
func holmLeads(leads []*lead) {
	holmOf(leads, func(l *lead) (float64, *float64) { return l.P, &l.Holm })
}

// holmOf corrects the p-values of rows of one family for their number: of says what the p-value of a row is, and where the corrected one goes.
func holmOf[T any](rows []T, of func(T) (p float64, corrected *float64)) {
	p := make([]float64, len(rows))
	for k, r := range rows {
		p[k], _ = of(r)
	}
	for k, v := range significance.Holm(p) {
		_, corrected := of(rows[k])
		*corrected = v
	}
}

// chosen returns the peer that cross-validation chooses for a set and measure, and whether there
// is one.
func (f *peersFile) chosen(set string, m metrics.Measure) (peerRow, bool) {
	k := slices.IndexFunc(f.Best, func(r peerRow) bool { return r.Set == set && r.Measure == m })
	if k < 0 {
		return peerRow{}, false
	}
	return f.Best[k], true
}

// labels returns what a peer predicts for the test examples, row after row.
func (r peerRow) labels() []uint8 {
	y := []uint8(r.Labels)
	for k := range y {
		y[k] -= '0'
	}
	return y
}
