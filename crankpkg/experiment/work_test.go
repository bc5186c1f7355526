package experiment

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/crossval"
)

// TestWork changes one thing at a time: the work of a cell grows with it, as the model says.
func TestWork(t *testing.T) {
	t.Parallel()
	three := []float64{1, 0.1, 0.01}
	base := Sweep{Methods: []crankpkg.Trainer{crankpkg.CRANK{Restarts: 1}}, Select: &crossval.Search{Lambdas: three, Folds: 3}}
	set := func(n, d, train int) Set { return PlantedSet("p", crankpkg.PlantedTree{N: n, D: d}, train, 10) }
	workOf := func(s Sweep) float64 {
		t.Helper()
		points, _, err := s.plan()
		if err != nil {
			t.Fatal(err)
		}
		data, err := loadCellData(points[0].set, 1)
		if err != nil {
			t.Fatal(err)
		}
		return s.work(points[len(points)-1], data)
	}
	base.Sets = []Set{set(4, 30, 20)}
	want := 20.0 * 4 * (float64(30) + 16*4) * (1 + 3*2)
	if got := workOf(base); got != want {
		t.Errorf("work %v, want %v", got, want)
	}
	for name, c := range map[string]struct {
		change func(*Sweep)
		factor float64
	}{
		"twice the rows":      {func(s *Sweep) { s.Sets = []Set{set(4, 30, 40)} }, 2},
		"twice the labels":    {func(s *Sweep) { s.Sets = []Set{set(8, 30, 20)} }, 2 * (30 + 128) / 94.0},
		"more features":       {func(s *Sweep) { s.Sets = []Set{set(4, 124, 20)} }, 2},
		"ten starts":          {func(s *Sweep) { s.Methods = []crankpkg.Trainer{crankpkg.CRANK{Restarts: 10}} }, 10},
		"ten by a factor":     {func(s *Sweep) { s.Factors = []Factor{Vary("Restarts", 1, 10)} }, 10},
		"ten of a pointer":    {func(s *Sweep) { s.Methods = []crankpkg.Trainer{ptr{&crankpkg.CRANK{Restarts: 10}}} }, 10},
		"ten by another name": {func(s *Sweep) { s.Methods = []crankpkg.Trainer{crankpkg.Named("x", crankpkg.CRANK{Restarts: 10})} }, 10},
		"swaps":               {func(s *Sweep) { s.Methods = []crankpkg.Trainer{crankpkg.CRANK{}} }, 3},
		"no starts":           {func(s *Sweep) { s.Methods = []crankpkg.Trainer{crankpkg.Empty{}} }, 1},
		"no choice":           {func(s *Sweep) { s.Select = nil }, 1 / 7.0},
		"six lambdas":         {func(s *Sweep) { s.Select = &crossval.Search{Lambdas: append(three, three...), Folds: 3} }, 13 / 7.0},
		"five folds":          {func(s *Sweep) { s.Select = &crossval.Search{Lambdas: three} }, 13 / 7.0},
		"twice":               {func(s *Sweep) { s.Select = &crossval.Search{Lambdas: three, Folds: 3, Repeats: 2} }, 13 / 7.0},
		"two scalings": {func(s *Sweep) {
			s.Select = &crossval.Search{Lambdas: three, Folds: 3, Scalings: []crankpkg.Scaling{crankpkg.ZScore, crankpkg.NoScaling}}
		}, 13 / 7.0},
		"half of the examples": {func(s *Sweep) { s.Splits, s.TrainShare = []uint64{1}, 0.5 }, 15.0 / 20},
	} {
		s := base
		c.change(&s)
		if got := workOf(s); !near(got/want, c.factor) {
			t.Errorf("%s: %v times the work, want %v", name, got/want, c.factor)
		}
	}
	for _, odd := range []crankpkg.Trainer{ptr{}, (*crankpkg.CRANK)(nil), crankpkg.CRANK{Restarts: -3}} {
		if got := starts(odd); got != 1 {
			t.Errorf("%#v has %v starts", odd, got)
		}
	}
	// Of sparse rows, what is not zero counts.
	train, _, err := crankpkg.LoadSplit("medical")
	if err != nil {
		t.Fatal(err)
	}
	n := float64(train.NumLabels())
	if got, want := (&cellData{train: train}).size(), n*(float64(len(train.X.Value))+16*n*float64(train.Len())); !near(got/want, 1) {
		t.Errorf("sparse: size %v, want %v", got, want)
	}
}

// ptr is a trainer of another package.
type ptr struct{ *crankpkg.CRANK }

func (p ptr) WithLambda(l float64) crankpkg.Trainer { return ptr{&crankpkg.CRANK{Lambda: l}} }

// order lists the cells in the order in which they have ended.
type order struct {
	mu    sync.Mutex
	cells []string
}

// TestLargestFirst runs cells of unequal work, one at a time: within each seed and split, those with most work come first, and the rows
// stay in their order. A set that cannot be loaded fails as before.
func TestLargestFirst(t *testing.T) {
	t.Parallel()
	var seen order
	s := Sweep{Methods: []crankpkg.Trainer{crankpkg.Empty{Lambda: 1}, crankpkg.CRANK{Lambda: 1, Restarts: 1}}, Workers: 1, Seeds: Seeds(2), Splits: []uint64{3, 1},
		Sets: []Set{PlantedSet("small", crankpkg.PlantedTree{N: 3}, 10, 10), PlantedSet("large", crankpkg.PlantedTree{N: 6}, 40, 10),
			{Name: "none", Load: func(uint64) (train, test *crankpkg.Dataset, err error) { return nil, nil, errors.New("no data") }}},
		Factors: []Factor{VaryFunc("starts", func(t crankpkg.Trainer, label string) crankpkg.Trainer {
			if c, ok := t.(crankpkg.CRANK); ok && label == "more" {
				c.Restarts = 2
				return c
			}
			return t
		}, "one", "more")},
		Progress: func(p Progress) {
			seen.mu.Lock()
			defer seen.mu.Unlock()
			seen.cells = append(seen.cells, p.Job[:strings.LastIndex(p.Job, ":")])
		}}
	table := runSweep(t, s)
	for k, r := range table.Rows {
		if r.Cell != k || (r.Error != "") != (r.Set == "none") {
			t.Errorf("row %d is %+v", k, r)
		}
	}
	var want []string
	for _, seed := range []int{1, 2} {
		for _, split := range []int{3, 1} {
			for _, cell := range []string{"large, CRANK, starts more", "large, Empty, starts one", "large, Empty, starts more", "large, CRANK, starts one",
				"small, CRANK, starts more", "small, Empty, starts one", "small, Empty, starts more", "small, CRANK, starts one",
				"none, Empty, starts one", "none, Empty, starts more", "none, CRANK, starts one", "none, CRANK, starts more"} {
				want = append(want, fmt.Sprintf("%s, seed %d, split %d", cell, seed, split))
			}
		}
	}
	for k, cell := range seen.cells {
		seen.cells[k], _, _ = strings.Cut(cell, ": ") // without what it has come to
	}
	if !slices.Equal(seen.cells, want) {
		t.Errorf("ran\n%s\nwant\n%s", strings.Join(seen.cells, "\n"), strings.Join(want, "\n"))
	}
}

// TestExperimentLargestFirst has the method with more starts first, on the set with more rows.
func TestExperimentLargestFirst(t *testing.T) {
	t.Parallel()
	var seen order
	_, err := Experiment{Trainers: []crankpkg.Trainer{crankpkg.CRANK{Lambda: 1, Restarts: 1}, crankpkg.Named("more", crankpkg.CRANK{Lambda: 1, Restarts: 2})}, Workers: 1,
		Sets:     []Set{PlantedSet("small", crankpkg.PlantedTree{N: 3}, 10, 10), PlantedSet("large", crankpkg.PlantedTree{N: 3}, 30, 10)},
		Progress: func(p Progress) { seen.cells = append(seen.cells, strings.Join(strings.Split(p.Job, ", ")[:2], " ")) }}.Run(context.Background())
	if want := "[large more large CRANK small more small CRANK]"; err != nil || fmt.Sprint(seen.cells) != want {
		t.Errorf("ran %q, error %v", seen.cells, err)
	}
}

// TestSizesOfCells compares the sizes in the lines of cells with the work that a run goes by.
func TestSizesOfCells(t *testing.T) {
	t.Parallel()
	spec, err := ReadSpec(strings.NewReader(`{"methods": [{"method": "crank"}], "vary": [{"field": "Restarts", "values": [1, 10]}], "sets": ["flags", "scene"],
		"select": {"lambdas": [0.1, 0.01], "folds": 2}}`))
	if err != nil {
		t.Fatal(err)
	}
	cells, err := spec.Cells()
	if err != nil {
		t.Fatal(err)
	}
	sizes := map[string]float64{}
	for _, c := range cells {
		sizes[fmt.Sprint(c.Spec.Sets[0].Name, c.Spec.Vary[0].Values[0])] = c.Size
	}
	if len(sizes) != 4 || !near(sizes["scene10"], 10*sizes["scene1"]) || !near(sizes["flags10"], 10*sizes["flags1"]) || !(sizes["scene1"] > 10*sizes["flags1"]) {
		t.Errorf("%v", sizes)
	}
}
