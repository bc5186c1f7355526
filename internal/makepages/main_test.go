package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crank-ml/crank/internal/pages"
)

// TestRender checks that no Python is asked for where there are no formulas, and that what fails is told.
func TestRender(t *testing.T) {
	t.Parallel()
	missing := filepath.Join(t.TempDir(), "python")
	if mathml, err := render(missing, "mathml.py", nil); err != nil || len(mathml) != 0 {
		t.Errorf("no formulas: %q, %v", mathml, err)
	}
	if _, err := render(missing, "mathml.py", pages.Formulas{{TeX: "x"}}); err == nil || !strings.Contains(err.Error(), "rendering formulas") {
		t.Errorf("no Python: %v", err)
	}
}

func TestRunNamesWhatIsMissing(t *testing.T) {
	t.Parallel()
	if err := run("jupyter", "python3", ".", t.TempDir(), nil); err == nil {
		t.Error("no error without notebooks")
	}
	path := filepath.Join(t.TempDir(), "none.ipynb")
	if err := run("jupyter", "python3", ".", t.TempDir(), []string{path}); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v does not name the file", err)
	}
}

// script writes a shell script, and skips the test where there is no shell. Tests with scripts run one after the other: a
// process that another one is just starting may have the file open still, which cannot be run then.
func script(t *testing.T, name, text string) string {
	t.Helper()
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte("#!"+shell+"\n"+text), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// nbconvert stands for Jupyter: a page shows the text of its notebook's file. It refuses files of another format, as the real one warns.
const nbconvert = `while [ $# -gt 0 ]; do
	case "$1" in
	--output-dir) work=$2; shift ;;
	*.ipynb)
		grep -q '"nbformat":4,"nbformat_minor":5' "$1" || exit 3
		{ echo "<main>"; cat "$1"; echo "</main>"; } >"$work/$(basename "$1" .ipynb).html" ;;
	esac
	shift
done`

func notebook(t *testing.T, folder, name, text string) string {
	t.Helper()
	data, err := json.Marshal(map[string]any{
		"cells":    []any{map[string]any{"cell_type": "markdown", "id": "a", "metadata": map[string]any{}, "source": text}},
		"metadata": map[string]any{}, "nbformat": 4, "nbformat_minor": 5,
	})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, name+".ipynb")
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestRun makes pages of three notebooks: each has its formulas, leads to its neighbors and is in the index, which leads to all.
func TestRun(t *testing.T) {
	in, out := t.TempDir(), filepath.Join(t.TempDir(), "deep", "html")
	var paths []string
	for _, name := range []string{"01_one", "02_two", "03_three"} {
		paths = append(paths, notebook(t, in, name, "# Title of "+name+"\n\nThe lead of "+name+" has $x_"+name[1:2]+"$.\n"))
	}
	python := script(t, "python", `cat >/dev/null; echo '["<math>one</math>", "<math>two</math>", "<math>three</math>"]'`)
	if err := run(script(t, "jupyter", nbconvert), python, t.TempDir(), out, paths); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ has, lacks []string }{
		"01_one":   {[]string{"Title of 01_one", "<math>one</math>", `rel="next" href="02_two.html"`}, []string{"<math>two</math>", `rel="prev"`}},
		"02_two":   {[]string{"Title of 02_two", "<math>two</math>", `rel="prev" href="01_one.html"`, `rel="next" href="03_three.html"`}, []string{"<math>one</math>"}},
		"03_three": {[]string{"Title of 03_three", "<math>three</math>", `rel="prev" href="02_two.html"`}, []string{`rel="next"`}},
		"index": {[]string{"Title of 01_one", "(02_two.html)", "The lead of 03_three", "<math>one</math>", "<math>two</math>", "<math>three</math>"},
			[]string{`rel="prev"`, `rel="next"`}},
	} {
		page, err := os.ReadFile(filepath.Join(out, name+".html"))
		if err != nil {
			t.Error(err)
			continue
		}
		for _, want := range c.has {
			if !strings.Contains(string(page), want) {
				t.Errorf("%s lacks %s: %s", name, want, page)
			}
		}
		for _, no := range c.lacks {
			if strings.Contains(string(page), no) {
				t.Errorf("%s has %s", name, no)
			}
		}
	}
	if left, err := filepath.Glob(filepath.Join(out, "*")); err != nil || len(left) != 4 {
		t.Errorf("files %v, error %v; want four pages", left, err)
	}
}

// TestRunTellsWhatFails has each step fail: no page is made, and the error names the step.
func TestRunTellsWhatFails(t *testing.T) {
	in := t.TempDir()
	good := notebook(t, in, "good", "# Good\n\nWith $x$.\n")
	bad := filepath.Join(in, "bad.ipynb")
	if err := os.WriteFile(bad, []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	jupyter, python := script(t, "jupyter", nbconvert), script(t, "python", `cat >/dev/null; echo '["<math>one</math>"]'`)
	fails := script(t, "fails", "exit 1")
	for in, c := range map[string]struct{ jupyter, python, notebook string }{
		"bad: ":              {jupyter, python, bad},
		"nbconvert: ":        {fails, python, good},
		"rendering formulas": {jupyter, fails, good},
		"invalid character":  {jupyter, script(t, "python", "cat >/dev/null; echo no"), good},
		"good.html":          {script(t, "jupyter", "exit 0"), python, good},
	} {
		out := t.TempDir()
		err := run(c.jupyter, c.python, t.TempDir(), out, []string{c.notebook})
		if err == nil || !strings.Contains(err.Error(), in) {
			t.Errorf("error %v, want one that says %s", err, in)
		}
		if left, _ := filepath.Glob(filepath.Join(out, "*")); len(left) > 0 {
			t.Errorf("%s: files %v", in, left)
		}
	}
}
