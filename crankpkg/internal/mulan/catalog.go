package mulan

import (
	"fmt"
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
	builtIn            bool // package mulandata has it
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

// size returns the number of bytes of all files.
func (set *catalogSet) size() (total int64) {
	for _, file := range set.files() {
		total += file.size
	}
	return total
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
