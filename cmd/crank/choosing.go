package main

import (
	"context"
	"flag"
	"fmt"
	"strings"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/crossval"
	"github.com/crank-ml/crank/crankpkg/decision"
	"github.com/crank-ml/crank/crankpkg/metrics"
)

// choosing says how a lambda is chosen by cross-validation.
type choosing struct {
	lambdas, measure, group  string
	folds, repeats, stratify int
}

// measures has the measures by their names in flags, in the order of tables.
var measures = []struct {
	flag    string
	measure metrics.Measure
}{
	{"mean", metrics.MeanOfThree}, {"hamming", metrics.HammingAccuracy}, {"subset", metrics.SubsetAccuracy}, {"f1", metrics.ExampleF1},
	{"micro-f1", metrics.MicroF1}, {"macro-f1", metrics.MacroF1},
}

// flags defines the flags of the choice.
func (c *choosing) flags(flags *flag.FlagSet) {
	flags.StringVar(&c.lambdas, "lambdas", "", "the lambdas to try, between commas; without them 1, 0.3, 0.1, ... 0.0003")
	flags.StringVar(&c.measure, "measure", "mean", "what the choice maximizes: hamming, subset, f1, micro-f1, macro-f1, or mean, that of the first three")
	flags.IntVar(&c.folds, "folds", 5, "`number` of folds")
	flags.IntVar(&c.repeats, "repeats", 1, "`number` of times that the rows are divided into folds")
	flags.IntVar(&c.stratify, "stratify", 0, "1 gives each fold its share of each label, 2 of each pair of labels too; 0 divides at random")
	flags.StringVar(&c.group, "group", "", "`column` whose rows of the same value stay in the same fold, for CSV; it is no feature")
}

// criterion returns the measure of the choice.
func (c *choosing) criterion() (metrics.Measure, error) {
	var names []string
	for _, m := range measures {
		if m.flag == strings.ToLower(c.measure) {
			return m.measure, nil
		}
		names = append(names, m.flag)
	}
	return "", known("measure", names, c.measure)
}

// search returns the cross-validation that the flags describe, without a trainer.
func (c *choosing) search(l *learning) (crossval.Search, error) {
	s := crossval.Search{Folds: c.folds, Repeats: c.repeats, Stratify: c.stratify, Seed: l.seed, Workers: l.workers}
	var err error
	if s.Criterion, err = c.criterion(); err != nil {
		return s, err
	}
	for _, text := range split(c.lambdas) {
		lambda, err := parseLambda(text)
		if err != nil {
			return s, err
		}
		s.Lambdas = append(s.Lambdas, lambda)
	}
	switch {
	case c.folds < 2:
		return s, usageError(fmt.Sprintf("-folds %d is below 2", c.folds))
	case c.repeats < 1:
		return s, usageError(fmt.Sprintf("-repeats %d is below 1", c.repeats))
	case c.stratify < 0 || c.stratify > 2:
		return s, usageError(fmt.Sprintf("-stratify %d is not 0, 1 or 2", c.stratify))
	case c.stratify > 0 && c.group != "":
		return s, usageError("-group and -stratify exclude one another")
	}
	return s, nil
}

// load reads the examples, and the group of each where the flags name a column of them.
func (c *choosing) load(p *program, r reading, name string) (ds *crankpkg.Dataset, groups []int, err error) {
	ds, err = p.examples(name, false, func(in *input) (*crankpkg.Dataset, error) {
		if c.group == "" {
			return r.read(in)
		}
		if in.format() != ".csv" {
			return nil, usageError("-group is for CSV")
		}
		opts, err := r.csvOptions()
		if err != nil {
			return nil, err
		}
		cells, err := in.cells(c.group, opts)
		if err != nil {
			return nil, err
		}
		groups = numbers(cells)
		opts.Drop = append(opts.Drop, c.group)
		return in.csv(opts)
	})
	if err == nil && c.group != "" && groups == nil {
		err = usageError("-group is for CSV")
	}
	return ds, groups, err
}

// numbers gives equal texts equal numbers.
func numbers(texts []string) []int {
	number := map[string]int{}
	all := make([]int, len(texts))
	for k, text := range texts {
		if _, seen := number[text]; !seen {
			number[text] = len(number)
		}
		all[k] = number[text]
	}
	return all
}

// choiceGap and choicePasses bound the trainings of a cross-validation: a choice needs less
// than a model. On Flags, Emotions and Yeast 300 passes choose the same lambdas, but leave
// three times as many trainings short of the gap.
const (
	choiceGap    = 0.01
	choicePasses = 1000
)

// choose runs the cross-validation of one method.
func (p *program) choose(ctx context.Context, s crossval.Search, l learning, method string, ds *crankpkg.Dataset) (*crossval.Selection, error) {
	line := p.newStatusLine()
	defer line.clear()
	return searchOf(s, l, method, ds, line).Run(ctx, ds)
}

// calibrate chooses a rule with probabilities, too.
func (p *program) calibrate(ctx context.Context, s crossval.Search, l learning, method string, ds *crankpkg.Dataset) (*crossval.RuleSelection, error) {
	line := p.newStatusLine()
	defer line.clear()
	held, err := searchOf(s, l, method, ds, line).HeldOutScores(ctx, ds)
	if err != nil {
		return nil, err
	}
	return held.Choose(ctx, decision.Search{Measure: s.Criterion, Calibrate: true, AllLabelings: true, Workers: l.workers})
}

// searchOf returns the cross-validation for one method. CRANK has one start there, unless restarts
// says otherwise.
func searchOf(s crossval.Search, l learning, method string, ds *crankpkg.Dataset, line statusLine) crossval.Search {
	if l.restarts == 0 {
		l.restarts = 1
	}
	s.Trainer = l.trainer(method, ds)
	s.Gap, s.MaxPasses = max(l.gap, choiceGap), choicePasses
	s.Progress = line.Work
	return s
}
