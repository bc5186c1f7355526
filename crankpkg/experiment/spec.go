package experiment

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/crossval"
	"github.com/crank-ml/crank/crankpkg/metrics"
)

// Spec is a Sweep as JSON: what a file can say. A cell of it is a Spec again, with one
// level of each factor, one set, one seed and one split, so that it can be sent anywhere.
type Spec struct {
	// Methods are objects with the method's name and its fields, as in
	// {"method": "crank", "Restarts": 3, "Scaling": "zscore"}; "name" gives it another one.
	Methods []map[string]any `json:"methods"`
	Vary    []SpecFactor     `json:"vary,omitempty"`
	Design  Design           `json:"design,omitempty"` // "": the full grid, "one" or "random"
	Draws   int              `json:"draws,omitempty"`
	// DrawSeed determines the random draws.
	DrawSeed uint64 `json:"draw_seed,omitempty"`
	// Sets are names of the catalog, or objects with planted trees.
	Sets []SpecSet `json:"sets"`
	// Seeds and Splits are lists, or a number n for 1 to n.
	Seeds      SpecNumbers `json:"seeds,omitempty"`
	Splits     SpecNumbers `json:"splits,omitempty"`
	TrainShare float64     `json:"train_share,omitempty"`
	// Select, where there, chooses lambda in each cell.
	Select *SpecSelect `json:"select,omitempty"`
	// Budget is a time such as "10m".
	Budget string `json:"budget,omitempty"`

	lines map[string]int // of the fields in the text, by their paths in lower case
}

// SpecFactor is a field and its values.
type SpecFactor struct {
	Field  string `json:"field"`
	Values []any  `json:"values"`
}

// SpecSet is the name of a set of the catalog, or a planted tree for each seed.
type SpecSet struct {
	Name string
	// Planted, where not nil, has the fields of crankpkg.PlantedTree; Train and Test are
	// the numbers of examples.
	Planted     *crankpkg.PlantedTree
	Train, Test int
}

// SpecNumbers are numbers above zero.
type SpecNumbers []uint64

// SpecSelect is a choice of lambda by cross-validation; see crossval.Search.
type SpecSelect struct {
	Lambdas          []float64          `json:"lambdas,omitempty"`
	Scalings         []crankpkg.Scaling `json:"scalings,omitempty"`
	Folds            int                `json:"folds,omitempty"`
	Repeats          int                `json:"repeats,omitempty"`
	Stratify         int                `json:"stratify,omitempty"`
	Measure          string             `json:"measure,omitempty"`
	OneStandardError bool               `json:"one_standard_error,omitempty"`
	Gap              float64            `json:"gap,omitempty"`
	Seed             uint64             `json:"seed,omitempty"`
	// Rule chooses a rule of decision, too.
	Rule bool `json:"rule,omitempty"`
}

// SpecCell is a cell of a Spec by itself.
type SpecCell struct {
	Cell int `json:"cell"` // its number
	// Size is roughly the work of the cell, in no unit: it grows with the examples, features and labels, the starts,
	// and the lambdas and folds to choose from. It is 0 where the data are not at hand.
	Size float64 `json:"size,omitempty"`
	Spec Spec    `json:"spec"` // of this cell alone
}

// MethodNamed returns the method of a name, as crank, empty, full, greedy, project, mst,
// chow-liu, best-tree or swap-search, with its defaults.
func MethodNamed(name string) (crankpkg.Trainer, error) {
	t, ok := methodsByName[strings.ToLower(name)]
	if !ok {
		return nil, fmt.Errorf("%w: there is no method %q; there are %s", crankpkg.ErrSettings, name,
			strings.Join(slices.Sorted(maps.Keys(methodsByName)), ", "))
	}
	return t, nil
}

var methodsByName = map[string]crankpkg.Trainer{
	"crank": crankpkg.CRANK{}, "empty": crankpkg.Empty{}, "full": crankpkg.Full{}, "greedy": crankpkg.Greedy{}, "project": crankpkg.Project{},
	"mst": crankpkg.MST{}, "chow-liu": crankpkg.ChowLiu{}, "best-tree": crankpkg.BestTree{}, "swap-search": crankpkg.SwapSearch{},
}

// ReadSpec reads a Spec. The error wraps ErrFormat and says line and field.
func ReadSpec(r io.Reader) (*Spec, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("crankpkg: sweep: %w", err)
	}
	s := new(Spec)
	if s.lines, err = readSpecText(text, s); err != nil {
		return nil, fmt.Errorf("%w: sweep: %w", crankpkg.ErrFormat, err)
	}
	return s, nil
}

// Sweep returns what s says. The error wraps ErrSettings and says the field, and the line
// where s was read.
func (s *Spec) Sweep() (Sweep, error) {
	w, err := s.sweep()
	if err != nil {
		return w, s.place(err)
	}
	return w, nil
}

// sweep is Sweep with errors that say the field alone.
func (s *Spec) sweep() (Sweep, error) {
	w := Sweep{Design: s.Design, Draws: s.Draws, DrawSeed: s.DrawSeed, Seeds: s.Seeds, Splits: s.Splits, TrainShare: s.TrainShare}
	for k, fields := range s.Methods {
		t, err := methodOf(fields)
		if err != nil {
			return w, inField(itemPath("methods", k), err)
		}
		w.Methods = append(w.Methods, t)
	}
	for _, f := range s.Vary {
		w.Factors = append(w.Factors, Vary(f.Field, f.Values...))
	}
	for k, set := range s.Sets {
		loaded, err := set.set()
		if err != nil {
			return w, inField(itemPath("sets", k), err)
		}
		w.Sets = append(w.Sets, loaded)
	}
	if s.Budget != "" {
		budget, err := time.ParseDuration(s.Budget)
		if err != nil {
			return w, inField("budget", fmt.Errorf("%w: budget %q is no time such as 10m", crankpkg.ErrSettings, s.Budget))
		}
		w.Budget = budget
	}
	if c := s.Select; c != nil {
		w.Select = &crossval.Search{Lambdas: c.Lambdas, Folds: c.Folds, Repeats: c.Repeats, Stratify: c.Stratify,
			Criterion: metrics.Measure(c.Measure), OneStandardError: c.OneStandardError, Gap: c.Gap, Seed: c.Seed}
		w.ChooseRule = c.Rule
		for _, scaling := range c.Scalings {
			if scaling == "none" { // as in a method
				scaling = crankpkg.NoScaling
			}
			w.Select.Scalings = append(w.Select.Scalings, scaling)
		}
	}
	for k, fields := range s.Methods {
		for field := range fields {
			if why := w.overridden(field); why != "" {
				return w, inField(joinPath(itemPath("methods", k), field), fmt.Errorf("%w: %s: %s", crankpkg.ErrSettings, w.Methods[k].Name(), why))
			}
		}
	}
	_, _, err := w.plan() // w is a copy: what it fills in stays out
	return w, err
}

// methodOf returns a method with its fields set.
func methodOf(fields map[string]any) (crankpkg.Trainer, error) {
	name, ok := fields["method"].(string)
	if !ok {
		return nil, inField("method", fmt.Errorf("%w: a method without its name, as in {\"method\": \"crank\"}", crankpkg.ErrSettings))
	}
	t, err := MethodNamed(name)
	if err != nil {
		return nil, inField("method", err)
	}
	var before []Factor
	for _, field := range slices.Sorted(maps.Keys(fields)) {
		if field == "method" || field == "name" {
			continue
		}
		f := Vary(field)
		for _, other := range before {
			if f.overlaps(&other) {
				return nil, inField(field, fmt.Errorf("%w: %s: %s and %s set the same", crankpkg.ErrSettings, name, other.Name, field))
			}
		}
		before = append(before, f)
		if t, err = SetField(t, field, fields[field]); err != nil {
			return nil, inField(field, err)
		}
	}
	if other, ok := fields["name"]; ok {
		text, ok := other.(string)
		if text == "" && ok {
			return nil, inField("name", fmt.Errorf("%w: the name of %s is empty", crankpkg.ErrSettings, name))
		}
		if !ok {
			return nil, inField("name", fmt.Errorf("%w: the name of %s is %v, no text", crankpkg.ErrSettings, name, other))
		}
		t = crankpkg.Named(text, t)
	}
	return t, nil
}

func (s SpecSet) set() (Set, error) {
	name := s.Name
	if name == "" {
		name = "planted"
	}
	wrong := func(field, format string, values ...any) (Set, error) {
		return Set{}, inField(field, fmt.Errorf("%w: "+format, append([]any{crankpkg.ErrSettings}, values...)...))
	}
	p := s.Planted
	if p == nil {
		switch {
		case s.Name == "":
			return wrong("name", "a set without a name")
		case !slices.Contains(crankpkg.CatalogNames(), s.Name):
			return wrong("name", "there is no set %q; there are %s", s.Name, strings.Join(crankpkg.CatalogNames(), ", "))
		case s.Train != 0 || s.Test != 0:
			return wrong("planted", "the set %s with numbers of examples, which planted sets have", s.Name)
		}
		return Set{Name: s.Name}, nil
	}
	labels := p.N
	if labels == 0 {
		labels = 10
	}
	switch {
	case s.Train < 1 || s.Train > 1e7:
		return wrong("train", "planted set %s with %d examples", name, s.Train)
	case s.Test < 1 || s.Test > 1e7:
		return wrong("test", "planted set %s with %d examples to test", name, s.Test)
	case p.N < 0 || p.N > 1e4:
		return wrong("planted.N", "planted set %s with %d labels", name, p.N)
	case p.D < 0 || p.D > 1e5:
		return wrong("planted.D", "planted set %s with %d features", name, p.D)
	case p.Removed < 0 || p.Removed >= labels:
		return wrong("planted.Removed", "planted set %s: Removed %d of %d labels", name, p.Removed, labels)
	case !(p.Noise >= 0 && p.Noise <= 1):
		return wrong("planted.Noise", "planted set %s: Noise %v is no probability", name, p.Noise)
	case math.IsNaN(p.UnaryScale) || math.IsInf(p.UnaryScale, 0):
		return wrong("planted.UnaryScale", "planted set %s: UnaryScale %v", name, p.UnaryScale)
	case math.IsNaN(p.PairScale) || math.IsInf(p.PairScale, 0):
		return wrong("planted.PairScale", "planted set %s: PairScale %v", name, p.PairScale)
	case p.Seed != 0:
		return wrong("planted.Seed", "planted set %s: the seed of each cell is one of seeds: vary these", name)
	}
	return PlantedSet(name, *p, s.Train, s.Test), nil
}

// specSetObject is a SpecSet as an object.
type specSetObject struct {
	Name    string                `json:"name"`
	Planted *crankpkg.PlantedTree `json:"planted"`
	Train   int                   `json:"train"`
	Test    int                   `json:"test"`
}

func (o specSetObject) set() SpecSet { return SpecSet(o) }

// UnmarshalJSON reads a name, or an object.
func (s *SpecSet) UnmarshalJSON(data []byte) error {
	if json.Unmarshal(data, &s.Name) == nil {
		return nil
	}
	var object specSetObject
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&object); err != nil {
		return fmt.Errorf("a set is a name or an object with planted, train and test: %w", err)
	}
	*s = object.set()
	return nil
}

// MarshalJSON writes what UnmarshalJSON reads.
func (s SpecSet) MarshalJSON() ([]byte, error) {
	if s.Planted == nil {
		return json.Marshal(s.Name)
	}
	return json.Marshal(specSetObject(s))
}

// UnmarshalJSON reads a list, or a number n for 1 to n.
func (n *SpecNumbers) UnmarshalJSON(data []byte) error {
	var most int
	if json.Unmarshal(data, &most) == nil && !bytes.HasPrefix(bytes.TrimSpace(data), []byte("null")) {
		if most < 1 || most > 1e6 {
			return fmt.Errorf("%d seeds or splits", most)
		}
		*n = Seeds(most)
		return nil
	}
	var list []uint64
	if err := json.Unmarshal(data, &list); err != nil {
		return fmt.Errorf("seeds and splits are a number or a list of numbers: %w", err)
	}
	*n = list
	return nil
}

// Cells returns every cell of s by itself, in their order.
func (s *Spec) Cells() ([]SpecCell, error) {
	w, err := s.Sweep()
	if err != nil {
		return nil, err
	}
	points, _, err := w.plan()
	if err != nil {
		return nil, err
	}
	cells := make([]SpecCell, len(points))
	ofSet := map[string]*cellData{}
	for _, set := range w.Sets {
		if data, err := loadCellData(set, points[0].seed); err == nil {
			ofSet[set.Name] = data
		}
	}
	for k, p := range points {
		one := Spec{ // the design, draws and budget have done their part
			Methods: []map[string]any{s.Methods[p.method]}, Seeds: []uint64{p.seed}, TrainShare: s.TrainShare, Select: s.Select}
		if p.split != 0 {
			one.Splits = []uint64{p.split}
		}
		for _, set := range s.Sets {
			if loaded, err := set.set(); err == nil && loaded.Name == p.set.Name {
				one.Sets = []SpecSet{set}
			}
		}
		for f, level := range p.setting {
			one.Vary = append(one.Vary, SpecFactor{s.Vary[f].Field, s.Vary[f].Values[level : level+1]})
		}
		size := 0.0
		if data := ofSet[p.set.Name]; data != nil {
			size = w.work(p, data)
		}
		cells[k] = SpecCell{p.number, size, one}
	}
	return cells, nil
}

// CellRunner computes cells, one after the other, and keeps the data of the last one for the
// next: cells of one sweep mostly have the same.
type CellRunner struct {
	Workers int // goroutines; 0: all processors
	last    lastData
}

// lastData is the data of a cell that was computed last.
type lastData struct {
	name string // of the set, with all that determines the data
	data *cellData
}

// Run computes a cell. One that fails is a row with its error; the error is for a cell that
// makes no sense, or the end of ctx.
func (r *CellRunner) Run(ctx context.Context, c SpecCell) (*Row, error) {
	s, err := c.Spec.Sweep()
	if err != nil {
		return nil, err
	}
	if points, _, err := s.plan(); err != nil || len(points) != 1 {
		return nil, errors.Join(err, fmt.Errorf("%w: a cell of %d cells", crankpkg.ErrFormat, len(points)))
	}
	s.Workers, s.last = r.Workers, &r.last
	if set, err := json.Marshal(c.Spec.Sets); err == nil {
		s.lastName = string(set)
	}
	table, err := s.Run(ctx)
	if err != nil {
		return nil, err
	}
	if len(table.Rows) != 1 {
		return nil, fmt.Errorf("%w: a cell with a budget, which is over", crankpkg.ErrFormat)
	}
	row := table.Rows[0]
	row.Cell = c.Cell
	return &row, nil
}
