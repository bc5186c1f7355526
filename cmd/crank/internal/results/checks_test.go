package results

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/crossval"
	"github.com/crank-ml/crank/crankpkg/experiment"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"github.com/crank-ml/crank/crankpkg/metrics"
	shown "github.com/crank-ml/crank/notebooks/results"
	"gonum.org/v1/gonum/stat"
)

// checks compare the files of each part's trial with what crankpkg computes when
// it is called directly.
var checks = map[string]func(*testing.T, Options){
	"table1": checkTable1, "figure1": checkFigure1, "table2": checkTable2, "loose": checkLoose, "early": checkEarly, "path": checkPath, "units": checkUnits, "units-large": checkLargeUnits, "ends": checkEnds, "level": checkLevel,
	"extra": checkExtra, "general": checkGeneral, "general-extra": checkGeneralExtra, "general-large": checkManyLabels, "halves": checkHalves, "tags": checkTags, "besttree": checkBestTree, "large": checkLarge, "growth": checkGrowth, "loss": checkLoss,
	"rules": checkRules, "gains": checkGains, "company": checkCompany, "many-labels": checkManyGraphs,
	"swaps": checkSwaps, "circuit": checkCircuit, "recovery": checkRecovery, "restricted": checkRestricted,
	"input": checkInput, "bound": checkBound,
}

// rowsOf reads the rows of a result file, and the command that made it. Files of before they
// named their commit are arrays, or have no such command.
func rowsOf[T any](t *testing.T, folder, name string) (rows []T, command string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	if json.Unmarshal(text, &rows) == nil {
		return rows, ""
	}
	var file report[T]
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return file.Rows, file.Made.Command
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

// trained is a model with its trace and its scores on the test examples.
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
	paper := map[experiment.Entry]float64{}
	for _, e := range experiment.PaperTable1() {
		paper[experiment.Entry{Set: e.Set, Method: e.Method, Measure: e.Measure}] = e.Value
	}
	value := map[experiment.Entry]tableEntry{}
	var got crankpkg.Scores
	for _, e := range entries {
		key := experiment.Entry{Set: e.Set, Method: e.Method, Measure: e.Measure}
		value[key] = e
		if e.Measure == metrics.HammingAccuracy { // the first one
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
		crank := value[experiment.Entry{Set: r.Set, Method: "CRANK", Measure: r.Measure}].Value
		difference := crank - value[experiment.Entry{Set: r.Set, Method: r.Against, Measure: r.Measure}].Value
		if !near(r.Mean, difference) || outside(r) || r.P <= 0 || r.P > 1 ||
			(r.McNemar != nil) != (r.Measure == metrics.SubsetAccuracy) {
			t.Errorf("%+v, and the difference is %v", r, difference)
		}
	}
	all, _ := rowsOf[objective](t, o.Out, "objectives.json")
	if len(all) != 4*9 {
		t.Fatalf("%d objectives", len(all))
	}
	s := crankpkg.Settings{Gap: 0.02}
	trainers := append(mkTrial.methods(scoreGap), crankpkg.ChowLiu{Settings: s},
		crankpkg.Named("CRANK, shrinking", crankpkg.CRANK{Restarts: 10, Path: crankpkg.ShrinkBeta, Growth: 1.2, InnerGap: 0.02, Settings: s}),
		crankpkg.Named("CRANK, swaps", crankpkg.SwapSearch{Start: paperCRANK(crankpkg.Settings{}), Settings: s}))
	for k, r := range all {
		crank := value[experiment.Entry{Set: r.Set, Method: "CRANK", Measure: metrics.HammingAccuracy}]
		if r.Lambda != crank.Lambda || r.Dual > r.Primal+1e-9 {
			t.Errorf("%+v, lambda in the table %v", r, crank.Lambda)
		}
		if best := all[k/9*9+1]; best.Method != "Full" || r.Primal < best.Dual {
			t.Errorf("%+v is below %+v, which may have all pairs", r, best)
		}
		got := train(t, r.Set, seeded(byName(t, trainers, r.Method), r.Lambda, crank.Scaling, 1))
		if r.Method != trainers[k%9].Name() || !near(r.Primal, got.Primal) || !near(r.Dual, got.Dual) {
			t.Errorf("%+v, directly %v, %v", r, got.Primal, got.Dual)
		}
	}
}

// checkCurves checks that each method of the table has the lambda that its curve
// marks, and the scaling that Full's curve over all scalings leads to.
func checkCurves(t *testing.T, o Options, value map[experiment.Entry]tableEntry) {
	t.Helper()
	curves, _ := rowsOf[curvePoint](t, o.Out, "curves.json")
	marked := map[[2]string]curvePoint{}
	for _, p := range curves {
		key := [2]string{p.Set, p.Method}
		if e := value[experiment.Entry{Set: p.Set, Method: p.Method, Measure: metrics.HammingAccuracy}]; p.Chosen &&
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
		if got := value[experiment.Entry{Set: set, Method: "MST", Measure: metrics.HammingAccuracy}].Scaling; got != best.Scaling {
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
		train, test, _ := crankpkg.PlantedTree{N: 5, Seed: seed}.Generate(40, 200)
		cv := crossval.Search{Lambdas: []float64{0.1, 0.01}, Folds: 3, Gap: 0.02, MaxPasses: choicePasses, Seed: seed}
		cv.Trainer = seeded(crankpkg.Empty{Settings: crankpkg.Settings{Gap: 0.02}}, 0, "", seed)
		s, err := cv.Run(context.Background(), train)
		if err != nil {
			t.Fatal(err)
		}
		values = append(values, trainOn(t, train, test, s.Apply(cv.Trainer)).scores.SubsetAccuracy)
	}
	mean, deviation := stat.MeanStdDev(values, nil)
	want := learningPoint{"Empty", metrics.SubsetAccuracy, 40, mean, stat.StdErr(deviation, 2)}
	k := slices.IndexFunc(points, func(p learningPoint) bool {
		return p.Method == "Empty" && p.Measure == metrics.SubsetAccuracy && p.TrainSize == 40
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
	if len(points) != 5*3*1 {
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
			"CRANK": paperCRANK(s), "Project": crankpkg.Project{FullGap: p.Gap, Settings: s},
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
	full := newPlainFW(ds, 0.01, labelgraph.AllPairs(4), 1)
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

func checkUnits(t *testing.T, o Options) {
	rows, _ := rowsOf[unitsRow](t, o.Out, "units.json")
	if len(rows) != 2 {
		t.Fatalf("%d rows", len(rows))
	}
	ds, _, err := testSets.Split("emotions")
	if err != nil {
		t.Fatal(err)
	}
	for k, tr := range []crankpkg.Trainer{crankpkg.Empty{Lambda: 0.1}, crankpkg.CRANK{Lambda: 0.1, Restarts: 1}} {
		for scaling, got := range map[crankpkg.Scaling]unitsEnding{crankpkg.NoScaling: rows[k].Raw, crankpkg.ZScore: rows[k].ZScore} {
			_, trace, err := adjust(tr, func(s *crankpkg.Settings) { s.Scaling = scaling }).Train(context.Background(), ds)
			if err != nil || got.Primal != trace.Primal || got.Gap != trace.Gap() || !got.Converged || got.CPU <= 0 {
				t.Errorf("%s, scaling %q: %+v, directly %v, %v", tr.Name(), scaling, got, trace.Primal, err)
			}
		}
	}
}

func checkLargeUnits(t *testing.T, o Options) {
	rows, _ := rowsOf[largeUnitsRow](t, o.Out, "units_large.json")
	if len(rows) != 2 || rows[0].Method != "Empty" || rows[1].Method != "CRANK" {
		t.Fatalf("%+v", rows)
	}
	ds, _, err := testSets.Split("enron")
	if err != nil {
		t.Fatal(err)
	}
	for k, tr := range []crankpkg.Trainer{crankpkg.Empty{Lambda: 0.1}, crankpkg.CRANK{Lambda: 0.1, Restarts: 1}} {
		r := rows[k]
		_, trace, err := tr.Train(context.Background(), ds)
		if err != nil || r.Raw.Primal != trace.Primal || r.Raw.Gap != trace.Gap() || !r.Raw.Converged || r.Limit != 120 {
			t.Errorf("%s: %+v, directly %v, %v", tr.Name(), r, trace.Primal, err)
		}
		if r.Ratio != r.Raw.CPU/r.ZScore.CPU || r.Below == r.ZScore.Converged || r.Below && r.ZScore.Status != crankpkg.TimeLimit {
			t.Errorf("%s: %+v", tr.Name(), r)
		}
	}
}

func checkEnds(t *testing.T, o Options) {
	rows, _ := rowsOf[endsRow](t, o.Out, "ends.json")
	if len(rows) != 2*2*2*2 {
		t.Fatalf("%d rows", len(rows))
	}
	ds, _, err := testSets.Split("flags")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		s := crankpkg.Settings{Scaling: r.Scaling, Gap: r.Asked}
		trainer := map[string]crankpkg.Trainer{"Empty": crankpkg.Empty{Lambda: r.Lambda, Settings: s}, "Full": crankpkg.Full{Lambda: r.Lambda, Settings: s}}[r.Method]
		m, trace, err := trainer.Train(context.Background(), ds)
		if err != nil {
			t.Fatal(err)
		}
		primal := crankpkg.NewObjective(ds, m.Scaler, r.Lambda).Loss(m)
		if want := (primal - trace.Dual) / primal; r.End != endCertified || r.Gap != want || r.Told != trace.Gap() || r.Gap > r.Asked || r.Status != crankpkg.Converged {
			t.Errorf("%+v, by hand %v", r, want)
		}
	}
}

// TestEndsTellsLies has trainers that end in every way.
func TestEndsTellsLies(t *testing.T) {
	t.Parallel()
	ds, _, err := testSets.Split("flags")
	if err != nil {
		t.Fatal(err)
	}
	good := crankpkg.Empty{Lambda: 0.01, Settings: crankpkg.Settings{Gap: 1e-3}}
	mk := &maker{Options: Options{Log: io.Discard}}
	for want, tr := range map[string]crankpkg.Trainer{
		endCertified: good, endShort: endingAs{good, crankpkg.ErrNotConverged, 1}, endNeither: endingAs{good, nil, 0.5}, "": endingAs{good, errors.New("another"), 1},
	} {
		r, err := mk.ending(context.Background(), tr, ds, endsRow{Lambda: 0.01, Asked: 1e-3})
		if err != nil || r.End != want && !(want == "" && r.End == endNeither) {
			t.Errorf("%q: %+v, %v", want, r, err)
		}
	}
}

// endingAs returns the model of a trainer with an error, and with a part of the dual.
type endingAs struct {
	crankpkg.Trainer
	err   error
	share float64
}

func (e endingAs) Adjust(func(*crankpkg.Settings)) crankpkg.Trainer { return e }

func (e endingAs) Train(ctx context.Context, ds *crankpkg.Dataset) (*crankpkg.Model, *crankpkg.Trace, error) {
	m, trace, err := e.Trainer.Train(ctx, ds)
	trace.Dual *= e.share
	return m, trace, errors.Join(err, e.err)
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

// outside reports whether the mean is outside of its interval.
func outside(r testResult) bool {
	return r.Low != nil && *r.Low > r.Mean || r.High != nil && *r.High < r.Mean
}

// TestTestsOfEqualMethods writes the tests of methods whose differences are all the same, which tell nothing of their spread.
func TestTestsOfEqualMethods(t *testing.T) {
	t.Parallel()
	e := experiment.Experiment{
		Trainers: []crankpkg.Trainer{crankpkg.Named("CRANK", crankpkg.Empty{Lambda: 0.1}), crankpkg.Named("Same", crankpkg.Empty{Lambda: 0.1})},
		Sets:     []experiment.Set{experiment.PlantedSet("planted", crankpkg.PlantedTree{N: 3, D: 2}, 20, 20)}, Seeds: seeds(3),
	}
	table, err := e.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	tests := testsOf(table)
	data, err := json.Marshal(tests)
	if err != nil || len(tests) != 3 {
		t.Fatalf("%d tests: %v", len(tests), err)
	}
	var read []shown.Test
	if err := json.Unmarshal(data, &read); err != nil {
		t.Fatal(err)
	}
	for k, r := range read {
		want := table.Compare("CRANK", metrics.Bootstrap{Seed: 1})[k].Difference
		if d := r.Difference(); r.Set != "planted" || r.Against != "Same" || d.Mean != 0 || d.Low != want.Low || d.High != want.High || d.P != want.P || !math.IsInf(d.Low, -1) {
			t.Errorf("%+v, want %+v", r, want)
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
	if len(rows) != 2*3*3 {
		t.Fatalf("%d rows", len(rows))
	}
	for k, r := range rows {
		if r.Set != []string{"emotions", "medical10"}[k/9] || r.Method != []string{"CRANK", "Full", "Empty"}[k%9/3] || r.Criterion != metrics.MeanOfThree ||
			r.Measure != metrics.PaperMeasures()[k%3] {
			t.Errorf("row %d is %+v", k, r)
		}
		if !near(r.Difference, r.Value-r.Scalar) || r.Scalar != rows[k/9*9+k%3].Scalar || r.Gap > finalGap || r.Lambda <= 0 || r.Validated <= 0 ||
			r.Low > r.Difference || r.High < r.Difference || r.StdErr <= 0 || r.P <= 0 || r.P > 1 || r.Candidates < 20 || r.Rules < 100 || r.CPU <= 0 {
			t.Errorf("%+v", r)
		}
	}
	// Scalar CRANK is that of the README's table.
	crank := train(t, "emotions", standing["emotions"].fit(crankpkg.CRANK{Settings: crankpkg.Settings{Gap: 0.02}})).scores
	for k, m := range metrics.PaperMeasures() {
		if !near(crank.Of(m), rows[k].Scalar) {
			t.Errorf("%+v, linear CRANK has %v", rows[k], crank)
		}
	}
}

func checkGeneralExtra(t *testing.T, o Options) {
	rows, _ := rowsOf[generalRow](t, o.Out, "general_extra.json")
	if len(rows) != 2*2 {
		t.Fatalf("%d rows", len(rows))
	}
	for k, r := range rows {
		if r.Set != []string{"birds", "genbase"}[k/2] || r.Method != []string{"CRANK", "Empty"}[k%2] || r.Criterion != metrics.ExampleF1 || r.Measure != r.Criterion ||
			!(r.Value > 0) || r.Scalar != 0 || r.Mark != 0 || r.Gap > finalGap {
			t.Errorf("row %d is %+v", k, r)
		}
		if k%2 == 0 && (len(r.Beside) != 1 || r.Beside[0].Than != "Empty" || !near(r.Beside[0].Difference, r.Value-rows[k+1].Value)) || k%2 == 1 && r.Beside != nil {
			t.Errorf("row %d is beside %+v", k, r.Beside)
		}
	}
}

func checkManyLabels(t *testing.T, o Options) {
	rows := trial[manyLabelsRow](t, o, "general-large", "general_large.json")
	if len(rows) != 2*3 {
		t.Fatalf("%d rows", len(rows))
	}
	for k, r := range rows {
		if r.Set != []string{"bibtex", "corel5k"}[k/3] || r.Method != "Empty" || r.Measure != metrics.PaperMeasures()[k%3] || !(r.Test > 0) || !(r.HeldOut >= 0) ||
			!slices.Contains(manyLabelsLambdas, r.Lambda) || r.Rule == "" || r.Candidates != 3 || r.Rules < 10 || r.CPU <= 0 {
			t.Errorf("%+v", r)
		}
	}
}

// TestHolmBeside checks that comparisons with methods of our own and with peers are corrected
// apart from one another.
func TestHolmBeside(t *testing.T) {
	t.Parallel()
	rows := []generalRow{
		{Beside: []lead{{Than: "Full", P: 0.01}, {Than: "Empty", P: 0.2}, {Than: "SVC", P: 0.02}}},
		{},
		{Beside: []lead{{Than: "Full", P: 0.03}, {Than: "Empty", P: 0.5}, {Than: "trees", P: 0.3}}},
	}
	holmBeside(rows, 2)
	for k, want := range [][]float64{{0.04, 0.4, 0.04}, nil, {0.09, 0.5, 0.3}} {
		for q, l := range rows[k].Beside {
			if !near(l.Holm, want[q]) {
				t.Errorf("row %d: %+v, not %v", k, l, want[q])
			}
		}
	}
}

func checkTags(t *testing.T, o Options) {
	rows := trial[tagsRow](t, o, "tags", "tags.json")
	if len(rows) != 4 {
		t.Fatalf("%d rows", len(rows))
	}
	for k, r := range rows {
		if r.Method != []string{"CRANK", "Empty"}[k/2] || r.Measure != tagMeasures()[k%2] || len(r.Test) != 2 || !near(r.Mean, (r.Test[0]+r.Test[1])/2) || !(r.Mean > 0 && r.Mean < 100) || r.Peer != nil || r.P != 1 {
			t.Errorf("%+v", r)
		}
		if (r.Over != nil) != (k < 2) {
			t.Errorf("%+v", r)
		} else if k < 2 && (!near(r.Over.Difference, r.Mean-rows[k+2].Mean) || r.Over.Low > r.Over.Difference || r.Over.High < r.Over.Difference || r.Over.Holm < r.Over.P) {
			t.Errorf("%+v, Empty has %v: %+v", r, rows[k+2].Mean, *r.Over)
		}
	}
}

func checkHalves(t *testing.T, o Options) {
	rows, _ := rowsOf[halvesRow](t, o.Out, "halves.json")
	if len(rows) != 3 {
		t.Fatalf("%d rows", len(rows))
	}
	for k, r := range rows {
		if r.Set != "emotions" || r.Measure != metrics.PaperMeasures()[k] || len(r.Test) != 2 || len(r.HeldOut) != 2 || !near(r.Mean, (r.Test[0]+r.Test[1])/2) ||
			r.Peer != "" || r.P != 1 || r.Holm != 1 {
			t.Errorf("%+v", r)
		}
	}
}

// TestHalvesCompare has peers of other sets, measures and halvings, which do not count, and three that do: the mark is the one that is best on
// held-out examples, however it tests, and of equals the first. With two differences the test's p-value is that of a Cauchy distribution.
func TestHalvesCompare(t *testing.T) {
	t.Parallel()
	const text = `{"5x2": [
		{"Set": "yeast", "Peer": "other set", "Measure": "ExampleF1", "held_out": [99, 99], "Test": [99, 99], "Mean": 99},
		{"Set": "scene", "Peer": "other measure", "Measure": "SubsetAccuracy", "held_out": [99, 99], "Test": [99, 99], "Mean": 99},
		{"Set": "scene", "Peer": "fewer", "Measure": "ExampleF1", "held_out": [99], "Test": [99], "Mean": 99},
		{"Set": "scene", "Peer": "worse", "Measure": "ExampleF1", "held_out": [60, 61], "Test": [90, 80], "Mean": 85},
		{"Set": "scene", "Peer": "better", "Measure": "ExampleF1", "held_out": [60, 64], "Test": [70, 73], "Mean": 71.5},
		{"Set": "scene", "Peer": "as good", "Measure": "ExampleF1", "held_out": [64, 60], "Test": [79, 84], "Mean": 81.5}]}`
	var peers peersFile
	if err := json.Unmarshal([]byte(text), &peers); err != nil {
		t.Fatal(err)
	}
	for _, want := range []struct {
		peer string
		mean float64
		a, b float64 // differences
	}{{"better", 71.5, 10, 9}, {"as good", 81.5, 1, -2}} {
		r := halvesRow{Set: "scene", Measure: metrics.ExampleF1, Test: []float64{80, 82}}
		r.compare(&peers)
		stdErr := math.Abs(want.a-want.b) / math.Sqrt2 * math.Sqrt(0.5+1)
		p := 1 - 2/math.Pi*math.Atan(math.Abs(want.a+want.b)/2/stdErr)
		if r.Peer != want.peer || r.PeerMean != want.mean || r.Mean != 81 || !near(r.P, p) {
			t.Errorf("%+v, and not %+v with p %v", r, want, p)
		}
		slices.Reverse(peers.Halved)
	}
	for _, r := range []halvesRow{{Set: "medical10", Measure: metrics.ExampleF1, Test: []float64{80, 82}}, {Set: "scene", Measure: metrics.ExampleF1}} {
		if r.compare(&peers); r.Peer != "" || r.P != 1 || r.Mean != 81 && len(r.Test) > 0 {
			t.Errorf("without a peer or a test: %+v", r)
		}
	}
}
