package nbcheck

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// Numbers in text cells have to come from somewhere: a cell of the same section prints them, or has them in its code as a setting.
// These are exempt, and removed from a text before its numbers are looked for.
var exempt = []*regexp.Regexp{
	// Markup: fenced and inline code, formulas, links that lead to notebooks, and addresses, tags.
	regexp.MustCompile("(?s)```.*?```"),
	regexp.MustCompile("`[^`]*`"),
	regexp.MustCompile(`(?s)\$\$.*?\$\$`),
	regexp.MustCompile(`(?s)\$[^$]*\$`),
	regexp.MustCompile(`\[[^\]]*\]\([^)]*\.ipynb[^)]*\)`),
	regexp.MustCompile(`\]\([^)]*\)`),
	regexp.MustCompile(`<[^>]*>`),
	// Places: headings and lists that count, equations, figures, sections and their like, of here and of papers.
	regexp.MustCompile(`(?m)^\s*(?:#+\s*)?\d+\.\s`),
	regexp.MustCompile(`(?i)\b(?:eqs?\.|equations?|figures?|tables?|sections?|theorem|proposition|corollary|lemma|algorithm|appendix|exercises?|notebooks?|cells?|lines?|step|footnote|seeds?:?|sec\.)\s*(?:\(?\d+\)?(?:\s*(?:,|and|or|to|-|–)\s*)?)+`),
	regexp.MustCompile(`\b(?:19|20)\d\d\b`),
	// Enumerations (1), (2), sizes such as n = 20, intervals of 95 %.
	regexp.MustCompile(`\(\d\)|\b[a-zM] = [\d,]+|\b95 %`),
	// What the paper says, and how long things take.
	regexp.MustCompile(`(?s)\((?:the )?paper(?:'s|:| has)[^)]*\)`),
	regexp.MustCompile(`(?:Expected run time|Time|A change takes)[^.]*\.`),
}

// number is a run of digits with decimals, not part of a name such as F1, y_2 or w34.
var number = regexp.MustCompile(`(?:^|[^\w.])(\d+(?:,\d\d\d)*(?:\.\d+)?(?:e[+-]?\d+)?)`)

// numbersIn returns the numbers of a text, without signs, as they are written.
func numbersIn(text string) (found []string) {
	for _, m := range number.FindAllStringSubmatch(text, -1) {
		found = append(found, strings.ReplaceAll(m[1], ",", ""))
	}
	return found
}

// Claimed returns the numbers of a text cell that some cell has to have made: all but 0, 1 and 2 and those that are exempt.
func Claimed(source string) (claimed []string) {
	for _, r := range exempt {
		source = r.ReplaceAllString(source, " ")
	}
	for _, n := range numbersIn(source) {
		if n != "0" && n != "1" && n != "2" {
			claimed = append(claimed, n)
		}
	}
	return claimed
}

// checkNumbers returns the problems with numbers of text cells that no cell has made.
func checkNumbers(nb *Notebook) (problems []Problem) {
	for _, s := range sectionsOf(nb) {
		made := sync.OnceValue(func() values { // most sections claim no number
			if len(s.code) > 0 {
				return madeBy(s.code)
			}
			return madeBy(nb.Cells) // beginnings, summaries
		})
		for _, t := range s.texts {
			for _, n := range Claimed(t.source) {
				if !made().has(n) {
					problems = append(problems, Problem{Cell: t.cell, Text: "no cell of this section makes the number " + n})
				}
			}
		}
	}
	return problems
}

// section is what stands between two headings of the first or second level.
type section struct {
	texts []text
	code  []Cell
}

// text is a text cell, or the part of one up to a heading or from there on. Cells count from 1.
type text struct {
	cell   int
	source string
}

var heading = regexp.MustCompile(`(?m)^##?\s`)

// sectionsOf cuts a notebook at its headings, those in the midst of a cell too: a caption often shares its cell with the next heading.
func sectionsOf(nb *Notebook) []section {
	sections := []section{{}}
	for i, c := range nb.Cells {
		if c.Type == "code" {
			last := &sections[len(sections)-1]
			last.code = append(last.code, c)
			continue
		}
		source, from := string(c.Source), 0
		for _, at := range append(heading.FindAllStringIndex(source, -1), []int{len(source)}) {
			last := &sections[len(sections)-1]
			last.texts = append(last.texts, text{i + 1, source[from:at[0]]})
			if from = at[0]; from < len(source) {
				sections = append(sections, section{})
			}
		}
	}
	return sections
}

// values are the numbers that cells have made.
type values map[string]float64

// madeBy returns the numbers in the outputs of code cells, but for pictures and errors, and those in their code.
func madeBy(cells []Cell) values {
	made := values{}
	for i := range cells {
		if cells[i].Type != "code" {
			continue
		}
		made.add(string(cells[i].Source))
		for j := range cells[i].Outputs {
			o := &cells[i].Outputs[j]
			made.add(string(o.Text))
			if _, picture := o.Data["image/png"]; picture {
				continue // its alternative text tells of axes
			}
			for _, mime := range []string{"text/plain", "text/markdown", "text/html"} {
				if text, ok := o.text(mime); ok {
					made.add(visible(text))
				}
			}
		}
	}
	return made
}

// unseen matches what a page does not show: pictures, styles, scripts, and the inside of tags.
var unseen = regexp.MustCompile(`(?s)<style.*?</style>|<script.*?</script>|<[^>]*>`)

func visible(text string) string { return unseen.ReplaceAllString(text, " ") }

func (v values) add(text string) {
	for _, n := range numbersIn(text) {
		if f, err := strconv.ParseFloat(n, 64); err == nil {
			v[n] = f
		}
	}
}

// has reports whether a number was made: as it is, written otherwise, or with more decimals than the text has, one at least.
func (v values) has(n string) bool {
	f, err := strconv.ParseFloat(n, 64)
	if err != nil {
		return false
	}
	_, fraction, ok := strings.Cut(n, ".")
	for _, made := range v {
		if made == f || ok && strconv.FormatFloat(made, 'f', len(fraction), 64) == n {
			return true
		}
	}
	return false
}
