package crankpkg

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// catalogFile is one file of a data set, as Mulan publishes it.
type catalogFile struct {
	name   string
	size   int64
	sha256 string
}

// catalogSet is a data set of the catalog: the files train and test, or whole
// where Mulan publishes no split, and the XML file of the labels.
type catalogSet struct {
	name               string
	train, test, whole catalogFile
	labels             catalogFile
	drop               []string
}

// files returns the files that the set consists of.
func (set *catalogSet) files() []catalogFile {
	if set.whole.name != "" {
		return []catalogFile{set.whole, set.labels}
	}
	return []catalogFile{set.train, set.test, set.labels}
}

// medical10 is Medical with its most frequent training labels only.
const (
	medical10       = "medical10"
	medical10Labels = 10
)

// DataSetNames returns the names that LoadSplit knows, in alphabetical order.
func DataSetNames() []string {
	var names []string
	for _, set := range catalog {
		names = append(names, set.name)
		if set.name == "medical" {
			names = append(names, medical10)
		}
	}
	return names
}

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
// The files are looked for in the folder of the set, say yeast/, below the
// folder that the environment variable CRANK_DATA names and then below
// CacheFolder; each may be compressed by gzip, with ".gz" added to its name.
// Where they are in neither, the error wraps ErrNotFound and says the command
// that gets them (see Fetch).
func LoadSplit(name string) (train, test *Dataset, err error) {
	set, err := findSet(name)
	if err != nil {
		return nil, nil, err
	}
	folder, err := set.findFolder()
	if err != nil {
		return nil, nil, err
	}
	if set.whole.name != "" {
		whole, err := set.read(folder, set.whole)
		if err != nil {
			return nil, nil, err
		}
		train, test = whole.Split(2./3, 1)
		return train, test, nil
	}
	if train, err = set.read(folder, set.train); err != nil {
		return nil, nil, err
	}
	if test, err = set.read(folder, set.test); err != nil {
		return nil, nil, err
	}
	if name == medical10 {
		labels := train.MostFrequentLabels(medical10Labels)
		train, test = train.SelectLabels(labels), test.SelectLabels(labels)
		train.Name, test.Name = name, name
	}
	return train, test, nil
}

// LoadAll returns all examples of a data set of the catalog: those for training
// and then those for testing, or in the order of the file where Mulan publishes
// no split. Split divides them anew. See LoadSplit for the names and the
// errors.
func LoadAll(name string) (*Dataset, error) {
	set, err := findSet(name)
	if err != nil {
		return nil, err
	}
	if set.whole.name != "" {
		folder, err := set.findFolder()
		if err != nil {
			return nil, err
		}
		return set.read(folder, set.whole)
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

// findSet returns the set called name, or that of which name is a part.
func findSet(name string) (*catalogSet, error) {
	stored := name
	if name == medical10 {
		stored = "medical"
	}
	for k := range catalog {
		if catalog[k].name == stored {
			return &catalog[k], nil
		}
	}
	return nil, fmt.Errorf("%w: %q is none of %s", ErrNotFound, name, strings.Join(DataSetNames(), ", "))
}

// CacheFolder returns the folder that Fetch writes to: crank in the user's
// cache folder.
func CacheFolder() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("crankpkg: %w", err)
	}
	return filepath.Join(cache, "crank"), nil
}

// dataVariable is the environment variable that names a folder of data sets.
const dataVariable = "CRANK_DATA"

// findFolder returns the first folder that has all files of the set.
func (set *catalogSet) findFolder() (string, error) {
	var places []string
	if folder := os.Getenv(dataVariable); folder != "" {
		places = append(places, folder)
	}
	cache, err := CacheFolder()
	if err == nil {
		places = append(places, cache)
	}
	var missing []string
	for _, place := range places {
		folder := filepath.Join(place, set.name)
		path, err := set.firstMissing(folder)
		if err != nil {
			return "", err
		}
		if path == "" {
			return folder, nil
		}
		missing = append(missing, path)
	}
	return "", fmt.Errorf("%w: %s (there is no %s); get it with: %s %s",
		ErrNotFound, set.name, strings.Join(missing, " and no "), fetchCommand, set.name)
}

// fetchCommand gets the data set whose name follows it.
const fetchCommand = "go run github.com/crank-ml/crank/cmd/crank fetch"

// firstMissing returns the path of the first file of the set that is not in
// folder, "" if all are there.
func (set *catalogSet) firstMissing(folder string) (string, error) {
	for _, f := range set.files() {
		path, err := f.find(folder)
		if err != nil {
			return "", err
		}
		if path == "" {
			return filepath.Join(folder, f.name), nil
		}
	}
	return "", nil
}

// find returns the path of f in folder, plain or compressed, "" if it is not
// there.
func (f catalogFile) find(folder string) (string, error) {
	for _, extension := range []string{"", ".gz"} {
		path := filepath.Join(folder, f.name+extension)
		_, err := os.Stat(path)
		if err == nil {
			return path, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("crankpkg: %w", err)
		}
	}
	return "", nil
}

// read reads one of the set's ARFF files.
func (set *catalogSet) read(folder string, f catalogFile) (*Dataset, error) {
	path, err := f.find(folder)
	if err != nil {
		return nil, err
	}
	labels, err := set.labels.find(folder)
	if err != nil {
		return nil, err
	}
	ds, err := ReadARFF(path, ARFFOptions{XML: labels, Drop: set.drop})
	if err != nil {
		return nil, err
	}
	ds.Name = set.name
	return ds, nil
}
