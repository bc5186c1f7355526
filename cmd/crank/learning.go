package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/crank-ml/crank/crankpkg"
)

// methods are the names of the methods in flags, in the order of the help.
var methods = []string{"crank", "empty", "full", "greedy", "project", "mst", "chow-liu"}

// learning says how a model is learned.
type learning struct {
	scaling  string
	gap      float64
	restarts int
	seed     uint64
	workers  int
	maxTime  time.Duration
}

// flags defines the flags of how a model is learned.
func (l *learning) flags(flags *flag.FlagSet) {
	flags.StringVar(&l.scaling, "scaling", "auto", "zscore, minmax, unitrows or none; auto is zscore for dense rows, and for sparse ones none where features are of like size, else minmax")
	flags.Float64Var(&l.gap, "gap", 0.01, "train to this certified relative `gap`: how far the objective may be from its optimum")
	flags.IntVar(&l.restarts, "restarts", 0, "`number` of starts of crank, of which the best counts; 0 stands for one whose tree is improved by swaps, without them within a cross-validation")
	flags.Uint64Var(&l.seed, "seed", 0, "the `number` that determines every random choice")
	flags.IntVar(&l.workers, "workers", 0, "`number` of trainings at a time, which changes no result; 0 stands for that of the processors")
	flags.DurationVar(&l.maxTime, "max-time", 0, "stop a training after this `time`, such as 90s or 10m")
}

// check returns an error unless the flags make sense for the methods of these names.
func (l *learning) check(names []string) error {
	if err := known("method", methods, names...); err != nil {
		return err
	}
	if err := known("scaling", []string{"auto", "zscore", "minmax", "unitrows", "none"}, l.scaling); err != nil {
		return err
	}
	switch {
	case !(l.gap > 0 && l.gap < 1):
		return usageError(fmt.Sprintf("-gap %v is not between 0 and 1", l.gap))
	case l.maxTime < 0:
		return usageError(fmt.Sprintf("-max-time %v is negative", l.maxTime))
	case l.workers < 0:
		return usageError(fmt.Sprintf("%d workers cannot be", l.workers))
	case l.restarts < 0:
		return usageError(fmt.Sprintf("-restarts %d is negative", l.restarts))
	case l.restarts > 0 && !slices.Contains(names, "crank"):
		return usageError("-restarts is for the method crank alone")
	}
	return nil
}

// wideSpread is how far the sizes of sparse features may differ, in orders of magnitude, before they
// are scaled: a table of names and numbers is of ones and of, say, years.
const wideSpread = 1

// scalingFor returns the scaling of a data set.
func (l *learning) scalingFor(ds *crankpkg.Dataset) crankpkg.Scaling {
	switch {
	case l.scaling == "none":
		return crankpkg.NoScaling
	case l.scaling == "auto" && !ds.X.IsSparse():
		return crankpkg.ZScore
	case l.scaling == "auto" && ds.X.Spread() < wideSpread:
		return crankpkg.NoScaling
	case l.scaling == "auto":
		return crankpkg.MinMax // zeros stay zeros, and so do ones
	}
	return crankpkg.Scaling(l.scaling)
}

// trainer returns the method of this name, for a data set.
func (l *learning) trainer(name string, ds *crankpkg.Dataset) crankpkg.Trainer {
	set := crankpkg.Settings{Gap: l.gap, Seed: l.seed, Workers: l.workers, MaxTime: l.maxTime, Scaling: l.scalingFor(ds)}
	switch name {
	case "empty":
		return crankpkg.Empty{Settings: set}
	case "full":
		return crankpkg.Full{Settings: set}
	case "greedy":
		return crankpkg.Greedy{Settings: set}
	case "project":
		return crankpkg.Project{Settings: set}
	case "mst":
		return crankpkg.MST{Settings: set}
	case "chow-liu":
		return crankpkg.ChowLiu{Settings: set}
	}
	return crankpkg.CRANK{Restarts: l.restarts, Settings: set}
}

// parseLambda returns the number in a text, which has to be positive.
func parseLambda(text string) (float64, error) {
	lambda, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || !(lambda > 0 && lambda < 1e12) {
		return 0, usageError(fmt.Sprintf("the lambda %q is not a positive number", text))
	}
	return lambda, nil
}

// examples loads what is to be learned from or measured on: the set of the catalog of that
// name, of which test says the part, or the file, which read reads.
func (p *program) examples(name string, test bool, read func(*input) (*crankpkg.Dataset, error)) (*crankpkg.Dataset, error) {
	if slices.Contains(crankpkg.CatalogNames(), name) {
		train, held, err := p.sets.Split(name)
		if test {
			return held, err
		}
		return train, err
	}
	if name != "-" && filepath.Ext(name) == "" {
		return nil, usageError(fmt.Sprintf("%q is no file that ends in .arff, .csv or .svm, and no data set%s",
			name, meant(name, crankpkg.CatalogNames())))
	}
	in, err := p.open(name)
	if err != nil {
		return nil, err
	}
	return read(in)
}

// checkTarget returns an error unless a file can be written to path, "" and "-" apart, which
// is none of the inputs. It is asked before the work.
func checkTarget(path string, inputs ...string) error {
	if path == "" || path == "-" {
		return nil
	}
	switch info, err := os.Stat(filepath.Dir(path)); {
	case err != nil:
		return fmt.Errorf("the folder of %s: %w", path, err)
	case !info.IsDir():
		return fmt.Errorf("%s is no folder", filepath.Dir(path))
	}
	target, err := os.Stat(path)
	if err != nil {
		return nil // it is new
	}
	if target.IsDir() {
		return fmt.Errorf("%s is a folder", path)
	}
	for _, name := range inputs {
		if in, err := os.Stat(name); err == nil && os.SameFile(in, target) {
			return usageError(fmt.Sprintf("%s would replace what is to be read", path))
		}
	}
	return nil
}
