package main

import (
	"cmp"
	"context"
	"encoding/csv"
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/crank-ml/crank/crankpkg/crossval"
	"github.com/crank-ml/crank/crankpkg/metrics"
	"github.com/crank-ml/crank/internal/atomicfile"
)

var cvCommand = subcommand{
	name: "cv", args: "[flags] FILE|SET",
	summary: "compare lambdas and methods by cross-validation",
	help: `Divides the rows into folds, trains on all of them but one, for each lambda and method,
and measures on that one, each in its turn. The table has the means of the measures over
the folds in percent, with their standard errors. The line with the star is the best by
-measure; crank train with the same flags and that method chooses the same lambda.

FILE, SET and the flags are those of crank train. Trainings in folds that stop short of
their gap are counted in the column short, and change nothing else: a choice needs less
than a model. crank has one start there, unless -restarts says otherwise.`,
	example: "cv -prefix buys_ -methods crank,empty,full shop.csv",
	setup:   setupCV,
}

// comparing is what cv is told.
type comparing struct {
	reading
	learning
	choosing
	methods, format, out string
}

func setupCV(p *program, flags *flag.FlagSet) action {
	var t comparing
	flags.StringVar(&t.methods, "methods", "crank", "methods to compare, between commas: "+strings.Join(methods, ", "))
	flags.StringVar(&t.format, "format", "text", "text, csv or json")
	flags.StringVar(&t.out, "o", "-", "`file` to write; - is standard output")
	flags.BoolVar(&t.impute, "impute", false, "fill in missing cells: means, and most frequent names")
	t.labelFlags(flags)
	t.otherFormats(flags)
	t.learning.flags(flags)
	t.choosing.flags(flags)
	return func(ctx context.Context, args []string) error {
		if len(args) != 1 {
			return usageError("name one file or data set")
		}
		t.methods = strings.ToLower(t.methods)
		if err := cmp.Or(t.learning.check(split(t.methods)), known("format", []string{"text", "csv", "json"}, t.format),
			checkTarget(t.out, args[0])); err != nil {
			return err
		}
		return p.compare(ctx, t, args[0])
	}
}

// compare runs the cross-validations and writes their table.
func (p *program) compare(ctx context.Context, t comparing, name string) error {
	search, err := t.search(&t.learning)
	if err != nil {
		return err
	}
	ds, groups, err := t.load(p, t.reading, name)
	if err != nil {
		return err
	}
	p.warnOfColumns(ds, &t.reading, name)
	search.Groups = groups
	c := comparison{
		Data: ds.String(), Folds: search.Folds, Repeats: search.Repeats, Seed: search.Seed, Measure: search.Criterion,
		Scaling: cmp.Or(string(t.scalingFor(ds)), "none"),
	}
	for _, method := range split(t.methods) {
		s, err := p.choose(ctx, search, t.learning, method, ds)
		if err != nil {
			return err
		}
		c.add(method, s)
	}
	return p.writeTo(t.out, func(w io.Writer) error {
		switch t.format {
		case "csv":
			return c.writeCSV(w)
		case "json":
			return atomicfile.EncodeJSON(w, c)
		}
		return c.print(w)
	})
}

// comparison is what cross-validations tell.
type comparison struct {
	Data           string
	Scaling        string
	Folds, Repeats int
	Seed           uint64
	Measure        metrics.Measure
	Chosen         int // position in Lines
	Lines          []comparedLine
}

// comparedLine is what they tell of one method and lambda, in percent.
type comparedLine struct {
	Method  string
	Lambda  float64
	Chosen  bool // of all
	Mean    map[metrics.Measure]float64
	StdErr  map[metrics.Measure]float64
	Gap     float64 // the largest one that a fold's training ended with
	Short   int     // folds whose training stopped short
	edge    bool    // whether a lambda beyond might be better
	ofFolds int
}

// add appends the lines of a method.
func (c *comparison) add(method string, s *crossval.Selection) {
	first := len(c.Lines)
	for k := range s.Curve {
		point := &s.Curve[k]
		line := comparedLine{
			Method: method, Lambda: point.Lambda, Gap: point.Gap, Short: point.Short, ofFolds: len(point.Folds),
			edge: len(s.Curve) > 1 && (k == 0 || k == len(s.Curve)-1),
			Mean: map[metrics.Measure]float64{}, StdErr: map[metrics.Measure]float64{},
		}
		for _, m := range measures {
			line.Mean[m.measure], line.StdErr[m.measure] = point.Of(m.measure)
		}
		c.Lines = append(c.Lines, line)
	}
	if best := first + s.Chosen; first == 0 || c.Lines[best].Mean[c.Measure] > c.Lines[c.Chosen].Mean[c.Measure] {
		c.Lines[c.Chosen].Chosen, c.Lines[best].Chosen = false, true
		c.Chosen = best
	}
}

// print writes the table for readers.
func (c *comparison) print(out io.Writer) error {
	fmt.Fprintf(out, "%s\n%d x %d folds, seed %d, scaling %s; * is the best by %s\n\n",
		c.Data, c.Repeats, c.Folds, c.Seed, c.Scaling, c.Measure.Label())
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, "\tmethod\tlambda")
	for _, m := range measures {
		fmt.Fprintf(w, "\t%s", m.measure.Label())
	}
	fmt.Fprintln(w, "\tshort")
	for _, line := range c.Lines {
		star := ""
		if line.Chosen {
			star = "*"
		}
		fmt.Fprintf(w, "%s\t%s\t%v", star, line.Method, line.Lambda)
		for _, m := range measures {
			fmt.Fprintf(w, "\t%.1f +- %.1f", line.Mean[m.measure], line.StdErr[m.measure])
		}
		fmt.Fprintf(w, "\t%d of %d\n", line.Short, line.ofFolds)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	best := c.Lines[c.Chosen]
	_, err := fmt.Fprintf(out, "\nchosen: -method %s -lambda %v\n", best.Method, best.Lambda)
	if best.edge {
		_, err = fmt.Fprintln(out, "that is the end of the lambdas tried: give others with -lambdas")
	}
	return err
}

// writeCSV writes a line for each method and lambda.
func (c *comparison) writeCSV(out io.Writer) error {
	header := []string{"method", "lambda", "chosen"}
	for _, m := range measures {
		header = append(header, string(m.measure), string(m.measure)+"_stderr")
	}
	w := csv.NewWriter(out)
	w.Write(append(header, "gap", "short")) // its error is that of Flush
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	for _, line := range c.Lines {
		cells := []string{line.Method, number(line.Lambda), strconv.FormatBool(line.Chosen)}
		for _, m := range measures {
			cells = append(cells, number(line.Mean[m.measure]), number(line.StdErr[m.measure]))
		}
		w.Write(append(cells, number(line.Gap), strconv.Itoa(line.Short)))
	}
	w.Flush()
	return w.Error()
}
