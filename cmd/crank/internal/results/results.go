// Package results makes the result files of the reproduction, which the notebooks
// draw: the paper's figure and tables, and the experiments beyond them.
package results

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/experiment"
	"github.com/crank-ml/crank/crankpkg/trainstore"
	"github.com/crank-ml/crank/internal/origin"
)

// Part is a piece of the reproduction that can be made by itself.
type Part struct {
	Name  string
	Cost  string   // about what it takes in full
	Files []string // that it makes
	make  func(*maker, context.Context) error
	Terms string // what it is in the paper's terms
}

// Sets loads data sets.
type Sets struct {
	// Split returns the published split of a set; see crankpkg.LoadSplit.
	Split func(name string) (train, test *crankpkg.Dataset, err error)
	// Seeded returns a random one; see crankpkg.LoadSeededSplit.
	Seeded func(name string, trainShare float64, seed uint64) (train, test *crankpkg.Dataset, err error)
}

// Catalog returns the sets that are on this machine.
func Catalog() Sets { return Sets{crankpkg.LoadSplit, crankpkg.LoadSeededSplit} }

// Options say from what, where and how parts are made.
type Options struct {
	Sets    Sets
	Out     string // folder of the result files
	Cells   string // folder of the finished cells
	Quick   bool   // a trial on smaller grids
	Workers int    // trainings at a time; zero means all processors
	Log     io.Writer
	// Made says by what; each file carries it, with the command of its part.
	Made origin.Origin
	// Run does a job, as a rule in a process of its own; see Spawn.
	Run func(context.Context, Job) (JobResult, error)
}

// Parts returns all parts, in the order in which they are made best.
func Parts() []Part { return slices.Clone(parts) }

// Make makes the parts with the given names. What was finished before is taken
// from the cells, and what is finished when ctx ends is kept there.
func Make(ctx context.Context, o Options, names ...string) error {
	ctx = trainstore.In(ctx, nil) // times are of trainings
	for _, name := range names {
		k := slices.IndexFunc(parts, func(p Part) bool { return p.Name == name })
		if k < 0 {
			return fmt.Errorf("there is no part %q", name)
		}
		mk := &maker{Options: o, part: parts[k], compute: experiment.Experiment.Run}
		begin := time.Now()
		if err := mk.part.make(mk, ctx); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		fmt.Fprintf(o.Log, "%s took %v\n", name, time.Since(begin).Round(time.Second))
	}
	return nil
}

var parts = []Part{
	{"table1", "11 CPU minutes", []string{"table1.json", "table1_scalings.json", "curves.json", "significance.json", "objectives.json"}, (*maker).table1,
		"Table 1: six methods on the paper's four sets, lambda by cross-validation; with tests, and objectives at one lambda"},
	{"figure1", "74 CPU minutes", []string{"figure1.json"}, (*maker).figure1,
		"Figure 1: planted trees, training sets of 10 to 1000 examples"},
	{"table2", "1 CPU minute", []string{"table2.json"}, (*maker).table2,
		"Table 2: times on Yeast relative to Full; leave the machine alone meanwhile"},
	{"loose", "1 CPU minute", []string{"loose.json"}, (*maker).loose,
		"Table 1's Project and MST when what they choose the tree by is solved loosely"},
	{"early", "1 CPU minute", []string{"early.json"}, (*maker).early,
		"Table 1's Empty, Full and Project when plain Frank-Wolfe is stopped early"},
	{"path", "1 CPU minute", []string{"path.json"}, (*maker).path,
		"Table 1's scores along lambda, with features as they are and z-scored"},
	{"extra", "32 CPU minutes", []string{"extra.json", "extra_significance.json"}, (*maker).extra,
		"Table 1 for sets that the paper does not have: Birds, Flags, Genbase, Enron, CAL500"},
	{"general", "2 CPU minutes", []string{"general.json"}, (*maker).general,
		"Table 1's sets from raw data to a model for each measure: scaling, kernel, loss, lambda and rule by five-fold cross-validation"},
	{"general-extra", "2 CPU minutes", []string{"general_extra.json"}, (*maker).generalExtra,
		"The part general for sets with 19 to 53 labels: Birds, Enron, Genbase; beside the peers, if \x60make bench-extra\x60 has run those"},
	{"general-large", "2 CPU minutes", []string{"general_large.json"}, (*maker).manyLabels,
		"Bibtex and Delicious, 159 and 983 labels: Empty with the squared hinge and a rule for each measure, by hold-out; beside the best of its peers, if \x60make bench-many\x60 has run those"},
	{"halves", "12 CPU minutes", []string{"halves.json"}, (*maker).halves,
		"The part general by five times two-fold cross-validation, beside the peers on the same halves"},
	{"tags", "5 CPU minutes", []string{"tags.json"}, (*maker).tags,
		"Planted tags, 28 rare labels: linear CRANK and Empty with their rules beside scikit-learn's LinearSVC with a cut, if `make bench-tags` has run that"},
	{"besttree", "29 CPU minutes", []string{"besttree.json"}, (*maker).bestTree,
		"Theorem 3.1's NP-hard problem, certified: the best trees, beside CRANK's, Greedy's and those after swaps"},
	{"large", "13 CPU minutes", []string{"large.json"}, (*maker).large,
		"Training time and memory on sets of 159 to 983 labels"},
	{"growth", "7 CPU minutes", []string{"scaling.json"}, (*maker).growth,
		"Training time and memory on planted data of growing size"},
	{"units", "2 CPU minutes", []string{"units.json"}, (*maker).units,
		"Training time with features as they are, beside z-scored ones, on sets of up to 45 labels"},
	{"units-large", "15 CPU minutes", []string{"units_large.json"}, (*maker).largeUnits,
		"The part units for sets of 53 to 983 labels: Enron, CAL500, Corel5k, Bibtex, Delicious; a training has two minutes"},
	{"ends", "2 CPU minutes", []string{"ends.json"}, (*maker).ends,
		"How trainings end at lambdas from 1 to 0.00001 and gaps from 1e-2 to 1e-6, as published and z-scored: a certificate or ErrNotConverged"},
	{"level", "10 CPU minutes", []string{"level.json"}, (*maker).level,
		"How often the tests of differences reject: between equals, at five per cent, and where there is something to find"},
	{"loss", "1 CPU minute", []string{"question_loss.json"}, (*maker).loss,
		"CRANK's tree trained for the Hamming loss, the zero-one loss, and sums of both"},
	{"rules", "30 CPU seconds", []string{"rules.json"}, (*maker).rules,
		"Table 1's Empty, Full, Project and CRANK with decision rules chosen on the training examples"},
	{"gains", "1 CPU minute", []string{"question_gains.json"}, (*maker).gains,
		"What CRANK has more than Empty on random splits of five sets, with the plain prediction of both and with a rule chosen for each"},
	{"company", "23 CPU minutes", []string{"company.json"}, (*maker).company,
		"Averages of trees, of bootstrap samples, feature draws and lambdas, beside one tree, all with rules: Table 1's sets, and halves of two"},
	{"many-labels", "16 CPU minutes", []string{"many_labels.json"}, (*maker).manyGraphs,
		"Bibtex, Corel5k and some of Delicious: CRANK's tree, Chow-Liu's and MST's beside Empty with the same choice of a rule"},
	{"swaps", "5 CPU minutes", []string{"question_swaps.json"}, (*maker).swaps,
		"What edge swaps gain on the trees of CRANK, Greedy, MST and Chow-Liu"},
	{"circuit", "30 CPU seconds", []string{"question_circuit.json"}, (*maker).circuit,
		"Graphs between CRANK's tree and Full's pairs, by circuit rank"},
	{"recovery", "1 CPU minute", []string{"question_recovery.json"}, (*maker).recovery,
		"Figure 1's planted trees: how many examples and how much signal it takes to find them"},
	{"restricted", "2 CPU minutes", []string{"question_restricted.json"}, (*maker).restricted,
		"The best forests with few edges or bounded degrees, certified"},
	{"input", "9 CPU minutes", []string{"question_input.json"}, (*maker).inputs,
		"Trees that depend on the input: weights linear in it, or a tree for each of two regions"},
	{"bound", "30 CPU seconds", []string{"question_bound.json"}, (*maker).lossBounds,
		"What CRANK's tree loses to all pairs in the objective, certified"},
}
