package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/crossval"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

var trainCommand = subcommand{
	name: "train", args: "[flags] FILE|SET",
	summary: "learn a model from a file, and save it",
	help: `Learns to predict the labels of a row from its other columns, says what it has
learned, and saves the model, with which predict and evaluate go on.

FILE is a table: CSV (.csv, or .tsv with tabs; - is CSV on standard input), ARFF (.arff) or LIBSVM's form
(.svm), also compressed by gzip or bzip2. Of a CSV file a flag tells which columns are
labels: -prefix buys_, say, or -labels tea,coffee. Columns of names become columns of 0
and 1, missing cells are refused unless -impute fills them in; the model keeps how, so
that predict reads files alike. A column that looks like an identifier, with another name
or another one of consecutive numbers in each row, is told: -drop leaves it out.

Or a SET: emotions, flags, medical, scene or yeast, which are built in, or another one that
crank fetch gets; its part for training is learned from.

The method crank (the default) learns which few pairs of labels depend on one another,
so that they make a tree. empty takes each label by itself, full takes all pairs;
greedy, project, mst and chow-liu choose trees in other ways.

Lambda, the strength of regularization, is chosen by cross-validation on the rows unless
-lambda gives it: crank cv shows the choice. The training ends when it is certified to be
as near to its optimum as -gap says. Where -max-time or rounding ends it before, the
model is saved all the same, a warning says how near it came, and the exit status is 3. An
interrupt (Ctrl-C) saves the best model so far, where -o names a file, with status 130.
The status of other failures is 1, that of a wrong call 2.

With -calibrate the folds choose a rule of decision by -measure with lambda, also with a
-lambda of your own, and fit probabilities of the labels to the scores of held-out rows;
rules and probabilities are judged on folds that they were not fitted to. The model keeps
both: crank predict -probabilities writes them. The log-loss that is printed is that of
held-out rows, beside that of how frequent the labels are.`,
	example: "train -prefix buys_ -o shop.model shop.csv",
	setup:   setupTrain,
}

// training is what train is told.
type training struct {
	reading
	learning
	choosing
	method, lambda, out string
	calibrate           bool
}

func setupTrain(p *program, flags *flag.FlagSet) action {
	var t training
	flags.StringVar(&t.out, "o", "", "`file` to save the model in; without it nothing is saved")
	flags.StringVar(&t.method, "method", "crank", strings.Join(methods, ", "))
	flags.StringVar(&t.lambda, "lambda", "cv", "the `number` lambda; cv chooses it by cross-validation")
	flags.BoolVar(&t.calibrate, "calibrate", false, "choose a rule of decision too, and fit probabilities of the labels")
	flags.BoolVar(&t.impute, "impute", false, "fill in missing cells: means, and most frequent names")
	t.labelFlags(flags)
	t.otherFormats(flags)
	t.learning.flags(flags)
	t.choosing.flags(flags)
	return func(ctx context.Context, args []string) error {
		if len(args) != 1 {
			return usageError("name one file or data set to learn from")
		}
		if t.out == "-" {
			return usageError("-o - : a model is saved in a file")
		}
		t.method = strings.ToLower(t.method)
		if err := cmp.Or(t.learning.check([]string{t.method}), checkTarget(t.out, args[0])); err != nil {
			return err
		}
		return p.train(ctx, t, args[0])
	}
}

// train learns from what name names.
func (p *program) train(ctx context.Context, t training, name string) error {
	search, err := t.search(&t.learning)
	if err != nil {
		return err
	}
	lambda := 0.0
	if t.lambda != "cv" {
		if lambda, err = parseLambda(t.lambda); err != nil {
			return err
		}
	}
	ds, groups, err := t.load(p, t.reading, name)
	if err != nil {
		return err
	}
	fmt.Fprintln(p.stdout, ds)
	p.warnOfColumns(ds, &t.reading, name)
	p.warnOfConstants(ds)
	if t.calibrate {
		if search.Groups = groups; lambda != 0 {
			search.Lambdas = []float64{lambda}
		}
		return p.trainCalibrated(ctx, t, search, ds)
	}
	if lambda == 0 {
		search.Groups = groups
		s, err := p.choose(ctx, search, t.learning, t.method, ds)
		if err != nil {
			return err
		}
		fmt.Fprintln(p.stdout, "cross-validation chose", s)
		lambda = s.Lambda()
	}
	line := p.newStatusLine()
	trainer, _ := crankpkg.Adjust(t.trainer(t.method, ds), func(s *crankpkg.Settings) { s.Progress = line.Training })
	m, trace, err := trainer.WithLambda(lambda).Train(ctx, ds)
	line.clear()
	return p.deliver(ctx, t.out, m, trace, err)
}

// trainCalibrated chooses lambda and a rule with probabilities, and trains by them.
func (p *program) trainCalibrated(ctx context.Context, t training, search crossval.Search, ds *crankpkg.Dataset) error {
	choice, err := p.calibrate(ctx, search, t.learning, t.method, ds)
	if err != nil {
		return err
	}
	fmt.Fprintln(p.stdout, "cross-validation chose", choice)
	line := p.newStatusLine()
	trainer, _ := crankpkg.Adjust(t.trainer(t.method, ds), func(s *crankpkg.Settings) { s.Progress = line.Training })
	m, trace, err := choice.Train(ctx, trainer, ds)
	line.clear()
	return p.deliver(ctx, t.out, m, trace, err)
}

// warnOfConstants tells about labels that are the same in all rows, of which nothing can be learned.
func (p *program) warnOfConstants(ds *crankpkg.Dataset) {
	var names []string
	for i, name := range ds.LabelNames {
		on := 0
		for m := range ds.Len() {
			on += int(ds.Labels(m)[i])
		}
		if on == 0 || on == ds.Len() {
			names = append(names, fmt.Sprintf("%q", name))
		}
	}
	const most = 5
	switch {
	case len(names) > most:
		fmt.Fprintf(p.stderr, "crank: warning: %d labels are the same in all rows, so that nothing can be learned of them: %s and others\n", len(names), strings.Join(names[:most], ", "))
	case len(names) > 0:
		fmt.Fprintf(p.stderr, "crank: warning: labels that are the same in all rows, so that nothing can be learned of them: %s\n", strings.Join(names, ", "))
	}
}

// deliver tells about a model, saves it, and returns what its training ended with.
func (p *program) deliver(ctx context.Context, out string, m *crankpkg.Model, trace *crankpkg.Trace, failed error) error {
	interrupted := failed != nil && ctx.Err() != nil
	if m == nil || trace == nil || failed != nil && !interrupted && !errors.Is(failed, crankpkg.ErrNotConverged) {
		return failed
	}
	if interrupted && out == "" {
		return failed
	}
	var unsaved error
	if out != "" {
		unsaved = m.Save(out) // before anything is told: who reads that may close the pipe
	}
	describe(p.stdout, m, trace)
	switch {
	case unsaved != nil:
		return unsaved
	case out == "":
		fmt.Fprintln(p.stdout, "not saved: -o FILE saves it")
	case !interrupted:
		fmt.Fprintln(p.stdout, "saved in", out)
	}
	switch {
	case failed == nil:
		return nil
	case interrupted:
		return keptError{failed, "the best model so far is saved in " + out}
	}
	return shortError{failed}
}

// describe tells what a model is.
func describe(w io.Writer, m *crankpkg.Model, trace *crankpkg.Trace) {
	scaling := cmp.Or(string(m.Scaler.Kind), "none")
	ended := "not converged"
	if !trace.Short() {
		ended = fmt.Sprintf("certified relative gap %.2g", max(0, trace.Gap())) // rounding makes it negative
	}
	fmt.Fprintf(w, "%s: lambda %.3g, scaling %s, %s\n", m.Method, m.Lambda, scaling, ended)
	describePairs(w, m)
}

// describePairs tells which pairs of labels a model has.
func describePairs(w io.Writer, m *crankpkg.Model) {
	if len(m.Edges) == 0 {
		fmt.Fprintln(w, "no pair of labels: each is predicted by itself")
		return
	}
	graph := "a forest"
	switch {
	case labelgraph.CircuitRank(m.NumLabels(), m.Edges) > 0:
		graph = "a graph with cycles"
	case len(m.Edges) == m.NumLabels()-1:
		graph = "a tree"
	}
	order := make([]int, len(m.Edges))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(math.Abs(m.Pair[b]), math.Abs(m.Pair[a])) })
	const most = 20
	fmt.Fprintf(w, "%d of %d pairs of labels, %s; the strongest first:\n", len(m.Edges), m.NumLabels()*(m.NumLabels()-1)/2, graph)
	for _, k := range order[:min(most, len(order))] {
		e := m.Edges[k]
		fmt.Fprintf(w, "  %+.3f  %s -- %s\n", m.Pair[k], m.LabelNames[e.I], m.LabelNames[e.J])
	}
	if more := len(order) - most; more > 0 {
		fmt.Fprintf(w, "  and %d more\n", more)
	}
}
