// Package policy holds tests of rules that the whole module keeps.
package policy

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/crank-ml/crank/internal/nbcheck"
)

// root is the folder of the checkout, seen from this package's.
const root = "../.."

// The library must be usable without what draws and without a notebook.
func TestLibraryDoesNotDraw(t *testing.T) {
	t.Parallel()
	for _, p := range packages(t) {
		for _, path := range p.Deps {
			draws := strings.HasPrefix(path, "gonum.org/v1/plot") || strings.HasPrefix(path, "github.com/janpfeifer/gonb")
			if inLibrary(p.ImportPath) && draws {
				t.Errorf("%s needs %s", p.ImportPath, path)
			}
		}
	}
}

// The whole module compiles without cgo. The export data of a package is there once it has been compiled.
func TestBuildsWithoutCgo(t *testing.T) {
	t.Parallel()
	for _, p := range packages(t) {
		if len(p.GoFiles) > 0 && p.Export == "" {
			t.Errorf("%s was not compiled", p.ImportPath)
		}
	}
}

// banned imports, and why. A file that imports "C" is left out of a build without cgo, so that building does not find it.
var banned = map[string]string{
	"C":         "the module is pure Go",
	"math/rand": "randomness comes from a seed through math/rand/v2",
}

// isModule reports whether folder is a module of its own, such as bench, which needs cgo.
func isModule(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, "go.mod"))
	return err == nil
}

func TestBannedImports(t *testing.T) {
	t.Parallel()
	files := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules" || isModule(path)) {
			return filepath.SkipDir
		}
		if d.IsDir() || filepath.Ext(path) != ".go" {
			return nil
		}
		files++
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range f.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if why, ok := banned[name]; ok {
				t.Errorf("%s imports %s: %s", path, spec.Path.Value, why)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files == 0 {
		t.Error("no Go files found")
	}
}

// importLine is one import in a notebook's cell, alone or inside parentheses.
var importLine = regexp.MustCompile(`(?m)^\s*(?:import\s+)?(?:[\w.]+\s+)?"([^"]+)"\s*$`)

func TestBannedImportsInNotebooks(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob(root + "/notebooks/*.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	imports := 0
	for _, path := range paths {
		nb, err := nbcheck.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range nb.Cells {
			if c.Type != "code" {
				continue
			}
			for _, m := range importLine.FindAllStringSubmatch(string(c.Source), -1) {
				imports++
				if why, ok := banned[m[1]]; ok {
					t.Errorf("%s, cell %d imports %q: %s", filepath.Base(path), i+1, m[1], why)
				}
			}
		}
	}
	if imports == 0 {
		t.Error("no imports found in notebooks")
	}
}
