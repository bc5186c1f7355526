package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/tabular"
)

var showCommand = subcommand{
	name: "show", args: "MODEL",
	summary: "tell what a model predicts, and of which columns",
	help: `Tells what is in a file that crank train has saved: the method and its settings, the
columns that rows must have, what names they may have in their cells and what fills in
missing ones, the columns that training left out, the labels, and the pairs of labels
that depend on one another, the strongest first.`,
	example: "show shop.model",
	setup: func(p *program, _ *flag.FlagSet) action {
		return func(_ context.Context, args []string) error {
			if len(args) != 1 {
				return usageError("name the file of the model")
			}
			m, err := loadModel(args[0])
			if err != nil {
				return err
			}
			var text strings.Builder
			show(&text, m)
			return printed(p.stdout, text.String())
		}
	},
}

// show tells what a model is.
func show(w io.Writer, m *crankpkg.Model) {
	fmt.Fprintf(w, "%s: lambda %.3g, scaling %s", m.Method, m.Lambda, cmp.Or(string(m.Scaler.Kind), "none"))
	if m.Kernel != nil {
		fmt.Fprintf(w, ", kernel %v", m.Kernel.Kind)
	}
	if !m.Rule.IsZero() {
		fmt.Fprintf(w, ", rule %v", m.Rule)
	}
	coding := m.Coding.Or(m.FeatureNames)
	fmt.Fprintf(w, "\nreads %s, %s in all:\n", counted(len(coding.Columns), "column"), counted(m.NumFeatures(), "feature"))
	const most = 20
	at := 0
	for k, c := range coding.Columns {
		if k < most {
			fmt.Fprintf(w, "  %s: %s\n", c.Name, told(c, m.FeatureNames[at], coding.Sparse))
		}
		at += width(c)
	}
	if more := len(coding.Columns) - most; more > 0 {
		fmt.Fprintf(w, "  and %d more\n", more)
	}
	if len(coding.Dropped) > 0 {
		fmt.Fprintf(w, "leaves out, where they come: %s\n", quotedSome(coding.Dropped))
	}
	fmt.Fprintf(w, "predicts %s: %s\n", counted(m.NumLabels(), "label"), strings.Join(m.LabelNames, ", "))
	describePairs(w, m)
}

// quotedSome returns the first names in quotes, and how many more there are.
func quotedSome(names []string) string {
	const most = 5
	var quoted []string
	for _, name := range names[:min(most, len(names))] {
		quoted = append(quoted, strconv.Quote(name))
	}
	text := strings.Join(quoted, ", ")
	if more := len(names) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// width returns the number of features of a column.
func width(c tabular.Column) int {
	if len(c.Values) > 2 {
		return len(c.Values)
	}
	return 1
}

// counted returns a number of things.
func counted(count int, thing string) string {
	if count == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(count) + " " + thing + "s"
}

// told tells what the cells of a column are, whose first feature has a name.
func told(c tabular.Column, feature string, sparse bool) string {
	const most = 8
	text := "numbers"
	if c.Values != nil {
		var names []string
		for _, value := range c.Values[:min(most, len(c.Values))] {
			names = append(names, inList(value))
		}
		text = strings.Join(names, ", ")
		if more := len(c.Values) - most; more > 0 {
			text += fmt.Sprintf(" and %d more", more)
		}
	}
	switch {
	case c.Fill == nil && sparse && c.Values == nil:
		return text + "; 0 where the column is not there"
	case c.Fill == nil && sparse:
		return text + "; " + inList(c.Values[0]) + " where the column is not there"
	case c.Fill == nil:
		return text
	case c.Values == nil:
		return text + fmt.Sprintf("; %.4g where missing", c.Fill[0])
	}
	return text + "; " + inList(filled(c, feature)) + " where missing"
}

// filled returns the name that fills in missing cells of a column.
func filled(c tabular.Column, feature string) string {
	if len(c.Values) != 2 {
		return c.Values[max(0, slices.Index(c.Fill, 1))]
	}
	one := slices.IndexFunc(c.Values, func(value string) bool {
		if feature == c.Name {
			return slices.Contains([]string{"1", "yes", "y", "true", "t"}, strings.ToLower(value))
		}
		return feature == c.Name+"="+value
	})
	if c.Fill[0] != 1 {
		one = 1 - max(0, one)
	}
	return c.Values[max(0, one)]
}
