package notebooks

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/crank-ml/crank/internal/nbcheck"
	"github.com/crank-ml/crank/internal/pages"
)

var update = flag.Bool("update", false, "write the executed notebooks back to this folder")

// notebookTimeout is a safety net, far above what a notebook may take.
const notebookTimeout = 15 * time.Minute

// TestExecute executes every notebook with the real kernel into build/notebooks and checks the result. `make notebooks` sets up
// what it needs and names the Jupyter command in CRANK_JUPYTER.
func TestExecute(t *testing.T) {
	jupyter := os.Getenv("CRANK_JUPYTER")
	if jupyter == "" {
		t.Skip("executed by 'make notebooks', which sets CRANK_JUPYTER")
	}
	root, out := repository(t), filepath.Join(repository(t), "build", "notebooks")
	for _, path := range notebookFiles(t) {
		name := strings.TrimSuffix(filepath.Base(path), ".ipynb")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), notebookTimeout)
			defer cancel()
			if err := nbcheck.Execute(ctx, jupyter, path, out); err != nil {
				t.Fatal(err)
			}
			executed := filepath.Join(out, filepath.Base(path))
			clean(t, executed, root)
			check(t, executed, root)
			if *update && !t.Failed() {
				copyFile(t, executed, path)
			}
		})
	}
}

// TestCommitted checks the notebooks as they are committed: executed, whole, and clean.
func TestCommitted(t *testing.T) {
	root := repository(t)
	for _, path := range notebookFiles(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			check(t, path, root)
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			cleaned, err := nbcheck.Clean(data, root)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(data, cleaned) {
				t.Errorf("holds what changes with every execution; 'make notebooks-update NB=%s' writes it clean",
					strings.TrimSuffix(filepath.Base(path), ".ipynb"))
			}
		})
	}
}

// TestHelpers holds each notebook to its subject: at most a third of its lines of Go are helpers, what draws being in
// package plotting and what measures in packages below it.
func TestHelpers(t *testing.T) {
	t.Parallel()
	for _, path := range notebookFiles(t) {
		nb, err := nbcheck.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		helpers, all := nbcheck.Lines(nb)
		share := float64(helpers) / float64(all)
		t.Logf("%s: %d of %d lines are helpers, %.0f %%", filepath.Base(path), helpers, all, 100*share)
		if share > 1./3 {
			t.Errorf("%s: %d of %d lines are helpers, more than a third", filepath.Base(path), helpers, all)
		}
	}
}

// TestFormatted looks that gofmt would leave the cells alone.
func TestFormatted(t *testing.T) {
	t.Parallel()
	for _, path := range notebookFiles(t) {
		nb, err := nbcheck.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range nbcheck.Unformatted(nb) {
			t.Errorf("%s: %v", path, p)
		}
	}
}

// TestSize holds all notebooks together to eight megabytes: they are read on code hosts, and kept in every version.
func TestSize(t *testing.T) {
	t.Parallel()
	const most = 8_000_000
	total := int64(0)
	for _, path := range notebookFiles(t) {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		total += info.Size()
	}
	t.Logf("%d bytes", total)
	if total > most {
		t.Errorf("%d bytes, at most %d", total, most)
	}
}

// TestExported checks that the pages of `make html`, named in CRANK_HTML, hold every picture of their notebooks and are whole by
// themselves: nothing is loaded from elsewhere, no formula is raw TeX, no picture without words.
func TestExported(t *testing.T) {
	dir := os.Getenv("CRANK_HTML")
	if dir == "" {
		t.Skip("run by 'make html', which sets CRANK_HTML")
	}
	index := readPage(t, dir, "index")
	for _, path := range notebookFiles(t) {
		nb, err := nbcheck.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(path), ".ipynb")
		page := readPage(t, dir, name)
		pictures := nbcheck.Pictures(nb)
		for i, picture := range pictures {
			if !strings.Contains(page, picture) {
				t.Errorf("%s: picture %d is not in the page", name, i+1)
			}
		}
		if !strings.Contains(index, `href="`+name+`.html"`) || !strings.Contains(page, `href="index.html"`) {
			t.Errorf("%s: not linked with the index", name)
		}
		t.Logf("%s: %d pictures", name, len(pictures))
	}
}

// readPage reads a page and checks it.
func readPage(t *testing.T, dir, name string) string {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(dir, name+".html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range pages.Check(string(page)) {
		t.Errorf("%s: %s", name, problem)
	}
	return string(page)
}

func check(t *testing.T, path, root string) {
	t.Helper()
	nb, err := nbcheck.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range nbcheck.Check(nb, root) {
		t.Errorf("%s: %v", path, p)
	}
}

// clean cleans the notebook file in place.
func clean(t *testing.T, path, root string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if data, err = nbcheck.Clean(data, root); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// repository returns the folder of the checkout.
func repository(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func notebookFiles(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("*.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatal("no notebooks")
	}
	for i, f := range files {
		if files[i], err = filepath.Abs(f); err != nil {
			t.Fatal(err)
		}
	}
	return files
}
