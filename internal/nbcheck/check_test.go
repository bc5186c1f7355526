package nbcheck

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"flag"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "store the notebooks of testdata as the kernel executes them now")

// broken names the notebooks of testdata, each with one deliberate fault, and what Check says of it. Its second cell, the
// first with code, is sound, so the fault must be found in the third.
var broken = []struct{ name, problem string }{
	{"good", ""},
	{"panic", "failed:\npanic: runtime error: index out of range"},
	{"fatal", "no such data set\nexit status 1"},
	{"compile_error", "declared and not used: unused"},
	{"missing_image", "shows no PNG picture"},
	{"unknown_magic", `"%nosuchmagic" unknown or not implemented yet`},
	{"failing_test", "failed:\nexit status 1"},
	{"failing_shell", "failed:\nexit status 1"},
	{"false_claim", "claims: no longer holds: three is more than four\nexit status 1"},
	{"changed_caption", "no cell of this section makes the number 17.5"},
}

// TestBroken holds Check to notebooks as the kernel left them.
func TestBroken(t *testing.T) {
	for _, c := range broken {
		t.Run(c.name, func(t *testing.T) {
			expectProblem(t, filepath.Join("testdata", c.name+".ipynb"), c.problem)
		})
	}
}

// TestBrokenExecuted is TestBroken on notebooks that the real kernel executes now. It needs `make notebooks`, which names the
// Jupyter command in CRANK_JUPYTER.
func TestBrokenExecuted(t *testing.T) {
	jupyter := os.Getenv("CRANK_JUPYTER")
	if jupyter == "" {
		t.Skip("executed by 'make notebooks', which sets CRANK_JUPYTER")
	}
	for _, c := range broken {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
			defer cancel()
			path := filepath.Join("testdata", c.name+".ipynb")
			out := t.TempDir()
			if err := Execute(ctx, jupyter, path, out); err != nil {
				t.Fatal(err)
			}
			executed := filepath.Join(out, c.name+".ipynb")
			expectProblem(t, executed, c.problem)
			if *update && !t.Failed() {
				store(t, executed, path)
			}
		})
	}
}

// expectProblem fails unless exactly the given problem is found in the notebook's third cell; "" stands for none.
func expectProblem(t *testing.T, path, want string) {
	t.Helper()
	nb, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	// A panic's trace names the machine's paths, which is a problem of its own and not the one looked for here.
	var problems []Problem
	for _, p := range Check(nb) {
		if !strings.Contains(p.Text, "path of this machine") {
			problems = append(problems, p)
		}
	}
	switch {
	case want == "" && len(problems) == 0:
	case want != "" && len(problems) == 1 && problems[0].Cell == 3 && strings.Contains(problems[0].Text, want):
	default:
		t.Errorf("%s: got problems %v, want one in cell 3 with %q", path, problems, want)
	}
}

func store(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if data, err = Clean(data, ""); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// codeCell returns an executed code cell that shows nothing.
func codeCell() Cell {
	n := 1
	return Cell{Type: "code", Source: "%%\nf()", ExecutionCount: &n}
}

func output(typ, mime, data string) Output {
	raw, err := json.Marshal(data)
	if err != nil {
		panic(err)
	}
	return Output{Type: typ, Data: map[string]json.RawMessage{mime: raw}}
}

func stdout(text Text) Output { return Output{Type: "stream", Name: "stdout", Text: text} }
func stderr(text Text) Output { return Output{Type: "stream", Name: "stderr", Text: text} }

// picture returns a PNG of the given colors in a row, as notebooks hold it.
func picture(colors ...color.Color) string {
	img := image.NewRGBA(image.Rect(0, 0, len(colors), 1))
	for x, c := range colors {
		img.Set(x, 0, c)
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		panic(err)
	}
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

func TestCheckCell(t *testing.T) {
	twoColors, oneColor := picture(color.Black, color.White), picture(color.White, color.White)
	wrapped := twoColors[:20] + "\n" + twoColors[20:] + "\n" // older notebooks wrap the text
	cases := []struct {
		name string
		edit func(c *Cell)
		want string // "" when nothing is wrong
	}{
		{"quiet", func(c *Cell) {}, ""},
		{"20 lines", func(c *Cell) { c.Source = Text(strings.Repeat("x\n", 20)) }, ""},
		{"21 lines", func(c *Cell) { c.Source = Text(strings.Repeat("x\n", 21)) }, "21 lines of code"},
		{"not executed", func(c *Cell) { c.ExecutionCount = nil }, "not executed"},
		{"skipped", func(c *Cell) { c.ExecutionCount = nil; c.Metadata.Tags = []string{TagSkipExecution} }, ""},
		{"exit status last", func(c *Cell) { c.Outputs = []Output{stderr("a\nexit sta"), stdout("b"), stderr("tus 1\n")} }, "failed"},
		{"exit status in the midst", func(c *Cell) { c.Outputs = []Output{stderr("exit status 1\ngoes on\n")} }, ""},
		{"exit status on stdout", func(c *Cell) { c.Outputs = []Output{stdout("exit status 1\n")} }, ""},
		{"killed", func(c *Cell) { c.Outputs = []Output{stderr("signal: killed\n")} }, "failed"},
		{"unknown magic", func(c *Cell) { c.Outputs = []Output{stderr(`"%x" unknown or not implemented yet.`)} }, "unknown command"},
		{"error", func(c *Cell) { c.Outputs = []Output{{Type: "error", EName: "ERROR", EValue: "no"}} }, "error: ERROR no"},
		{"no picture", func(c *Cell) { c.Metadata.Tags = []string{TagWantPNG} }, "shows no PNG"},
		{"picture", func(c *Cell) {
			c.Metadata.Tags = []string{TagWantPNG}
			c.Outputs = []Output{output("display_data", "image/png", twoColors)}
		}, ""},
		{"wrapped picture", func(c *Cell) {
			c.Metadata.Tags = []string{TagWantPNG}
			c.Outputs = []Output{output("display_data", "image/png", wrapped)}
		}, ""},
		{"not base64", func(c *Cell) { c.Outputs = []Output{output("display_data", "image/png", "?")} }, "PNG picture: illegal base64"},
		{"cut short", func(c *Cell) { c.Outputs = []Output{output("display_data", "image/png", twoColors[:40])} }, "PNG picture: "},
		{"single color", func(c *Cell) { c.Outputs = []Output{output("display_data", "image/png", oneColor)} }, "a single color"},
		{"SVG alone", func(c *Cell) { c.Outputs = []Output{output("display_data", "image/svg+xml", "<svg/>")} }, "without a PNG"},
		{"home", func(c *Cell) { c.Outputs = []Output{stdout("saved to /home/ada/m.json\n")} }, "path of this machine: /home/ada/m.json"},
		{"temporary", func(c *Cell) { c.Outputs = []Output{output("display_data", "text/html", `<img src="/tmp/a.png">`)} }, "path of this machine: /tmp/a.png"},
		{"checkout", func(c *Cell) { c.Outputs = []Output{stdout("/src/crank/build/m.json\n")} }, "path of this machine: /src/crank"},
		{"address", func(c *Cell) { c.Outputs = []Output{stdout("https://example.org/home/page ./tmp/x\n")} }, ""},
		{"embedded picture", func(c *Cell) {
			c.Outputs = []Output{output("display_data", "text/html", `<img src="data:image/gif;base64,AAAA/tmp/AAAA">`)}
		}, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			cell := codeCell()
			c.edit(&cell)
			problems := Check(&Notebook{Cells: []Cell{{Type: "markdown", Source: "text"}, cell}}, "/src/crank")
			if c.want == "" {
				if len(problems) != 0 {
					t.Errorf("got %v, want no problem", problems)
				}
				return
			}
			if len(problems) == 0 || !strings.Contains(problems[0].String(), "cell 2: ") || !strings.Contains(problems[0].Text, c.want) {
				t.Errorf("got %v, want %q in cell 2", problems, c.want)
			}
		})
	}
}

func TestCheckEmptyNotebook(t *testing.T) {
	if len(Check(&Notebook{})) == 0 {
		t.Error("a notebook without code passes")
	}
}

func TestReadRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cut.ipynb")
	if err := os.WriteFile(path, []byte(`{"cells": [{"cell_type": "co`), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(path); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("got error %v, want one that names the file", err)
	}
}

// TestNoPictureBesideAnError checks that what is wrong with a picture never counts as one.
func TestNoPictureBesideAnError(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]Output{
		"svg":          output("display_data", "image/svg+xml", "<svg/>"),
		"base64":       output("display_data", "image/png", "no"),
		"png":          output("display_data", "image/png", "bm8="),
		"single color": output("display_data", "image/png", picture(color.White)),
	} {
		if ok, err := checkPicture(&o); ok || err == nil {
			t.Errorf("%s: %v, %v", name, ok, err)
		}
	}
	text := output("display_data", "text/plain", "none")
	if ok, err := checkPicture(&text); ok || err != nil {
		t.Errorf("text: %v, %v", ok, err)
	}
}
