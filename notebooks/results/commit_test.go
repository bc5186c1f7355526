package results

import (
	"bytes"
	"os"
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

// pins is the file that holds what trainings give, bit by bit (crankpkg's TestPins), from the root of the checkout.
const pins = "crankpkg/testdata/pins_amd64.txt"

// TestNoFileIsOlderThanTheSolver checks that whatever has trained since the commit of a file trains as it did then: each pin of that
// commit which is still there is the same. A change of the solver that moves a bit therefore asks for new results. A clone that lacks a
// commit only says so, as above.
func TestNoFileIsOlderThanTheSolver(t *testing.T) {
	t.Parallel()
	now, err := os.ReadFile("../../" + pins)
	if err != nil {
		t.Fatal(err)
	}
	of := pinned(t, now)
	compared := map[string]bool{"": true}
	for _, name := range names(t) {
		made, err := MadeBy(name)
		if err != nil {
			t.Fatal(err)
		}
		if compared[made.Commit] {
			continue
		}
		compared[made.Commit] = true
		then, err := exec.Command("git", "show", made.Commit+":"+pins).Output()
		if err != nil {
			t.Logf("%s: this clone does not have the commit %s", name, made.Commit)
			continue
		}
		same := 0
		for pin, hash := range pinned(t, then) {
			switch now, there := of[pin]; {
			case there && now == hash:
				same++
			case there:
				t.Errorf("%s is of commit %s, when %s was %s; it is %s now: make the file anew", name, made.Commit, pin, hash, now)
			}
		}
		if same < len(of)/2 {
			t.Errorf("%s: only %d of %d pins are those of commit %s", name, same, len(of), made.Commit)
		}
	}
}

// pinned returns the hash of each pin in a file of lines "name hash".
func pinned(t *testing.T, file []byte) map[string]string {
	t.Helper()
	hashes := map[string]string{}
	for line := range bytes.Lines(file) {
		pin, hash, ok := strings.Cut(strings.TrimSpace(string(line)), " ")
		if !ok {
			t.Fatalf("%s: %q is no pin", pins, line)
		}
		hashes[pin] = hash
	}
	return hashes
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
