package experiment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/crossval"
	"github.com/crank-ml/crank/crankpkg/internal/parallel"
	"github.com/crank-ml/crank/crankpkg/trainstore"
)

// Design is a choice among the combinations of the levels of factors.
type Design string

// The designs.
const (
	// FullGrid has all combinations.
	FullGrid Design = ""
	// OneAtATime has the base, the first level of each factor, and what differs from it in
	// one factor.
	OneAtATime Design = "one"
	// RandomDraws has so many different combinations, drawn at random, as Draws says.
	RandomDraws Design = "random"
)

// Sweep trains methods at many settings, on sets, with seeds and on splits of the examples:
// one cell for each combination, a row of the table each. Its zero fields mean the documented
// defaults.
//
//	table, err := experiment.Sweep{
//		Methods: []crankpkg.Trainer{crankpkg.CRANK{}},
//		Factors: []experiment.Factor{experiment.Vary("Restarts", 1, 10)},
//		Sets:    experiment.NamedSets("emotions", "yeast"),
//		Seeds:   experiment.Seeds(10),
//		Select:  &crossval.Search{},
//	}.Run(ctx)
//
// The measures of a cell depend on nothing but the cell: neither on the others, nor on
// the machine (of one class of processors), the number of workers, or on whether the work was
// cut. With a store (see package trainstore), cells and trainings that were ever done come
// back at once, also in another sweep.
type Sweep struct {
	// Methods are what the factors change. They have different names; see
	// crankpkg.Named. Several are a factor of their own, "method".
	Methods []crankpkg.Trainer
	Factors []Factor
	Design  Design
	// Draws is the number of combinations of RandomDraws, and DrawSeed determines them.
	Draws    int
	DrawSeed uint64
	Sets     []Set
	// Seeds are given to the sets' Load and, as Settings.Seed, to the trainers. Empty means
	// the seed 1 alone.
	Seeds []uint64
	// Splits are numbers of random splits: each divides the training and test examples of a
	// set anew, the share TrainShare of them for training. Empty means as the set has them.
	Splits []uint64
	// TrainShare zero means the share that the set has.
	TrainShare float64
	// Select, where not nil, chooses lambda (and scaling) anew in each cell, as in an
	// Experiment. With ChooseRule it chooses a rule of decision with them.
	Select     *crossval.Search
	ChooseRule bool
	// Store keeps cells and trainings. Nil means that of the context or environment, which in
	// a notebook is the user's cache.
	Store *trainstore.Store
	// Budget bounds the time of Run. What is done until then is in the table: seeds and splits
	// are taken one after the other, so that comparisons within each are whole. Zero means
	// no bound.
	Budget time.Duration
	// Workers bounds the number of cells at a time. Zero means all processors.
	Workers int
	// Progress, where not nil, is told of each cell that ends, from one goroutine at a time.
	Progress func(Progress)
	// KeptOnly computes nothing: the table has the cells that the store has.
	KeptOnly bool
	// Part and Parts, where Parts is not zero, run the cells Part, Part + Parts, ... of those
	// numbered from 0: the sweep then is shared by several programs.
	Part, Parts int

	last     *lastData // where not nil, of the CellRunner
	lastName string    // of its set
}

// Seeds returns the seeds 1 to n.
func Seeds(n int) []uint64 {
	seeds := make([]uint64, max(0, n))
	for k := range seeds {
		seeds[k] = uint64(k) + 1
	}
	return seeds
}

// setting is a combination of levels, one of each factor.
type setting []int

// point is a cell that is wanted.
type point struct {
	number  int // from 0
	set     Set
	seed    uint64
	split   uint64 // 0: as the set has it
	method  int
	setting setting
	trainer crankpkg.Trainer
}

// Run computes the cells. A cell that fails is a row with its error. When ctx ends the work,
// Run returns the rows that are there and an error that wraps ctx.Err(); when the Budget is
// over, the rows and a note.
func (s Sweep) Run(ctx context.Context) (*SweepTable, error) {
	points, table, err := s.plan()
	if err != nil {
		return nil, err
	}
	if s.Store != nil {
		ctx = trainstore.In(ctx, s.Store)
	} else if s.Store, err = trainstore.Of(ctx); err != nil {
		return nil, err
	}
	within, cancel := ctx, context.CancelFunc(func() {})
	if s.Budget > 0 {
		within, cancel = context.WithTimeout(ctx, s.Budget)
	}
	defer cancel()
	rows, truth, err := s.compute(within, points)
	for k, row := range rows {
		if row != nil {
			table.Rows = append(table.Rows, *row)
		} else if s.Parts == 0 || points[k].number%s.Parts == s.Part {
			table.Missing++
		}
	}
	table.keepShared(truth)
	table.note(points)
	switch {
	case err == nil:
		return table, nil
	case ctx.Err() != nil:
		return table, fmt.Errorf("sweep: %w", parallel.Cause(ctx))
	case within.Err() != nil:
		table.Notes = append(table.Notes, fmt.Sprintf("the budget of %v was over after %d of %d cells", s.Budget, len(table.Rows), len(points)))
		return table, nil
	}
	return table, err
}

// complete checks the fields and fills in the defaults.
func (s *Sweep) complete() error {
	if len(s.Sets) == 0 || len(s.Methods) == 0 {
		empty := "methods"
		if len(s.Methods) > 0 {
			empty = "sets"
		}
		return inField(empty, fmt.Errorf("%w: a sweep of %d methods on %d sets", crankpkg.ErrSettings, len(s.Methods), len(s.Sets)))
	}
	// What an Experiment asks of sets, trainers and seeds is asked here, too.
	e := Experiment{Sets: s.Sets, Trainers: s.Methods, Seeds: s.Seeds, Workers: s.Workers}
	if err := e.complete(); err != nil {
		return err
	}
	s.Seeds, s.Workers = e.Seeds, e.Workers
	names := map[string]bool{"set": true, "method": true, "seed": true, "split": true}
	for k, f := range s.Factors {
		at := itemPath("vary", k)
		if err := f.check(); err != nil {
			return inField(at, err)
		}
		for _, other := range s.Factors[:k] {
			if f.Name != other.Name && f.overlaps(&other) {
				return inField(at+".field", fmt.Errorf("%w: the factors %s and %s set the same", crankpkg.ErrSettings, other.Name, f.Name))
			}
		}
		switch {
		case s.overridden(f.Name) != "":
			return inField(at+".field", fmt.Errorf("%w: %s", crankpkg.ErrSettings, s.overridden(f.Name)))
		case names[f.Name]:
			return inField(at+".field", fmt.Errorf("%w: two factors are called %s", crankpkg.ErrSettings, f.Name))
		}
		names[f.Name] = true
	}
	switch {
	case s.Design != FullGrid && s.Design != OneAtATime && s.Design != RandomDraws:
		return inField("design", fmt.Errorf("%w: there is no design %q", crankpkg.ErrSettings, string(s.Design)))
	case s.Design == RandomDraws && s.Draws <= 0:
		return inField("draws", fmt.Errorf("%w: %d random draws", crankpkg.ErrSettings, s.Draws))
	case s.Design != RandomDraws && (s.Draws != 0 || s.DrawSeed != 0):
		field := "draws"
		if s.Draws == 0 {
			field = "draw_seed"
		}
		return inField(field, fmt.Errorf("%w: Draws or DrawSeed in a design that draws nothing: RandomDraws does", crankpkg.ErrSettings))
	case s.TrainShare != 0 && len(s.Splits) == 0:
		return inField("train_share", fmt.Errorf("%w: TrainShare %v without Splits, which it is the share of", crankpkg.ErrSettings, s.TrainShare))
	case s.TrainShare != 0 && !(s.TrainShare > 0 && s.TrainShare < 1):
		return inField("train_share", fmt.Errorf("%w: TrainShare %v is not between 0 and 1", crankpkg.ErrSettings, s.TrainShare))
	case s.Parts < 0 || s.Part < 0 || s.Part >= max(1, s.Parts):
		return fmt.Errorf("%w: part %d of %d", crankpkg.ErrSettings, s.Part, s.Parts)
	case s.Budget < 0:
		return inField("budget", fmt.Errorf("%w: Budget %v is negative", crankpkg.ErrSettings, s.Budget))
	case s.ChooseRule && s.Select == nil:
		return fmt.Errorf("%w: ChooseRule without Select", crankpkg.ErrSettings)
	case slices.Contains(s.Splits, 0):
		return inField(itemPath("splits", slices.Index(s.Splits, 0)), fmt.Errorf("%w: splits are numbered from 1", crankpkg.ErrSettings))
	case firstTwice(s.Splits) >= 0:
		k := firstTwice(s.Splits)
		return inField(itemPath("splits", k), fmt.Errorf("%w: the split %d occurs twice", crankpkg.ErrSettings, s.Splits[k]))
	case s.size() > mostCells:
		return fmt.Errorf("%w: %.3g cells; there are at most %d: RandomDraws takes some of them", crankpkg.ErrSettings, s.size(), mostCells)
	}
	if err := s.checkLosses(); err != nil {
		return err
	}
	return s.checkSelect()
}

// firstTwice returns the position of the first number that occurs before, too; -1: there is none.
func firstTwice(numbers []uint64) int {
	seen := map[uint64]bool{}
	for k, v := range numbers {
		if seen[v] {
			return k
		}
		seen[v] = true
	}
	return -1
}

// checkLosses returns an error where no cell could train a method with its Loss. Where a factor may change that, each cell tells
// for itself.
func (s *Sweep) checkLosses() error {
	whole := Vary("Loss")
	if slices.ContainsFunc(s.Factors, func(f Factor) bool { return f.field == "" || f.overlaps(&whole) }) {
		return nil
	}
	for k, t := range s.Methods {
		var loss crankpkg.Loss
		crankpkg.Adjust(t, func(set *crankpkg.Settings) { loss = set.Loss })
		if err := loss.Validate(); err != nil {
			return inField(joinPath(itemPath("methods", k), "Loss"), fmt.Errorf("%s: %w", t.Name(), err))
		}
	}
	return nil
}

// checkSelect returns an error where no cell could choose its lambda.
func (s *Sweep) checkSelect() error {
	if s.Select == nil {
		return nil
	}
	if s.ChooseRule && (s.Select.Repeats > 1 || s.Select.OneStandardError) {
		return inField("select.rule", fmt.Errorf("%w: ChooseRule with Repeats or OneStandardError", crankpkg.ErrSettings))
	}
	for _, t := range s.Methods {
		cv := *s.Select
		cv.Trainer, _ = crankpkg.Adjust(t, func(set *crankpkg.Settings) { set.Loss = crankpkg.Loss{} }) // see checkLosses
		if err := cv.Validate(); err != nil {
			return inField("select", wrongField(cv, err))
		}
	}
	return nil
}

// wrongField is the error of the first field of a choice of lambda that is wrong by itself, or what is wrong with all
// together.
func wrongField(cv crossval.Search, together error) error {
	for _, alone := range []struct {
		field string
		crossval.Search
	}{
		{"lambdas", crossval.Search{Lambdas: cv.Lambdas}}, {"scalings", crossval.Search{Scalings: cv.Scalings}}, {"folds", crossval.Search{Folds: cv.Folds}},
		{"repeats", crossval.Search{Repeats: cv.Repeats}}, {"stratify", crossval.Search{Stratify: cv.Stratify}}, {"measure", crossval.Search{Criterion: cv.Criterion}},
		{"gap", crossval.Search{Gap: cv.Gap}},
	} {
		alone.Trainer = cv.Trainer
		if err := alone.Validate(); err != nil {
			return inField(alone.field, err)
		}
	}
	return together
}

// mostCells bounds the cells of a sweep, all of which are listed before the first is trained.
const mostCells = 1_000_000

// size returns the number of cells.
func (s *Sweep) size() float64 {
	settings, others := 1.0, 1
	for _, f := range s.Factors {
		settings *= float64(len(f.Levels))
		others += len(f.Levels) - 1
	}
	switch s.Design {
	case OneAtATime:
		settings = float64(others)
	case RandomDraws:
		settings = min(settings, float64(s.Draws))
	}
	return settings * float64(len(s.Seeds)*max(1, len(s.Splits))*len(s.Sets)*len(s.Methods))
}

// overridden says why to vary a field would change nothing; empty: it would.
func (s *Sweep) overridden(field string) string {
	switch field = strings.TrimPrefix(field, "Settings."); {
	case field == "Seed":
		return "the seed of each cell is one of Seeds: vary these"
	case field == "Workers":
		return "Workers changes no result"
	case field == "Lambda" && s.Select != nil:
		return "Lambda is given, and Select chooses it"
	case field == "Scaling" && s.Select != nil && len(s.Select.Scalings) > 0:
		return "Scaling is given, and Select chooses it"
	}
	return ""
}

// plan lists the cells, with their trainers, and returns the table without rows.
func (s *Sweep) plan() ([]*point, *SweepTable, error) {
	if err := s.complete(); err != nil {
		return nil, nil, err
	}
	table := &SweepTable{Seeds: s.Seeds, Splits: s.Splits}
	for _, t := range s.Methods {
		table.Methods = append(table.Methods, t.Name())
	}
	for _, set := range s.Sets {
		table.Sets = append(table.Sets, set.Name)
		if set.Draws {
			table.Draws = append(table.Draws, set.Name)
		}
	}
	for _, f := range s.Factors {
		column := Column{Name: f.Name}
		for _, l := range f.Levels {
			column.Levels = append(column.Levels, l.Label)
		}
		table.Factors = append(table.Factors, column)
	}
	settings := s.settings()
	splits := s.Splits
	if len(splits) == 0 {
		splits = []uint64{0}
	}
	var points []*point
	for _, seed := range s.Seeds {
		for _, split := range splits {
			for _, set := range s.Sets {
				for method, base := range s.Methods {
					for _, chosen := range settings {
						t, err := s.trainer(base, set, chosen)
						if err != nil {
							return nil, nil, err
						}
						points = append(points, &point{number: len(points), set: set, seed: seed, split: split, method: method, setting: chosen, trainer: t})
					}
				}
			}
		}
	}
	table.Cells = len(points)
	return points, table, nil
}

// trainer returns a method at a setting, for a set.
func (s *Sweep) trainer(t crankpkg.Trainer, set Set, chosen setting) (crankpkg.Trainer, error) {
	if set.Prepare != nil {
		t = set.Prepare(t)
	}
	for f, level := range chosen {
		var err error
		if t, err = s.Factors[f].Levels[level].Apply(t); err != nil {
			at := itemPath("vary", f)
			if noField := new(unknownField); errors.As(err, noField) {
				return nil, inField(at+".field", err)
			}
			return nil, inField(itemPath(at+".values", level), err)
		}
	}
	return t, nil
}

// settings returns the combinations of levels of the design. The first is the base, but for
// random draws.
func (s *Sweep) settings() []setting {
	base := make(setting, len(s.Factors))
	switch s.Design {
	case OneAtATime:
		all := []setting{base}
		for f := range s.Factors {
			for level := 1; level < len(s.Factors[f].Levels); level++ {
				other := slices.Clone(base)
				other[f] = level
				all = append(all, other)
			}
		}
		return all
	case RandomDraws:
		return s.draw()
	}
	all := []setting{base}
	for f := len(s.Factors) - 1; f >= 0; f-- {
		var more []setting
		for level := range s.Factors[f].Levels {
			for _, rest := range all {
				other := slices.Clone(rest)
				other[f] = level
				more = append(more, other)
			}
		}
		all = more
	}
	return all
}

// draw returns different settings at random: all, in a random order, where there are not
// more than Draws.
func (s *Sweep) draw() []setting {
	size := 1.0
	for _, f := range s.Factors {
		size *= float64(len(f.Levels))
	}
	rng := rand.New(rand.NewPCG(s.DrawSeed, 0x5eed))
	seen := map[string]bool{}
	var all []setting
	for float64(len(all)) < min(float64(s.Draws), size) {
		next := make(setting, len(s.Factors))
		for f := range next {
			next[f] = rng.IntN(len(s.Factors[f].Levels))
		}
		if name := fmt.Sprint(next); !seen[name] {
			seen[name] = true
			all = append(all, next)
		}
	}
	return all
}

// describe names a cell in messages.
func (s *Sweep) describe(p *point) string {
	parts := []string{p.set.Name, s.Methods[p.method].Name()}
	for f, level := range p.setting {
		parts = append(parts, s.Factors[f].Name+" "+s.Factors[f].Levels[level].Label)
	}
	parts = append(parts, fmt.Sprintf("seed %d", p.seed))
	if p.split != 0 {
		parts = append(parts, fmt.Sprintf("split %d", p.split))
	}
	return strings.Join(parts, ", ")
}

// compute returns the rows of the points of this part, in their places, and labels of test sets. Within each seed and split, those
// with most work come first: the last cells to run then are short ones.
func (s *Sweep) compute(ctx context.Context, points []*point) ([]*Row, map[string][]byte, error) {
	rows := make([]*Row, len(points))
	var todo []*point
	for _, p := range points {
		if s.Parts == 0 || p.number%s.Parts == s.Part {
			todo = append(todo, p)
		}
	}
	data := newDataCache(s, todo)
	works := s.largestFirst(ctx, todo, data)
	workers := max(1, s.Workers/max(1, len(todo))) // inside of a cell
	var mu sync.Mutex
	var spent time.Duration // on cells that were not kept
	made, left := 0.0, 0.0  // their work, and that of the cells that have not ended
	for _, w := range works {
		left += w
	}
	group := parallel.Group{Workers: s.Workers, Progress: s.Progress, Left: func([]bool) time.Duration {
		mu.Lock()
		defer mu.Unlock()
		return time.Duration(float64(spent) * max(0, left) / cmp.Or(made, 1))
	}}
	err := group.Run(ctx, len(todo), func(k int) string {
		p, begin := todo[k], time.Now()
		row, fresh, err := s.cell(ctx, p, data, workers)
		mu.Lock()
		defer mu.Unlock()
		left -= works[k]
		if fresh {
			made, spent = made+works[k], spent+time.Since(begin)
		}
		switch {
		case errors.Is(err, errNotKept), err != nil && ctx.Err() != nil: // the row is missing
			return s.describe(p) + ": " + err.Error()
		case err != nil:
			row = s.newRow(p)
			row.Error = err.Error()
		}
		rows[p.number] = row
		if err != nil {
			return s.describe(p) + ": " + row.Error
		}
		return fmt.Sprintf("%s: %v", s.describe(p), row.Scores)
	})
	if err == nil && ctx.Err() != nil && slices.ContainsFunc(todo, func(p *point) bool { return rows[p.number] == nil }) {
		err = parallel.Cause(ctx)
	}
	return rows, data.truth, err
}

// largestFirst sorts the points within each seed and split, those with most work first, and returns their work: the same for all
// where it does not matter, or the data cannot be had.
func (s *Sweep) largestFirst(ctx context.Context, todo []*point, cache *dataCache) []float64 {
	ofSet, works := map[string]*cellData{}, map[*point]float64{}
	for _, p := range todo {
		works[p] = 1
		if s.KeptOnly || ctx.Err() != nil || len(todo) == 1 {
			continue
		}
		if _, tried := ofSet[p.set.Name]; !tried {
			ofSet[p.set.Name], _ = cache.get(p) // an error comes again with each of its cells
		}
		if data := ofSet[p.set.Name]; data != nil {
			works[p] = max(1, s.work(p, data))
		}
	}
	// Points come by seed, then split.
	for rest := todo; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].seed == rest[0].seed && rest[n].split == rest[0].split {
			n++
		}
		slices.SortStableFunc(rest[:n], func(a, b *point) int { return cmp.Compare(works[b], works[a]) })
		rest = rest[n:]
	}
	all := make([]float64, len(todo))
	for k, p := range todo {
		all[k] = works[p]
	}
	return all
}

// newRow returns the row of a cell without its outcome.
func (s *Sweep) newRow(p *point) *Row {
	row := &Row{Cell: p.number, Set: p.set.Name, Method: s.Methods[p.method].Name(), Seed: p.seed, Split: p.split}
	for f, level := range p.setting {
		row.Settings = append(row.Settings, s.Factors[f].Levels[level].Label)
	}
	return row
}
