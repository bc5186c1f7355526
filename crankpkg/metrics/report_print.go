package metrics

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"
)

// reportLine is one measure of a report.
type reportLine struct {
	name, title string // as files and as readers have it
	value       float64
}

// lines returns the measures of the test set.
func (r *Report) lines() []reportLine {
	var lines []reportLine
	for _, d := range definitions {
		lines = append(lines, reportLine{string(d.measure), d.title, r.Scores.Of(d.measure)})
	}
	lines = append(lines,
		reportLine{"ExampleJaccard", "example Jaccard", r.Jaccard.Example},
		reportLine{"MicroJaccard", "micro Jaccard", r.Jaccard.Micro},
		reportLine{"MacroJaccard", "macro Jaccard", r.Jaccard.Macro})
	if r.Ranking == nil {
		return lines
	}
	return append(lines,
		reportLine{"RankingLoss", "ranking loss", r.Ranking.RankingLoss},
		reportLine{"Coverage", "coverage (labels)", r.Ranking.Coverage},
		reportLine{"AveragePrecision", "average precision", r.Ranking.AveragePrecision},
		reportLine{"OneError", "one-error", r.Ranking.OneError},
		reportLine{"MacroAUC", "macro AUC", r.Ranking.MacroAUC})
}

// lines returns the measures of the label.
func (l *LabelReport) lines() []reportLine {
	return []reportLine{
		{"Support", "support", float64(l.Support)},
		{"Predicted", "predicted", float64(l.Predicted)},
		{"Precision", "precision", l.Precision},
		{"Recall", "recall", l.Recall},
		{"F1", "F1", l.F1},
		{"Jaccard", "Jaccard", l.Jaccard},
		{"AUC", "AUC", l.AUC},
	}
}

// text returns the value for readers.
func (l reportLine) text() string {
	switch {
	case math.IsNaN(l.value):
		return "–"
	case l.name == "Support" || l.name == "Predicted":
		return strconv.FormatFloat(l.value, 'f', 0, 64)
	case l.name == "Coverage":
		return strconv.FormatFloat(l.value, 'f', 2, 64)
	}
	return strconv.FormatFloat(l.value, 'f', 1, 64)
}

// String returns the measures, and a table of the labels below them.
func (r *Report) String() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(&b, "%d examples, %d labels\n", r.Examples, len(r.Labels))
	for _, l := range r.lines() {
		fmt.Fprintf(w, "%s\t%s\t\n", l.title, l.text())
	}
	w.Flush()
	b.WriteString("\n")
	for i := range r.Labels {
		lines := r.Labels[i].lines()
		if i == 0 {
			fmt.Fprint(w, "label\t")
			for _, l := range lines {
				fmt.Fprintf(w, "%s\t", l.title)
			}
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s\t", oneLine.Replace(r.Labels[i].Name))
		for _, l := range lines {
			fmt.Fprintf(w, "%s\t", l.text())
		}
		fmt.Fprintln(w)
	}
	w.Flush()
	return b.String()
}

// oneLine keeps a name within its cell.
var oneLine = strings.NewReplacer("\n", " ", "\r", " ", "\t", " ")

// Markdown returns a table of the measures and one of the labels.
func (r *Report) Markdown() string {
	var b strings.Builder
	b.WriteString("| measure | value |\n|---|---:|\n")
	for _, l := range r.lines() {
		fmt.Fprintf(&b, "| %s | %s |\n", l.title, l.text())
	}
	b.WriteString("\n| label |")
	titles := (&LabelReport{}).lines()
	for _, l := range titles {
		fmt.Fprintf(&b, " %s |", l.title)
	}
	b.WriteString("\n|---|" + strings.Repeat("---:|", len(titles)) + "\n")
	for i := range r.Labels {
		fmt.Fprintf(&b, "| %s |", strings.ReplaceAll(oneLine.Replace(r.Labels[i].Name), "|", `\|`))
		for _, l := range r.Labels[i].lines() {
			fmt.Fprintf(&b, " %s |", l.text())
		}
		b.WriteString("\n")
	}
	return b.String()
}

// WriteCSV writes a line for each measure under a line of names. The label of a measure of
// the whole test set is empty, and so is a value that is not defined.
func (r *Report) WriteCSV(w io.Writer) error {
	lines := [][]string{{"label", "measure", "value"}}
	add := func(label string, measures []reportLine) {
		for _, l := range measures {
			value := ""
			if !math.IsNaN(l.value) {
				value = strconv.FormatFloat(l.value, 'g', -1, 64)
			}
			lines = append(lines, []string{label, l.name, value})
		}
	}
	add("", r.lines())
	for i := range r.Labels {
		add(r.Labels[i].Name, r.Labels[i].lines())
	}
	return csv.NewWriter(w).WriteAll(lines)
}

// JSON returns the report as an indented object, which json.Unmarshal reads back. A value
// that is not defined is null.
func (r *Report) JSON() ([]byte, error) { return json.MarshalIndent(r, "", " ") }

// MarshalJSON implements json.Marshaler.
func (l LabelReport) MarshalJSON() ([]byte, error) {
	type plain LabelReport
	return json.Marshal(struct {
		plain
		Precision, Recall, AUC jsonNumber
	}{plain(l), jsonNumber(l.Precision), jsonNumber(l.Recall), jsonNumber(l.AUC)})
}

// UnmarshalJSON implements json.Unmarshaler.
func (l *LabelReport) UnmarshalJSON(data []byte) error {
	type plain LabelReport
	none := jsonNumber(math.NaN())
	v := struct {
		*plain
		Precision, Recall, AUC jsonNumber
	}{(*plain)(l), none, none, none}
	err := json.Unmarshal(data, &v)
	l.Precision, l.Recall, l.AUC = float64(v.Precision), float64(v.Recall), float64(v.AUC)
	return err
}

// MarshalJSON implements json.Marshaler.
func (r Ranking) MarshalJSON() ([]byte, error) {
	type plain Ranking
	return json.Marshal(struct {
		plain
		MacroAUC jsonNumber
	}{plain(r), jsonNumber(r.MacroAUC)})
}

// UnmarshalJSON implements json.Unmarshaler.
func (r *Ranking) UnmarshalJSON(data []byte) error {
	type plain Ranking
	v := struct {
		*plain
		MacroAUC jsonNumber
	}{(*plain)(r), jsonNumber(math.NaN())}
	err := json.Unmarshal(data, &v)
	r.MacroAUC = float64(v.MacroAUC)
	return err
}
