package experiment

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/metrics"
	"github.com/crank-ml/crank/crankpkg/significance"
)

// Effects returns the main effect of every level of every factor on a measure: what it gains over
// the first level, all else equal. Several methods are the factor "method". Differences are paired
// by set, seed and split, and averaged over the other factors. On each set they are tested by what its seeds,
// or splits, draw anew (see package significance): examples of their own, parts of the same
// examples, or nothing but the training's chances, where the examples of the one test set are a sample, too. Several
// sets are taken as they are: the effect is the mean of theirs. Corrected is for all effects that come
// back together.
func (t *SweepTable) Effects(m metrics.Measure) []Effect { return t.effects(measured(m), "") }

// EffectsOn returns the effects on one set alone.
func (t *SweepTable) EffectsOn(set string, m metrics.Measure) []Effect {
	return t.effects(measured(m), set)
}

// EffectsOf returns the effects on any value of a row, such as its objective or the logarithm of its
// passes, on one set alone or, with an empty name, on all as Effects has them. On one test set it is
// tested over the seeds.
func (t *SweepTable) EffectsOf(set string, value func(*Row) float64) []Effect {
	return t.effects(quantity{of: value}, set)
}

// quantity is what is compared: a value of a row, and the measure that it is, if it is one.
type quantity struct {
	of      func(*Row) float64
	measure metrics.Measure
}

func measured(m metrics.Measure) quantity {
	return quantity{func(r *Row) float64 { return r.Scores.Of(m) }, m}
}

func (t *SweepTable) effects(q quantity, set string) []Effect {
	var all []Effect
	for _, f := range t.varied() {
		for _, level := range f.Levels[1:] {
			e := t.compare(q, set, f.Name, f.Levels[0], level)
			if e.N > 0 {
				all = append(all, e)
			}
		}
	}
	return Family(all)
}

// varied returns the factors of more than one level, the method among them.
func (t *SweepTable) varied() []Column {
	var all []Column
	for _, f := range append([]Column{{"method", t.Methods}}, t.Factors...) {
		if len(f.Levels) > 1 {
			all = append(all, f)
		}
	}
	return all
}

// Compare returns the effect of a level of a factor against another one. It returns an error
// that wraps ErrSettings where the table has no such factor or level, or no pair of cells.
func (t *SweepTable) Compare(m metrics.Measure, factor, base, level string) (Effect, error) {
	if !m.Valid() {
		return Effect{}, fmt.Errorf("%w: no measure is called %q", crankpkg.ErrSettings, string(m))
	}
	var names []string
	for _, f := range t.varied() {
		names = append(names, f.Name)
		if f.Name != factor {
			continue
		}
		for _, l := range []string{base, level} {
			if !slices.Contains(f.Levels, l) {
				return Effect{}, fmt.Errorf("%w: %s has no level %s; there are %s", crankpkg.ErrSettings, factor, l, strings.Join(f.Levels, ", "))
			}
		}
		e := t.compare(measured(m), "", factor, base, level)
		if e.N == 0 {
			return e, fmt.Errorf("%w: no cells with %s %s and %s that differ in nothing else", crankpkg.ErrSettings, factor, base, level)
		}
		return Family([]Effect{e})[0], nil
	}
	return Effect{}, fmt.Errorf("%w: no factor %s is varied; there are %s", crankpkg.ErrSettings, factor, strings.Join(names, ", "))
}

// block is what cells are compared within.
type block struct {
	set         string
	seed, split uint64
}

func (t *SweepTable) compare(q quantity, set, factor, base, level string) Effect {
	effect := Effect{Label: fmt.Sprintf("%s %s - %s", factor, level, base)}
	if set != "" {
		effect.Label = set + ": " + effect.Label
	}
	var each []metrics.Difference
	var pooled []float64
	allDrawn := true
	for _, name := range t.Sets {
		if set != "" && set != name {
			continue
		}
		pairs := t.pairs(name, factor, base, level)
		if len(pairs) == 0 {
			continue
		}
		drawn := slices.Contains(t.Draws, name) && len(t.Splits) == 0
		d := differencesOf(pairs, q.of)
		each, pooled, allDrawn = append(each, d.test(t, q.measure, drawn)), append(pooled, d.values...), allDrawn && drawn
	}
	switch {
	case len(each) == 1:
		effect.Difference = each[0]
	case len(each) > 1 && allDrawn:
		effect.Difference = significance.PairedT(pooled, 0)
	case len(each) > 1:
		effect.Difference = overSets(each)
	}
	return effect
}

// pairs returns the cells of a set that differ in a factor alone, by seed, or by split where there are splits.
func (t *SweepTable) pairs(set, factor, base, level string) map[uint64][]pair {
	type place struct {
		by   uint64
		rest string
	}
	found := map[place]*pair{}
	var order []place
	for k := range t.Rows {
		r := &t.Rows[k]
		l := t.Of(r, factor)
		if r.Error != "" || r.Set != set || l != base && l != level {
			continue
		}
		at := place{r.Seed, t.rest(r, factor)}
		if r.Split != 0 {
			at = place{r.Split, fmt.Sprint(r.Seed) + at.rest}
		}
		if found[at] == nil {
			found[at] = &pair{}
			order = append(order, at)
		}
		if l == base {
			found[at].a = r
		} else {
			found[at].b = r
		}
	}
	pairs := map[uint64][]pair{}
	for _, at := range order {
		if p := found[at]; p.a != nil && p.b != nil {
			pairs[at.by] = append(pairs[at.by], *p)
		}
	}
	return pairs
}

// rest names the other factors of a row.
func (t *SweepTable) rest(r *Row, factor string) string {
	parts := slices.Clone(r.Settings)
	for f, column := range t.Factors {
		if column.Name == factor {
			parts[f] = ""
		}
	}
	if factor != "method" {
		parts = append(parts, r.Method)
	}
	return fmt.Sprintf("%q", parts)
}

// Share is a part of the variance of a measure.
type Share struct {
	// Factors is the factor whose main effect this is, or the two whose interaction.
	Factors []string
	// Of is its share, from 0 to 1, of the variance between the settings within a set, seed and split.
	Of float64
}

// Importance divides the variance of a measure between the settings, within each set, seed and
// split: main effects first, the largest on top, then the interactions of two factors, then, with
// no factors, what is left: higher interactions, and what settings do in one block and
// not in the others, noise included. It takes the blocks of which all cells of a full grid
// are there, and returns an error that wraps ErrSettings where there are none.
func (t *SweepTable) Importance(m metrics.Measure) ([]Share, error) {
	if !m.Valid() {
		return nil, fmt.Errorf("%w: no measure is called %q", crankpkg.ErrSettings, string(m))
	}
	factors := t.varied()
	size := 1
	for _, f := range factors {
		size *= len(f.Levels)
	}
	blocks := t.wholeBlocks(size)
	if len(blocks) == 0 || size < 2 {
		return nil, fmt.Errorf("%w: the importance of settings takes a full grid, of %d cells for each set, seed and split", crankpkg.ErrSettings, size)
	}
	// Centred within its block, a value tells what the setting does.
	var rows []*Row
	var values []float64
	var total float64
	for _, b := range blocks {
		var mean float64
		for _, r := range b {
			mean += r.Scores.Of(m) / float64(len(b))
		}
		for _, r := range b {
			rows, values = append(rows, r), append(values, r.Scores.Of(m)-mean)
			total += (r.Scores.Of(m) - mean) * (r.Scores.Of(m) - mean)
		}
	}
	if total == 0 {
		return nil, nil // no setting matters at all
	}
	left := total
	main := map[string]float64{}
	var shares, pairs []Share
	for _, f := range factors {
		main[f.Name] = t.between(rows, values, f.Name)
		shares = append(shares, Share{[]string{f.Name}, main[f.Name] / total})
		left -= main[f.Name]
	}
	for i, f := range factors {
		for _, g := range factors[i+1:] {
			v := t.between(rows, values, f.Name, g.Name) - main[f.Name] - main[g.Name]
			pairs = append(pairs, Share{[]string{f.Name, g.Name}, max(0, v) / total})
			left -= v
		}
	}
	largest := func(a, b Share) int { return cmp.Compare(b.Of, a.Of) }
	slices.SortStableFunc(shares, largest)
	slices.SortStableFunc(pairs, largest)
	return append(append(shares, pairs...), Share{nil, max(0, left) / total}), nil
}

// wholeBlocks returns the rows of each set, seed and split of which so many cells are there.
func (t *SweepTable) wholeBlocks(size int) [][]*Row {
	at := map[block]int{}
	var all [][]*Row
	for k := range t.Rows {
		r := &t.Rows[k]
		if r.Error != "" {
			continue
		}
		b := block{r.Set, r.Seed, r.Split}
		if _, ok := at[b]; !ok {
			at[b] = len(all)
			all = append(all, nil)
		}
		all[at[b]] = append(all[at[b]], r)
	}
	return slices.DeleteFunc(all, func(rows []*Row) bool { return len(rows) != size })
}

// between returns the sum of squares, over all rows, of the means of the groups that the factors make.
func (t *SweepTable) between(rows []*Row, values []float64, factors ...string) float64 {
	sum, count := map[string]float64{}, map[string]float64{}
	for k, r := range rows {
		var name strings.Builder
		for _, f := range factors {
			name.WriteString(strconv.Quote(t.Of(r, f)))
		}
		sum[name.String()] += values[k]
		count[name.String()]++
	}
	var total float64
	for _, name := range slices.Sorted(maps.Keys(sum)) {
		total += sum[name] * sum[name] / count[name]
	}
	return total
}

// Means returns the mean of a measure for each pair of levels of two factors, over all cells with
// both: rows by columns, NaN where there is no cell. It is what a heat map of two settings
// shows. The set, the method, the seed and the split are factors here, too. It returns an error that
// wraps ErrSettings where the table has no such factor.
func (t *SweepTable) Means(m metrics.Measure, rows, columns string) (means [][]float64, err error) {
	if !m.Valid() {
		return nil, fmt.Errorf("%w: no measure is called %q", crankpkg.ErrSettings, string(m))
	}
	return t.MeansOf(measured(m).of, rows, columns)
}

// MeansOf is Means of any value of a row, such as its passes.
func (t *SweepTable) MeansOf(value func(*Row) float64, rows, columns string) (means [][]float64, err error) {
	levelsOf := map[string][]string{}
	for _, name := range []string{rows, columns} {
		if levelsOf[name] = t.Levels(name); levelsOf[name] == nil {
			return nil, fmt.Errorf("%w: the sweep has no factor %s", crankpkg.ErrSettings, name)
		}
	}
	for _, a := range levelsOf[rows] {
		line := make([]float64, 0, len(levelsOf[columns]))
		for _, b := range levelsOf[columns] {
			sum, count := 0.0, 0
			for k := range t.Rows {
				if r := &t.Rows[k]; r.Error == "" && t.Of(r, rows) == a && t.Of(r, columns) == b {
					sum, count = sum+value(r), count+1
				}
			}
			line = append(line, sum/float64(count))
		}
		means = append(means, line)
	}
	return means, nil
}

// Levels returns the levels of a factor, or nil where there is none of this name. The set, the
// method, the seed and the split are factors here, too.
func (t *SweepTable) Levels(factor string) []string {
	numbers := func(list []uint64) []string {
		var all []string
		for _, n := range list {
			all = append(all, strconv.FormatUint(n, 10))
		}
		return all
	}
	switch factor {
	case "set":
		return t.Sets
	case "method":
		return t.Methods
	case "seed":
		return numbers(t.Seeds)
	case "split":
		return numbers(t.Splits)
	}
	for _, f := range t.Factors {
		if f.Name == factor {
			return f.Levels
		}
	}
	return nil
}

// BestLevels returns, for each factor that is varied, the level of the best mean of a measure over all
// cells, and whether it is a number at the edge of those tried, so that one beyond may be better.
func (t *SweepTable) BestLevels(m metrics.Measure) []BestLevel {
	var all []BestLevel
	for _, f := range t.varied() {
		best := BestLevel{Factor: f.Name, Mean: math.Inf(-1)}
		for _, level := range f.Levels {
			var values []float64
			for k := range t.Rows {
				if r := &t.Rows[k]; r.Error == "" && t.Of(r, f.Name) == level {
					values = append(values, r.Scores.Of(m))
				}
			}
			if mean, _ := metrics.MeanStdErr(values); len(values) > 0 && mean > best.Mean {
				best.Level, best.Mean = level, mean
			}
		}
		if !math.IsInf(best.Mean, 0) {
			best.AtEdge = levelEdge(best.Level, f.Levels)
			all = append(all, best)
		}
	}
	return all
}

// BestLevel is the best level of a factor.
type BestLevel struct {
	Factor, Level string
	Mean          float64 // of the measure
	AtEdge        string  // "low" or "high" where the level is the least or greatest number
}

// levelEdge says at which end of levels that all are numbers one is.
func levelEdge(level string, levels []string) string {
	var chosen float64
	var numbers []float64
	for _, l := range levels {
		v, err := strconv.ParseFloat(l, 64)
		if err != nil {
			return ""
		}
		numbers = append(numbers, v)
		if l == level {
			chosen = v
		}
	}
	return edgeOf(chosen, numbers)
}
