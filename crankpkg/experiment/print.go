package experiment

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"strconv"
	"strings"
)

// String returns the table as Markdown.
func (t *Table) String() string { return t.Markdown() }

// Markdown returns a table with a line for each set and method: the measures,
// with their standard errors where there are several seeds, and the ranks in
// brackets, the best in bold. Below stand the trainings that stopped short of their gap.
func (t *Table) Markdown() string {
	var b strings.Builder
	b.WriteString("| set | method |")
	for _, m := range t.Measures {
		fmt.Fprintf(&b, " %s |", m.Label())
	}
	b.WriteString(" lambda |\n|---|---|")
	b.WriteString(strings.Repeat("---:|", len(t.Measures)+1) + "\n")
	entries := t.Entries()
	escape := strings.NewReplacer("|", `\|`, "\n", " ").Replace
	for _, set := range t.Sets {
		for _, method := range t.Methods {
			fmt.Fprintf(&b, "| %s | %s |", escape(set), escape(method))
			lambda := missing
			for _, m := range t.Measures {
				e := find(entries, set, method, m)
				text, best := e.text()
				if best {
					text = strings.Replace("**"+text, " (", "** (", 1)
				}
				fmt.Fprintf(&b, " %s |", text)
				if e != nil {
					lambda = strconv.FormatFloat(e.Lambda, 'g', 3, 64)
				}
			}
			fmt.Fprintf(&b, " %s |\n", lambda)
		}
	}
	if short := t.short(); short != "" {
		fmt.Fprintf(&b, "\nStopped short of the gap: %s.\n", escape(short))
	}
	return b.String()
}

// short lists the trainings that stopped short, a few by name.
func (t *Table) short() string {
	const most = 6
	var names []string
	for k := range t.Cells {
		if c := &t.Cells[k]; c.Short() && c.Status != "" {
			names = append(names, fmt.Sprintf("%s %s seed %d (%s, gap %.2g)", c.Set, c.Method, c.Seed, c.Status, c.Gap()))
		}
	}
	if more := len(names) - most; more > 0 {
		names = append(names[:most], fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}

// missing stands for a value that there is not.
const missing = "–"

// text returns the entry as the paper has it, and whether it is the best.
func (e *Entry) text() (text string, best bool) {
	switch {
	case e == nil:
		return missing, false
	case e.Runs > 1:
		return fmt.Sprintf("%.1f ± %.1f (%d)", e.Value, e.StdErr, e.Rank), e.Rank == 1
	}
	return fmt.Sprintf("%.1f (%d)", e.Value, e.Rank), e.Rank == 1
}

// HTML returns the table in the paper's layout: a line for each method and a
// group of columns for each set.
func (t *Table) HTML() string {
	var b strings.Builder
	const left, right = `<th style="text-align:left">%s</th>`, `<td style="text-align:right;white-space:nowrap">%s</td>`
	b.WriteString("<table>\n<tr><th></th>")
	for _, set := range t.Sets {
		fmt.Fprintf(&b, `<th colspan="%d" style="text-align:center">%s</th>`, len(t.Measures), html.EscapeString(set))
	}
	b.WriteString("</tr>\n<tr><th></th>")
	for range t.Sets {
		for _, m := range t.Measures {
			fmt.Fprintf(&b, `<th style="text-align:right">%s</th>`, html.EscapeString(m.Label()))
		}
	}
	b.WriteString("</tr>\n")
	entries := t.Entries()
	for _, method := range t.Methods {
		b.WriteString("<tr>")
		fmt.Fprintf(&b, left, html.EscapeString(method))
		for _, set := range t.Sets {
			for _, m := range t.Measures {
				text, best := find(entries, set, method, m).text()
				if best {
					text = "<b>" + text + "</b>"
				}
				fmt.Fprintf(&b, right, text)
			}
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</table>\n")
	if short := t.short(); short != "" {
		fmt.Fprintf(&b, "<p>Stopped short of the gap: %s.</p>\n", html.EscapeString(short))
	}
	return b.String()
}

// number writes a value with as many digits as give it back.
func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// WriteCSV writes the entries, a line each, under a line of names.
func (t *Table) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	lines := [][]string{{"set", "method", "measure", "value", "stderr", "rank", "lambda", "runs"}}
	for _, e := range t.Entries() {
		lines = append(lines, []string{e.Set, e.Method, string(e.Measure), number(e.Value), number(e.StdErr),
			strconv.Itoa(e.Rank), number(e.Lambda), strconv.Itoa(e.Runs)})
	}
	return out.WriteAll(lines)
}

// WriteRuns writes the finished cells as CSV, a line each, under a line of names: what WriteCSV's means are of, for tests and
// pictures elsewhere. Measures are those of the table, in percent, and training times in seconds.
func (t *Table) WriteRuns(w io.Writer) error {
	names := []string{"set", "method", "seed", "lambda"}
	for _, m := range t.Measures {
		names = append(names, string(m))
	}
	lines := [][]string{append(names, "primal", "dual", "train_seconds", "status")}
	for _, c := range t.Cells {
		line := []string{c.Set, c.Method, strconv.FormatUint(c.Seed, 10), number(c.Lambda)}
		for _, m := range t.Measures {
			line = append(line, number(c.Scores.Of(m)))
		}
		lines = append(lines, append(line, number(c.Primal), number(c.Dual), number(c.TrainTime.Seconds()), string(c.Status)))
	}
	return csv.NewWriter(w).WriteAll(lines)
}

// CSV returns what WriteCSV writes.
func (t *Table) CSV() string {
	var b strings.Builder
	t.WriteCSV(&b) // a strings.Builder does not fail
	return b.String()
}

// JSON returns the entries as an array of objects.
func (t *Table) JSON() ([]byte, error) { return json.MarshalIndent(t.Entries(), "", " ") }
