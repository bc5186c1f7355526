package results

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/crossval"
	"github.com/crank-ml/crank/crankpkg/experiment"
	"github.com/crank-ml/crank/crankpkg/metrics"
	"github.com/crank-ml/crank/internal/levels"
)

// committed is the folder of the results that the notebooks read. What full runs
// would make is compared with it.
var committed = filepath.Join("..", "..", "..", "..", "notebooks", "results")

// realLabels are the numbers of labels of the sets of the catalog.
var realLabels = map[string]int{"scene": 6, "emotions": 6, "medical10": 10, "yeast": 14, "birds": 19, "flags": 7, "genbase": 27,
	"enron": 53, "cal500": 174, "corel5k": 374, "bibtex": 159, "delicious": 983}

func TestCommittedFiles(t *testing.T) {
	t.Parallel()
	entries, err := os.ReadDir(committed)
	if err != nil {
		t.Fatal(err)
	}
	var have, want []string
	for _, e := range entries {
		if filepath.Ext(e.Name()) == ".json" { // the package that reads them is there too
			have = append(have, e.Name())
		}
	}
	for _, p := range Parts() {
		want = append(want, p.Files...)
		if p.Terms == "" || p.Cost == "" {
			t.Errorf("%+v", p)
		}
	}
	want = append(want, "bench.json", "glpk.json", "liblinear.json", "numpy.json", "svc.json", "peers.json", "tags_peers.json", extraPeersFile, manyPeersFile) // made by make bench and its kind
	slices.Sort(want)
	if !slices.Equal(have, want) {
		t.Errorf("there are %q, and the parts make %q", have, want)
	}
}

var errPlanned = errors.New("planned")

// full returns a maker of a full run on sets of a few examples, and the experiments
// that it would begin with. It runs those that only choose a scaling, on two folds.
func full(t *testing.T, part string) (*maker, *[]experiment.Experiment) {
	t.Helper()
	planned := new([]experiment.Experiment)
	mk := &maker{
		Options: Options{Sets: plantedSets(realLabels, 12, 4), Out: t.TempDir(), Cells: t.TempDir(), Log: io.Discard},
		part:    Part{Name: part},
	}
	mk.compute = func(e experiment.Experiment, ctx context.Context) (*experiment.Table, error) {
		*planned = append(*planned, e)
		return nil, errPlanned
	}
	return mk, planned
}

// names returns those of the sets and of the trainers.
func names(e experiment.Experiment) (sets, methods []string) {
	for _, s := range e.Sets {
		sets = append(sets, s.Name)
	}
	for _, t := range e.Trainers {
		methods = append(methods, t.Name())
	}
	return sets, methods
}

// distinct returns what of has of the rows, in the order of the rows.
func distinct[T any, K comparable](rows []T, of func(T) K) []K {
	var keys []K
	for _, r := range rows {
		if k := of(r); !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	return keys
}

// TestFullTable1 checks the grids of a full run: scalings, folds, and the lambdas
// that the committed curves have.
func TestFullTable1(t *testing.T) {
	t.Parallel()
	mk, planned := full(t, "table1")
	if err := mk.table1(context.Background()); !errors.Is(err, errPlanned) {
		t.Fatal(err)
	}
	e := (*planned)[0]
	scalings, _ := rowsOf[curvePoint](t, committed, "table1_scalings.json")
	sets, methods := names(e)
	if !slices.Equal(sets, distinct(scalings, func(p curvePoint) string { return p.Set })) || !slices.Equal(methods, []string{"Full"}) {
		t.Errorf("%q of %q", methods, sets)
	}
	for _, p := range scalings {
		if !slices.Contains(e.Select.Scalings, p.Scaling) || !slices.ContainsFunc(e.Select.Lambdas,
			func(l float64) bool { return near(l, p.Lambda) }) {
			t.Fatalf("%+v is not planned: %v, %v", p, e.Select.Scalings, e.Select.Lambdas)
		}
	}
	if len(scalings) != len(sets)*len(e.Select.Scalings)*len(e.Select.Lambdas) || e.Select.Folds != 10 || e.Select.Repeats != 1 ||
		e.Select.Gap != choiceGap || e.Select.MaxPasses != 100 {
		t.Errorf("%d points by %+v", len(scalings), e.Select)
	}
	// The tables that follow: one set after the other.
	curves, _ := rowsOf[curvePoint](t, committed, "curves.json")
	chosen, _ := rowsOf[tableEntry](t, committed, "table1.json")
	all := e
	mk.compute = func(e experiment.Experiment, ctx context.Context) (*experiment.Table, error) {
		if len(e.Trainers) > 1 {
			all.Trainers = e.Trainers
			*planned = append(*planned, e)
			return &experiment.Table{}, nil
		}
		table := &experiment.Table{}
		for _, set := range tableSets {
			s := &crossval.Selection{Criterion: metrics.MeanOfThree}
			for _, p := range scalings {
				if p.Set == set {
					spread := p.StdErr * math.Sqrt(3) // of three values with this standard error
					v := crossval.Point{Scaling: p.Scaling, Lambda: p.Lambda}
					for _, mean := range []float64{p.Mean - spread, p.Mean, p.Mean + spread} {
						v.Folds = append(v.Folds, crankpkg.Scores{HammingAccuracy: mean, SubsetAccuracy: mean, ExampleF1: mean})
					}
					s.Curve = append(s.Curve, v)
					if best, _ := s.Curve[s.Best].Of(s.Criterion); p.Mean > best {
						s.Best = len(s.Curve) - 1
					}
				}
			}
			table.Cells = append(table.Cells, experiment.Cell{Set: set, Selection: s})
		}
		return table, nil
	}
	*planned = nil
	if _, _, err := mk.crossValidated(context.Background(), tableSets, mk.methods(scoreGap)); err != nil {
		t.Fatal(err)
	}
	for k, e := range *planned {
		var grid []float64
		for _, p := range curves {
			if p.Set == tableSets[k] && p.Method == "Full" {
				grid = append(grid, p.Lambda)
			}
		}
		slices.Sort(grid)
		sorted := slices.Sorted(slices.Values(e.Select.Lambdas))
		if !slices.EqualFunc(sorted, grid, near) || e.Select.Folds != 10 || e.Select.Repeats != 3 || e.Select.MaxPasses != 300 {
			t.Errorf("%s: lambdas %v, and the committed curve has %v", tableSets[k], sorted, grid)
		}
		prepared := e.Sets[0].Prepare(crankpkg.Full{}).(crankpkg.Full)
		at := slices.IndexFunc(chosen, func(e tableEntry) bool { return e.Set == tableSets[k] })
		if prepared.Scaling != chosen[at].Scaling {
			t.Errorf("%s: scaling %q, and the committed table has %q", tableSets[k], prepared.Scaling, chosen[at].Scaling)
		}
	}
	_, methods = names(all)
	if !slices.Equal(methods, distinct(chosen, func(e tableEntry) string { return e.Method })) {
		t.Errorf("methods %q", methods)
	}
	for _, trainer := range all.Trainers {
		if got := fmt.Sprintf("%+v", trainer); !strings.Contains(got, "Gap:0.0005") {
			t.Errorf("%s: %s", trainer.Name(), got)
		}
	}
}

// TestFullObjectives has each method at the lambda and with the scaling that CRANK has in the table, all to one gap, and CRANK on either path and
// before swaps with the paper's ten starts.
func TestFullObjectives(t *testing.T) {
	t.Parallel()
	mk, planned := full(t, "table1")
	table := &experiment.Table{}
	for k, set := range tableSets {
		table.Cells = append(table.Cells, experiment.Cell{Set: set, Method: "CRANK", Seed: 1, Lambda: float64(k + 1), Scaling: []crankpkg.Scaling{crankpkg.ZScore, crankpkg.UnitRows}[k%2]})
	}
	if _, err := mk.objectives(context.Background(), table); !errors.Is(err, errPlanned) {
		t.Fatal(err)
	}
	e := (*planned)[0]
	rows, _ := rowsOf[objective](t, committed, "objectives.json")
	sets, methods := names(e)
	if !slices.Equal(sets, tableSets) || !slices.Equal(methods, distinct(rows, func(r objective) string { return r.Method })) {
		t.Errorf("%q on %q", methods, sets)
	}
	starts := 0
	for k, set := range e.Sets {
		for _, trainer := range e.Trainers {
			got := fmt.Sprintf("%+v", set.Prepare(trainer))
			for _, want := range []string{"Gap:0.0005 ", fmt.Sprint("Scaling:", table.Cells[k].Scaling, " "), fmt.Sprint("Lambda:", k+1, " ")} {
				if !strings.Contains(got+" ", want) {
					t.Errorf("%s on %s: no %s in %s", trainer.Name(), set.Name, want, got)
				}
			}
			if strings.Contains(got, "Restarts:10 ") {
				starts++
			}
		}
	}
	if starts != 3*len(tableSets) {
		t.Errorf("%d of the trainings have ten starts: %+v", starts, e.Trainers)
	}
}

func TestFullFigure1(t *testing.T) {
	t.Parallel()
	mk, planned := full(t, "figure1")
	if err := mk.figure1(context.Background()); !errors.Is(err, errPlanned) {
		t.Fatal(err)
	}
	e := (*planned)[0]
	points, _ := rowsOf[learningPoint](t, committed, "figure1.json")
	var sizes []int
	for _, set := range e.Sets {
		train, test, err := set.Load(1)
		if err != nil || test.Len() != 1000 || train.NumLabels() != 10 || train.NumFeatures() != 4 {
			t.Errorf("%v, %v: %v", train, test, err)
		}
		sizes = append(sizes, train.Len())
	}
	_, methods := names(e)
	if !slices.Equal(sizes, distinct(points, func(p learningPoint) int { return p.TrainSize })) ||
		!slices.Equal(methods, distinct(points, func(p learningPoint) string { return p.Method })) {
		t.Errorf("sizes %v, methods %v", sizes, methods)
	}
	if !reflect.DeepEqual(e.Seeds, []uint64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}) || e.Select.Repeats != 1 || len(e.Select.Lambdas) != 9 ||
		!near(e.Select.Lambdas[0], 0.1) {
		t.Errorf("seeds %v, %+v", e.Seeds, e.Select)
	}
}

func TestFullLoose(t *testing.T) {
	t.Parallel()
	mk, planned := full(t, "loose")
	if err := mk.loose(context.Background()); !errors.Is(err, errPlanned) {
		t.Fatal(err)
	}
	e := (*planned)[0]
	points, _ := rowsOf[loosePoint](t, committed, "loose.json")
	sets, methods := names(e)
	want := distinct(points, func(p loosePoint) string {
		if p.Gap == 0 {
			return p.Method
		}
		return fmt.Sprintf("%s %g", p.Method, p.Gap)
	})
	if !slices.Equal(sets, distinct(points, func(p loosePoint) string { return p.Set })) || !slices.Equal(methods, want) ||
		!slices.Equal(e.Seeds, distinct(points, func(p loosePoint) uint64 { return p.Seed })) {
		t.Errorf("sets %q, methods %q, seeds %v", sets, methods, e.Seeds)
	}
	last, test, err := e.Sets[4].Load(3)
	if err != nil || last.Len() != 200 || test.Len() != 1000 || last.NumLabels() != 10 {
		t.Errorf("%v, %v: %v", last, test, err)
	}
}

func TestFullPath(t *testing.T) {
	t.Parallel()
	mk, planned := full(t, "path")
	if err := mk.path(context.Background()); !errors.Is(err, errPlanned) {
		t.Fatal(err)
	}
	points, _ := rowsOf[pathPoint](t, committed, "path.json")
	sets, methods := names((*planned)[0])
	want := distinct(points, func(p pathPoint) string { return fmt.Sprintf("%s %s %.4g", p.Method, p.Scaling, p.Lambda) })
	if !slices.Equal(sets, tableSets) || !slices.Equal(methods, want) {
		t.Errorf("sets %q, methods %q, and not %q", sets, methods, want)
	}
}

func TestFullExtra(t *testing.T) {
	t.Parallel()
	mk, planned := full(t, "extra")
	entries, _ := rowsOf[tableEntry](t, committed, "extra.json")
	for _, set := range mk.named(distinct(entries, func(e tableEntry) string { return e.Set })...) {
		if _, err := mk.extraSet(context.Background(), set); !errors.Is(err, errPlanned) {
			t.Fatal(err)
		}
		e := (*planned)[len(*planned)-1]
		of := slices.DeleteFunc(slices.Clone(entries), func(e tableEntry) bool { return e.Set != set.Name })
		if _, methods := names(e); !slices.Equal(methods, distinct(of, func(e tableEntry) string { return e.Method })) ||
			max(1, len(e.Seeds)) != of[0].Runs {
			t.Errorf("%s: %q, seeds %v", set.Name, methods, e.Seeds)
		}
		for _, r := range of {
			if !slices.ContainsFunc(e.Select.Lambdas, func(l float64) bool { return near(l, r.Lambda) }) && r.Runs == 1 {
				t.Errorf("%+v, planned %v", r, e.Select.Lambdas)
			}
			if got := e.Sets[0].Prepare(crankpkg.Empty{}).(crankpkg.Empty); got.Scaling != r.Scaling {
				t.Errorf("%+v, planned %q", r, got.Scaling)
			}
		}
		if want := map[bool]int{true: 5, false: 8}[set.Name == "cal500"]; len(e.Select.Lambdas) != want || e.Select.Folds != 3 ||
			e.Select.Gap != 0.02 || e.Select.MaxPasses != 100 {
			t.Errorf("%s: %+v", set.Name, e.Select)
		}
	}
}

// TestFullReports checks which rows full runs of the experiments on open questions
// would make.
func TestFullReports(t *testing.T) {
	t.Parallel()
	mk, planned := full(t, "")
	best, _ := rowsOf[bestTreeRow](t, committed, "besttree.json")
	var want []problem
	for _, r := range best {
		want = append(want, problem{r.Set, r.Lambda, r.Gap, r.Enumerated == nil})
	}
	if got := problems(mk); !slices.Equal(got, want) {
		t.Errorf("best trees of %v, and not %v", got, want)
	}
	limited, _ := rowsOf[restrictedRow](t, committed, "question_restricted.json")
	for _, set := range distinct(limited, func(r restrictedRow) string { return r.Set }) {
		of := slices.DeleteFunc(slices.Clone(limited), func(r restrictedRow) bool { return r.Set != set })
		if got := bounds(realLabels[set]); !slices.Equal(got, distinct(of,
			func(r restrictedRow) bound { return bound{r.MaxEdges, r.MaxDegree} })) {
			t.Errorf("%s: bounds %v", set, got)
		}
	}
	for n, edges := range map[int][]int{9: {1, 2, 3, 4, 5, 6, 7, 8}, 10: {1, 2, 3, 5, 9}, 2: {1}} {
		var got []int
		for _, b := range bounds(n) {
			if b.edges > 0 {
				got = append(got, b.edges)
			}
		}
		if last := bounds(n)[len(bounds(n))-1]; !slices.Equal(got, edges) || last.degree != min(n-1, 4) {
			t.Errorf("%d labels: bounds %v", n, bounds(n))
		}
	}
	if err := mk.recovery(context.Background()); !errors.Is(err, errPlanned) {
		t.Fatal(err)
	}
	e := (*planned)[0]
	found, _ := rowsOf[recoveryRow](t, committed, "question_recovery.json")
	sets, methods := names(e)
	if !slices.Equal(sets, distinct(found, func(r recoveryRow) string { return fmt.Sprintf("scale %g, %d examples", r.Scale, r.Size) })) ||
		!slices.Equal(methods, distinct(found, func(r recoveryRow) string { return r.Method })) || len(e.Seeds) != found[0].Trees {
		t.Errorf("%q on %q, seeds %v", methods, sets, e.Seeds)
	}
	losses, _ := rowsOf[lossRow](t, committed, "question_loss.json")
	weights := func(r lossRow) crankpkg.Loss { return crankpkg.Loss{Hamming: r.Hamming, ZeroOne: r.ZeroOne} }
	if got := distinct(losses, weights); !slices.Equal(got, mixes) {
		t.Errorf("losses %v, and not %v", mixes, got)
	}
	if err := mk.loss(context.Background()); !errors.Is(err, errPlanned) {
		t.Fatal(err)
	}
	if sets, _ := names((*planned)[1]); !slices.Equal(sets, distinct(losses, func(r lossRow) string { return r.Set })) {
		t.Errorf("losses on %q", sets)
	}
}

// TestFullPieces checks the names of the pieces of full runs that are kept one by
// one: each is taken as interrupted before it begins.
func TestFullPieces(t *testing.T) {
	t.Parallel()
	swaps, _ := rowsOf[swapRow](t, committed, "question_swaps.json")
	circuits, _ := rowsOf[circuitRow](t, committed, "question_circuit.json")
	early, _ := rowsOf[earlyPoint](t, committed, "early.json")
	rules, _ := rowsOf[rulesRow](t, committed, "rules.json")
	gains, _ := rowsOf[gainRow](t, committed, "question_gains.json")
	general, _ := rowsOf[generalRow](t, committed, "general.json")
	bounds, _ := rowsOf[boundRow](t, committed, "question_bound.json")
	inputs, _ := rowsOf[inputRow](t, committed, "question_input.json")
	pieceOfInputs := func(r inputRow) string {
		if slices.Contains(tableSets, r.Set) {
			r.Size = 12 // of the sets here
		}
		return fmt.Sprintf("%s,%d,%d", r.Set, r.Size, r.Draw)
	}
	var halved []string
	for _, set := range halvedSets {
		for r := range halvings {
			halved = append(halved, fmt.Sprintf("%s,halving %d,half 1", set, r+1), fmt.Sprintf("%s,halving %d,half 2", set, r+1))
		}
	}
	company, many := slices.Clone(tableSets), []string(nil)
	for _, set := range companyHalved {
		for r := range halvings {
			company = append(company, fmt.Sprintf("%s,halving %d,half 1", set, r+1), fmt.Sprintf("%s,halving %d,half 2", set, r+1))
		}
	}
	for _, set := range manySets {
		for _, graph := range set.graphs {
			many = append(many, set.name+","+graph)
		}
	}
	var tagged []string
	for _, t := range tagMethods() {
		for draw := range tagDraws {
			tagged = append(tagged, fmt.Sprintf("%s,seed %d", t.Name(), draw+1))
		}
	}
	var raw []string
	for _, set := range largeUnitsSets {
		for _, lambda := range []string{fmt.Sprint(1. / 12), "0.01", "0.001", "0.0001"} { // 12 examples here
			raw = append(raw, set+","+lambda+",Empty", set+","+lambda+",CRANK")
		}
	}
	var ended []string
	for _, set := range []string{"flags", "emotions"} {
		for _, scaling := range []string{"", "zscore"} {
			for _, method := range []string{"Empty", "Full", "CRANK"} {
				ended = append(ended, set+",scaling "+scaling+","+method)
			}
		}
	}
	ended = append(ended, "birds,scaling ,Empty", "birds,scaling zscore,Empty")
	for part, want := range map[string][]string{
		"units-large":   raw,
		"ends":          ended,
		"swaps":         distinct(swaps, func(r swapRow) string { return fmt.Sprintf("%s,%g,%s", r.Set, r.Lambda, r.Start) }),
		"rules":         distinct(rules, func(r rulesRow) string { return r.Set + "," + r.Method }),
		"general":       distinct(general, func(r generalRow) string { return r.Set }),
		"general-extra": generalExtraSets,
		"halves":        halved,
		"tags":          tagged,
		"gains":         distinct(gains, func(r gainRow) string { return r.Set + "," + map[bool]string{true: "rules", false: "plain"}[r.Rule] }),
		"company":       company,
		"many-labels":   many,
		"circuit":       distinct(circuits, func(r circuitRow) string { return fmt.Sprintf("%s,%d", r.Set, r.Split) }),
		"input":         distinct(inputs, pieceOfInputs),
		"bound":         distinct(bounds, func(r boundRow) string { return fmt.Sprintf("%s,%g", r.Set, r.Lambda) }),
		"early":         distinct(early, func(r earlyPoint) string { return fmt.Sprintf("%s,seed %d", r.Set, r.Seed) }),
	} {
		mk, _ := full(t, part)
		var got []string
		mk.skip = func(name []string) { got = append(got, strings.Join(name, ",")) }
		k := slices.IndexFunc(parts, func(p Part) bool { return p.Name == part })
		if err := parts[k].make(mk, context.Background()); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, and not %q", part, got, want)
		}
	}
}

// TestFullJobs runs the parts of large and of growing data with the committed
// results in place of trainings: all jobs have to be there, and all are asked for.
func TestFullJobs(t *testing.T) {
	t.Parallel()
	for part, file := range map[string]string{"large": "large.json", "growth": "scaling.json"} {
		rows, _ := rowsOf[JobResult](t, committed, file)
		o := Options{Out: t.TempDir(), Cells: t.TempDir(), Log: io.Discard, Run: func(_ context.Context, j Job) (JobResult, error) {
			k := slices.IndexFunc(rows, func(r JobResult) bool { return r.Job == j })
			if k < 0 {
				return JobResult{}, fmt.Errorf("%v is not among the committed results", j)
			}
			return rows[k], nil
		}}
		if err := Make(context.Background(), o, part); err != nil {
			t.Fatal(err)
		}
		if got, _ := rowsOf[JobResult](t, o.Out, file); !slices.Equal(got, rows) {
			t.Errorf("%s: %d rows, committed %d, or others", part, len(got), len(rows))
		}
		if part != "growth" {
			continue
		}
		// A method that takes too long is not tried on larger sizes.
		o.Cells = t.TempDir()
		asked := map[string]int{}
		o.Run = func(_ context.Context, j Job) (JobResult, error) {
			asked[j.Part+" "+j.Method]++
			return JobResult{Job: j, Wall: map[string]float64{"MST": 1200, "Empty": 1199}[j.Method]}, nil
		}
		if err := Make(context.Background(), o, part); err != nil {
			t.Fatal(err)
		}
		if asked["labels, Greedy MST"] != 1 || asked["labels, Greedy Greedy"] != 4*growthSeeds || asked["labels Empty"] != 7*growthSeeds {
			t.Errorf("asked for %v", asked)
		}
	}
}

// TestMarks checks the marks of general.json and its kin against the peers, and the p-values
// against one another.
func TestMarks(t *testing.T) {
	t.Parallel()
	for _, file := range []struct {
		name, peers string
		sets        []string
		others      int
	}{{"general.json", "peers.json", tableSets, 2}, {"general_extra.json", extraPeersFile, generalExtraSets, 1}} {
		rows, _ := rowsOf[generalRow](t, committed, file.name)
		peers, err := readPeersFileNamed(committed, file.peers)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			m, found := peers.chosen(r.Set, r.Measure)
			if !found || m.Test != r.Mark || m.Peer != r.MarkSource || m.Peer == "" {
				t.Errorf("%s, %s: %v of %s, committed %v of %s", r.Set, r.Measure, m.Test, m.Peer, r.Mark, r.MarkSource)
			}
			beside := 0
			if r.Method == "CRANK" && r.Criterion == r.Measure {
				beside = file.others + 1 // the peers' choice
			}
			if len(r.Beside) != beside {
				t.Errorf("%s, %s by %s: %d comparisons", r.Set, r.Measure, r.Criterion, len(r.Beside))
			}
			for q, l := range r.Beside {
				theirs := r.Mark
				if q < file.others {
					k := slices.IndexFunc(rows, func(o generalRow) bool {
						return o.Set == r.Set && o.Method == l.Than && o.Criterion == r.Criterion && o.Measure == r.Measure
					})
					theirs = rows[k].Value
				}
				if !near(l.Difference, r.Value-theirs) || l.Holm < l.P || l.Low > l.Difference || l.High < l.Difference {
					t.Errorf("%s, %s: %+v", r.Set, r.Measure, l)
				}
			}
		}
		if sets := distinct(rows, func(r generalRow) string { return r.Set }); !slices.Equal(sets, file.sets) {
			t.Errorf("%s: sets %q", file.name, sets)
		}
	}
}

// TestCommittedFormats checks that each committed file has the fields of its rows
// and no others.
func TestCommittedFormats(t *testing.T) {
	t.Parallel()
	formats := map[string]any{
		"table1.json": &[]tableEntry{}, "extra.json": &[]tableEntry{}, "curves.json": &[]curvePoint{}, "table1_scalings.json": &[]curvePoint{},
		"significance.json": &[]testResult{}, "extra_significance.json": &[]testResult{}, "objectives.json": &[]objective{},
		"figure1.json": &[]learningPoint{},
		"table2.json":  &[]timing{}, "loose.json": &[]loosePoint{}, "early.json": &[]earlyPoint{}, "path.json": &[]pathPoint{},
		"general.json": &[]generalRow{}, "general_extra.json": &[]generalRow{},
		"large.json": &[]JobResult{}, "scaling.json": &[]JobResult{}, "question_loss.json": &[]lossRow{},
		"rules.json":            &[]rulesRow{},
		"question_gains.json":   &[]gainRow{},
		"halves.json":           &[]halvesRow{},
		"tags.json":             &[]tagsRow{},
		"question_swaps.json":   &[]swapRow{},
		"question_circuit.json": &[]circuitRow{}, "question_recovery.json": &[]recoveryRow{},
		"question_input.json":      &[]inputRow{},
		"question_bound.json":      &[]boundRow{},
		"question_restricted.json": &[]restrictedRow{}, "units.json": &[]unitsRow{}, "level.json": &[]levels.Rate{},
		"general_large.json": &[]manyLabelsRow{}, "units_large.json": &[]largeUnitsRow{}, "company.json": &[]companyRow{}, "many_labels.json": &[]manyRow{}, "ends.json": &[]endsRow{},
	}
	for name, rows := range formats {
		raw, _ := rowsOf[any](t, committed, name)
		text, err := json.Marshal(raw)
		if err == nil {
			err = json.Unmarshal(text, rows)
		}
		if err != nil {
			t.Fatal(err)
		}
		back, err := json.Marshal(rows)
		if err != nil {
			t.Fatal(err)
		}
		var got []any
		if json.Unmarshal(back, &got) != nil || len(raw) == 0 || !reflect.DeepEqual(got, raw) {
			t.Errorf("%s: the rows do not hold all that is in the file, or more", name)
		}
	}
}
