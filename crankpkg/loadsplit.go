package crankpkg

import (
	"context"
	"fmt"

	"github.com/crank-ml/crank/crankpkg/internal/arff"
	"github.com/crank-ml/crank/crankpkg/internal/mulan"
)

// CatalogNames returns the names that LoadSplit knows, in alphabetical order.
func CatalogNames() []string { return mulan.Names() }

// LoadSplit returns one of Mulan's data sets, split into training and test
// examples as Mulan publishes them:
//
//	bibtex, birds, cal500, corel5k, delicious, emotions, enron, flags,
//	genbase, medical, medical10, scene, yeast
//
// The set medical10 is medical with its 10 most frequent training labels only
// (and all rows). Genbase comes without the attribute protein, which names the
// row; its published split has one row in both parts. For cal500 no split is
// published: two thirds of the examples, drawn with seed 1, are for training.
//
// Features are as published. Those of emotions, flags, birds and cal500 are in units of
// their own: train with Settings{Scaling: ZScore}. The others have one unit, or are
// zeros and ones, and need none.
//
// Emotions, flags, medical, scene and yeast are built in: they need no disk and
// no network. A program that loads no set does not carry them.
//
// Files on disk come first: those in the folder of the set, say yeast/, below
// the folder that the environment variable CRANK_DATA names and then below
// CacheFolder; each may be compressed by gzip, with ".gz" added to its name.
// Where a set is neither there nor built in, the error wraps ErrNotFound and
// says the command that gets it (see Fetch).
func LoadSplit(name string) (train, test *Dataset, err error) {
	files, err := mulan.Find(name)
	if err != nil {
		return nil, nil, err
	}
	if files.Whole != "" {
		whole, err := readPart(files, files.Whole)
		if err != nil {
			return nil, nil, err
		}
		train, test = whole.Split(2./3, 1)
		return train, test, nil
	}
	if train, err = readPart(files, files.Train); err != nil {
		return nil, nil, err
	}
	if test, err = readPart(files, files.Test); err != nil {
		return nil, nil, err
	}
	if name == mulan.Medical10 {
		labels := train.MostFrequentLabels(medical10Labels)
		train, test = train.SelectLabels(labels), test.SelectLabels(labels)
		train.Name, test.Name = name, name
	}
	return train, test, nil
}

// medical10Labels is how many labels medical10 keeps.
const medical10Labels = 10

// readPart reads one of the ARFF files of a set.
func readPart(files mulan.Files, name string) (*Dataset, error) {
	labels, err := files.Open(files.Labels)
	if err != nil {
		return nil, err
	}
	defer labels.Close()
	rows, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	data, err := arff.ParseWithXML(rows, labels, name, ARFFOptions{XML: files.Labels, Drop: files.Drop})
	if err != nil {
		return nil, err
	}
	data.Name = files.Set
	return datasetOf(data), nil
}

// LoadAll returns all examples of a data set of the catalog: those for training
// and then those for testing, or in the order of the file where Mulan publishes
// no split. Split divides them anew. See LoadSplit for the names and the
// errors.
func LoadAll(name string) (*Dataset, error) {
	files, err := mulan.Find(name)
	if err != nil {
		return nil, err
	}
	if files.Whole != "" {
		return readPart(files, files.Whole)
	}
	train, test, err := LoadSplit(name)
	if err != nil {
		return nil, err
	}
	return train.Append(test)
}

// LoadSeededSplit returns a data set of the catalog, shuffled and split anew as
// Dataset.Split does. It returns an error that wraps ErrSettings unless
// 0 < trainShare < 1; see LoadSplit for the names and the other errors.
func LoadSeededSplit(name string, trainShare float64, seed uint64) (train, test *Dataset, err error) {
	if !(trainShare > 0 && trainShare < 1) {
		return nil, nil, fmt.Errorf("%w: a share of %v for training", ErrSettings, trainShare)
	}
	all, err := LoadAll(name)
	if err != nil {
		return nil, nil, err
	}
	train, test = all.Split(trainShare, seed)
	return train, test, nil
}

// Fetch downloads a data set of the catalog from a pinned revision of Mulan's
// public repository into CacheFolder, unless LoadSplit finds all of it already.
// See LoadSplit for the names.
//
// A file counts only if its size and SHA-256 are those of the catalog, and
// appears under its name only then; an error for one that does not match wraps
// ErrFormat. Files that are there already are kept. A download that was cut off
// goes on where it stopped, at once or in a later Fetch. progress may be nil;
// it is called from the goroutine of the caller. An error wraps ctx.Err() when
// ctx has ended.
func Fetch(ctx context.Context, name string, progress func(FetchProgress)) error {
	return mulan.Fetch(ctx, name, progress)
}

// CacheFolder returns the folder that Fetch writes to: crank in the user's
// cache folder.
func CacheFolder() (string, error) { return mulan.CacheFolder() }
