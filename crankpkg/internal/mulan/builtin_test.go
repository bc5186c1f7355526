package mulan

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg/internal/mulandata"
)

// builtInFolder is where the files of the sets that are built in are kept.
const builtInFolder = "../mulandata"

// builtInSets returns the sets of the catalog that are built in.
func builtInSets() []catalogSet {
	return slices.DeleteFunc(slices.Clone(catalog), func(set catalogSet) bool { return !mulandata.Has(set.name) })
}

// What is built in is, byte for byte, what the catalog says that Mulan publishes: neither a
// set nor a file more or less.
func TestBuiltInFiles(t *testing.T) {
	t.Parallel()
	var names, want []string
	for _, set := range builtInSets() {
		names = append(names, set.name)
		for _, f := range set.files() {
			want = append(want, filepath.Join(builtInFolder, set.name, f.name+".gz"))
			checkBuiltIn(t, set.name, f)
		}
	}
	if !slices.Equal(names, []string{"emotions", "flags", "medical", "scene", "yeast"}) {
		t.Errorf("built in are %q", names)
	}
	got, err := filepath.Glob(builtInFolder + "/*/*")
	slices.Sort(want)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("the files are %q, want %q, error %v", got, want, err)
	}
}

func checkBuiltIn(t *testing.T, set string, f catalogFile) {
	t.Helper()
	r, err := mulandata.Open(set + "/" + f.name)
	if err != nil {
		t.Error(err)
		return
	}
	defer r.Close()
	if err := f.check(r); err != nil {
		t.Errorf("%s: %v", f.name, err)
	}
}

// Whoever checks the files by hand finds the catalog's sums beside them.
func TestBuiltInSums(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(builtInFolder, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), mulanRevision) {
		t.Error("the README does not name the revision of Mulan's repository")
	}
	for _, set := range builtInSets() {
		for _, f := range set.files() {
			if line := f.sha256 + "  " + set.name + "/" + f.name + "\n"; !strings.Contains(string(text), line) {
				t.Errorf("the README lacks the line %q", line)
			}
		}
	}
}
