package nbcheck

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"image"
	"image/png"
	"regexp"
	"slices"
	"strings"
)

// MaxLines is the number of lines that a code cell may have. Longer code belongs in the library.
const MaxLines = 20

// Problem is something wrong with one cell of an executed notebook.
type Problem struct {
	Cell int    // counted from 1, text cells included
	Text string // what is wrong
}

// String returns the problem as one line or, where it quotes an output, several.
func (p Problem) String() string { return fmt.Sprintf("cell %d: %s", p.Cell, p.Text) }

var (
	// A failed cell's program leaves its exit status as the last line of standard error.
	failedProgram = regexp.MustCompile(`(?m)^(exit status \d+|signal: .*)\n?\z`)
	unknownMagic  = regexp.MustCompile(`" unknown or not implemented yet`)

	// Paths that exist only where the notebook was executed. What precedes keeps web addresses and longer paths out.
	machinePath = regexp.MustCompile(`(?:^|[^\w./:-])((?:/(?:root|home|Users|tmp|private|var/folders)/|[A-Za-z]:\\Users\\)[^\s"'<>]*)`)

	// Pictures inside HTML are long enough to hold anything by chance.
	embedded = regexp.MustCompile(`;base64,[A-Za-z0-9+/=\s]+`)
)

// Check returns what is wrong with an executed notebook, in the order of its cells; none means that all is well. Numbers in text
// cells have to come from cells with code (see Claimed). The local
// folders (the checkout, a home) must not appear in outputs, and neither may the usual places of such folders.
func Check(nb *Notebook, local ...string) []Problem {
	var problems []Problem
	executable := 0
	for i := range nb.Cells {
		c := &nb.Cells[i]
		if c.Type != "code" || strings.TrimSpace(string(c.Source)) == "" {
			continue
		}
		executable++
		for _, text := range checkCode(c, local) {
			problems = append(problems, Problem{Cell: i + 1, Text: text})
		}
	}
	problems = append(problems, checkNumbers(nb)...)
	slices.SortStableFunc(problems, func(a, b Problem) int { return a.Cell - b.Cell })
	if executable == 0 {
		problems = append(problems, Problem{Text: "the notebook has no code"})
	}
	return problems
}

// checkCode returns what is wrong with one code cell.
func checkCode(c *Cell, local []string) []string {
	var wrong []string
	report := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }

	if n := strings.Count(strings.TrimSpace(string(c.Source)), "\n") + 1; n > MaxLines {
		report("%d lines of code, at most %d are allowed", n, MaxLines)
	}
	if c.ExecutionCount == nil && !c.HasTag(TagSkipExecution) {
		report("was not executed")
	}
	stderr := c.Stderr()
	if failedProgram.MatchString(stderr) {
		report("failed:\n%s", stderr)
	}
	if unknownMagic.MatchString(stderr) {
		report("unknown command:\n%s", stderr)
	}
	pictures := 0
	for i := range c.Outputs {
		o := &c.Outputs[i]
		if o.Type == "error" {
			report("error: %s %s\n%s", o.EName, o.EValue, strings.Join(o.Traceback, "\n"))
		}
		switch ok, err := checkPicture(o); {
		case err != nil:
			report("%v", err)
		case ok:
			pictures++
		}
		if p := findMachinePath(o, local); p != "" {
			report("output names a path of this machine: %s", p)
		}
	}
	if pictures == 0 && c.HasTag(TagWantPNG) && c.ExecutionCount != nil {
		report("shows no PNG picture")
	}
	return wrong
}

// checkPicture reports whether the output shows a PNG picture. An SVG alone is an error: it is lost when a notebook is reopened
// or exported.
func checkPicture(o *Output) (bool, error) {
	encoded, ok := o.text("image/png")
	if !ok {
		if _, svg := o.Data["image/svg+xml"]; svg {
			return false, errors.New("shows an SVG picture without a PNG, which is lost when the notebook is reopened or exported")
		}
		return false, nil
	}
	raw, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(encoded), ""))
	if err != nil {
		return false, fmt.Errorf("PNG picture: %w", err)
	}
	img, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		return false, fmt.Errorf("PNG picture: %w", err)
	}
	if singleColor(img) {
		return false, errors.New("PNG picture is empty: a single color")
	}
	return true, nil
}

func singleColor(img image.Image) bool {
	b := img.Bounds()
	first := img.At(b.Min.X, b.Min.Y)
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			if img.At(x, y) != first {
				return false
			}
		}
	}
	return true
}

// findMachinePath returns the first path in the output that means nothing on another machine, or "".
func findMachinePath(o *Output, local []string) string {
	texts := append([]string{string(o.Text), o.EValue}, o.Traceback...)
	for mime := range o.Data {
		if !strings.HasPrefix(mime, "image/") || mime == "image/svg+xml" {
			t, _ := o.text(mime)
			texts = append(texts, embedded.ReplaceAllString(t, ""))
		}
	}
	slices.Sort(texts) // a map's order is random, the report is not
	for _, t := range texts {
		for _, dir := range local {
			if len(dir) > 1 && strings.Contains(t, dir) {
				return dir
			}
		}
		if m := machinePath.FindStringSubmatch(t); m != nil {
			return m[1]
		}
	}
	return ""
}

// movingPicture matches an animation in an output's HTML.
var movingPicture = regexp.MustCompile(`data:image/gif;base64,[A-Za-z0-9+/=]+`)

// Pictures returns the notebook's pictures as the data URLs that a page made from it must hold: the PNG of an output or, where
// it has one that moves, which pages show in its place, the GIF.
func Pictures(nb *Notebook) []string {
	var pictures []string
	for i := range nb.Cells {
		for j := range nb.Cells[i].Outputs {
			output := &nb.Cells[i].Outputs[j]
			html, _ := output.text("text/html")
			if moving := movingPicture.FindString(html); moving != "" {
				pictures = append(pictures, moving)
			} else if encoded, ok := output.text("image/png"); ok {
				pictures = append(pictures, "data:image/png;base64,"+strings.Join(strings.Fields(encoded), ""))
			}
		}
	}
	return pictures
}
