// Command export writes data sets, with the folds and the splits that our own
// numbers use, to files that the Python script beside it reads:
//
//	go -C bench run ./peers/export -out ../build/peers/data scene emotions tags-1
//
// It leaves made.json there too, which tells the commit to the files that are made
// of these. A name such as tags-1 is that of planted tags, drawn with that seed.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/planted"
	"github.com/crank-ml/crank/internal/atomicfile"
	"github.com/crank-ml/crank/internal/origin"
)

const (
	// Cross-validation on the training examples is that of `crank results general`:
	// Search{Folds: 5, Seed: 7} of package crossval, whose repeat r has the seed
	// foldSeed + r<<32. Where examples are few there are repeats.
	folds       = 5
	foldSeed    = 7
	few         = 1000
	fewRepeats  = 2
	halvings    = 5 // of all examples: halving r is StratifiedFolds(2, r+1, 1) of them
	firstHalves = 1
)

// set is the file of a data set. Rows are all examples: the training rows come
// first, then the test rows.
type set struct {
	Set      string      `json:"set"`
	Train    int         `json:"train"` // how many rows are for training
	Features []string    `json:"features"`
	Labels   []string    `json:"labels"`
	X        [][]float64 `json:"x"`
	Y        []string    `json:"y"` // a digit 0 or 1 for each label
	// FoldRule and Folds say, for each repeat, which fold tests each training row.
	FoldRule string  `json:"fold_rule"`
	Folds    [][]int `json:"folds"`
	// HalfRule and Halves say, for each halving, in which half each row is.
	HalfRule string  `json:"half_rule"`
	Halves   [][]int `json:"halves"`
}

func main() {
	out := flag.String("out", "", "the folder to write to")
	flag.Parse()
	if err := run(*out, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "export:", err)
		os.Exit(1)
	}
}

func run(out string, names []string) error {
	if out == "" || len(names) == 0 {
		return fmt.Errorf("name a folder by -out, and data sets")
	}
	if err := os.MkdirAll(out, 0o777); err != nil {
		return err
	}
	for _, name := range names {
		s, err := load(name)
		if err != nil {
			return err
		}
		write := func(w io.Writer) error { return json.NewEncoder(w).Encode(s) }
		if err := atomicfile.Write(filepath.Join(out, name+".json"), write); err != nil {
			return err
		}
	}
	made := origin.Here("go -C bench run ./peers/export")
	return atomicfile.Write(filepath.Join(out, "made.json"), func(w io.Writer) error { return json.NewEncoder(w).Encode(made) })
}

func load(name string) (*set, error) {
	train, test, err := split(name)
	if err != nil {
		return nil, err
	}
	all, err := train.Append(test)
	if err != nil {
		return nil, err
	}
	s := &set{Set: name, Train: train.Len(), Features: all.FeatureNames, Labels: all.LabelNames}
	for m := range all.Len() {
		x := make([]float64, all.NumFeatures())
		all.Row(m).AddScaledTo(x, 1)
		s.X = append(s.X, x)
		y := all.Labels(m)
		digits := make([]byte, len(y))
		for i, v := range y {
			digits[i] = '0' + v
		}
		s.Y = append(s.Y, string(digits))
	}
	return s, s.divide(train, all)
}

// tagExamples is how many planted examples there are for training, and for testing, as in
// `crank results tags`.
const tagExamples = 2000

// split returns a data set of the catalog, or planted tags.
func split(name string) (train, test *crankpkg.Dataset, err error) {
	number, planting := strings.CutPrefix(name, "tags-")
	if !planting {
		return crankpkg.LoadSplit(name)
	}
	seed, err := strconv.ParseUint(number, 10, 64)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: the seed of planted tags: %w", name, err)
	}
	train, test = planted.Tags{Seed: seed}.Generate(tagExamples, tagExamples)
	return train, test, nil
}

// divide adds the folds of the training examples and the halves of all.
func (s *set) divide(train, all *crankpkg.Dataset) error {
	repeats := 1
	if train.Len() < few {
		repeats = fewRepeats
	}
	s.FoldRule = fmt.Sprintf("train.Folds(%d, %d+r<<32) for repeat r", folds, foldSeed)
	for r := range repeats {
		parts, err := train.Folds(folds, foldSeed+uint64(r)<<32)
		if err != nil {
			return err
		}
		s.Folds = append(s.Folds, partOf(parts, train.Len()))
	}
	s.HalfRule = fmt.Sprintf("train.Append(test).StratifiedFolds(2, %d+r, 1) for halving r", firstHalves)
	for r := range halvings {
		parts, err := all.StratifiedFolds(2, firstHalves+uint64(r), 1)
		if err != nil {
			return err
		}
		s.Halves = append(s.Halves, partOf(parts, all.Len()))
	}
	return nil
}

// partOf returns the fold that tests each row.
func partOf(folds []crankpkg.Fold, size int) []int {
	part := make([]int, size)
	for f, fold := range folds {
		for _, m := range fold.Test {
			part[m] = f
		}
	}
	return part
}
