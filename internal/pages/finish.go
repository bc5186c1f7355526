package pages

import (
	"fmt"
	"html"
	"regexp"
	"strings"
)

var (
	image    = regexp.MustCompile(`<img\b[^<>]*>`)
	altOf    = regexp.MustCompile(`\balt="([^"]*)"`)
	pngOf    = regexp.MustCompile(`\bsrc="data:image/png;base64,([^"]*)"`)
	notebook = regexp.MustCompile(`href="([\w.-]+)\.ipynb(#[^"]*)?"`)
)

// missingAlt is what nbconvert says of a picture that nothing is said of.
const missingAlt = "No description has been provided for this image"

// Finish returns a page as nbconvert made it with its formulas and alternative
// texts, with links to the pages before and after it, nil for none, and with
// links to notebooks that lead to their pages.
func Finish(html string, page, before, after *Page, pages []*Page, fs Formulas, mathml []string) (string, error) {
	html, err := fs.PutInto(html, mathml)
	if err != nil {
		return "", err
	}
	html = image.ReplaceAllStringFunc(html, page.withAlt)
	html = notebook.ReplaceAllStringFunc(html, func(found string) string {
		m := notebook.FindStringSubmatch(found)
		for _, p := range pages {
			if p.Name == m[1] {
				return fmt.Sprintf(`href="%s.html%s"`, m[1], m[2])
			}
		}
		return found
	})
	if before == nil && after == nil {
		return html, nil
	}
	links := navigation(before, after)
	html = strings.Replace(html, "<main>", "<main>\n"+links, 1)
	if end := strings.LastIndex(html, "</main>"); end >= 0 {
		html = html[:end] + links + html[end:]
	}
	return html, nil
}

// withAlt returns the tag of a picture with its alternative text.
func (p *Page) withAlt(tag string) string {
	if m := altOf.FindStringSubmatch(tag); m != nil && m[1] != "" && m[1] != missingAlt {
		return tag
	}
	m := pngOf.FindStringSubmatch(tag)
	if m == nil {
		return tag
	}
	alt := p.Alts[m[1][:min(len(m[1]), urlStart)]]
	if alt == "" {
		return tag
	}
	tag = altOf.ReplaceAllString(tag, "")
	return `<img alt="` + html.EscapeString(alt) + `"` + strings.TrimPrefix(tag, "<img")
}

// navigation returns links to the pages before and after, and to the index.
func navigation(before, after *Page) string {
	link := func(p *Page, rel, arrow string) string {
		if p == nil {
			return "<span></span>"
		}
		text := html.EscapeString(p.Title)
		if rel == "prev" {
			text = arrow + " " + text
		} else {
			text += " " + arrow
		}
		return fmt.Sprintf(`<a rel="%s" href="%s.html">%s</a>`, rel, p.Name, text)
	}
	return `<nav class="crank">` + link(before, "prev", "←") + `<a href="index.html">All notebooks</a>` + link(after, "next", "→") + "</nav>\n"
}

// Index returns a notebook that lists the pages, to be made a page like them.
func Index(pages []*Page) string {
	var text strings.Builder
	text.WriteString("# crank: the notebooks\n\n")
	for _, p := range pages {
		fmt.Fprintf(&text, "## [%s](%s.html)\n\n%s\n\n", p.Title, p.Name, p.Lead)
	}
	return text.String()
}
