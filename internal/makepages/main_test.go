package main

import (
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
