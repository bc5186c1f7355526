// Package nbcheck reads executed Jupyter notebooks, finds what went wrong in them, and cleans them for committing.
//
// GoNB reports most failures (a panic, a failing test or shell line, an unknown magic) with status "ok" and exit code 0, so
// that nbconvert takes them for a success. The cells' outputs are the only sign.
package nbcheck

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
)

// Tags of cells that Check knows.
const (
	TagWantPNG       = "want:image/png" // the cell must show at least one picture
	TagSkipExecution = "skip-execution" // the cell is not executed headless (live widgets)
)

// Notebook is the part of a notebook file (nbformat 4) that Check looks at.
type Notebook struct {
	Cells []Cell `json:"cells"`
}

// Cell is one cell. A nil ExecutionCount means that the cell was not executed.
type Cell struct {
	Type           string   `json:"cell_type"`
	Source         Text     `json:"source"`
	ExecutionCount *int     `json:"execution_count"`
	Outputs        []Output `json:"outputs"`
	Metadata       struct {
		Tags []string `json:"tags"`
	} `json:"metadata"`
}

// HasTag reports whether the cell carries the tag.
func (c *Cell) HasTag(tag string) bool { return slices.Contains(c.Metadata.Tags, tag) }

// Stderr returns what the cell wrote to standard error, joined.
func (c *Cell) Stderr() string {
	var b strings.Builder
	for _, o := range c.Outputs {
		if o.Type == "stream" && o.Name == "stderr" {
			b.WriteString(string(o.Text))
		}
	}
	return b.String()
}

// Output is one output of a code cell: a stream (Name, Text), an error (EName, EValue, Traceback), or data by MIME type.
type Output struct {
	Type      string                     `json:"output_type"`
	Name      string                     `json:"name"`
	Text      Text                       `json:"text"`
	EName     string                     `json:"ename"`
	EValue    string                     `json:"evalue"`
	Traceback []string                   `json:"traceback"`
	Data      map[string]json.RawMessage `json:"data"`
}

// text returns the output's data of the given MIME type, and whether there is some.
func (o *Output) text(mime string) (string, bool) {
	raw, ok := o.Data[mime]
	if !ok {
		return "", false
	}
	var t Text
	if err := json.Unmarshal(raw, &t); err != nil {
		return string(raw), true // JSON data, such as a plot's description
	}
	return string(t), true
}

// Text is a string that notebook files store either whole or as a list of lines.
type Text string

// UnmarshalJSON reads either form.
func (t *Text) UnmarshalJSON(b []byte) error {
	var lines []string
	if err := json.Unmarshal(b, &lines); err == nil {
		*t = Text(strings.Join(lines, ""))
		return nil
	}
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return err
	}
	*t = Text(s)
	return nil
}

// Read reads a notebook file.
func Read(path string) (*Notebook, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var nb Notebook
	if err := json.Unmarshal(b, &nb); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &nb, nil
}
