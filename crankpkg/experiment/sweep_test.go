package experiment

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/crossval"
	"github.com/crank-ml/crank/crankpkg/decision"
	"github.com/crank-ml/crank/crankpkg/metrics"
	"github.com/crank-ml/crank/crankpkg/trainstore"
)

func smallSets() []Set {
	return []Set{PlantedSet("a", crankpkg.PlantedTree{N: 4, Noise: 0.1}, 40, 60), PlantedSet("b", crankpkg.PlantedTree{N: 5, Noise: 0.1}, 30, 50)}
}

// smallSweep has 2 x 2 settings of 2 methods on 2 sets with 2 seeds.
func smallSweep() Sweep {
	return Sweep{
		Methods: []crankpkg.Trainer{crankpkg.Empty{}, crankpkg.Named("tree", crankpkg.ChowLiu{})},
		Factors: []Factor{Vary("Lambda", 0.1, 0.01), Vary("Scaling", "none", "zscore")},
		Sets:    smallSets(), Seeds: Seeds(2),
	}
}

func newStore(t testing.TB) *trainstore.Store {
	t.Helper()
	s, err := trainstore.Open(t.TempDir(), 0)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func runSweep(t testing.TB, s Sweep) *SweepTable {
	t.Helper()
	table, err := s.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// withoutTimes returns the rows without what the clock has put there.
func withoutTimes(t *SweepTable) []Row {
	rows := append([]Row{}, t.Rows...)
	for k := range rows {
		rows[k].TrainSeconds, rows[k].SelectSeconds = 0, 0
	}
	return rows
}

// TestSweepRows computes every cell by hand.
func TestSweepRows(t *testing.T) {
	t.Parallel()
	table := runSweep(t, smallSweep())
	k := 0
	for _, seed := range []uint64{1, 2} {
		for _, set := range smallSets() {
			for _, method := range []string{"Empty", "tree"} {
				for _, lambda := range []float64{0.1, 0.01} {
					for _, scaling := range []crankpkg.Scaling{crankpkg.NoScaling, crankpkg.ZScore} {
						r := table.Rows[k]
						settings := crankpkg.Settings{Scaling: scaling, Seed: seed}
						tr := crankpkg.Trainer(crankpkg.Empty{Lambda: lambda, Settings: settings})
						if method == "tree" {
							tr = crankpkg.ChowLiu{Lambda: lambda, Settings: settings}
						}
						train, test, err := set.Load(seed)
						if err != nil {
							t.Fatal(err)
						}
						m, trace, err := tr.Train(context.Background(), train)
						if err != nil {
							t.Fatal(err)
						}
						want := Row{Cell: k, Set: set.Name, Method: method, Seed: seed, Settings: []string{fmt.Sprint(lambda), map[crankpkg.Scaling]string{"": "none"}[scaling] + string(scaling)}}
						want.Outcome = Outcome{Train: train.Len(), Test: test.Len(), NumLabels: test.NumLabels(), Scores: crankpkg.Evaluate(m, test), Lambda: lambda,
							Scaling: scaling, Primal: trace.Primal, Dual: trace.Dual, Status: trace.Status, Passes: trace.Passes, Edges: len(m.Edges)}
						r.TrainSeconds, r.TestSet = 0, ""
						if !reflect.DeepEqual(r, want) {
							t.Errorf("cell %d is\n%+v, want\n%+v", k, r, want)
						}
						k++
					}
				}
			}
		}
	}
	if len(table.Notes) > 0 {
		t.Errorf("notes %q", table.Notes)
	}
	if k != len(table.Rows) || k != table.Cells || table.Missing != 0 {
		t.Errorf("%d of %d cells, %d rows", k, table.Cells, len(table.Rows))
	}
}

// TestSweepDesigns counts the settings of each design.
func TestSweepDesigns(t *testing.T) {
	t.Parallel()
	s := Sweep{Factors: []Factor{Vary("Lambda", 1, 2, 3), Vary("Gap", 1, 2), Vary("Seed", 1, 2, 3, 4)}}
	for _, c := range []struct {
		design Design
		draws  int
		want   int
	}{{FullGrid, 0, 24}, {OneAtATime, 0, 1 + 2 + 1 + 3}, {RandomDraws, 5, 5}, {RandomDraws, 100, 24}} {
		s.Design, s.Draws = c.design, c.draws
		all := s.settings()
		seen := map[string]bool{}
		for _, v := range all {
			seen[fmt.Sprint(v)] = true
			changed := 0
			for f, level := range v {
				if level < 0 || level >= len(s.Factors[f].Levels) {
					t.Errorf("%q: %v", c.design, v)
				}
				if level > 0 {
					changed++
				}
			}
			if c.design == OneAtATime && changed > 1 {
				t.Errorf("one at a time: %v", v)
			}
		}
		if len(all) != c.want || len(seen) != c.want {
			t.Errorf("%q: %d settings, %d different, want %d", c.design, len(all), len(seen), c.want)
		}
		if again := s.settings(); !reflect.DeepEqual(all, again) {
			t.Errorf("%q: another time %v", c.design, again)
		}
	}
	if first := (&Sweep{Factors: s.Factors}).settings()[0]; !reflect.DeepEqual(first, setting{0, 0, 0}) {
		t.Errorf("the first setting is %v", first)
	}
}

// TestSweepResumes runs again, and with another level and back: nothing is trained twice.
func TestSweepResumes(t *testing.T) {
	t.Parallel()
	s := smallSweep()
	s.Store = newStore(t)
	s.Select = &crossval.Search{Lambdas: []float64{0.1, 0.03}, Folds: 2}
	s.Factors = s.Factors[1:]
	plain := s
	plain.Store = nil
	want := runSweep(t, plain)
	first := runSweep(t, s)
	_, misses := s.Store.Counts()
	other := s
	other.Factors = []Factor{Vary("Scaling", "none", "minmax")}
	runSweep(t, other)
	_, more := s.Store.Counts()
	again := runSweep(t, s)
	_, same := s.Store.Counts()
	kept := other
	kept.KeptOnly = true
	kept.Factors = []Factor{Vary("Scaling", "none", "zscore", "minmax", "unitrows")}
	if some := runSweep(t, kept); len(some.Rows) != 24 || some.Missing != 8 {
		t.Errorf("of what is kept there are %d rows, %d missing", len(some.Rows), some.Missing)
	}
	if _, after := s.Store.Counts(); after != same {
		t.Error("what is not kept was computed")
	}
	if misses == 0 || more <= misses || same != more {
		t.Errorf("made %d, %d with another level, %d with the first again", misses, more, same)
	}
	if !reflect.DeepEqual(first, again) {
		t.Error("the second run differs, times included")
	}
	if !reflect.DeepEqual(withoutTimes(first), withoutTimes(want)) {
		t.Error("a sweep with a store differs from one without")
	}
}

// TestSweepParts shares the cells among three programs.
func TestSweepParts(t *testing.T) {
	t.Parallel()
	s := smallSweep()
	whole := runSweep(t, s)
	var rows []Row
	for k := range 3 {
		s.Part, s.Parts = k, 3
		part := runSweep(t, s)
		if part.Missing != 0 || len(part.Rows) < whole.Cells/3 {
			t.Errorf("part %d has %d rows, %d missing", k, len(part.Rows), part.Missing)
		}
		rows = append(rows, part.Rows...)
	}
	rows = append(rows, rows[0]) // a cell that ran twice counts once
	all, err := s.Collect(rows)
	if err != nil || all.Missing != 0 || !reflect.DeepEqual(withoutTimes(all), withoutTimes(whole)) {
		t.Errorf("the parts together differ, error %v", err)
	}
	rows[1].Seed = 77
	if _, err := s.Collect(rows); !errors.Is(err, crankpkg.ErrData) {
		t.Errorf("a row of another sweep: %v", err)
	}
	rows[1].Cell = 1000
	if _, err := s.Collect(rows); !errors.Is(err, crankpkg.ErrData) {
		t.Errorf("a cell that there is not: %v", err)
	}
	if some, err := s.Collect(rows[:1]); err != nil || some.Missing != whole.Cells-1 {
		t.Errorf("%+v, error %v", some, err)
	}
}

// TestSweepSplits checks that each split divides all examples, alike for every cell.
func TestSweepSplits(t *testing.T) {
	t.Parallel()
	s := smallSweep()
	s.Splits = []uint64{1, 2}
	s.Sets = s.Sets[:1]
	points, _, err := s.plan()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]string{}
	for _, p := range points {
		data, err := s.load(p)
		if err != nil {
			t.Fatal(err)
		}
		if data.train.Len() != 40 || data.test.Len() != 60 {
			t.Fatalf("%d and %d examples", data.train.Len(), data.test.Len())
		}
		name, hash := fmt.Sprint(p.seed, p.split), fmt.Sprintf("%x", data.hash)
		if old, ok := seen[name]; ok && old != hash {
			t.Errorf("two cells of seed and split %s have different data", name)
		}
		seen[name] = hash
	}
	if len(seen) != 4 {
		t.Errorf("%d data sets", len(seen))
	}
	s.TrainShare = 0.7
	if data, err := s.load(points[0]); err != nil || data.train.Len() != 70 {
		t.Errorf("%d examples to train on, error %v", data.train.Len(), err)
	}
	if table := runSweep(t, s); len(table.Rows) != 2*2*2*4 || table.Rows[0].Split != 1 || table.Rows[0].Train != 70 {
		t.Errorf("%d rows, the first %+v", len(table.Rows), table.Rows[0])
	}
}

// odd is a trainer without settings that fails at some depths, and takes its time.
type odd struct {
	Depth int
	Sleep time.Duration
	Calls *atomic.Int64
}

func (o odd) Name() string                        { return "odd" }
func (o odd) WithLambda(float64) crankpkg.Trainer { return o }
func (o odd) Train(ctx context.Context, ds *crankpkg.Dataset) (*crankpkg.Model, *crankpkg.Trace, error) {
	if o.Calls != nil {
		o.Calls.Add(1)
	}
	if o.Depth == 2 {
		return nil, nil, errors.New("too deep")
	}
	if o.Depth == 3 {
		return nil, nil, nil
	}
	select {
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	case <-time.After(o.Sleep):
	}
	return crankpkg.Empty{}.Train(ctx, ds)
}

func TestSweepKeepsFailures(t *testing.T) {
	t.Parallel()
	s := Sweep{Methods: []crankpkg.Trainer{odd{}}, Factors: []Factor{Vary("Depth", 1, 2, 3)}, Sets: smallSets(), Seeds: Seeds(2), Store: newStore(t)}
	s.Sets = append(s.Sets, Set{Name: "none", Load: func(uint64) (train, test *crankpkg.Dataset, err error) { return nil, nil, errors.New("no data") }})
	table := runSweep(t, s)
	failed := 0
	for _, r := range table.Rows {
		want := map[string]string{"1": "", "2": "too deep", "3": "returns no model"}[r.Settings[0]]
		if r.Set == "none" {
			want = "no data"
		}
		if (r.Error != "") != (want != "") || !strings.Contains(r.Error, want) {
			t.Errorf("%s, depth %s: error %q", r.Set, r.Settings[0], r.Error)
		}
		if r.Error != "" {
			failed++
		}
	}
	notes := strings.Join(table.Notes, "\n")
	if len(table.Rows) != 18 || failed != 14 || !strings.Contains(notes, "14 of 18 cells failed") || !strings.Contains(notes, "odd has no Settings") || !strings.Contains(notes, "odd says no version") {
		t.Errorf("%d rows, %d failed, notes %s", len(table.Rows), failed, notes)
	}
	var b bytes.Buffer
	if err := table.WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	if lines, err := csv.NewReader(&b).ReadAll(); err != nil || len(lines) != 19 { // all of one length
		t.Errorf("%d lines, error %v", len(lines), err)
	}
}

// TestSweepBudget gives too little time: whole seeds are there.
func TestSweepBudget(t *testing.T) {
	t.Parallel()
	var calls atomic.Int64
	s := Sweep{Methods: []crankpkg.Trainer{odd{Sleep: 20 * time.Millisecond, Calls: &calls}}, Factors: []Factor{Vary("Depth", 0, 1)}, Sets: smallSets()[:1],
		Seeds: Seeds(40), Workers: 1, Budget: 400 * time.Millisecond}
	begin := time.Now()
	table := runSweep(t, s)
	if n := len(table.Rows); n == 0 || n > 25 || table.Missing != 80-n || time.Since(begin) > 5*time.Second || !strings.Contains(strings.Join(table.Notes, ""), "budget") {
		t.Errorf("%d rows, %d missing, notes %v, after %v", n, table.Missing, table.Notes, time.Since(begin))
	}
	for k, r := range table.Rows {
		if r.Cell != k || r.Error != "" {
			t.Errorf("row %d is cell %d, error %q", k, r.Cell, r.Error)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	s.Budget = 0
	told := 0
	s.Progress = func(p Progress) {
		if told++; told == 3 {
			cancel()
		}
		if p.Total != 80 || p.Done != told || told < 80 && p.Left <= 0 {
			t.Errorf("told %+v", p)
		}
	}
	table, err := s.Run(ctx)
	if !errors.Is(err, context.Canceled) || table == nil || len(table.Rows) < 3 || table.Missing == 0 {
		t.Errorf("%d rows, error %v", len(table.Rows), err)
	}
}

func TestSweepErrors(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*Sweep){
		"no sets":       func(s *Sweep) { s.Sets = nil },
		"no methods":    func(s *Sweep) { s.Methods = nil },
		"no levels":     func(s *Sweep) { s.Factors = []Factor{Vary("Lambda")} },
		"a level twice": func(s *Sweep) { s.Factors = []Factor{Vary("Lambda", 1, 1)} },
		"a factor twice": func(s *Sweep) {
			s.Factors = []Factor{Vary("Lambda", 1), Vary("Lambda", 2)}
		},
		"a factor called method": func(s *Sweep) { s.Factors = []Factor{{Name: "method", Levels: s.Factors[0].Levels}} },
		"no such field":          func(s *Sweep) { s.Factors = []Factor{Vary("Restarts", 1)} },
		"no trainer": func(s *Sweep) {
			s.Factors = []Factor{VaryFunc("f", func(crankpkg.Trainer, string) crankpkg.Trainer { return nil }, "x")}
		},
		"no such design":                     func(s *Sweep) { s.Design = "some" },
		"no draws":                           func(s *Sweep) { s.Design = RandomDraws },
		"a share of 1":                       func(s *Sweep) { s.TrainShare = 1 },
		"part 3 of 3":                        func(s *Sweep) { s.Part, s.Parts = 3, 3 },
		"a negative budget":                  func(s *Sweep) { s.Budget = -1 },
		"split 0":                            func(s *Sweep) { s.Splits = []uint64{0} },
		"a rule without a search":            func(s *Sweep) { s.ChooseRule = true },
		"Seed as a factor":                   func(s *Sweep) { s.Factors = []Factor{Vary("Settings.Seed", 1, 2)} },
		"Workers as a factor":                func(s *Sweep) { s.Factors = []Factor{Vary("Workers", 1, 2)} },
		"a lambda that is varied and chosen": func(s *Sweep) { s.Select = &crossval.Search{} },
		"a scaling that is varied and chosen": func(s *Sweep) {
			s.Factors, s.Select = s.Factors[1:], &crossval.Search{Scalings: []crankpkg.Scaling{crankpkg.ZScore}}
		},
		"a seed twice":  func(s *Sweep) { s.Seeds = []uint64{1, 1} },
		"a split twice": func(s *Sweep) { s.Splits = []uint64{2, 1, 2} },
		"a field by two names": func(s *Sweep) {
			s.Factors = []Factor{Vary("Gap", 0.1, 0.2), Vary("Settings.Gap", 0.3, 0.4)}
		},
		"a field and a part of it": func(s *Sweep) {
			s.Factors = []Factor{Vary("Loss.Squared", true, false), Vary("Loss", nil, crankpkg.Loss{Squared: true})}
		},
		"all settings and one": func(s *Sweep) { s.Factors = []Factor{Vary("Settings", nil), Vary("Gap", 0.3, 0.4)} },
		"a level without Apply": func(s *Sweep) {
			s.Factors = []Factor{{Name: "f", Levels: []Level{{Label: "x"}}}}
		},
		"more cells than can be listed": func(s *Sweep) {
			s.Factors = nil
			for _, field := range []string{"Lambda", "Gap", "HingeCap", "MaxTime"} {
				var values []any
				for k := range 1000 {
					values = append(values, k)
				}
				s.Factors = append(s.Factors, Vary(field, values...))
			}
		},
	} {
		s := smallSweep()
		change(&s)
		if _, err := s.Run(context.Background()); !errors.Is(err, crankpkg.ErrSettings) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// boundless is a trainer that knows no bounds on its objective.
type boundless struct{ crankpkg.Trainer }

func (b boundless) Train(ctx context.Context, ds *crankpkg.Dataset) (*crankpkg.Model, *crankpkg.Trace, error) {
	m, trace, err := b.Trainer.Train(ctx, ds)
	trace.Primal, trace.Dual = math.NaN(), math.Inf(-1)
	return m, trace, err
}

// TestSweepWithoutBounds writes and reads the table of a trainer without bounds on its objective.
func TestSweepWithoutBounds(t *testing.T) {
	t.Parallel()
	s := Sweep{Methods: []crankpkg.Trainer{boundless{crankpkg.Empty{}}, crankpkg.Named("bounds", crankpkg.Empty{})}, Sets: smallSets()[:1]}
	table, err := s.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	var read SweepTable
	if _, err := table.WriteTo(&text); err != nil {
		t.Fatal(err)
	}
	if _, err := read.ReadFrom(&text); err != nil {
		t.Fatal(err)
	}
	if r := read.Rows[0]; !math.IsInf(r.Primal, 1) || !math.IsInf(r.Dual, -1) || r.Scores != table.Rows[0].Scores {
		t.Errorf("%+v", r)
	}
	if !reflect.DeepEqual(read.Rows[1], table.Rows[1]) {
		t.Errorf("%+v becomes %+v", table.Rows[1], read.Rows[1])
	}
	if err := read.WriteCSV(&text); err != nil {
		t.Error(err)
	}
}

// TestTablesOfOthers reads tables whose rows make no sense: they are refused, and what is made by hand without numbers of
// examples can be compared.
func TestTablesOfOthers(t *testing.T) {
	t.Parallel()
	good := `"Train":4,"Test":2,"NumLabels":4,"Predicted":"AA==","TestSet":"x"`
	for _, part := range []string{good, `"Error":"failed"`, ``, `"Train":4,"Test":-8,"NumLabels":-1`, `"Train":0,"Test":2,"NumLabels":4`, `"Train":4,"Test":4611686018427387905,"NumLabels":4,"Predicted":"AA=="`,
		`"Train":4,"Test":3,"NumLabels":4,"Predicted":"AA=="`, `"Train":4,"Test":2,"NumLabels":4,"Predicted":"AAAA"`, `"Other":1`, `"Set":3`} {
		var rows []string
		for _, level := range []string{"1", "2"} {
			for seed := range 2 {
				rows = append(rows, fmt.Sprintf(`{"Set":"a","Method":"m","Settings":[%q],"Seed":%d%s}`, level, seed+1, strings.TrimSuffix(","+part, ",")))
			}
		}
		text := `{"Sets":["a"],"Methods":["m"],"Factors":[{"Name":"f","Levels":["1","2"]}],"Seeds":[1,2],"Truth":{"x":"AA=="},"Rows":[` + strings.Join(rows, ",") + `]}`
		var table SweepTable
		_, err := table.ReadFrom(strings.NewReader(text))
		if fine := part == good || strings.Contains(part, "failed"); fine != (err == nil) || err != nil && !errors.Is(err, crankpkg.ErrFormat) {
			t.Errorf("%s: error %v", part, err)
		}
	}
	byHand := SweepTable{Sets: []string{"a"}, Methods: []string{"m"}, Factors: []Column{{"f", []string{"1", "2"}}}, Splits: []uint64{1, 2},
		Truth: map[string][]byte{"": {}}}
	for k := range 4 {
		byHand.Rows = append(byHand.Rows, Row{Set: "a", Method: "m", Settings: []string{fmt.Sprint(1 + k%2)}, Seed: 1, Split: uint64(1 + k/2)})
	}
	if effects := byHand.Effects(metrics.MeanOfThree); len(effects) != 1 || effects[0].P != 1 {
		t.Errorf("%v", effects)
	}
}

// TestCellsAreOne refuses what has more cells than one before it trains any.
func TestCellsAreOne(t *testing.T) {
	t.Parallel()
	spec := Spec{Methods: []map[string]any{{"method": "empty"}}, Sets: []SpecSet{{Name: "p", Planted: &crankpkg.PlantedTree{N: 4}, Train: 10, Test: 10}}, Seeds: Seeds(100_000)}
	if _, err := new(CellRunner).Run(context.Background(), SpecCell{Spec: spec}); !errors.Is(err, crankpkg.ErrFormat) {
		t.Errorf("error %v", err)
	}
	spec.Seeds, spec.Budget = nil, "1ns"
	if _, err := new(CellRunner).Run(context.Background(), SpecCell{Spec: spec}); !errors.Is(err, crankpkg.ErrFormat) {
		t.Errorf("error %v", err)
	}
}

// TestSweepChoosesByHand compares the nested choice, of lambda and of a rule, with that of package crossval.
func TestSweepChoosesByHand(t *testing.T) {
	t.Parallel()
	set := smallSets()[0]
	train, test, err := set.Load(4)
	if err != nil {
		t.Fatal(err)
	}
	for _, rule := range []bool{false, true} {
		s := Sweep{Methods: []crankpkg.Trainer{crankpkg.Full{}}, Sets: []Set{set}, Seeds: []uint64{4}, ChooseRule: rule, Select: &crossval.Search{Lambdas: []float64{1e-3, 0.03, 0.3}, Folds: 3, Seed: 10}}
		table := runSweep(t, s)
		cv := *s.Select
		cv.Trainer, cv.Seed = crankpkg.Full{Settings: crankpkg.Settings{Seed: 4}}, 14
		var m *crankpkg.Model
		var lambda float64
		var want string
		if rule {
			chosen, err := cv.ChooseRule(context.Background(), train)
			if err != nil {
				t.Fatal(err)
			}
			m, _, err = chosen.Train(context.Background(), cv.Trainer, train)
			lambda, want = chosen.Best().Lambda, chosen.Rule().String()
			if err != nil || want == (decision.Rule{}).String() {
				t.Fatalf("the rule is %s, error %v", want, err)
			}
		} else {
			chosen, err := cv.Run(context.Background(), train)
			if err != nil {
				t.Fatal(err)
			}
			lambda = chosen.Lambda()
			if m, _, err = chosen.Apply(cv.Trainer).Train(context.Background(), train); err != nil {
				t.Fatal(err)
			}
		}
		r := table.Rows[0]
		edge := map[float64]string{1e-3: "low", 0.3: "high"}[lambda]
		if r.Lambda != lambda || r.Scores != crankpkg.Evaluate(m, test) || r.Rule != want || r.AtEdge != edge {
			t.Errorf("rule %v: %+v, want lambda %v, rule %q, %v", rule, r, lambda, want, crankpkg.Evaluate(m, test))
		}
	}
}

func TestEdgeOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		chosen float64
		tried  []float64
		want   string
	}{{1, []float64{1}, ""}, {1, []float64{1, 2}, "low"}, {2, []float64{1, 2}, "high"}, {2, []float64{3, 2, 1}, ""}, {1, []float64{1, 1}, ""}} {
		if got := edgeOf(c.chosen, c.tried); got != c.want {
			t.Errorf("%v of %v: %q", c.chosen, c.tried, got)
		}
	}
}

// TestSweepFiles writes a table and reads it back, as JSON and, by hand, as CSV.
func TestSweepFiles(t *testing.T) {
	t.Parallel()
	table := runSweep(t, smallSweep())
	folder := t.TempDir()
	path := filepath.Join(folder, "table.json")
	if err := table.Save(path); err != nil {
		t.Fatal(err)
	}
	got, err := LoadSweep(path)
	if err != nil || !reflect.DeepEqual(got, table) {
		t.Errorf("%+v, error %v", got, err)
	}
	if err := table.Save(filepath.Join(folder, "table.csv")); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(folder, "table.csv"))
	if err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil || len(lines) != len(table.Rows)+1 {
		t.Fatalf("%d lines, error %v", len(lines), err)
	}
	at := map[string]int{}
	for k, name := range lines[0] {
		at[name] = k
	}
	for k, r := range table.Rows {
		line := lines[k+1]
		for name, want := range map[string]float64{"SubsetAccuracy": r.Scores.SubsetAccuracy, "MacroF1": r.Scores.MacroF1, "objective": r.Primal, "gap": r.Gap(), "edges": float64(r.Edges),
			"passes": float64(r.Passes), "seed": float64(r.Seed), "Lambda": r.Lambda, "train_seconds": r.TrainSeconds} {
			if v, err := strconv.ParseFloat(line[at[name]], 64); err != nil || v != want {
				t.Errorf("row %d, %s: %s, want %v", k, name, line[at[name]], want)
			}
		}
		if line[at["set"]] != r.Set || line[at["method"]] != r.Method || line[at["Scaling"]] != r.Settings[1] || line[at["error"]] != "" {
			t.Errorf("row %d: %q", k, line)
		}
	}
	if _, err := LoadSweep(filepath.Join(folder, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
	for _, bad := range []string{"", "{", `{"Some": 1}`, `{"Factors": [{"Name": "a"}], "Rows": [{"Set": "x"}]}`} {
		if err := os.WriteFile(path, []byte(bad), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := LoadSweep(path); !errors.Is(err, crankpkg.ErrFormat) {
			t.Errorf("%s: error %v", bad, err)
		}
	}
	for _, text := range []string{"| a | Empty | 0.1 | none |", "| b | tree | 0.01 | zscore |", "F1"} {
		if !strings.Contains(table.String(), text) {
			t.Errorf("%s is missing in\n%s", text, table)
		}
	}
	if n := strings.Count(table.Markdown(metrics.MacroF1), "\n|"); n != 1+16 {
		t.Errorf("%d lines of a table", n)
	}
}

// TestSpecCells runs each cell of a file by itself, as another machine would: the rows are those of the whole.
func TestSpecCells(t *testing.T) {
	t.Parallel()
	const text = `{
		"methods": [{"method": "crank", "Restarts": 2, "name": "two"}, {"method": "empty"}],
		"vary": [{"field": "Scaling", "values": ["zscore", "none"]}, {"field": "Gap", "values": [0.01, 0.1]}],
		"sets": [{"name": "p", "planted": {"N": 4, "Noise": 0.1}, "train": 30, "test": 40}, {"name": "q", "planted": {"N": 3}, "train": 30, "test": 40}],
		"seeds": 2, "splits": [3], "select": {"lambdas": [0.1, 0.01], "folds": 2}
	}`
	spec, err := ReadSpec(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	s, err := spec.Sweep()
	if err != nil {
		t.Fatal(err)
	}
	whole := runSweep(t, s)
	cells, err := spec.Cells()
	if err != nil || len(cells) != 32 || len(cells) != len(whole.Rows) {
		t.Fatalf("%d cells, %d rows, error %v", len(cells), len(whole.Rows), err)
	}
	var rows []Row
	runner := CellRunner{Workers: 1}
	for _, c := range cells {
		line, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		var there SpecCell
		if err := json.Unmarshal(line, &there); err != nil {
			t.Fatal(err)
		}
		row, err := runner.Run(context.Background(), there)
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, *row)
		checkFailed(t, c, *row)
	}
	got, err := s.Collect(rows)
	if err != nil || !reflect.DeepEqual(withoutTimes(got), withoutTimes(whole)) {
		t.Errorf("cells by themselves differ, error %v", err)
	}
}

// checkFailed holds the row of a cell that could not be run to that of the cell: it says which it is, and why there is no more.
func checkFailed(t *testing.T, c SpecCell, ran Row) {
	t.Helper()
	got, err := c.Failed(errors.New("the process was killed"))
	if err != nil {
		t.Fatal(err)
	}
	want := Row{Cell: ran.Cell, Set: ran.Set, Method: ran.Method, Settings: ran.Settings, Seed: ran.Seed, Split: ran.Split, Error: "the process was killed"}
	if !reflect.DeepEqual(*got, want) {
		t.Fatalf("%+v, want %+v", *got, want)
	}
}

// TestFailedRefuses asks for the row of what is no cell.
func TestFailedRefuses(t *testing.T) {
	t.Parallel()
	set := SpecSet{Name: "p", Planted: &crankpkg.PlantedTree{N: 4}, Train: 10, Test: 10}
	for name, spec := range map[string]Spec{
		"two cells":      {Methods: []map[string]any{{"method": "empty"}}, Sets: []SpecSet{set}, Seeds: Seeds(2)},
		"no such method": {Methods: []map[string]any{{"method": "crunk"}}, Sets: []SpecSet{set}},
		"no method":      {Sets: []SpecSet{set}},
		"no such field":  {Methods: []map[string]any{{"method": "empty"}}, Sets: []SpecSet{set}, Vary: []SpecFactor{{Field: "Nonsense", Values: []any{1}}}},
	} {
		if row, err := (&SpecCell{Spec: spec}).Failed(io.EOF); row != nil || err == nil || errors.Is(err, io.EOF) {
			t.Errorf("%s: %+v, error %v", name, row, err)
		}
	}
}

func TestSpecErrors(t *testing.T) {
	t.Parallel()
	const sets = `"sets": ["emotions"]`
	for _, c := range []struct{ text, want string }{
		{``, "EOF"},
		{`{"methods": [{}]} {}`, "follows"},
		{`{"methods": [{}]} ]`, "follows"}, {`{"methods": [{}]}}`, "follows"}, {`{"methods": [{}]},`, "follows"},
		{`{"method": [{}]}`, `unknown field "method"`},
		{`{` + sets + `}`, "0 methods on 1 sets"},
		{`null`, "0 methods on 0 sets"},
		// What would not count.
		{"{\n\"seeds\": 2,\n\"methods\": [{}],\n\"seeds\": 3}", `line 4: "seeds" occurs twice`},
		{`{"seeds": 2, "Seeds": 3}`, `"Seeds" occurs twice`},
		{`{"methods": [{"method": "crank", "Gap": 1, "Gap": 0.1}], ` + sets + `}`, `"Gap" occurs twice`},
		{`{"methods": [{"method": "crank", "Gap": 1, "Settings.Gap": 0.1}], ` + sets + `}`, "set the same"},
		{`{"methods": [{"method": "crank", "Loss": {"Hamming": 1}, "Loss.Squared": true}], ` + sets + `}`, "set the same"},
		{`{"methods": [{"method": "crank", "Seed": 1}], ` + sets + `}`, "one of Seeds"},
		{`{"methods": [{"method": "crank", "Settings.Workers": 1}], ` + sets + `}`, "changes no result"},
		{`{"methods": [{"method": "crank", "Lambda": 1}], "select": {}, ` + sets + `}`, "Select chooses it"},
		{`{"methods": [{"method": "crank", "Scaling": "zscore"}], "select": {"scalings": ["none"]}, ` + sets + `}`, "Select chooses it"},
		{`{"methods": [{"method": "crank"}], "train_share": 0.5, ` + sets + `}`, "without Splits"},
		{`{"methods": [{"method": "crank"}], "draws": 5, ` + sets + `}`, "draws nothing"},
		{`{"methods": [{"method": "crank"}], "draw_seed": 5, "design": "one", ` + sets + `}`, "draws nothing"},
		// Empty lists.
		{`{"methods": [], ` + sets + `}`, "line 1: methods is an empty list"},
		{`{"methods": [{"method": "crank"}], "sets": []}`, "sets is an empty list"},
		{`{"methods": [{"method": "crank"}], "seeds": [], ` + sets + `}`, "seeds is an empty list"},
		{`{"methods": [{"method": "crank"}], "seeds": 0, ` + sets + `}`, "0 seeds"},
		{`{"methods": [{"method": "crank"}], "splits": [], ` + sets + `}`, "splits is an empty list"},
		{`{"methods": [{"method": "crank"}], "select": {"lambdas": []}, ` + sets + `}`, "lambdas is an empty list"},
		{`{"methods": [{"method": "crank"}], "vary": [{"field": "Gap", "values": []}], ` + sets + `}`, "values is an empty list"},
		{`{"methods": [{"method": "crank", "Beta": []}], ` + sets + `}`, "line 1: methods[0].Beta is an empty list"},
		// What would fail in every cell.
		{"{\"methods\": [{\"method\": \"crank\"}, {\"method\": \"empty\",\n\"Loss\": {\"Least\": 3,\n\"Most\": 2}}], " + sets + `}`,
			"line 2: methods[1].Loss: Empty: crankpkg: invalid setting: Loss: at least 3 labels and at most 2"},
		{`{"methods": [{"method": "crank", "Loss.Least": 3, "Loss.Most": 2}], "select": {}, ` + sets + `}`, "line 1: methods[0].Loss: CRANK"},
		{`{"methods": [{"method": "crank", "Loss": {"ZeroOne": -1}}], "vary": [{"field": "Gap", "values": [0.1, 0.2]}], ` + sets + `}`, "methods[0].Loss: CRANK"},
		{`{"methods": [{"method": "crank"}], "sets": ["../yeast"]}`, `no set "../yeast"; there are bibtex`},
		{`{"methods": [{"method": "crank"}], "select": {"lambdas": [0.1, -1]}, ` + sets + `}`, "over the lambdas"},
		{`{"methods": [{"method": "crank"}], "select": {"folds": 1}, ` + sets + `}`, "1 folds"},
		{`{"methods": [{"method": "crank"}], "select": {"rule": true, "repeats": 2}, ` + sets + `}`, "ChooseRule with Repeats"},
		{`{"methods": [{"method": "crank"}], "select": {"measure": "f3"}, ` + sets + `}`, `no measure is called "f3"`},
		{`{"methods": [{"method": "crank"}], "select": {"scalings": ["z"]}, ` + sets + `}`, `no scaling is called "z"`},
		{"{\"methods\": [{\"method\": \"crank\"}],\n\n\"select\": {\"lambdas\": [NaN]}}", "line 3: select.lambdas[0]: invalid character 'N'"},
		{"{\"methods\": [{\"method\": \"crank\"}],\n\"select\": {\"lambdas\": [1e999]}}", "line 2: select.lambdas[0]: 1e999 is no float64"},
		{`{"methods": [{"method": "crank", "name": ""}], ` + sets + `}`, "is empty"},
		{`{"methods": [{"method": "crank"}], "vary": [{"field": "Loss", "values": [{"Haming": 1}]}], ` + sets + `}`, "has no field Haming"},
		{`{"methods": [{"method": "crank"}], "vary": [{"field": "Loss", "values": [{"Hamming": "x"}]}], ` + sets + `}`, "Hamming: x (string) is no float64"},
		{`{"methods": [{"method": "crunk"}], ` + sets + `}`, `no method "crunk"; there are best-tree`},
		{`{"methods": [{"Restarts": 3}], ` + sets + `}`, "without its name"},
		{`{"methods": [{"method": "crank", "Restart": 3}], ` + sets + `}`, "has no field Restart; there are Lambda, Restarts"},
		{`{"methods": [{"method": "crank", "name": 3}], ` + sets + `}`, "no text"},
		{`{"methods": [{"method": "crank"}], "vary": [{"field": "Gap", "values": ["x"]}], ` + sets + `}`, "x (string) is no float64"},
		{`{"methods": [{"method": "crank"}], "budget": "soon", ` + sets + `}`, "no time"},
		{`{"methods": [{"method": "crank"}], "seeds": -1, ` + sets + `}`, "-1 seeds"},
		{`{"methods": [{"method": "crank"}], "seeds": "x", ` + sets + `}`, "a number or a list"},
		{`{"methods": [{"method": "crank"}], "sets": [3]}`, "a set is a name"},
		{`{"methods": [{"method": "crank"}], "sets": [""]}`, "without a name"},
		{`{"methods": [{"method": "crank"}], "sets": [{"planted": {"N": 3, "Removed": 3}, "train": 3, "test": 3}]}`, "Removed 3 of 3"},
		{`{"methods": [{"method": "crank"}], "sets": [{"planted": {"N": -3}, "train": 3, "test": 3}]}`, "line 1: sets[0].planted.N: "},
		{`{"methods": [{"method": "crank"}], "sets": [{"planted": {}, "train": 0, "test": 3}]}`, "line 1: sets[0].train: "},
	} {
		spec, err := ReadSpec(strings.NewReader(c.text))
		if err == nil {
			_, err = spec.Sweep()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) || !errors.Is(err, crankpkg.ErrSettings) && !errors.Is(err, crankpkg.ErrFormat) {
			t.Errorf("%s: error %v", c.text, err)
		}
	}
}

// TestSpecLossVaried has a method whose Loss cannot be trained until a factor changes it: that is no fault.
func TestSpecLossVaried(t *testing.T) {
	t.Parallel()
	const method = `{"methods": [{"method": "empty", "Loss": {"Least": 3, "Most": 2}}], "sets": ["emotions"], "select": {"lambdas": [0.1]}, `
	for vary, ok := range map[string]bool{
		`{"field": "Loss.Most", "values": [3, 4]}`:            true,
		`{"field": "Settings.Loss", "values": [{}]}`:          true,
		`{"field": "Gap", "values": [0.1, 0.2]}`:              false,
		`{"field": "Settings", "values": [{}, {"Gap": 0.1}]}`: true,
	} {
		spec, err := ReadSpec(strings.NewReader(method + `"vary": [` + vary + `]}`))
		if err != nil {
			t.Fatal(err)
		}
		if s, err := spec.Sweep(); (err == nil) != ok {
			t.Errorf("%s: %v, error %v", vary, s, err)
		}
	}
	empty := crankpkg.Empty{Settings: crankpkg.Settings{Loss: crankpkg.Loss{Least: 3, Most: 2}}}
	free := func(t crankpkg.Trainer, _ string) crankpkg.Trainer { return crankpkg.Empty{} }
	s := Sweep{Methods: []crankpkg.Trainer{empty}, Sets: NamedSets("emotions"), Factors: []Factor{VaryFunc("free", free, "yes")}}
	if _, _, err := s.plan(); err != nil {
		t.Error(err)
	}
}

// TestSpecStructs varies a setting that is a struct, and counts a cell by itself as the same.
func TestSpecStructs(t *testing.T) {
	t.Parallel()
	const text = `{"methods": [{"method": "empty", "Lambda": 0.1}], "vary": [{"field": "Loss", "values": [null, {"Hamming": 1, "Squared": true}, {}]}],
		"sets": [{"name": "a/b", "planted": {"N": 3}, "train": 20, "test": 10}]}`
	spec, err := ReadSpec(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := spec.Sweep(); err == nil || !strings.Contains(err.Error(), "two levels default") {
		t.Fatalf("error %v", err)
	}
	spec.Vary[0].Values = spec.Vary[0].Values[:2]
	s, err := spec.Sweep()
	if err != nil {
		t.Fatal(err)
	}
	table := runSweep(t, s)
	want := runSweep(t, Sweep{Methods: s.Methods, Sets: s.Sets, Factors: []Factor{Vary("Loss", nil, crankpkg.Loss{Hamming: 1, Squared: true})}})
	if got := table.Factors[0].Levels; !slices.Equal(got, []string{"default", "Hamming 1, Squared true"}) {
		t.Errorf("levels %q", got)
	}
	for k, r := range table.Rows {
		if r.Error != "" || r.Primal != want.Rows[k].Primal {
			t.Errorf("%+v, want %+v", r, want.Rows[k])
		}
	}
	if table.Rows[0].Primal == table.Rows[1].Primal {
		t.Error("the loss changes nothing")
	}
	cells, err := spec.Cells()
	if err != nil {
		t.Fatal(err)
	}
	row, err := new(CellRunner).Run(context.Background(), cells[1])
	if err != nil || row.Primal != table.Rows[1].Primal {
		t.Errorf("%+v, error %v", row, err)
	}
}

// FuzzSpec reads any text without a panic, or names one of its lines; what is a sweep has cells that are sweeps.
func FuzzSpec(f *testing.F) {
	f.Add(`{"methods": [{"method": "crank", "Beta": [1, 2]}], "vary": [{"field": "Loss.ZeroOne", "values": [1, null]}], "sets": ["yeast", {"planted": {}, "train": 1, "test": 1}], "seeds": 2, "splits": [1]}`)
	f.Add(`{"methods": [{"method": "full"}], "design": "random", "draws": 3, "sets": ["flags"], "select": {"rule": true}, "budget": "1s"}`)
	f.Add(`{"methods": [{"method": "full", "Loss": {"Hamming": 1}}], "vary": [{"field": "Loss", "values": [{"ZeroOne": 1}]}], "sets": ["flags"]}]`)
	f.Fuzz(func(t *testing.T, text string) {
		spec, err := ReadSpec(strings.NewReader(text))
		if err != nil {
			line := 0
			if _, after, found := strings.Cut(err.Error(), "sweep: line "); !found {
				t.Error(err)
			} else if fmt.Sscan(strings.TrimSuffix(strings.Fields(after)[0], ":"), &line); line < 1 || line > 1+strings.Count(text, "\n") {
				t.Errorf("line %d of %q: %v", line, text, err)
			}
			return
		}
		if len(spec.Seeds)*max(1, len(spec.Splits))*len(spec.Methods)*len(spec.Sets) > 1000 || spec.Draws > 100 {
			return
		}
		grid := 1
		for _, v := range spec.Vary {
			grid *= max(1, min(len(v.Values), 1000))
			if grid > 1000 {
				return
			}
		}
		cells, err := spec.Cells()
		if err != nil {
			return
		}
		if len(cells) > 0 {
			if _, err := cells[len(cells)-1].Spec.Sweep(); err != nil {
				t.Error(err)
			}
		}
	})
}
