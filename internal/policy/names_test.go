package policy

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/crank-ml/crank/internal/nbcheck"
)

// mostNames is how many names crankpkg may export: what a user of the ten lines needs.
const mostNames = 80

// TestNamesOfTheLibrary counts the exported names of crankpkg, and finds those that neither the README, a notebook, the figures,
// the command nor an example uses: they belong below it, or nowhere.
func TestNamesOfTheLibrary(t *testing.T) {
	t.Parallel()
	names := exportedNames(t, root+"/crankpkg")
	if len(names) > mostNames {
		t.Errorf("crankpkg exports %d names, more than %d: %s", len(names), mostNames, strings.Join(names, " "))
	}
	used := usedNames(t)
	for _, name := range names {
		if !used[name] {
			t.Errorf("nobody uses crankpkg.%s", name)
		}
	}
}

// exportedNames returns the exported names of the package in folder, without fields and methods.
func exportedNames(t *testing.T, folder string) []string {
	t.Helper()
	var names []string
	paths, err := filepath.Glob(folder + "/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range f.Decls {
			for _, name := range declared(decl) {
				if ast.IsExported(name) {
					names = append(names, name)
				}
			}
		}
	}
	slices.Sort(names)
	return names
}

func declared(decl ast.Decl) (names []string) {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			names = append(names, d.Name.Name)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				names = append(names, s.Name.Name)
			case *ast.ValueSpec:
				for _, id := range s.Names {
					names = append(names, id.Name)
				}
			}
		}
	}
	return names
}

// use is a name of the library in code.
var use = regexp.MustCompile(`\bcrankpkg\.([A-Z]\w*)`)

// usedNames returns the names of crankpkg that users see used.
func usedNames(t *testing.T) map[string]bool {
	t.Helper()
	used := map[string]bool{}
	look := func(text string) {
		for _, m := range use.FindAllStringSubmatch(text, -1) {
			used[m[1]] = true
		}
	}
	read := func(path string) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		look(string(text))
	}
	read(root + "/README.md")
	read(root + "/GUIDE.md")
	for _, folder := range []string{"plotting", "cmd", "crankpkg"} {
		err := filepath.WalkDir(filepath.Join(root, folder), func(path string, d fs.DirEntry, err error) error {
			example := strings.Contains(filepath.Base(path), "example") && strings.HasSuffix(path, "_test.go")
			if err == nil && filepath.Ext(path) == ".go" && (example || folder != "crankpkg" && !strings.HasSuffix(path, "_test.go")) {
				read(path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	paths, err := filepath.Glob(root + "/notebooks/*.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		nb, err := nbcheck.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range nb.Cells {
			if c.Type == "code" {
				look(string(c.Source))
			}
		}
	}
	return used
}

// TestPackagesStaySmall holds every package to a size that a reader can hold in mind. Plotting is flat and calm, with a file for each kind of figure, and may be larger.
func TestPackagesStaySmall(t *testing.T) {
	t.Parallel()
	const mostFiles, mostLines = 40, 5000
	for _, p := range packages(t) {
		pkg, files := strings.TrimPrefix(p.ImportPath, module), p.GoFiles
		lines := 0
		for _, name := range files {
			text, err := os.ReadFile(filepath.Join(p.Dir, name))
			if err != nil {
				t.Fatal(err)
			}
			lines += strings.Count(string(text), "\n")
		}
		if len(files) > mostFiles && pkg != "plotting" {
			t.Errorf("%s has %d files, more than %d", pkg, len(files), mostFiles)
		}
		if lines > mostLines && pkg != "plotting" {
			t.Errorf("%s has %d lines, more than %d", pkg, lines, mostLines)
		}
	}
}
