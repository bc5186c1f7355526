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
)

// Part is a piece of the reproduction that can be made by itself.
type Part struct {
	Name  string
	Terms string   // what it is in the paper's terms
	Cost  string   // about what it takes in full
	Files []string // that it makes
	make  func(*maker, context.Context) error
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
	// Run does a job, as a rule in a process of its own; see Spawn.
	Run func(context.Context, Job) (JobResult, error)
}

// Parts returns all parts, in the order in which they are made best.
func Parts() []Part { return slices.Clone(parts) }

// Make makes the parts with the given names. What was finished before is taken
// from the cells, and what is finished when ctx ends is kept there.
func Make(ctx context.Context, o Options, names ...string) error {
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
	{"table1", "Table 1: six methods on the paper's four sets, lambda by cross-validation; the tests of CRANK against the others, " +
		"validation curves, and the objectives at a common lambda", "1 CPU hour",
		[]string{"table1.json", "table1_scalings.json", "curves.json", "significance.json", "objectives.json"}, (*maker).table1},
	{"figure1", "Figure 1: planted trees, training sets of 10 to 1000 examples", "30 CPU minutes", []string{"figure1.json"}, (*maker).figure1},
	{"table2", "Table 2: times on Yeast relative to Full; leave the machine alone meanwhile", "1 CPU minute", []string{"table2.json"}, (*maker).table2},
	{"loose", "Table 1's Project and MST when what they choose the tree by is solved loosely", "10 CPU minutes", []string{"loose.json"}, (*maker).loose},
	{"early", "Table 1's Empty, Full and Project when plain Frank-Wolfe is stopped early", "10 CPU minutes", []string{"early.json"}, (*maker).early},
	{"path", "Table 1's scores along lambda, with features as they are and z-scored", "20 CPU minutes", []string{"path.json"}, (*maker).path},
	{"extra", "Table 1 for sets that the paper does not have: Birds, Flags, Genbase, Enron, CAL500", "1 CPU hour",
		[]string{"extra.json", "extra_significance.json"}, (*maker).extra},
	{"general", "Table 1 for the general models: label losses, Fourier features, seen labelings, capped hinges, features on the edges",
		"3 CPU hours, and Table 1's CRANK", []string{"general.json"}, (*maker).general},
	{"besttree", "Theorem 3.1's NP-hard problem solved with a certificate: the best trees, beside CRANK's, Greedy's and those after swaps",
		"25 CPU minutes", []string{"besttree.json"}, (*maker).bestTree},
	{"large", "Training time and memory on sets of 159 to 983 labels", "10 CPU minutes", []string{"large.json"}, (*maker).large},
	{"growth", "Training time and memory on planted data of growing size", "4 CPU minutes", []string{"scaling.json"}, (*maker).growth},
	{"loss", "CRANK's tree trained for the Hamming loss, the zero-one loss, and sums of both", "1 CPU minute", []string{"question_loss.json"}, (*maker).loss},
	{"swaps", "What edge swaps gain on the trees of CRANK, Greedy, MST and Chow-Liu", "4 CPU minutes", []string{"question_swaps.json"}, (*maker).swaps},
	{"circuit", "Graphs between CRANK's tree and Full's pairs, by circuit rank", "30 CPU seconds", []string{"question_circuit.json"}, (*maker).circuit},
	{"recovery", "Figure 1's planted trees: how many examples and how much signal it takes to find them", "1 CPU minute", []string{"question_recovery.json"}, (*maker).recovery},
	{"restricted", "The best forests with few edges or bounded degrees, certified", "2 CPU minutes", []string{"question_restricted.json"}, (*maker).restricted},
}
