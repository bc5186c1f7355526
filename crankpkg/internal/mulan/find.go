package mulan

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/internal/mulandata"
)

// Files are the files of a data set, by names that Open takes: Train and Test, or Whole
// where Mulan publishes no split, and the XML file of the Labels.
type Files struct {
	Set                        string // as Mulan calls it
	Train, Test, Whole, Labels string
	Drop                       []string // attributes to leave out
	place                      place
}

// Open opens one of the files. On disk it may be compressed; see Find.
func (f Files) Open(name string) (io.ReadCloser, error) {
	r, err := f.place.open(name)
	if err != nil {
		return nil, fmt.Errorf("crankpkg: %w", err)
	}
	return r, nil
}

// Find returns the files of a data set: those below the folder that the environment
// variable CRANK_DATA names or, failing that, below the cache folder, each plain or
// compressed by gzip, with ".gz" added to its name; or else those built in. Where there
// are none, the error wraps ErrNotFound and says the command that gets them.
func Find(name string) (Files, error) {
	set, err := findSet(name)
	if err != nil {
		return Files{}, err
	}
	at, err := set.findPlace()
	if err != nil {
		return Files{}, err
	}
	files := Files{Set: set.name, Drop: set.drop, place: at}
	for _, f := range []struct {
		catalogFile
		to *string
	}{{set.train, &files.Train}, {set.test, &files.Test}, {set.whole, &files.Whole}, {set.labels, &files.Labels}} {
		if f.name == "" {
			continue
		}
		if *f.to, err = at.find(f.name); err != nil {
			return Files{}, err
		}
	}
	return files, nil
}

// place is where the files of a set may be.
type place interface {
	// find returns what to call open with for a file of the catalog, "" if it is not there.
	find(name string) (string, error)
	open(name string) (io.ReadCloser, error)
}

// folder is a place on disk.
type folder string

func (at folder) find(name string) (string, error) {
	for _, extension := range []string{"", ".gz"} {
		path := filepath.Join(string(at), name+extension)
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

func (folder) open(path string) (io.ReadCloser, error) { return os.Open(path) }

// builtIn is the place of the files of a set that come with the package.
type builtIn string

func (set builtIn) find(name string) (string, error) { return string(set) + "/" + name, nil }

func (builtIn) open(name string) (io.ReadCloser, error) { return mulandata.Open(name) }

// dataVariable is the environment variable that names a folder of data sets.
const dataVariable = "CRANK_DATA"

// fetchCommand gets the data set whose name follows it.
const fetchCommand = "go run github.com/crank-ml/crank/cmd/crank fetch"

// findPlace returns the first place that has all files of the set.
func (set *catalogSet) findPlace() (place, error) {
	var missing []string
	for _, at := range set.folders() {
		file, err := set.firstMissing(at)
		if err != nil {
			return nil, err
		}
		if file == "" {
			return at, nil
		}
		missing = append(missing, "there is no "+filepath.Join(string(at), file))
	}
	if mulandata.Has(set.name) {
		return builtIn(set.name), nil
	}
	missing = append([]string{"it is not built in"}, missing...)
	return nil, fmt.Errorf("%w: %s (%s); name a folder that has it in %s, or get it with: %s %s",
		errs.ErrNotFound, set.name, strings.Join(missing, ", "), dataVariable, fetchCommand, set.name)
}

// found returns the folder on disk that LoadSplit takes the set from, "" where there is none. A
// copy that Fetch may have written is damaged, and not found, unless it has the right content.
// Nothing here looks at data that are built in, which programs that call Fetch alone do not carry.
func (set *catalogSet) found() (at string, damaged bool, err error) {
	cache, noCache := CacheFolder()
	for _, at := range set.folders() {
		file, err := set.firstMissing(at)
		if err != nil {
			return "", false, err
		}
		if file != "" {
			continue
		}
		if own := filepath.Join(cache, set.name); noCache == nil && string(at) == own && !set.isRight(own) {
			return "", true, nil
		}
		return string(at), false, nil
	}
	return "", false, nil
}

// isRight reports whether the files of a folder that are not compressed have the right content.
func (set *catalogSet) isRight(folder string) bool {
	for _, file := range set.files() {
		path := filepath.Join(folder, file.name)
		if _, err := os.Stat(path); err == nil && !file.matches(path) {
			return false
		}
	}
	return true
}

// folders returns where on disk the files of the set may be, the first choice first.
func (set *catalogSet) folders() []folder {
	var at []folder
	if data := os.Getenv(dataVariable); data != "" {
		at = append(at, folder(filepath.Join(data, set.name)))
	}
	if cache, err := CacheFolder(); err == nil { // a user without one can still have the others
		at = append(at, folder(filepath.Join(cache, set.name)))
	}
	return at
}

// firstMissing returns the first file of the set that is not at a place, "" if all are.
func (set *catalogSet) firstMissing(at place) (string, error) {
	for _, f := range set.files() {
		name, err := at.find(f.name)
		if err != nil {
			return "", err
		}
		if name == "" {
			return f.name, nil
		}
	}
	return "", nil
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
