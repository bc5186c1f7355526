package results

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/crank-ml/crank/crankpkg"
)

// checks compare the files of each part's trial with what crankpkg computes when
// it is called directly.
var checks = map[string]func(*testing.T, Options){
	"table1": checkTable1, "figure1": checkFigure1, "table2": checkTable2, "loose": checkLoose, "early": checkEarly, "path": checkPath,
	"extra": checkExtra, "general": checkGeneral, "besttree": checkBestTree, "large": checkLarge, "growth": checkGrowth, "loss": checkLoss,
	"swaps": checkSwaps, "circuit": checkCircuit, "recovery": checkRecovery, "restricted": checkRestricted,
}

// rowsOf reads the rows of a result file, and for a report what made it.
func rowsOf[T any](t *testing.T, folder, name string) (rows []T, command string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	if json.Unmarshal(text, &rows) == nil {
		return rows, ""
	}
	var file struct {
		Command       string
		CPUSeconds    float64
		Rows, Results []T // as besttree.json had them
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return append(file.Rows, file.Results...), file.Command
}

// trial reads the rows of a report of a trial, and checks that it says so.
func trial[T any](t *testing.T, o Options, part, name string) []T {
	t.Helper()
	rows, command := rowsOf[T](t, o.Out, name)
	if want := "go run ./cmd/crank results -quick " + part; command != want {
		t.Errorf("%s was made by %q, and not %q", name, command, want)
	}
	return rows
}

// outcomeOf trains and tests.
type trained struct {
	*crankpkg.Model
	*crankpkg.Trace
	scores crankpkg.Scores
}

func train(t *testing.T, set string, trainer crankpkg.Trainer) trained {
	t.Helper()
	train, test, err := testSets.Split(set)
	if err != nil {
		t.Fatal(err)
	}
	return trainOn(t, train, test, trainer)
}

func trainOn(t *testing.T, train, test *crankpkg.Dataset, trainer crankpkg.Trainer) trained {
	t.Helper()
	m, trace, err := trainer.Train(context.Background(), train)
	if err != nil {
		t.Fatal(err)
	}
	return trained{m, trace, crankpkg.Evaluate(m, test)}
}

// seeded sets lambda, scaling and the seed of an experiment's trainer.
func seeded(t crankpkg.Trainer, lambda float64, scaling crankpkg.Scaling, seed uint64) crankpkg.Trainer {
	return adjust(t, func(s *crankpkg.Settings) { s.Scaling, s.Seed = scaling, seed }).WithLambda(lambda)
}

// byName returns the trainer of that name.
func byName(t *testing.T, trainers []crankpkg.Trainer, name string) crankpkg.Trainer {
	t.Helper()
	k := slices.IndexFunc(trainers, func(t crankpkg.Trainer) bool { return t.Name() == name })
	if k < 0 {
		t.Fatalf("no method %q", name)
	}
	return trainers[k]
}

// mkTrial has the settings of a trial.
var mkTrial = &maker{Options: Options{Quick: true}}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*(1+math.Abs(a)) }

func checkTable1(t *testing.T, o Options) {
	entries, _ := rowsOf[tableEntry](t, o.Out, "table1.json")
	if len(entries) != 4*6*3 {
		t.Fatalf("%d entries", len(entries))
	}
	paper := map[crankpkg.Entry]float64{}
	for _, e := range crankpkg.PaperTable1() {
		paper[crankpkg.Entry{Set: e.Set, Method: e.Method, Measure: e.Measure}] = e.Value
	}
	value := map[crankpkg.Entry]tableEntry{}
	var got crankpkg.Scores
	for _, e := range entries {
		key := crankpkg.Entry{Set: e.Set, Method: e.Method, Measure: e.Measure}
		value[key] = e
		if e.Measure == crankpkg.Hamming { // the first one
			got = train(t, e.Set, seeded(byName(t, mkTrial.methods(scoreGap), e.Method), e.Lambda, e.Scaling, 1)).scores
		}
		if !near(e.Value, got.Of(e.Measure)) {
			t.Errorf("%s, %s: %v %v, directly %v", e.Set, e.Method, e.Measure, e.Value, got)
		}
		if want, ok := paper[key]; ok != (e.Paper != nil) || ok && *e.Paper != want {
			t.Errorf("%s, %s: not the paper's %s", e.Set, e.Method, e.Measure)
		}
	}
	checkCurves(t, o, value)
	tests, _ := rowsOf[testResult](t, o.Out, "significance.json")
	if len(tests) != 4*5*3 {
		t.Fatalf("%d tests", len(tests))
	}
	for _, r := range tests {
		crank := value[crankpkg.Entry{Set: r.Set, Method: "CRANK", Measure: r.Measure}].Value
		difference := crank - value[crankpkg.Entry{Set: r.Set, Method: r.Against, Measure: r.Measure}].Value
		if !near(r.Mean, difference) || r.Low > r.Mean || r.High < r.Mean || r.P <= 0 || r.P > 1 ||
			(r.McNemar != nil) != (r.Measure == crankpkg.ZeroOne) {
			t.Errorf("%+v, and the difference is %v", r, difference)
		}
	}
	all, _ := rowsOf[objective](t, o.Out, "objectives.json")
	if len(all) != 4*9 {
		t.Fatalf("%d objectives", len(all))
	}
	for k, r := range all {
		crank := value[crankpkg.Entry{Set: r.Set, Method: "CRANK", Measure: crankpkg.Hamming}]
		if r.Lambda != crank.Lambda || r.Dual > r.Primal+1e-9 {
			t.Errorf("%+v, lambda in the table %v", r, crank.Lambda)
		}
		if best := all[k/9*9+1]; best.Method != "Full" || r.Primal < best.Dual {
			t.Errorf("%+v is below %+v, which may have all pairs", r, best)
		}
		if k%9 < 6 {
			got := train(t, r.Set, seeded(byName(t, mkTrial.methods(scoreGap), r.Method), r.Lambda, crank.Scaling, 1))
			if !near(r.Primal, got.Primal) || !near(r.Dual, got.Dual) {
				t.Errorf("%+v, directly %v, %v", r, got.Primal, got.Dual)
			}
		}
	}
	if all[6].Method != "Chow-Liu" || all[7].Method != "CRANK, shrinking" || all[8].Method != "CRANK, swaps" {
		t.Errorf("methods %v", all[6:9])
	}
}

// checkCurves checks that each method of the table has the lambda that its curve
// marks, and the scaling that Full's curve over all scalings leads to.
func checkCurves(t *testing.T, o Options, value map[crankpkg.Entry]tableEntry) {
	t.Helper()
	curves, _ := rowsOf[curvePoint](t, o.Out, "curves.json")
	marked := map[[2]string]curvePoint{}
	for _, p := range curves {
		key := [2]string{p.Set, p.Method}
		if e := value[crankpkg.Entry{Set: p.Set, Method: p.Method, Measure: crankpkg.Hamming}]; p.Chosen &&
			(p.Lambda != e.Lambda || p.Scaling != e.Scaling) {
			t.Errorf("%+v is marked, the table has %v %q", p, e.Lambda, e.Scaling)
		}
		if p.Chosen {
			marked[key] = p
		}
	}
	for _, p := range curves {
		if best, ok := marked[[2]string{p.Set, p.Method}]; !ok || p.Mean > best.Mean {
			t.Errorf("%+v is better than %+v", p, best)
		}
	}
	scalings, _ := rowsOf[curvePoint](t, o.Out, "table1_scalings.json")
	if len(scalings) != 4*4*5 || scalings[0].Method != "Full" || !near(scalings[0].Lambda, 0.0001) && !near(scalings[0].Lambda, 1) {
		t.Errorf("%d points, the first %+v", len(scalings), scalings[0])
	}
	for _, set := range tableSets {
		var best, raw curvePoint
		for _, p := range scalings {
			if p.Set == set && p.Mean > best.Mean {
				best = p
			}
			if p.Set == set && p.Scaling == crankpkg.NoScaling && p.Mean > raw.Mean {
				raw = p
			}
		}
		if raw.Mean >= best.Mean-best.StdErr {
			best = raw
		}
		if got := value[crankpkg.Entry{Set: set, Method: "MST", Measure: crankpkg.Hamming}].Scaling; got != best.Scaling {
			t.Errorf("%s has the scaling %q, and the best is %+v", set, got, best)
		}
	}
}

func checkFigure1(t *testing.T, o Options) {
	points, _ := rowsOf[learningPoint](t, o.Out, "figure1.json")
	if len(points) != 2*6*3 {
		t.Fatalf("%d points", len(points))
	}
	var values []float64
	for seed := uint64(1); seed <= 2; seed++ {
		train, test, _ := crankpkg.PlantedTree{Seed: seed}.Generate(40, 1000)
		cv := crankpkg.CrossValidation{Lambdas: []float64{0.1, 0.01}, Folds: 3, Gap: 0.02, MaxPasses: choicePasses, Seed: seed}
		cv.Trainer = seeded(crankpkg.Empty{Settings: crankpkg.Settings{Gap: 0.02}}, 0, "", seed)
		s, err := cv.Run(context.Background(), train)
		if err != nil {
			t.Fatal(err)
		}
		values = append(values, trainOn(t, train, test, s.Apply(cv.Trainer)).scores.ZeroOne)
	}
	mean, deviation := stat.MeanStdDev(values, nil)
	want := learningPoint{"Empty", crankpkg.ZeroOne, 40, mean, stat.StdErr(deviation, 2)}
	k := slices.IndexFunc(points, func(p learningPoint) bool {
		return p.Method == "Empty" && p.Measure == crankpkg.ZeroOne && p.TrainSize == 40
	})
	if k < 0 || !near(points[k].Mean, want.Mean) || !near(points[k].StdErr, want.StdErr) {
		t.Errorf("no %+v in %+v", want, points)
	}
}

func checkTable2(t *testing.T, o Options) {
	rows, _ := rowsOf[timing](t, o.Out, "table2.json")
	if len(rows) != 4*7 {
		t.Fatalf("%d rows", len(rows))
	}
	for k, r := range rows {
		full := rows[k/7*7+1]
		if r.Seconds <= 0 || full.Method != "Full" || !near(r.Relative*full.Seconds, r.Seconds) {
			t.Errorf("%+v, Full %+v", r, full)
		}
		if r.Phase != []string{"train", "test", "inference", "test"}[k/7] || (r.Solver == "simplex") != (k >= 21) {
			t.Errorf("row %d is %+v", k, r)
		}
		if r.Method == "MST" && r.Phase != "inference" && *r.Paper != map[string]float64{"train": 1.32, "test": 0.02}[r.Phase] ||
			(r.Paper == nil) != (r.Method == "CRANK, one start" || r.Method == "Greedy" || r.Phase == "inference") {
			t.Errorf("%+v does not have the paper's time", r)
		}
		if r.Solver == "simplex" && r.Method != "Full" && r.Seconds != rows[k-14].Seconds {
			t.Errorf("%+v, and without the simplex method %+v", r, rows[k-14])
		}
	}
	if rows[22].Seconds <= rows[8].Seconds {
		t.Errorf("the simplex method takes %v s, roof duality %v", rows[22].Seconds, rows[8].Seconds)
	}
}

func checkLoose(t *testing.T, o Options) {
	points, _ := rowsOf[loosePoint](t, o.Out, "loose.json")
	if len(points) != 5*5*1 {
		t.Fatalf("%d points", len(points))
	}
	s := crankpkg.Settings{Gap: 0.02}
	for _, p := range points {
		if p.Set == "planted 200" {
			if p.Lambda != 0.0003 {
				t.Errorf("%+v", p)
			}
			continue
		}
		trainer := map[string]crankpkg.Trainer{
			"CRANK": crankpkg.CRANK{Settings: s}, "Project": crankpkg.Project{FullGap: p.Gap, Settings: s},
			"MST": crankpkg.MST{GainGap: p.Gap, Settings: s},
		}[p.Method]
		got := train(t, p.Set, seeded(trainer, standing[p.Set].lambda, standing[p.Set].scaling, p.Seed))
		if p.Lambda != standing[p.Set].lambda || p.Primal != got.Primal || p.Dual != got.Dual || p.Scores != got.scores ||
			(p.Gap == 0) != (p.Method == "CRANK") {
			t.Errorf("%+v, directly %v, %v", p, got.Primal, got.scores)
		}
	}
}

func checkEarly(t *testing.T, o Options) {
	points, _ := rowsOf[earlyPoint](t, o.Out, "early.json")
	if len(points) != 4*2*3*3 {
		t.Fatalf("%d points", len(points))
	}
	ds, test, err := testSets.Split("emotions")
	if err != nil {
		t.Fatal(err)
	}
	full := newPlainFW(ds, 0.01, crankpkg.AllPairs(4), 1)
	for range 3 {
		full.pass()
	}
	project := newPlainFW(ds, 0.01, full.spanningTree(), 1)
	for range 3 {
		project.pass()
	}
	for method, f := range map[string]*plainFW{"Full": full, "Project": project} {
		m, gap := f.model(method)
		want := earlyPoint{"emotions", method, 0.01, 3, 1, gap, crankpkg.Evaluate(m, test)}
		if !slices.Contains(points, want) {
			t.Errorf("no %+v in %+v", want, points)
		}
	}
	for _, p := range points {
		if p.Set == "scene" && p.Lambda != 0.003 || p.Set == "yeast" && p.Lambda != 0.001 || p.Gap <= 0 || p.Gap > 1+1e-9 {
			t.Errorf("%+v", p)
		}
	}
}

func checkPath(t *testing.T, o Options) {
	points, _ := rowsOf[pathPoint](t, o.Out, "path.json")
	if len(points) != 4*4*2*4 {
		t.Fatalf("%d points", len(points))
	}
	s := crankpkg.Settings{Gap: 0.02, MaxPasses: 3000}
	for _, p := range points {
		if p.Set != "medical10" {
			continue
		}
		trainer := map[string]crankpkg.Trainer{
			"CRANK": crankpkg.CRANK{Restarts: 1, Settings: s}, "Full": crankpkg.Full{Settings: s}, "Project": crankpkg.Project{Settings: s},
			"Empty": crankpkg.Empty{Settings: s},
		}[p.Method]
		got := train(t, p.Set, seeded(trainer, p.Lambda, p.Scaling, 1))
		if p.Scores != got.scores || !near(p.Gap, got.Gap()) {
			t.Errorf("%+v, directly %v, gap %v", p, got.scores, got.Gap())
		}
	}
}

func checkExtra(t *testing.T, o Options) {
	entries, _ := rowsOf[tableEntry](t, o.Out, "extra.json")
	tests, _ := rowsOf[testResult](t, o.Out, "extra_significance.json")
	if len(entries) != 2*6*3+3*3 || len(tests) != 2*5*3+2*3 {
		t.Fatalf("%d entries, %d tests", len(entries), len(tests))
	}
	for _, e := range entries {
		scaling := map[string]crankpkg.Scaling{"birds": "zscore", "flags": "zscore", "cal500": "zscore"}[e.Set]
		if e.Paper != nil || e.Scaling != scaling || e.Runs != 1 && e.Set != "cal500" {
			t.Errorf("%+v", e)
		}
		if e.Set != "cal500" {
			got := train(t, e.Set, seeded(byName(t, mkTrial.methods(meanGap), e.Method), e.Lambda, scaling, 1)).scores
			if !near(e.Value, got.Of(e.Measure)) {
				t.Errorf("%+v, directly %v", e, got)
			}
		}
	}
	last := entries[len(entries)-1]
	if last.Set != "cal500" || last.Method != "Empty" || last.Runs != 2 {
		t.Errorf("%+v", last)
	}
	// Both seeds have another split; lambda is the median of two choices.
	for _, choices := range [][2]float64{{0.1, 0.1}, {0.1, 0.01}, {0.01, 0.1}, {0.01, 0.01}} {
		mean := 0.0
		for k, lambda := range choices {
			train, test, err := testSets.Seeded("cal500", 2./3, uint64(k+1))
			if err != nil {
				t.Fatal(err)
			}
			trainer := seeded(crankpkg.Empty{Settings: crankpkg.Settings{Gap: 0.02}}, lambda, crankpkg.ZScore, uint64(k+1))
			mean += trainOn(t, train, test, trainer).scores.ExampleF1 / 2
		}
		if near(mean, last.Value) {
			return
		}
	}
	t.Errorf("no lambdas give %+v", last)
}

func checkGeneral(t *testing.T, o Options) {
	rows, _ := rowsOf[generalRow](t, o.Out, "general.json")
	if len(rows) != 3*3 {
		t.Fatalf("%d rows", len(rows))
	}
	for k, r := range rows {
		if r.Set != "emotions" || r.Method != []string{"CRANK", "Full", "Empty"}[k/3] || r.Criterion != crankpkg.MeanOfThree ||
			r.Measure != crankpkg.PaperMeasures()[k%3] {
			t.Errorf("row %d is %+v", k, r)
		}
		if !near(r.Difference, r.Value-r.Scalar) || r.Scalar != rows[k%3].Scalar || r.Gap > finalGap || r.Lambda <= 0 || r.Validated <= 0 ||
			r.Low > r.Difference || r.High < r.Difference || r.StdErr <= 0 || r.P <= 0 || r.P > 1 {
			t.Errorf("%+v", r)
		}
	}
	// Scalar CRANK is that of Table 1, whose cells are there.
	mk := &maker{Options: o, compute: crankpkg.Experiment.Run}
	table, _, err := mk.crossValidated(context.Background(), []string{"emotions"}, mk.methods(scoreGap)[:1])
	if err != nil {
		t.Fatal(err)
	}
	c := table.Cells[0]
	crank := train(t, "emotions", seeded(crankpkg.CRANK{Settings: crankpkg.Settings{Gap: 0.02}}, c.Lambda, c.Scaling, 1)).scores
	for k, m := range crankpkg.PaperMeasures() {
		if !near(crank.Of(m), rows[k].Scalar) {
			t.Errorf("%+v, Table 1's CRANK has %v", rows[k], crank)
		}
	}
}

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
			"CRANK":    {crankpkg.CRANK{Settings: s}, r.CRANK}, "Greedy": {crankpkg.Greedy{Settings: s}, r.Greedy},
			"swaps": {crankpkg.SwapSearch{Settings: s}, r.Swap},
		} {
			want := train(t, r.Set, of.WithLambda(r.Lambda))
			if of.got.Primal != want.Primal || of.got.Dual != want.Dual || of.got.CPU <= 0 {
				t.Errorf("%s, %s: %+v, directly %v, %v", r.Set, name, of.got, want.Primal, want.Dual)
			}
		}
		last := r.Points[len(r.Points)-1]
		if r.Scaling != s.Scaling || r.Solves < 1 || !crankpkg.IsForest(5, r.Edges) || r.Seconds <= 0 || !near(last.Primal, r.Primal) ||
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
	if s := rows[2]; s.Scores.Of(crankpkg.MeanOfThree) > best.Scores.Of(crankpkg.MeanOfThree) {
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
	if len(rows) != 2*(4+4+3+2+2+3) {
		t.Fatalf("%d rows", len(rows))
	}
	for k, r := range rows {
		if want, _ := invented(context.Background(), r.Job); r != want || r.Lambda != growthLambda || r.Target != 0.1 ||
			r.Limit != jobLimit || r.N > 32 || r.M > 200 {
			t.Errorf("%+v, not %+v", r, want)
		}
		sizes := map[string]int{"examples": r.M, "features": r.D, "labels": r.N, "labels, all pairs": r.N, "labels, Greedy": r.N,
			"dependencies": r.Dependencies}
		if r.Part != "dependencies" && r.Dependencies != r.N-1 || k > 0 && rows[k-1].Part == r.Part && rows[k-1].Method == r.Method &&
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
	tree := train(t, "scene", seeded(crankpkg.CRANK{}, 0.003, "", 1)).Edges
	for k, r := range rows {
		loss := crankpkg.Loss{Hamming: r.Hamming, ZeroOne: r.ZeroOne}
		got := train(t, "scene", seeded(crankpkg.FixedGraph{Edges: tree, Settings: crankpkg.Settings{Loss: loss}}, r.Lambda, "", 1)).scores
		if r.Set != "scene" || r.Loss != loss.String() || r.Scores != got {
			t.Errorf("%+v, directly %v", r, got)
		}
		for _, d := range []struct{ mean, a, b float64 }{
			{r.DHamming.Mean, got.Hamming, rows[0].Scores.Hamming}, {r.DZeroOne.Mean, got.ZeroOne, rows[0].Scores.ZeroOne},
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
		tree := trainOn(t, ds, test, crankpkg.CRANK{Lambda: 0.1, Settings: s})
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
				trainer = crankpkg.CRANK{Settings: crankpkg.Settings{Gap: 0.003, Seed: seed}}
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
			want.ZeroOne += got.scores.ZeroOne / 2
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
