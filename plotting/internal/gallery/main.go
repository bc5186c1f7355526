// Command gallery draws every kind of figure of package plotting and writes
// plotting/README.md, which shows each with the lines that make it. Run it from
// the root of the module:
//
//	go run ./plotting/internal/gallery
//
// The pictures are also the golden images of the tests.
package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/crank-ml/crank/internal/atomicfile"
	"github.com/crank-ml/crank/plotting"
)

//go:embed figures.go
var source string

//go:embed head.md
var head string

func main() {
	log.SetFlags(0)
	if err := generate("plotting"); err != nil {
		log.Fatal(err)
	}
}

// generate writes README.md and the folder gallery into dir.
func generate(dir string) error {
	if err := os.MkdirAll(filepath.Join(dir, "gallery"), 0o755); err != nil {
		return err
	}
	for _, f := range figures {
		if err := save(filepath.Join(dir, "gallery", f.file), f.make); err != nil {
			return err
		}
	}
	page, err := readme()
	if err != nil {
		return err
	}
	return atomicfile.Write(filepath.Join(dir, "README.md"), func(w io.Writer) error {
		_, err := io.WriteString(w, page)
		return err
	})
}

// save draws a figure on the kind of page that its name asks for.
func save(path string, make func() plotting.Drawing) error {
	if strings.HasPrefix(filepath.Base(path), "dark") {
		defer plotting.Use(plotting.Dark())()
	}
	return plotting.Save(path, make())
}

// readme returns the page: for each figure its caption, the comment of its
// function, and its lines, the body of the function.
func readme() (string, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "figures.go", source, parser.ParseComments)
	if err != nil {
		return "", err
	}
	functions := map[string]*ast.FuncDecl{}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			functions[f.Name.Name] = f
		}
	}
	var page bytes.Buffer
	page.WriteString(head)
	for _, f := range figures {
		decl := functions[f.name]
		if decl == nil {
			return "", fmt.Errorf("gallery: no function %s", f.name)
		}
		title, caption, _ := strings.Cut(decl.Doc.Text(), ": ")
		title = strings.TrimPrefix(title, f.name+" draws ")
		fmt.Fprintf(&page, "\n## %s\n\n%s\n\n```go\n%s```\n\n![%s](gallery/%s)\n",
			strings.ToUpper(title[:1])+title[1:], sentence(caption), body(fset, decl), title, f.file)
	}
	return page.String(), nil
}

// sentence joins the lines of a comment, the first letter large.
func sentence(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	return strings.ToUpper(s[:1]) + s[1:]
}

// body returns the lines within the braces of a function, with one tab less.
func body(fset *token.FileSet, f *ast.FuncDecl) string {
	from, to := fset.Position(f.Body.Lbrace).Offset+1, fset.Position(f.Body.Rbrace).Offset
	var lines strings.Builder
	for line := range strings.Lines(strings.TrimLeft(source[from:to], "\n")) {
		lines.WriteString(strings.TrimPrefix(line, "\t"))
	}
	return lines.String()
}
