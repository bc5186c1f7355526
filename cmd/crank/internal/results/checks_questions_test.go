package results

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/crossval"
	"github.com/crank-ml/crank/crankpkg/decision"
	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"github.com/crank-ml/crank/crankpkg/metrics"
)

func checkBestTree(t *testing.T, o Options) {
	rows := trial[bestTreeRow](t, o, "besttree", "besttree.json")
	if len(rows) != 3 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, r := range rows {
		s := crankpkg.Settings{Gap: r.Gap, Scaling: standing[r.Set].scaling}
		for name, of := range map[string]struct {
			crankpkg.Trainer
			got outcome
		}{
			"BestTree": {crankpkg.BestTree{Settings: s}, outcome{r.Primal, r.Dual, r.CPU}},
			"CRANK":    {paperCRANK(s), r.CRANK}, "Greedy": {crankpkg.Greedy{Settings: s}, r.Greedy},
			"swaps": {crankpkg.SwapSearch{Start: paperCRANK(crankpkg.Settings{}), Settings: s}, r.Swap},
		} {
			want := train(t, r.Set, of.WithLambda(r.Lambda))
			if of.got.Primal != want.Primal || of.got.Dual != want.Dual || of.got.CPU <= 0 {
				t.Errorf("%s, %s: %+v, directly %v, %v", r.Set, name, of.got, want.Primal, want.Dual)
			}
		}
		last := r.Points[len(r.Points)-1]
		if r.Scaling != s.Scaling || r.Solves < 1 || !labelgraph.IsForest(5, r.Edges) || r.Seconds <= 0 || !near(last.Primal, r.Primal) ||
			last.Dual > r.Primal {
			t.Errorf("%+v", r)
		}
		if (r.Enumerated == nil) != (r.Set == "medical10") || r.Enumerated != nil &&
			(r.Enumerated.Dual > r.Primal || r.Enumerated.Primal < r.Dual || r.Enumerated.CPU <= 0) {
			t.Errorf("%+v, all trees %+v", r, r.Enumerated)
		}
	}
}

// sameJob checks that a result is that of its job, times and memory aside.
func sameJob(t *testing.T, got JobResult) {
	t.Helper()
	want, err := got.Do(context.Background(), testSets)
	if err != nil {
		t.Fatal(err)
	}
	want.CPU, want.Wall, want.Memory = got.CPU, got.Wall, got.Memory
	if got != want || got.Wall <= 0 {
		t.Errorf("%+v, directly %+v", got, want)
	}
}

func checkLarge(t *testing.T, o Options) {
	rows, _ := rowsOf[JobResult](t, o.Out, "large.json")
	if len(rows) != 4+3 {
		t.Fatalf("%d rows", len(rows))
	}
	best := rows[0]
	if s := rows[2]; s.Scores.Of(metrics.MeanOfThree) > best.Scores.Of(metrics.MeanOfThree) {
		best = s
	}
	for k, r := range rows {
		sameJob(t, r)
		if r.Set != "bibtex" || r.HoldOut != (k < 4) || r.Target != map[bool]float64{true: 0.05, false: 0.01}[r.HoldOut] || !r.HoldOut &&
			r.Lambda != best.Lambda {
			t.Errorf("row %d is %+v, the best held out %+v", k, r, best)
		}
	}
}

// checkGrowth checks that the rows are the results of jobs, here of invented ones,
// on one size that grows and others that do not.
func checkGrowth(t *testing.T, o Options) {
	rows, _ := rowsOf[JobResult](t, o.Out, "scaling.json")
	if len(rows) != 2*(4+4+3+2+2+3+4+4) {
		t.Fatalf("%d rows", len(rows))
	}
	for k, r := range rows {
		if want, _ := invented(context.Background(), r.Job); r != want || r.Lambda != growthLambda || r.Target != 0.1 ||
			r.Limit != jobLimit || r.N > 32 || r.M > 200 {
			t.Errorf("%+v, not %+v", r, want)
		}
		sizes := map[string]int{"examples": r.M, "features": r.D, "labels": r.N, "labels, all pairs": r.N, "labels, Greedy": r.N,
			"dependencies": r.Dependencies, "examples, yeast": r.M, "examples, scene": r.M}
		if r.Set == "" && r.Part != "dependencies" && r.Dependencies != r.N-1 || k > 0 && rows[k-1].Part == r.Part && rows[k-1].Method == r.Method &&
			sizes[r.Part] == 0 {
			t.Errorf("%+v", r)
		}
	}
}

func checkLoss(t *testing.T, o Options) {
	rows := trial[lossRow](t, o, "loss", "question_loss.json")
	if len(rows) != 8 {
		t.Fatalf("%d rows", len(rows))
	}
	tree := train(t, "scene", seeded(paperCRANK(crankpkg.Settings{}), 0.003, "", 1)).Edges
	for k, r := range rows {
		loss := crankpkg.Loss{Hamming: r.Hamming, ZeroOne: r.ZeroOne}
		got := train(t, "scene", seeded(crankpkg.FixedGraph{Edges: tree, Settings: crankpkg.Settings{Loss: loss}}, r.Lambda, "", 1)).scores
		if r.Set != "scene" || r.Lambda != 0.1 && r.Lambda != 0.01 || r.Loss != loss.String() || r.Scores != got {
			t.Errorf("%+v, directly %v", r, got)
		}
		for _, d := range []struct{ mean, a, b float64 }{
			{r.DHamming.Mean, got.HammingAccuracy, rows[0].Scores.HammingAccuracy}, {r.DZeroOne.Mean, got.SubsetAccuracy, rows[0].Scores.SubsetAccuracy},
			{r.DF1.Mean, got.ExampleF1, rows[0].Scores.ExampleF1},
		} {
			if !near(d.mean, d.a-d.b) {
				t.Errorf("row %d: %+v", k, d)
			}
		}
	}
}

func checkSwaps(t *testing.T, o Options) {
	rows := trial[swapRow](t, o, "swaps", "question_swaps.json")
	if len(rows) != 2*2*4 {
		t.Fatalf("%d rows", len(rows))
	}
	if got := distinct(rows, func(r swapRow) float64 { return r.Lambda }); !slices.Equal(got, []float64{0.1, 0.01}) {
		t.Errorf("lambdas %v", got)
	}
	for _, r := range rows {
		s := crankpkg.Settings{Gap: swapGap, Scaling: standing[r.Set].scaling}
		got := train(t, r.Set, crankpkg.SwapSearch{Lambda: r.Lambda, Start: byName(t, starts(4), r.Start), Settings: s})
		if r.After != got.Primal || r.Dual != got.Dual || r.Before != got.Points[0].Primal || r.Before < r.After ||
			r.Trees != got.Solves || r.Scores != got.scores || r.CPU <= 0 {
			t.Errorf("%+v, directly %v to %v, %v", r, got.Points[0].Primal, got.Primal, got.scores)
		}
	}
}

func checkCircuit(t *testing.T, o Options) {
	rows := trial[circuitRow](t, o, "circuit", "question_circuit.json")
	splits := map[uint64]int{}
	for k, r := range rows {
		splits[r.Split]++
		ds, test, err := testSets.Split("emotions")
		if r.Split > 0 {
			ds, test, err = testSets.Seeded("emotions", 0.6, r.Split)
		}
		if err != nil {
			t.Fatal(err)
		}
		s := crankpkg.Settings{Scaling: crankpkg.ZScore, Gap: 0.003}
		tree := trainOn(t, ds, test, paperCRANK(s).WithLambda(0.1))
		if r.Rank == 0 && (r.Exact != tree.scores || r.Relaxed != tree.scores || r.Cutset != 0 || r.Graph != "tree + Full") {
			t.Errorf("%+v, the tree has %v", r, tree.scores)
		}
		full := trainOn(t, ds, test, crankpkg.Full{Lambda: 0.1, Settings: s})
		if r.Rank == 3 && (r.Primal < full.Dual || r.Primal > full.Primal*1.01 || r.Cutset != 2) {
			t.Errorf("%+v, all pairs have %v to %v", r, full.Dual, full.Primal)
		}
		if k > 0 && r.Split == rows[k-1].Split && r.Graph == rows[k-1].Graph && r.Graph == "tree + Full" &&
			(r.Rank <= rows[k-1].Rank || r.Primal > rows[k-1].Primal*1.003) {
			t.Errorf("%+v follows %+v", r, rows[k-1])
		}
	}
	if splits[0] < 4 || splits[1] < 4 || len(splits) != 2 {
		t.Errorf("rows of each split: %v", splits)
	}
}

func checkRecovery(t *testing.T, o Options) {
	rows := trial[recoveryRow](t, o, "recovery", "question_recovery.json")
	if len(rows) != 2*2*3 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, r := range rows {
		if r.Method == "BestTree" {
			continue
		}
		want := recoveryRow{Size: r.Size, Scale: r.Scale, Method: r.Method, Trees: 2}
		for seed := uint64(1); seed <= 2; seed++ {
			train, test, truth := crankpkg.PlantedTree{N: 6, PairScale: r.Scale, Noise: 0.02, Seed: seed}.Generate(r.Size, 500)
			var trainer crankpkg.Trainer = crankpkg.ChowLiu{Settings: crankpkg.Settings{Seed: seed}}
			if r.Method == "CRANK" {
				trainer = paperCRANK(crankpkg.Settings{Gap: 0.003, Seed: seed})
			}
			got := trainOn(t, train, test, trainer)
			right := 0
			for _, e := range truth.Edges {
				if slices.Contains(got.Edges, e) {
					right++
				}
			}
			want.Found += 10 * float64(right)
			if right == 5 {
				want.Exact += 50
			}
			want.ZeroOne += got.scores.SubsetAccuracy / 2
		}
		if r.Size != want.Size || !near(r.Found, want.Found) || !near(r.Exact, want.Exact) || !near(r.ZeroOne, want.ZeroOne) || r.Trees != 2 {
			t.Errorf("%+v, directly %+v", r, want)
		}
	}
}

func checkRestricted(t *testing.T, o Options) {
	rows := trial[restrictedRow](t, o, "restricted", "question_restricted.json")
	if len(rows) != 1+3+3 {
		t.Fatalf("%d rows", len(rows))
	}
	for k, r := range rows {
		s := crankpkg.Settings{Gap: 1e-3, Scaling: crankpkg.ZScore, Seed: 1}
		var trainer crankpkg.Trainer = crankpkg.BestTree{Lambda: 0.1, MaxEdges: r.MaxEdges, MaxDegree: r.MaxDegree, Settings: s}
		if k == 0 {
			trainer = crankpkg.Empty{Lambda: 0.1, Settings: s}
		}
		got := train(t, "emotions", trainer)
		if r.Set != "emotions" || r.Lambda != 0.1 || r.Primal != got.Primal || r.Dual != got.Dual || r.Status != got.Status ||
			r.Scores != got.scores ||
			!reflect.DeepEqual(r.Edges, got.Edges) || r.Seconds <= 0 {
			t.Errorf("%+v, directly %v", r, got.Trace)
		}
	}
}

// TestExactScores compares with the predictions of the package, which are exact
// on a forest, and with those of another exact oracle on all pairs.
func TestExactScores(t *testing.T) {
	t.Parallel()
	train, test, _ := crankpkg.PlantedTree{N: 5, Noise: 0.1, Seed: 2}.Generate(80, 300)
	full, _, err := crankpkg.Full{Lambda: 0.01}.Train(context.Background(), train)
	if err != nil {
		t.Fatal(err)
	}
	tree, _, err := paperCRANK(crankpkg.Settings{}).WithLambda(0.01).Train(context.Background(), train)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := exactScores(tree, test), crankpkg.Evaluate(tree, test); got != want {
		t.Errorf("tree: %v, want %v", got, want)
	}
	oracle, p := infer.NewExactOracle(full.Graph()), full.Predictor()
	y, c := make(crankpkg.Labeling, 5), make([]float64, 5)
	predicted := make([]uint8, len(test.Y))
	for k := range test.Len() {
		p.ScoresTo(c, test.Row(k))
		oracle.Maximize(y, c)
		y.RoundTo(predicted[5*k:5*k+5], c)
	}
	if got, want := exactScores(full, test), metrics.Evaluate(test.Y, predicted, 5); got != want {
		t.Errorf("all pairs: %v, want %v", got, want)
	}
	more := heaviestOff(full, tree.Edges)
	if len(more)+len(tree.Edges) != len(full.Edges) {
		t.Errorf("%d edges beside the tree's %d, of %d", len(more), len(tree.Edges), len(full.Edges))
	}
	last := -1.0
	for _, e := range slices.Backward(more) {
		w := full.Pair[slices.Index(full.Edges, e)]
		if slices.Contains(tree.Edges, e) || max(w, -w) < last {
			t.Errorf("%v of weight %v is in the tree or out of order", e, w)
		}
		last = max(w, -w)
	}
}

// TestGraphs checks which graphs lie between a tree and all pairs.
func TestGraphs(t *testing.T) {
	t.Parallel()
	all := labelgraph.AllPairs(14)
	for others, want := range map[int][]int{0: {0}, 6: {0, 1, 2, 3, 4, 5, 6}, 9: {0, 1, 2, 3, 4, 5, 6, 8, 9},
		78: {0, 1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50, 78}} {
		var got []int
		for _, g := range withPairs(all[:13], all[13:13+others]) {
			got = append(got, len(g.edges)-13)
			if g.from != "tree + Full" || !slices.Equal(g.edges, all[:len(g.edges)]) {
				t.Errorf("%+v", g)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("of %d other pairs %v, and not %v", others, got, want)
		}
	}
	var steps []crankpkg.Step
	star := all[78:] // label 13 with each other
	for _, edges := range [][]crankpkg.Edge{all, all[:40], all[:30], all[:30], star} {
		steps = append(steps, crankpkg.Step{Edges: edges, CircuitRank: labelgraph.CircuitRank(14, edges)})
	}
	graphs := supports(14, steps)
	if len(graphs) != 2 || len(graphs[0].edges) != 40 || len(graphs[1].edges) != 30 || graphs[0].from != "beta path" {
		t.Errorf("supports %v", graphs)
	}
}

// TestEnumerationContradicts checks that a search is not believed when training all
// trees contradicts it.
func TestEnumerationContradicts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		search, all outcome
		good        bool
	}{
		"equal":         {outcome{Primal: 2, Dual: 1.9}, outcome{Primal: 2, Dual: 1.9}, true},
		"touching":      {outcome{Primal: 2, Dual: 1.9}, outcome{Primal: 2.1, Dual: 2}, true},
		"touching, too": {outcome{Primal: 2, Dual: 1.9}, outcome{Primal: 1.9, Dual: 1.8}, true},
		"missed":        {outcome{Primal: 2, Dual: 1.9}, outcome{Primal: 1.8, Dual: 1.7}, false},
		"too good":      {outcome{Primal: 2, Dual: 1.9}, outcome{Primal: 2.2, Dual: 2.1}, false},
	} {
		r := bestTreeRow{Primal: c.search.Primal, Dual: c.search.Dual, Enumerated: &c.all}
		if err := r.check(); (err == nil) != c.good {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := (&bestTreeRow{Primal: 1, Dual: 2}).check(); err != nil {
		t.Errorf("nothing to compare with: %v", err)
	}
}

// checkRules trains anew and predicts by the rules of the file.
func checkRules(t *testing.T, o Options) {
	rows := trial[rulesRow](t, o, "rules", "rules.json")
	if len(rows) != 2*4 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, r := range rows {
		train, test, err := testSets.Split(r.Set)
		if err != nil {
			t.Fatal(err)
		}
		own := trainOn(t, train, test, standing[r.Set].fit(byName(t, rulesMethods(0.02), r.Method)))
		scores := func(rule decision.Rule, seen crankpkg.LabelPowerset) crankpkg.Scores {
			seen.Restrict(own.Model, train)
			own.Rule = rule
			return crankpkg.Evaluate(own.Model, test)
		}
		least, most := decision.Limits(train.Y, train.NumLabels())
		if r.Plain != own.scores || r.AtLeastOne != scores(decision.Rule{Least: 1}, crankpkg.LabelPowerset{}) || r.Least != least || r.Most != most || r.Lambda != own.Model.Lambda {
			t.Errorf("%+v, directly %v", r, own.scores)
		}
		if len(r.Chosen) != 3 || !strings.Contains(r.markdown(), fmt.Sprintf("%.1f", r.Chosen[2].Scores.ExampleF1)) {
			t.Fatalf("%+v", r)
		}
		for k, e := range r.Chosen {
			if e.Measure != metrics.PaperMeasures()[k] || e.Scores != scores(e.Rule, e.Powerset) || e.HeldOut < e.PlainHeldOut ||
				!near(e.Gain.Mean, e.Scores.Of(e.Measure)-r.Plain.Of(e.Measure)) || (e.Rule.IsZero() && !e.Powerset.Only) != (e.Kind == "plain") {
				t.Errorf("%s, %s: %+v", r.Set, r.Method, e)
			}
		}
	}
}

// checkGains trains anew on each split, which is the share of the set's own of all its examples, at the lambda of the file: the plain scores are those.
func checkGains(t *testing.T, o Options) {
	rows := trial[gainRow](t, o, "gains", "question_gains.json")
	if len(rows) != 2*2 {
		t.Fatalf("%d rows", len(rows))
	}
	for k, r := range rows {
		train, test, err := testSets.Split(r.Set)
		if err != nil {
			t.Fatal(err)
		}
		all, err := train.Append(test)
		if err != nil {
			t.Fatal(err)
		}
		if r.Scaling != standing[r.Set].scaling || r.Rule != (k%2 == 1) || len(r.Splits) != 4 || len(r.Lambdas) != 2 {
			t.Fatalf("%+v", r)
		}
		lead := map[metrics.Measure]float64{}
		for _, c := range r.Splits {
			train, test := all.Split(float64(train.Len())/float64(all.Len()), c.Split)
			search := crossval.Search{Trainer: seeded(byName(t, []crankpkg.Trainer{crankpkg.Empty{}, crankpkg.CRANK{Restarts: 1}}, c.Method), 0, r.Scaling, 1), Lambdas: r.Lambdas, Folds: 3, Gap: 0.05, Seed: 1}
			lambda, want := gainDirectly(t, search, r.Rule, train, test)
			if c.Lambda != lambda || c.Scores != want {
				t.Errorf("%s, split %d, %s: lambda %g and %v, directly %g and %v", r.Set, c.Split, c.Method, c.Lambda, c.Scores, lambda, want)
			}
			for _, m := range []metrics.Measure{metrics.SubsetAccuracy, metrics.MeanOfThree} {
				lead[m] += map[string]float64{"CRANK": 1, "Empty": -1}[c.Method] * want.Of(m) / 2
			}
		}
		if !near(r.ZeroOne.Mean, lead[metrics.SubsetAccuracy]) || !near(r.MeanOfThree.Mean, lead[metrics.MeanOfThree]) {
			t.Errorf("%s: %v and %v, directly %v", r.Set, r.ZeroOne, r.MeanOfThree, lead)
		}
	}
}

// gainDirectly chooses, trains and tests.
func gainDirectly(t *testing.T, search crossval.Search, rule bool, train, test *crankpkg.Dataset) (float64, crankpkg.Scores) {
	t.Helper()
	var lambda float64
	var m *crankpkg.Model
	if rule {
		chosen, err := search.ChooseRule(context.Background(), train)
		if err != nil {
			t.Fatal(err)
		}
		lambda = chosen.Best().Lambda
		if m, _, err = chosen.Train(context.Background(), search.Trainer, train); err != nil {
			t.Fatal(err)
		}
	} else {
		chosen, err := search.Run(context.Background(), train)
		if err != nil {
			t.Fatal(err)
		}
		lambda = chosen.Lambda()
		if m, _, err = chosen.Apply(search.Trainer).Train(context.Background(), train); err != nil {
			t.Fatal(err)
		}
	}
	return lambda, crankpkg.Evaluate(m, test)
}
