package results

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/crank-ml/crank/cmd/crank/internal/average"
	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/crossval"
	"github.com/crank-ml/crank/crankpkg/decision"
	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/metrics"
	"github.com/crank-ml/crank/crankpkg/significance"
	"gonum.org/v1/gonum/stat"
)

// companyRow is one measure of an average of trees beside one tree: on the published test
// examples or, with an entry of Test for each half, by five times two-fold cross-validation.
type companyRow struct {
	Set     string
	Halves  bool
	Members string // what tells the trees apart
	Count   int    // of the trees
	// Averaged is what the mean is of: the scores of labels and the weights of pairs, in a graph with the
	// pairs of all trees, or the margins of the labels, which are then decided one by one.
	Averaged string
	Measure  metrics.Measure
	// Test has the values of the average, and One those of one tree, with a rule chosen for each. HeldOut and OneHeldOut are means of what
	// the folds of the training examples say.
	Test, One           []float64
	Mean, OneMean       float64
	HeldOut, OneHeldOut float64
	Rule                string  // of the last of Test
	Edges, Certain      float64 // pairs of all trees, and the share of labelings that certainly are the rule's best: means over Test
	// Difference is what the average has more, with a 95 % interval and a p-value: of a paired bootstrap over the test
	// examples or, of halves, of the corrected resampled t-test. Holm is corrected for all rows of the same protocol.
	Difference, Low, High, P, Holm float64
}

// companyEntry is one measure of one company on one test set; the first one is one tree.
type companyEntry struct {
	Members  string
	Count    int
	Averaged string
	Measure  metrics.Measure
	Rule     string
	Edges    int
	Certain  float64
	HeldOut  float64
	Test     float64
	Over     metrics.Difference // than one tree, over the test examples
}

const (
	oneTreeAlone  = "one tree"
	ofScores      = "scores"
	ofMargins     = "margins"
	companySize   = 10   // trees
	companyFolds  = 5    // by which rules are chosen
	drawnFeatures = 1000 // cosines and sines of a draw
)

// companyLambdas are factors on the lambda that was chosen.
var companyLambdas = []float64{0.25, 0.5, 1, 2, 4}

// companyHalved are the sets that are halved, too.
var companyHalved = []string{"emotions", "medical10"}

// company makes company.json: does an average of trees beat one tree? Scaling, width of a Gaussian kernel and lambda are
// those that crossval.General chooses on the training examples for one tree, by the mean of the three measures. Rules
// are chosen for each measure by five-fold cross-validation, for one tree and for each average alike.
func (mk *maker) company(ctx context.Context) error {
	var rows []companyRow
	for _, set := range pick(mk, tableSets, []string{"emotions", "medical10"}) {
		train, test, err := mk.Sets.Split(set)
		if err != nil {
			return err
		}
		own, err := kept(ctx, mk, []string{set}, []any{train, test, finalGap}, func() ([]companyEntry, error) { return mk.inCompany(ctx, train, test) })
		if err != nil {
			return err
		}
		rows = append(rows, companyRows(set, false, own)...)
	}
	for _, set := range pick(mk, companyHalved, nil) {
		own, err := mk.halvedCompany(ctx, set)
		if err != nil {
			return err
		}
		rows = append(rows, companyRows(set, true, own...)...)
	}
	holmCompany(rows)
	for _, r := range rows {
		fmt.Fprintf(mk.Log, "%s, %d by %s, %s, %s: %.2f, one tree %.2f, %+.2f (%.2f to %.2f), Holm's p %.3f\n",
			r.Set, r.Count, r.Members, r.Averaged, r.Measure.Label(), r.Mean, r.OneMean, r.Difference, r.Low, r.High, r.Holm)
	}
	for _, line := range companyTold(rows) {
		fmt.Fprintln(mk.Log, line)
	}
	return writeReport(mk, "company.json", rows)
}

// halvedCompany does the same on the halves of the part halves.
func (mk *maker) halvedCompany(ctx context.Context, set string) ([][]companyEntry, error) {
	return onHalves(ctx, mk, set, halvings, func(train, test *crankpkg.Dataset) ([]companyEntry, error) { return mk.inCompany(ctx, train, test) })
}

// companyRows sets the entries of each test set beside the first of them for the measure, one tree. Of one test set, the test
// is over its examples; of ten halves, over these. Feature draws are in the halves whose choice has a kernel; rows
// are of what all test sets have.
func companyRows(set string, halves bool, sets ...[]companyEntry) (rows []companyRow) {
	if len(sets) == 0 || len(sets[0]) == 0 {
		return nil // a trial of the plan
	}
	for _, e := range sets[0] {
		if e.Members == oneTreeAlone {
			continue
		}
		r := companyRow{Set: set, Halves: halves, Members: e.Members, Count: e.Count, Averaged: e.Averaged, Measure: e.Measure}
		var differences []float64
		for _, own := range sets {
			one, found := entryOf(own, oneTreeAlone, ofScores, e.Measure)
			if it, ok := entryOf(own, e.Members, e.Averaged, e.Measure); ok && found {
				r.Test, r.One, r.Rule = append(r.Test, it.Test), append(r.One, one.Test), it.Rule
				r.Edges, r.Certain = r.Edges+float64(it.Edges), r.Certain+it.Certain
				r.HeldOut, r.OneHeldOut = r.HeldOut+it.HeldOut, r.OneHeldOut+one.HeldOut
				differences = append(differences, it.Test-one.Test)
			}
		}
		if len(r.Test) < len(sets) {
			continue
		}
		d := e.Over
		if halves {
			d = ofPercent(significance.ResampledT(differences, 1, 0.95))
		}
		for _, sum := range []*float64{&r.Edges, &r.Certain, &r.HeldOut, &r.OneHeldOut} {
			*sum /= float64(len(sets))
		}
		r.Mean, r.OneMean = stat.Mean(r.Test, nil), stat.Mean(r.One, nil)
		r.Difference, r.Low, r.High, r.P = d.Mean, d.Low, d.High, d.P
		rows = append(rows, r)
	}
	return rows
}

// ofPercent returns a difference of percentages with an interval that is within what these can differ: where equal differences tell
// nothing of their spread, its ends are infinite, which a file cannot hold.
func ofPercent(d metrics.Difference) metrics.Difference {
	d.Low, d.High = max(d.Low, -100), min(d.High, 100)
	return d
}

func entryOf(entries []companyEntry, members, averaged string, m metrics.Measure) (companyEntry, bool) {
	for _, e := range entries {
		if e.Members == members && e.Averaged == averaged && e.Measure == m {
			return e, true
		}
	}
	return companyEntry{}, false
}

// holmCompany corrects the p-values of both protocols, each for the number of its rows.
func holmCompany(rows []companyRow) {
	for _, halves := range []bool{false, true} {
		var family []*companyRow
		for k := range rows {
			if rows[k].Halves == halves {
				family = append(family, &rows[k])
			}
		}
		holmOf(family, func(r *companyRow) (float64, *float64) { return r.P, &r.Holm })
	}
}

// companyTold returns what the README says of the rows: lines of its table, of means of scores, and the numbers of differences that
// are significant.
func companyTold(rows []companyRow) (lines []string) {
	three := func(values []float64) string {
		if len(values) == 0 {
			return "-"
		}
		return fmt.Sprintf("%.1f / %.1f / %.1f", values[0], values[1], values[2])
	}
	for _, halves := range []bool{false, true} {
		for _, set := range tableSets {
			var one []float64
			of := map[string][]float64{}
			for _, r := range rows {
				if r.Set == set && r.Halves == halves && r.Averaged == ofScores {
					one, of[r.Members] = append(one, r.OneMean), append(of[r.Members], r.Mean)
				}
			}
			if len(one) == 0 {
				continue
			}
			name := set
			if halves {
				name += ", halves"
			}
			lines = append(lines, fmt.Sprintf("| %s | %s | %s | %s | %s |", name, three(one), three(of["bootstrap samples"]), three(of["feature draws"]), three(of["lambdas"])))
		}
	}
	count, ahead, better, worse := 0, 0, 0, 0
	for _, r := range rows {
		count++
		switch {
		case r.Difference > 0 && r.Holm < 0.05:
			better++
		case r.Holm < 0.05:
			worse++
		}
		if r.Difference > 0 {
			ahead++
		}
	}
	return append(lines, fmt.Sprintf("Of %d differences, averages of margins included, %d are above zero, %d significantly above and %d significantly below", count, ahead, better, worse))
}

// company is a number of trees.
type company struct {
	name   string
	count  int
	member func(k int, ds *crankpkg.Dataset) (crankpkg.Trainer, *crankpkg.Dataset)
}

// companies returns one tree in the settings of the point, and those that it is set beside: trained on samples with replacement, as
// many examples each; in random Fourier features of the kernel; with lambdas around the one that was chosen.
func (mk *maker) companies(p crossval.GeneralPoint) []company {
	count, features := pick(mk, companySize, 2), pick(mk, drawnFeatures, 10)
	t := crankpkg.Trainer(crankpkg.CRANK{Restarts: 1})
	t = adjust(t, func(s *crankpkg.Settings) { s.Scaling, s.Kernel, s.Gap = p.Scaling, p.Kernel, mk.gap(finalGap) }).WithLambda(p.Lambda)
	list := []company{
		{oneTreeAlone, 1, func(_ int, ds *crankpkg.Dataset) (crankpkg.Trainer, *crankpkg.Dataset) { return t, ds }},
		{"bootstrap samples", count, func(k int, ds *crankpkg.Dataset) (crankpkg.Trainer, *crankpkg.Dataset) {
			return t, resample(ds, uint64(k+1))
		}},
		{"lambdas", min(count, len(companyLambdas)), func(k int, ds *crankpkg.Dataset) (crankpkg.Trainer, *crankpkg.Dataset) {
			return t.WithLambda(companyLambdas[k] * p.Lambda), ds
		}},
	}
	if p.Kernel.Kind == "" {
		return list
	}
	return append(list, company{"feature draws", count, func(k int, ds *crankpkg.Dataset) (crankpkg.Trainer, *crankpkg.Dataset) {
		return adjust(t, func(s *crankpkg.Settings) {
			s.Kernel = feature.KernelFeatures{}
			s.Fourier = crankpkg.FourierFeatures{Count: features, Gamma: p.Kernel.Gamma, Seed: uint64(k + 1)}
		}), ds
	}})
}

// resample draws as many examples as there are, with replacement.
func resample(ds *crankpkg.Dataset, seed uint64) *crankpkg.Dataset {
	rng := rand.New(rand.NewPCG(seed, 0))
	rows := make([]int, ds.Len())
	for m := range rows {
		rows[m] = rng.IntN(len(rows))
	}
	return ds.Subset(rows)
}

// inCompany chooses the settings, then trains each company on the folds and on all examples, chooses its rules, and tests.
func (mk *maker) inCompany(ctx context.Context, train, test *crankpkg.Dataset) (entries []companyEntry, err error) {
	g := mk.chooser(crossval.General{Kernels: gaussianAlone, Trainers: []crankpkg.Trainer{crankpkg.CRANK{Restarts: 1}}})
	choice, err := g.Choose(ctx, train)
	if err != nil {
		return nil, err
	}
	var folds []crankpkg.Fold
	count := pick(mk, companyFolds, 2)
	for r := range pick(mk, g.RepeatsOf(train), 1) {
		own, err := train.StratifiedFolds(count, 7+uint64(r), 1)
		if err != nil {
			return nil, err
		}
		folds = append(folds, own...)
	}
	var one map[metrics.Measure][]uint8
	for _, c := range mk.companies(choice.Points[choice.Chosen[0].Point]) {
		voices := make([]voice, len(folds))
		for k, f := range folds {
			if voices[k], err = mk.voiceOf(ctx, c, train.Subset(f.Train), train.Subset(f.Test)); err != nil {
				return nil, err
			}
			voices[k].repeat(k / count)
		}
		last, err := mk.voiceOf(ctx, c, train, test)
		if err != nil {
			return nil, err
		}
		for _, averaged := range []string{ofScores, ofMargins} {
			if c.name == oneTreeAlone && averaged == ofMargins {
				continue
			}
			own, labels, err := mk.decided(ctx, c, averaged, voices, last, train, test)
			if err != nil {
				return nil, err
			}
			if one == nil {
				one = labels
			}
			for k, e := range own {
				var v metrics.Evaluator
				n := test.NumLabels()
				own[k].Over = metrics.Bootstrap{Seed: 1}.Compare(v.Examples(test.Y, labels[e.Measure], n).Of(e.Measure), v.Examples(test.Y, one[e.Measure], n).Of(e.Measure))
			}
			entries = append(entries, own...)
		}
	}
	return entries, nil
}

// voice has what the trees of a company say of some examples on average.
type voice struct{ scores, margins decision.Part }

// repeat says which division into folds the examples are of.
func (v *voice) repeat(r int) { v.scores.Repeat, v.margins.Repeat = r, r }

// of returns the part of that name.
func (v voice) of(averaged string) decision.Part {
	if averaged == ofMargins {
		return v.margins
	}
	return v.scores
}

// voiceOf trains the company and has it score other examples.
func (mk *maker) voiceOf(ctx context.Context, c company, train, test *crankpkg.Dataset) (v voice, err error) {
	models := make([]*crankpkg.Model, c.count)
	for k := range models {
		t, own := c.member(k, train)
		if models[k], _, _, err = mk.train(ctx, t, own); err != nil {
			return v, fmt.Errorf("%s %d: %w", c.name, k+1, err)
		}
	}
	v.scores, v.margins = average.Of(models, train, test)
	return v, nil
}

// decided chooses a rule for each measure by what the folds hold out, and applies it to the test examples. It returns the
// labels by measure too.
func (mk *maker) decided(ctx context.Context, c company, averaged string, folds []voice, last voice, train, test *crankpkg.Dataset) (
	entries []companyEntry, labels map[metrics.Measure][]uint8, err error) {
	parts := make([]decision.Part, len(folds))
	for k, v := range folds {
		parts[k] = v.of(averaged)
	}
	least, most := decision.Limits(train.Y, train.NumLabels())
	choices, err := decision.Search{Least: least, Most: max(1, most), Workers: mk.Workers}.RunEach(ctx, parts, metrics.PaperMeasures()...)
	if err != nil {
		return nil, nil, err
	}
	labels = map[metrics.Measure][]uint8{}
	for k, m := range metrics.PaperMeasures() {
		best, part := choices[k].Best(), last.of(averaged)
		y, certain := average.Labels(part, best, train)
		labels[m] = y
		entries = append(entries, companyEntry{
			Members: c.name, Count: c.count, Averaged: averaged, Measure: m, Rule: ruleText(best), Edges: len(part.Edges), Certain: certain,
			HeldOut: best.Nested, Test: metrics.Evaluate(test.Y, y, test.NumLabels()).Of(m),
		})
	}
	return entries, labels, nil
}

// ruleText describes a rule, and the labelings that it is for.
func ruleText(c decision.Candidate) string {
	if c.Seen {
		return fmt.Sprintf("%s, seen labelings with prior %.3g", c.Rule, c.Prior)
	}
	return c.Rule.String()
}
