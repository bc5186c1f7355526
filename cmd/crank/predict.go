package main

import (
	"context"
	"encoding/csv"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/tabular"
)

var predictCommand = subcommand{
	name: "predict", args: "[flags] MODEL FILE|SET",
	summary: "predict the labels of rows, as CSV",
	help: `Predicts the labels of the rows of FILE with a model that crank train has saved, and
writes a CSV file: a line for each row in their order, with a column of 0 and 1 for each
label, or with -list one column that lists the labels that are on.

FILE has the columns of the training file, by name, in any order and in any of the
formats; - is CSV on standard input. Columns of labels may be there or not: they are not
looked at, and those that training left out are left out again. A column that the training
file had not is refused, unless -drop names it, or -id, which copies it to the first column
of what is written. Of a data set's name, the part for testing is taken.

With -margins there is a column margin_LABEL for each label: how much better the best
set of labels with it scores than the best without it. With -scores there are columns
score_LABEL: the label's own score, before the others have their say. With -probabilities
there are columns probability_LABEL, of a model that crank train -calibrate has saved.`,
	example: "predict -id customer -o predicted.csv shop.model new.csv",
	setup:   setupPredict,
}

// predicting says what predict writes.
type predicting struct {
	reading
	out, id               string
	list, margins, scores bool
	probabilities         bool
}

func setupPredict(p *program, flags *flag.FlagSet) action {
	var t predicting
	flags.StringVar(&t.out, "o", "-", "`file` to write; - is standard output")
	flags.StringVar(&t.id, "id", "", "`column` to copy, for CSV")
	flags.BoolVar(&t.list, "list", false, "one column, labels, with the names of those that are on, between -separator")
	flags.BoolVar(&t.margins, "margins", false, "write the margin of each label too")
	flags.BoolVar(&t.scores, "scores", false, "write each label's own score too")
	flags.BoolVar(&t.probabilities, "probabilities", false, "write the probability of each label too, of a model of crank train -calibrate")
	t.modelFlags(flags)
	return func(_ context.Context, args []string) error {
		if len(args) != 2 {
			return usageError("name the file of the model and the file with the rows")
		}
		if t.separator == "" {
			return usageError("-separator is empty")
		}
		if err := checkTarget(t.out, args...); err != nil {
			return err
		}
		return p.predict(t, args[0], args[1])
	}
}

// predict predicts rows with a model, both in files.
func (p *program) predict(t predicting, model, rows string) error {
	m, err := loadModel(model)
	if err != nil {
		return err
	}
	if t.probabilities && m.Rule.Calibration == nil {
		return usageError(fmt.Sprintf("%s has no probabilities: crank train -calibrate makes a model that has", model))
	}
	header, err := t.header(m)
	if err != nil {
		return err
	}
	var ids []string
	ds, err := p.examples(rows, true, func(in *input) (ds *crankpkg.Dataset, err error) {
		ds, ids, err = t.read(m, in)
		return ds, err
	})
	if err != nil {
		return err
	}
	if t.id != "" && ids == nil {
		return usageError("-id is for CSV")
	}
	p.tellIgnored(ds, t.drop)
	unlabeled := *ds
	unlabeled.Unlabeled = true
	matched, err := m.Match(&unlabeled)
	if err != nil {
		return fmt.Errorf("%s on %s: %w", model, rows, err)
	}
	table, err := t.table(m, matched.X, header, ids)
	if err != nil {
		return fmt.Errorf("%s: %w", rows, err)
	}
	return p.writeTo(t.out, table)
}

// read reads the rows, and the column that is copied.
func (t *predicting) read(m *crankpkg.Model, in *input) (*crankpkg.Dataset, []string, error) {
	if t.id == "" || in.format() != ".csv" {
		ds, err := t.readFor(m, in, false)
		return ds, nil, err
	}
	opts, err := t.csvOptions()
	if err != nil {
		return nil, nil, err
	}
	ids, err := in.cells(t.id, opts)
	if err != nil {
		return nil, nil, err
	}
	columns := m.Coding.Or(m.FeatureNames).Columns
	used := slices.ContainsFunc(columns, func(c tabular.Column) bool { return c.Name == t.id })
	if !used && !slices.Contains(m.LabelNames, t.id) && t.id != t.column {
		t.drop = strings.TrimPrefix(t.drop+","+t.id, ",")
	}
	ds, err := t.readFor(m, in, false)
	return ds, ids, err
}

// table predicts the rows and returns what writes the table. Rows are checked before
// anything is written.
func (t *predicting) table(m *crankpkg.Model, x *crankpkg.Matrix, header, ids []string) (func(io.Writer) error, error) {
	p, n := m.Predictor(), m.NumLabels()
	y, err := p.PredictRows(x)
	if err != nil {
		return nil, err
	}
	var margins []float64
	if t.margins || t.probabilities {
		if margins, err = p.MarginsRows(x); err != nil {
			return nil, err
		}
	}
	var probabilities []float64
	if t.probabilities {
		probabilities = m.Rule.Calibration.Probabilities(margins)
	}
	scores := make([]float64, n)
	return func(to io.Writer) error {
		w := csv.NewWriter(to)
		w.Write(header) // its error is that of Flush
		var line []string
		for k := range x.NumRows {
			line = line[:0]
			if t.id != "" {
				line = append(line, ids[k])
			}
			line = t.appendLabels(line, m.LabelNames, y[k*n:(k+1)*n])
			if t.margins {
				line = appendNumbers(line, margins[k*n:(k+1)*n])
			}
			if t.scores {
				p.ScoresTo(scores, x.Row(k))
				line = appendNumbers(line, scores)
			}
			if t.probabilities {
				line = appendNumbers(line, probabilities[k*n:(k+1)*n])
			}
			w.Write(line)
		}
		w.Flush()
		return w.Error()
	}, nil
}

// header returns the names of the columns.
func (t *predicting) header(m *crankpkg.Model) ([]string, error) {
	var names []string
	if t.id != "" {
		names = append(names, t.id)
	}
	if t.list {
		names = append(names, "labels")
		for _, name := range m.LabelNames {
			if strings.Contains(name, t.separator) {
				return nil, usageError(fmt.Sprintf("the name of label %q has %q in it: give another -separator for -list", name, t.separator))
			}
		}
	} else {
		names = append(names, m.LabelNames...)
	}
	for _, more := range []struct {
		prefix string
		wanted bool
	}{{"margin_", t.margins}, {"score_", t.scores}, {"probability_", t.probabilities}} {
		for _, name := range m.LabelNames {
			if more.wanted {
				names = append(names, more.prefix+name)
			}
		}
	}
	seen := map[string]bool{}
	for _, name := range names {
		if seen[name] {
			return nil, usageError(fmt.Sprintf("two columns would be called %q", name))
		}
		seen[name] = true
	}
	return names, nil
}

// appendLabels appends the labels of a row.
func (t *predicting) appendLabels(line, names []string, y []uint8) []string {
	if !t.list {
		for _, v := range y {
			line = append(line, string('0'+rune(v)))
		}
		return line
	}
	var on []string
	for i, v := range y {
		if v == 1 {
			on = append(on, names[i])
		}
	}
	return append(line, strings.Join(on, t.separator))
}

func appendNumbers(line []string, values []float64) []string {
	for _, v := range values {
		line = append(line, strconv.FormatFloat(v, 'g', -1, 64))
	}
	return line
}
