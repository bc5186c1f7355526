package mulan

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/crank-ml/crank/crankpkg/internal/errs"
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

// Medical10 is Medical with its most frequent training labels only: a name of its
// own for the files of Medical.
const Medical10 = "medical10"

// Names returns the names of all data sets, in alphabetical order.
func Names() []string {
	var names []string
	for _, set := range catalog {
		names = append(names, set.name)
		if set.name == "medical" {
			names = append(names, Medical10)
		}
	}
	return names
}

// Paths are where the files of a data set are: Train and Test, or Whole
// where Mulan publishes no split, and the XML file of the Labels.
type Paths struct {
	Set                        string // as Mulan calls it
	Train, Test, Whole, Labels string
	Drop                       []string // attributes to leave out
}

// Find returns the files of a data set below the folder that the
// environment variable CRANK_DATA names or, failing that, below the cache folder; each
// may be compressed by gzip, with ".gz" added to its name. Where they are in
// neither, the error wraps ErrNotFound and says the command that gets them.
func Find(name string) (Paths, error) {
	set, err := findSet(name)
	if err != nil {
		return Paths{}, err
	}
	folder, err := set.findFolder()
	if err != nil {
		return Paths{}, err
	}
	paths := Paths{Set: set.name, Drop: set.drop}
	for _, f := range []struct {
		catalogFile
		to *string
	}{{set.train, &paths.Train}, {set.test, &paths.Test}, {set.whole, &paths.Whole}, {set.labels, &paths.Labels}} {
		if f.name == "" {
			continue
		}
		if *f.to, err = f.find(folder); err != nil {
			return Paths{}, err
		}
	}
	return paths, nil
}

// findSet returns the set called name, or that of which name is a part.
func findSet(name string) (*catalogSet, error) {
	stored := name
	if name == Medical10 {
		stored = "medical"
	}
	for k := range catalog {
		if catalog[k].name == stored {
			return &catalog[k], nil
		}
	}
	return nil, fmt.Errorf("%w: %q is none of %s", errs.ErrNotFound, name, strings.Join(Names(), ", "))
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
		errs.ErrNotFound, set.name, strings.Join(missing, " and no "), fetchCommand, set.name)
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
