package pages

import (
	"fmt"
	"html"
	"regexp"
	"strconv"
	"strings"
)

// Formula is a formula of a notebook, as TeX.
type Formula struct {
	TeX     string `json:"tex"`
	Display bool   `json:"display"` // on a line of its own
	Tag     string `json:"-"`       // its number, which stands at the right
}

// Formulas are all the formulas of the pages. In the texts a word stands for
// each, which no Markdown changes, until the pages are made.
type Formulas []Formula

const word = "crankformula"

// tag is how a formula says its number.
var tag = regexp.MustCompile(`\\tag\{([^}]*)\}`)

// add keeps a formula and returns the word for it.
func (fs *Formulas) add(tex string, display bool) string {
	f := Formula{TeX: strings.TrimSpace(tex), Display: display}
	if m := tag.FindStringSubmatch(f.TeX); m != nil {
		f.Tag, f.TeX = m[1], strings.TrimSpace(tag.ReplaceAllString(f.TeX, ""))
	}
	*fs = append(*fs, f)
	return fmt.Sprintf("%s%dx", word, len(*fs)-1)
}

var (
	fence    = regexp.MustCompile("^ {0,3}(```+|~~~+)")
	codeSpan = regexp.MustCompile("^`+")
)

// TakeFrom returns the Markdown text with words in place of its formulas, which
// it keeps: $...$ within a paragraph, $$...$$ on lines of their own. Code is
// left as it is, and so is a dollar sign after a backslash.
func (fs *Formulas) TakeFrom(markdown string) string {
	var out, text strings.Builder
	open := ""
	flush := func() {
		out.WriteString(fs.takeFromText(text.String()))
		text.Reset()
	}
	for line := range strings.Lines(markdown) {
		mark := fence.FindStringSubmatch(line)
		switch {
		case open == "" && mark != nil:
			flush()
			open = mark[1]
			out.WriteString(line)
		case open != "":
			out.WriteString(line)
			if mark != nil && strings.HasPrefix(mark[1], open) {
				open = ""
			}
		default:
			text.WriteString(line)
		}
	}
	flush()
	return out.String()
}

// takeFromText is TakeFrom for text without blocks of code.
func (fs *Formulas) takeFromText(text string) string {
	var out strings.Builder
	for text != "" {
		n := 1
		switch {
		case strings.HasPrefix(text, `\`) && len(text) > 1:
			n = 2
		case text[0] == '`':
			ticks := codeSpan.FindString(text)
			n = len(ticks)
			if end := strings.Index(text[n:], ticks); end >= 0 {
				n += end + len(ticks)
			}
		case text[0] == '$':
			if tex, display, length := formulaAt(text); length > 0 {
				out.WriteString(fs.add(tex, display))
				text = text[length:]
				continue
			}
		}
		out.WriteString(text[:n])
		text = text[n:]
	}
	return out.String()
}

// formulaAt returns the formula that text begins with, and its length with its
// dollar signs; no length if it is none.
func formulaAt(text string) (tex string, display bool, length int) {
	marks := "$"
	if strings.HasPrefix(text, "$$") {
		marks, display = "$$", true
	}
	inner := text[len(marks):]
	end := strings.Index(inner, marks)
	if end <= 0 || strings.Contains(inner[:end], "\n\n") || !display && (inner[0] == ' ' || inner[end-1] == ' ') {
		return "", false, 0
	}
	return inner[:end], display, len(marks)*2 + end
}

// placed finds the words in a page, and the tags that hold some.
var placed = regexp.MustCompile(`<[^<>]*` + word + `\d+x[^<>]*>|` + word + `\d+x`)

var onlyWord = regexp.MustCompile(word + `(\d+)x`)

// PutInto returns the page with the rendered formulas in place of the words, and
// plain names in place of those in attributes.
func (fs Formulas) PutInto(page string, mathml []string) (string, error) {
	if len(mathml) != len(fs) {
		return "", fmt.Errorf("pages: %d formulas, %d of them rendered", len(fs), len(mathml))
	}
	return placed.ReplaceAllStringFunc(page, func(found string) string {
		if found[0] == '<' {
			return onlyWord.ReplaceAllString(found, "formula-$1")
		}
		k, _ := strconv.Atoi(onlyWord.FindStringSubmatch(found)[1])
		f := fs[k]
		if !f.Display {
			return mathml[k]
		}
		number := ""
		if f.Tag != "" {
			number = "<span>(" + html.EscapeString(f.Tag) + ")</span>"
		}
		return `<span class="formula">` + mathml[k] + number + "</span>"
	}), nil
}
