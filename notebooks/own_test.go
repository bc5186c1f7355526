package notebooks

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crank-ml/crank/internal/nbcheck"
)

// TestOwnExecuted makes notebooks outside of the checkout, as a user would, and has the real kernel execute them.
func TestOwnExecuted(t *testing.T) {
	jupyter := os.Getenv("CRANK_JUPYTER")
	if jupyter == "" {
		t.Skip("executed by 'make notebooks', which sets CRANK_JUPYTER")
	}
	t.Run("built-in set", func(t *testing.T) {
		t.Parallel()
		path := filepath.Join(t.TempDir(), "a study.ipynb")
		start(t, path)
		expectStudy(t, execute(t, jupyter, path), "emotions: 391 examples", "is predicted [relaxing-calm quiet-still sad-lonely]")
	})
	t.Run("file", func(t *testing.T) {
		t.Parallel()
		folder := t.TempDir()
		// A path that a shell has to be told with care, and one more name of the checkout that is such a path.
		link := filepath.Join(folder, "the check-out's $name")
		if err := os.Symlink(repository(t), link); err != nil {
			t.Fatal(err)
		}
		table, path := filepath.Join(folder, "the shop.csv"), filepath.Join(folder, "study.ipynb")
		writeShop(t, table)
		start(t, "-module", link, "-csv", table, "-prefix", "buys ", path)
		expectStudy(t, execute(t, jupyter, path), "the shop: 40 examples, 2 dense features, 3 labels", "is predicted [")
	})
	t.Run("copied", func(t *testing.T) {
		t.Parallel()
		path := filepath.Join(t.TempDir(), "00_start_here.ipynb")
		copyFile(t, "00_start_here.ipynb", path)
		first := firstCode(t, execute(t, jupyter, path))
		if said := first.Stderr(); !strings.Contains(said, strayed) {
			t.Errorf("the first cell says %q, want %q", said, strayed)
		}
	})
}

// start runs `crank new`.
func start(t *testing.T, args ...string) {
	t.Helper()
	cmd := exec.Command("go", append([]string{"run", "./cmd/crank", "new"}, args...)...)
	cmd.Dir = repository(t)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("crank new: %v\n%s", err, out)
	}
}

// execute executes the notebook and returns it.
func execute(t *testing.T, jupyter, path string) *nbcheck.Notebook {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), notebookTimeout)
	defer cancel()
	out := filepath.Join(filepath.Dir(path), "executed")
	if err := nbcheck.Execute(ctx, jupyter, path, out); err != nil {
		t.Fatal(err)
	}
	nb, err := nbcheck.Read(filepath.Join(out, filepath.Base(path)))
	if err != nil {
		t.Fatal(err)
	}
	return nb
}

// expectStudy expects all cells to have done what they are for, two models with two pictures each, and the words in what was printed.
func expectStudy(t *testing.T, nb *nbcheck.Notebook, words ...string) {
	t.Helper()
	for _, p := range nbcheck.Check(nb) {
		t.Error(p)
	}
	if n := len(nbcheck.Pictures(nb)); n != 4 {
		t.Errorf("%d pictures, want 4", n)
	}
	var printed strings.Builder
	for _, c := range nb.Cells {
		for _, o := range c.Outputs {
			printed.WriteString(string(o.Text))
		}
	}
	for _, w := range append(words, "Empty Hamming accuracy", "CRANK Hamming accuracy") {
		if !strings.Contains(printed.String(), w) {
			t.Errorf("no %q in\n%s", w, printed.String())
		}
	}
}

// writeShop writes a table of customers: their city and age, and what they buy.
func writeShop(t *testing.T, path string) {
	t.Helper()
	var rows strings.Builder
	rows.WriteString("city,age,buys tea,buys milk,buys nothing\n")
	for k := range 60 {
		tea, milk := k%2, min(k%2+k%3/2, 1)
		fmt.Fprintf(&rows, "%s,%d,%d,%d,%d\n", []string{"Oslo", "Rome"}[tea], 20+k, tea, milk, 1-milk)
	}
	if err := os.WriteFile(path, []byte(rows.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// strayed is what the first cell of a notebook says that is in no checkout.
const strayed = "This notebook lies in no checkout of crank. Open it in one: make lab"

// TestFirstCells runs the first cell of every notebook by the shell, as GoNB does: in the checkout, where it says nothing and the
// module is known, and as if the notebook had been copied elsewhere.
func TestFirstCells(t *testing.T) {
	t.Parallel()
	ran := map[string]bool{}
	for _, path := range notebookFiles(t) {
		nb, err := nbcheck.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		line, magics, _ := strings.Cut(string(firstCode(t, nb).Source), "\n")
		command, shell := strings.CutPrefix(line, "!*")
		if !shell || !strings.HasPrefix(magics, "%noautoget") {
			t.Errorf("%s has a first cell of another form", filepath.Base(path))
		}
		if ran[command] {
			continue // they are the same
		}
		ran[command] = true
		session := t.TempDir()
		if err := os.WriteFile(filepath.Join(session, "go.mod"), []byte("module gonb_session\n\ngo 1.25.0\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if out, err := shellIn(session, t.TempDir(), command); err == nil || !strings.Contains(out, strayed) {
			t.Errorf("elsewhere: %v: %s", err, out)
		}
		if out, err := shellIn(session, repository(t), command+" && go list -m"); err != nil || !strings.Contains(out, "github.com/crank-ml/crank\n") {
			t.Errorf("in the checkout: %v: %s", err, out)
		}
	}
	if len(ran) != 1 {
		t.Errorf("%d different first cells, want one", len(ran))
	}
}

// shellIn runs a command in a session's folder, for a notebook in the folder called dir.
func shellIn(session, dir, command string) (string, error) {
	cmd := exec.Command("/bin/bash", "-c", command)
	cmd.Dir = session
	cmd.Env = append(os.Environ(), "GONB_DIR="+dir, "GOWORK=", "GOFLAGS=-mod=readonly -ldflags=-s")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// firstCode returns the notebook's first cell of code.
func firstCode(t *testing.T, nb *nbcheck.Notebook) *nbcheck.Cell {
	t.Helper()
	for i := range nb.Cells {
		if nb.Cells[i].Type == "code" {
			return &nb.Cells[i]
		}
	}
	t.Fatal("no code")
	return nil
}
