package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"slices"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/metrics"
	"github.com/crank-ml/crank/internal/atomicfile"
)

var evaluateCommand = subcommand{
	name: "evaluate", args: "[flags] MODEL FILE|SET",
	summary: "measure a model on rows whose labels are known",
	help: `Predicts the labels of all rows of FILE, which are known, and prints how right that
is: accuracies, F1, Jaccard and ranking measures in percent, and precision, recall, F1
and AUC of each label. Of a data set's name, the part for testing is taken.

MODEL is a file that crank train has saved. FILE has the columns of the training file, by
name, in any order and in any of the formats; the model knows which of them are labels and
which of them training left out.
A file with labels listed in one column needs -column again.`,
	example: "evaluate -format markdown shop.model test.csv",
	setup:   setupEvaluate,
}

// reportFormats has a writer for each format of a report.
var reportFormats = map[string]func(io.Writer, *metrics.Report) error{
	"text":     func(w io.Writer, r *metrics.Report) error { return printed(w, r.String()) },
	"markdown": func(w io.Writer, r *metrics.Report) error { return printed(w, r.Markdown()) },
	"csv":      func(w io.Writer, r *metrics.Report) error { return r.WriteCSV(w) },
	"json": func(w io.Writer, r *metrics.Report) error {
		data, err := r.JSON()
		if err != nil {
			return err
		}
		return printed(w, string(data)+"\n")
	},
}

func printed(w io.Writer, text string) error {
	_, err := io.WriteString(w, text)
	return err
}

func setupEvaluate(p *program, flags *flag.FlagSet) action {
	var r reading
	format := flags.String("format", "text", "text, markdown, csv or json")
	out := flags.String("o", "-", "`file` to write; - is standard output")
	r.modelFlags(flags)
	r.trueFlag(flags)
	return func(_ context.Context, args []string) error {
		if len(args) != 2 {
			return usageError("name the file of the model and the file or data set to measure it on")
		}
		if err := known("format", []string{"text", "markdown", "csv", "json"}, *format); err != nil {
			return err
		}
		if err := checkTarget(*out, args...); err != nil {
			return err
		}
		m, err := loadModel(args[0])
		if err != nil {
			return err
		}
		ds, err := p.examples(args[1], true, func(in *input) (*crankpkg.Dataset, error) { return r.readFor(m, in, true) })
		if err != nil {
			return err
		}
		p.tellIgnored(ds, r.drop)
		report, err := m.Report(ds)
		if err != nil {
			return fmt.Errorf("%s on %s: %w", args[0], args[1], err)
		}
		return p.writeTo(*out, func(w io.Writer) error { return reportFormats[*format](w, report) })
	}
}

// modelFlags defines the flags that tell how a file is read for a model.
func (r *reading) modelFlags(flags *flag.FlagSet) {
	r.cellFlags(flags)
	flags.BoolVar(&r.ignoreUnseen, "ignoreunseen", false, "let cells have names that the training file had not, for CSV")
}

// writeTo writes a file, whole or not at all, or to standard output if it is called "-".
func (p *program) writeTo(path string, write func(io.Writer) error) error {
	if slices.Contains([]string{"", "-"}, path) {
		return write(p.stdout)
	}
	return atomicfile.Write(path, write)
}
