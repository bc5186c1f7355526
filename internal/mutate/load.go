package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

// listed is what go list tells about a package.
type listed struct {
	ImportPath, Dir, Export            string
	DepOnly                            bool
	GoFiles                            []string
	TestGoFiles, XTestGoFiles          []string
	Imports, TestImports, XTestImports []string
}

// goList returns what go list tells about packages, seen from dir.
func goList(ctx context.Context, dir string, args ...string) ([]listed, error) {
	cmd := exec.CommandContext(ctx, "go", append([]string{"list", "-json"}, args...)...)
	cmd.Dir = dir
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list %q: %w\n%s", args, err, &said)
	}
	var packages []listed
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return packages, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list %q: %w", args, err)
		}
		packages = append(packages, p)
	}
}

// A source is a Go file, read once.
type source struct {
	pkg  string // import path
	path string // absolute
	name string // seen from the folder of the run, with slashes
	text []byte
}

// A checked package has its files parsed and their types known.
type checked struct {
	listed
	fset    *token.FileSet
	sources []*source
	files   []*ast.File
	info    *types.Info
}

// load parses and type-checks the packages that patterns name, without their tests.
func load(ctx context.Context, dir string, patterns []string) ([]*checked, error) {
	all, err := goList(ctx, dir, append([]string{"-deps", "-export", "--"}, patterns...)...)
	if err != nil {
		return nil, err
	}
	root, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	export := make(map[string]string, len(all))
	for _, p := range all {
		export[p.ImportPath] = p.Export
	}
	fset := token.NewFileSet()
	imports := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(export[path]) })
	var packages []*checked
	for _, p := range all {
		if p.DepOnly {
			continue
		}
		c, err := check(p, root, fset, imports)
		if err != nil {
			return nil, err
		}
		packages = append(packages, c)
	}
	return packages, nil
}

func check(p listed, root string, fset *token.FileSet, imports types.Importer) (*checked, error) {
	c := &checked{listed: p, fset: fset}
	for _, name := range p.GoFiles {
		src, err := readSource(p, root, name)
		if err != nil {
			return nil, err
		}
		file, err := parser.ParseFile(fset, src.path, src.text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		c.sources, c.files = append(c.sources, src), append(c.files, file)
	}
	c.info = &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}
	_, err := (&types.Config{Importer: imports}).Check(p.ImportPath, fset, c.files, c.info)
	return c, err
}

func readSource(p listed, root, name string) (*source, error) {
	path := filepath.Join(p.Dir, name)
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	seen, err := filepath.Rel(root, path)
	if err != nil {
		return nil, err
	}
	return &source{pkg: p.ImportPath, path: path, name: filepath.ToSlash(seen), text: text}, nil
}
