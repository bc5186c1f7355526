// Command makepages turns executed notebooks into pages that are whole by
// themselves, with an index and links between them. `make html` runs it.
//
//	go run ./internal/makepages -jupyter COMMAND -python COMMAND -out FOLDER NOTEBOOK...
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/crank-ml/crank/internal/atomicfile"
	"github.com/crank-ml/crank/internal/pages"
)

func main() {
	jupyter := flag.String("jupyter", "jupyter", "the Jupyter command")
	python := flag.String("python", "python3", "a Python that has math-core")
	scripts := flag.String("scripts", "scripts/pages", "the folder with the template and mathml.py")
	out := flag.String("out", "build/html", "the folder for the pages")
	flag.Parse()
	if err := run(*jupyter, *python, *scripts, *out, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "makepages:", err)
		os.Exit(1)
	}
}

func run(jupyter, python, scripts, out string, notebooks []string) error {
	if len(notebooks) == 0 {
		return errors.New("no notebooks")
	}
	work, err := os.MkdirTemp("", "crank-pages")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }()
	var all []*pages.Page
	var fs pages.Formulas
	var prepared []string
	for _, path := range notebooks {
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		page, notebook, err := pages.Prepare(strings.TrimSuffix(filepath.Base(path), ".ipynb"), data, &fs)
		if err != nil {
			return err
		}
		all = append(all, page)
		prepared = append(prepared, filepath.Join(work, filepath.Base(path)))
		if err := os.WriteFile(prepared[len(prepared)-1], notebook, 0o644); err != nil {
			return err
		}
	}
	index := filepath.Join(work, "index.ipynb")
	notebook, err := indexNotebook(all)
	if err != nil {
		return err
	}
	if err := os.WriteFile(index, notebook, 0o644); err != nil {
		return err
	}
	mathml, err := render(python, filepath.Join(scripts, "mathml.py"), fs)
	if err != nil {
		return err
	}
	if err := convert(jupyter, scripts, work, append(prepared, index)); err != nil {
		return err
	}
	for k, page := range all {
		var before, after *pages.Page
		if k > 0 {
			before = all[k-1]
		}
		if k+1 < len(all) {
			after = all[k+1]
		}
		if err := finish(work, out, page, before, after, all, fs, mathml); err != nil {
			return err
		}
	}
	return finish(work, out, &pages.Page{Name: "index"}, nil, nil, all, fs, mathml)
}

// indexNotebook returns the notebook of the index.
func indexNotebook(all []*pages.Page) ([]byte, error) {
	return json.Marshal(map[string]any{
		"cells":    []any{map[string]any{"cell_type": "markdown", "id": "index", "metadata": map[string]any{}, "source": pages.Index(all)}},
		"metadata": map[string]any{"title": "crank: the notebooks"}, "nbformat": 4, "nbformat_minor": 5,
	})
}

// render renders the formulas as MathML.
func render(python, script string, fs pages.Formulas) (mathml []string, err error) {
	if len(fs) == 0 {
		return nil, nil
	}
	input, err := json.Marshal(fs)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(python, script)
	cmd.Stdin, cmd.Stderr = bytes.NewReader(input), os.Stderr
	output, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("rendering formulas: %w", err)
	}
	return mathml, json.Unmarshal(output, &mathml)
}

// convert has nbconvert make pages of the notebooks, beside them.
func convert(jupyter, scripts, work string, notebooks []string) error {
	templates, err := filepath.Abs(scripts)
	if err != nil {
		return err
	}
	args := []string{"nbconvert", "--log-level", "ERROR", "--to", "html", "--template", "crank",
		"--TemplateExporter.extra_template_basedirs=" + templates, "--output-dir", work}
	cmd := exec.Command(jupyter, append(args, notebooks...)...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("nbconvert: %w", err)
	}
	return nil
}

// finish finishes the page that nbconvert made, and writes it.
func finish(work, out string, page, before, after *pages.Page, all []*pages.Page, fs pages.Formulas, mathml []string) error {
	data, err := os.ReadFile(filepath.Join(work, page.Name+".html"))
	if err != nil {
		return err
	}
	html, err := pages.Finish(string(data), page, before, after, all, fs, mathml)
	if err != nil {
		return fmt.Errorf("%s: %w", page.Name, err)
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	return atomicfile.Write(filepath.Join(out, page.Name+".html"), func(w io.Writer) error {
		_, err := io.WriteString(w, html)
		return err
	})
}
