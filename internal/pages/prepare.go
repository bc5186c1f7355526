package pages

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// Page is a page to be made of a notebook.
type Page struct {
	Name  string // of the file, without its extension
	Title string // the first heading, without signs
	Lead  string // the first paragraph after it, as Markdown with words for formulas
	// Alts are the alternative texts of pictures, by what they begin with in the page.
	Alts map[string]string
}

// Prepare returns the notebook file data with words in place of the formulas of
// its texts, which are added to fs, and with the title of its page.
func Prepare(name string, data []byte, fs *Formulas) (*Page, []byte, error) {
	var nb map[string]any
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(&nb); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	page := &Page{Name: name, Title: name, Alts: map[string]string{}}
	cells, _ := nb["cells"].([]any)
	for k := range cells {
		cell, _ := cells[k].(map[string]any)
		outputs, _ := cell["outputs"].([]any)
		var pictures []map[string]any
		for _, o := range outputs {
			output, _ := o.(map[string]any)
			data, _ := output["data"].(map[string]any)
			if _, ok := data["image/png"]; ok {
				pictures = append(pictures, output)
			}
			if text, ok := data["text/markdown"]; ok {
				data["text/markdown"] = fs.TakeFrom(joined(text))
			}
		}
		page.addAlts(pictures, caption(cells[k+1:]))
	}
	for k := range cells {
		cell, _ := cells[k].(map[string]any)
		if cell["cell_type"] != "markdown" {
			continue
		}
		text := joined(cell["source"])
		if page.Title == name && strings.HasPrefix(text, "# ") {
			title, _, _ := strings.Cut(text[2:], "\n")
			page.Title = plain(title)
		}
		text = fs.TakeFrom(text)
		if page.Lead == "" {
			page.Lead = lead(text)
		}
		cell["source"] = text
	}
	metadata, ok := nb["metadata"].(map[string]any)
	if !ok {
		metadata = map[string]any{}
		nb["metadata"] = metadata
	}
	metadata["title"] = page.Title
	prepared, err := json.Marshal(nb)
	return page, prepared, err
}

// joined returns a text that notebook files hold whole or as a list of lines.
func joined(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	var b strings.Builder
	lines, _ := v.([]any)
	for _, line := range lines {
		s, _ := line.(string)
		b.WriteString(s)
	}
	return b.String()
}

// lead returns the first paragraph of a text that is no heading.
func lead(markdown string) string {
	for paragraph := range strings.SplitSeq(markdown, "\n\n") {
		if p := strings.TrimSpace(paragraph); p != "" && !strings.HasPrefix(p, "#") {
			return p
		}
	}
	return ""
}

// urlStart is how many letters of a picture tell it from all others: the first of
// a PNG are the same in all of one size.
const urlStart = 4000

// addAlts adds the alternative texts of a cell's pictures: their own, or the
// caption below.
func (p *Page) addAlts(outputs []map[string]any, caption string) {
	for k, output := range outputs {
		data, _ := output["data"].(map[string]any)
		url := strings.Join(strings.Fields(joined(data["image/png"])), "")
		alt := caption
		if alt != "" && len(outputs) > 1 {
			alt = fmt.Sprintf("%s (picture %d of %d)", alt, k+1, len(outputs))
		}
		metadata, _ := output["metadata"].(map[string]any)
		if about, ok := metadata["image/png"].(map[string]any); ok {
			if own, ok := about["alt"].(string); ok && own != "" {
				alt = own
			}
		}
		p.Alts[url[:min(len(url), urlStart)]] = alt
	}
}

// captioned matches the caption of a figure: its number, and what is in italics.
var (
	captioned = regexp.MustCompile(`(?s)\*\*(Figures? [^*]*?)\.?\*\*(.*?)(?:What to see|In a sentence|\n\n|\z)`)
	italic    = regexp.MustCompile(`^\*(Figures? [^*]*)\*`)
)

// caption returns, without signs, the caption in the first text of the cells or,
// if it has none, its first sentence.
func caption(cells []any) string {
	for _, c := range cells {
		cell, _ := c.(map[string]any)
		if cell["cell_type"] != "markdown" {
			continue
		}
		text := joined(cell["source"])
		if m := captioned.FindStringSubmatch(text); m != nil {
			return m[1] + ": " + plain(m[2])
		}
		if m := italic.FindStringSubmatch(text); m != nil {
			return plain(m[1])
		}
		sentence, _, more := strings.Cut(plain(lead(text)), ". ")
		if more {
			sentence += "."
		}
		return sentence
	}
	return ""
}

var (
	link = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
	// signs are what is read in place of TeX.
	signs = strings.NewReplacer(`\frac12`, "1/2", `\tfrac12`, "1/2", `\dots`, "...", `\times`, "×", `\cdot`, "·", `\le`, "≤", `\ge`, "≥", `\in`, "∈",
		`\cup`, "∪", `\cap`, "∩", `\sum`, "∑", `\beta`, "β", `\lambda`, "λ", `\mu`, "μ", `\pi`, "π", `\tau`, "τ", `\Delta`, "Δ", `\ell`, "ℓ",
		`\operatorname`, "", `\text`, "", `\|`, "|", `\,`, " ")
	// marks are the signs of Markdown and of TeX that a plain text goes without.
	marks = strings.NewReplacer("*", "", "`", "", "$", "", `\`, "", "{", "", "}", "")
)

// plain returns a line of Markdown as plain text.
func plain(markdown string) string {
	return strings.Join(strings.Fields(marks.Replace(signs.Replace(link.ReplaceAllString(markdown, "$1")))), " ")
}
