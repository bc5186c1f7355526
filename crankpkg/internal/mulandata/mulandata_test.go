package mulandata

import (
	"errors"
	"io/fs"
	"testing"
)

// TestOpenErrors asks for files that are not built in: an error says so, not an empty reader.
func TestOpenErrors(t *testing.T) {
	for _, name := range []string{"", "yeast", "yeast/yeast-none.arff", "bibtex/bibtex-train.arff"} {
		r, err := Open(name)
		if r != nil || !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%q: %v, %v, want fs.ErrNotExist", name, r, err)
		}
	}
}
