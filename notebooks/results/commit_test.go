package results

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/crank-ml/crank/internal/origin"
)

// names returns the names of all files.
func names(t *testing.T) (names []string) {
	t.Helper()
	entries, err := files.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// TestFilesSayWhatMadeThem checks that every file is of a commit with nothing changed.
func TestFilesSayWhatMadeThem(t *testing.T) {
	t.Parallel()
	for _, name := range names(t) {
		made, err := MadeBy(name)
		if err != nil {
			t.Fatal(err)
		}
		if made.Command == "" || made.Go == "" || made.Processor == "" || made.Date == "" || !made.Clean || len(made.Commit) != 40 {
			t.Errorf("%s was made by %+v", name, made)
		}
	}
}

// TestCommitsExist asks git for the commits that files name, where it has the history: each has to be one that the present one comes from.
// Whoever makes results has the commit. A clone may lack it where branches were landed as single commits, and only says so.
func TestCommitsExist(t *testing.T) {
	t.Parallel()
	if out, err := exec.Command("git", "rev-parse", "--is-shallow-repository").Output(); err != nil || strings.TrimSpace(string(out)) != "false" {
		t.Skip("no checkout with its history")
	}
	asked := map[string]bool{origin.Unknown: true, "": true} // TestFilesSayWhatMadeThem has these
	for _, name := range names(t) {
		made, err := MadeBy(name)
		if err != nil {
			t.Fatal(err)
		}
		if asked[made.Commit] {
			continue
		}
		asked[made.Commit] = true
		if exec.Command("git", "cat-file", "-e", made.Commit+"^{commit}").Run() != nil {
			t.Logf("%s: this clone does not have the commit %s", name, made.Commit)
			continue
		}
		if out, err := exec.Command("git", "merge-base", "--is-ancestor", made.Commit, "HEAD").CombinedOutput(); err != nil {
			t.Errorf("%s: commit %s is not in the history: %v %s", name, made.Commit, err, out)
		}
	}
}

// TestCaption puts files of one commit together.
func TestCaption(t *testing.T) {
	t.Parallel()
	first, err := MadeBy("table1.json")
	if err != nil {
		t.Fatal(err)
	}
	if line, err := Caption("table1.json", "curves.json"); err != nil || line != "table1.json, curves.json: "+first.String()+"." {
		t.Errorf("%q, %v", line, err)
	}
}
