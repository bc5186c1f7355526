package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/experiment"
	"github.com/crank-ml/crank/crankpkg/metrics"
	"github.com/crank-ml/crank/crankpkg/trainstore"
	"github.com/crank-ml/crank/internal/atomicfile"
)

var sweepCommand = subcommand{
	name: "sweep", args: "[flags] run|show|compare|cells|cell [SPEC|TABLE]",
	summary: "vary the settings of methods, and compare what comes out",
	help: `Trains methods at many settings, on sets and with seeds, as a file in JSON says:

    {"methods": [{"method": "crank", "Scaling": "zscore"}],
     "vary":    [{"field": "Restarts", "values": [1, 10]}],
     "sets":    ["emotions", {"name": "planted", "planted": {"N": 8}, "train": 100, "test": 500}],
     "seeds":   10,
     "select":  {"lambdas": [0.1, 0.01, 0.001]}}

A method has a name and fields, those of the Go type of that name; a factor is a field with
its values, the first of them the base. "design" is a full grid, or "one" for one factor at a
time, or "random" with "draws"; "splits" divides the examples anew so many times; "select"
chooses lambda by cross-validation in each cell, and with "rule": true a rule of decision;
"budget" is a time such as "10m", after which the cells that are done are what there is.

    run      trains the cells that are not kept yet, and prints or writes the table
    show     prints what is kept of a sweep, or a table that run has written; trains nothing
    compare  tells what each setting changes: paired differences with 95 %
             intervals, the share of each factor in the variance, and what was best
    cells    prints a line of JSON for each cell, those first that have most work by
             their data, starts, lambdas and folds
    cell     reads such lines from standard input, trains, and prints a line for each result

Cells and trainings are kept in the store, a folder that any number of programs may share: the
same command goes on where it was cut. On several machines, run -part 1/4 to 4/4 share the cells
among four programs over one store; or send the lines of cells to programs that run cell, in
any number and order, and let show -lines gather what they print. A cell that fails is a line
with its error, and the others go on. Drivers for Apache Spark and Slurm are in the folder engines.`,
	example: "sweep run -o table.json starts.json",
	setup:   setupSweep,
}

// sweeping is what sweep is told.
type sweeping struct {
	store, out, format, part, lines, measure string
	workers                                  int
	apart                                    bool
}

func setupSweep(p *program, flags *flag.FlagSet) action {
	var t sweeping
	flags.StringVar(&t.store, "store", "", "`folder` that keeps cells and trainings, or off; without it that of CRANK_STORE, else one in the user's cache")
	flags.StringVar(&t.out, "o", "-", "`file` to write; - is standard output")
	flags.StringVar(&t.format, "format", "", "text, csv or json; without it the end of the file's name says, else text")
	flags.StringVar(&t.part, "part", "", "run part `i/n` of the cells, from 1/n to n/n")
	flags.StringVar(&t.lines, "lines", "", "show and compare take the results from this `file`, in lines as cell prints them; - is standard input")
	flags.StringVar(&t.measure, "measure", "mean", "what compare compares: hamming, subset, f1, micro-f1, macro-f1, or mean, that of the first three")
	flags.BoolVar(&t.apart, "apart", false, "cell trains in a process of its own: a cell that ends it, for want of memory say, is a line with its error")
	flags.IntVar(&t.workers, "workers", 0, "`number` of trainings at a time, which changes no result; 0 stands for that of the processors")
	return func(ctx context.Context, args []string) error {
		if len(args) == 0 {
			return usageError("say what to do: run, show, compare, cells or cell")
		}
		if err := cmp.Or(known("part of sweep", []string{"run", "show", "compare", "cells", "cell"}, args[0]), t.check()); err != nil {
			return err
		}
		return p.sweep(ctx, t, args[0], args[1:])
	}
}

// check returns an error unless the flags make sense.
func (t *sweeping) check() error {
	if t.format == "" {
		t.format = "text"
		for _, f := range []string{"csv", "json"} {
			if strings.HasSuffix(t.out, "."+f) {
				t.format = f
			}
		}
	}
	if t.workers < 0 {
		return usageError(fmt.Sprintf("%d workers cannot be", t.workers))
	}
	return known("format", []string{"text", "csv", "json"}, t.format)
}

// sweep does what verb says.
func (p *program) sweep(ctx context.Context, t sweeping, verb string, args []string) error {
	store, err := t.open()
	if err != nil {
		return err
	}
	ctx = trainstore.In(ctx, store)
	if verb == "cell" {
		if len(args) > 0 {
			return usageError("cell takes no file: its lines come from standard input")
		}
		return p.sweepCells(ctx, t)
	}
	if len(args) != 1 {
		return usageError("name one file")
	}
	if err := checkTarget(t.out, args[0]); err != nil {
		return err
	}
	if verb == "cells" {
		spec, err := readSpec(args[0])
		if err != nil {
			return err
		}
		return p.writeTo(t.out, func(w io.Writer) error { return writeCells(w, args[0], spec) })
	}
	table, err := p.sweepTable(ctx, t, verb == "run", args[0])
	if err != nil {
		if table != nil && store != nil {
			return keptError{err, "the finished cells are kept in " + store.Folder() + goesOn}
		}
		return err
	}
	if err := p.writeTo(t.out, func(w io.Writer) error {
		if verb == "compare" {
			return t.writeEffects(w, table)
		}
		return t.writeTable(w, table)
	}); err != nil {
		return err
	}
	for k := range table.Rows {
		if r := &table.Rows[k]; verb == "run" && r.Error != "" {
			return fmt.Errorf("some cells failed, the first one, cell %d, with: %s", r.Cell, r.Error)
		}
	}
	return nil
}

// open returns the store, nil for none.
func (t *sweeping) open() (*trainstore.Store, error) {
	switch folder := cmp.Or(t.store, os.Getenv(trainstore.Env)); {
	case folder == "":
		if s, err := trainstore.Cache(); err == nil {
			return s, nil
		}
		return nil, nil // there is no cache folder, and nobody has asked for one
	case strings.EqualFold(folder, trainstore.Off):
		return nil, nil
	default:
		return trainstore.Open(folder, 0)
	}
}

func readSpec(path string) (*experiment.Spec, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	spec, err := experiment.ReadSpec(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return spec, nil
}

// sweepTable returns the table of a file: that of a table, or of a sweep, which is run or
// gathered.
func (p *program) sweepTable(ctx context.Context, t sweeping, run bool, path string) (*experiment.SweepTable, error) {
	spec, err := readSpec(path)
	if err != nil && !run {
		if table, wrong := experiment.LoadSweep(path); wrong == nil {
			return table, nil
		}
	}
	if err != nil {
		return nil, err
	}
	s, err := spec.Sweep()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if s.Part, s.Parts, err = partOf(t.part); err != nil {
		return nil, err
	}
	if !run && t.lines != "" {
		rows, err := p.readRows(t.lines)
		if err != nil {
			return nil, err
		}
		return s.Collect(rows)
	}
	line := p.newStatusLine()
	defer line.clear()
	s.Workers, s.Progress, s.KeptOnly = t.workers, line.Work, !run
	return s.Run(ctx)
}

// partOf reads i/n, from 1/n to n/n.
func partOf(text string) (part, parts int, err error) {
	if text == "" {
		return 0, 0, nil
	}
	i, n, _ := strings.Cut(text, "/")
	part, errPart := strconv.Atoi(i)
	parts, errParts := strconv.Atoi(n)
	if errors.Join(errPart, errParts) != nil || part < 1 || part > parts {
		return 0, 0, usageError(fmt.Sprintf("-part %s is not from 1/n to n/n", text))
	}
	return part - 1, parts, nil
}

// writeCells writes the cells in lines.
func writeCells(w io.Writer, path string, spec *experiment.Spec) error {
	cells, err := spec.Cells()
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	slices.SortStableFunc(cells, func(a, b experiment.SpecCell) int { return cmp.Compare(b.Size, a.Size) })
	e := json.NewEncoder(w)
	for _, c := range cells {
		if err := e.Encode(c); err != nil {
			return err
		}
	}
	return nil
}

// longestLine is the most bytes that a line of a cell may have.
const longestLine = 16 << 20

// sweepCells trains the cells that come in lines, one after the other, and writes a line of
// each as soon as it is there.
func (p *program) sweepCells(ctx context.Context, t sweeping) error {
	runner := experiment.CellRunner{Workers: t.workers}
	child := apart{args: []string{"sweep", "cell", "-store", t.store, "-workers", strconv.Itoa(t.workers)}}
	defer child.end()
	in := bufio.NewScanner(p.stdin)
	in.Buffer(nil, longestLine)
	line := 1
	for ; in.Scan(); line++ {
		if len(bytes.TrimSpace(in.Bytes())) == 0 {
			continue
		}
		var cell experiment.SpecCell
		dec := json.NewDecoder(bytes.NewReader(in.Bytes()))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&cell); err != nil {
			return fmt.Errorf("line %d: %w: %w", line, crankpkg.ErrFormat, err)
		}
		if _, err := dec.Token(); !errors.Is(err, io.EOF) {
			return fmt.Errorf("line %d: %w: something follows the cell", line, crankpkg.ErrFormat)
		}
		if t.apart {
			if err := p.cellApart(ctx, &child, &cell, in.Bytes()); err != nil {
				return fmt.Errorf("line %d: %w", line, err)
			}
			continue
		}
		row, err := runner.Run(ctx, cell)
		if err != nil {
			return fmt.Errorf("line %d: %w", line, err)
		}
		if err := json.NewEncoder(p.stdout).Encode(row); err != nil {
			return err
		}
	}
	if err := in.Err(); err != nil {
		return fmt.Errorf("line %d: %w", line, err)
	}
	return nil
}

// cellApart lets another process train a cell, and writes what comes of it.
func (p *program) cellApart(ctx context.Context, child *apart, cell *experiment.SpecCell, line []byte) error {
	answer, err := child.ask(ctx, append(slices.Clone(line), '\n'))
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err == nil {
		_, err = p.stdout.Write(answer)
		return err
	}
	row, err := cell.Failed(err)
	if err != nil {
		return err
	}
	return json.NewEncoder(p.stdout).Encode(row)
}

// readRows reads what cell has written.
func (p *program) readRows(path string) ([]experiment.Row, error) {
	in := p.stdin
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	var rows []experiment.Row
	dec := json.NewDecoder(in)
	dec.DisallowUnknownFields()
	for {
		var r experiment.Row
		switch err := dec.Decode(&r); {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF): // the latter in a line that is being written, or was cut
			return rows, nil
		case err != nil:
			return nil, fmt.Errorf("%s: result %d: %w: %w", path, len(rows)+1, crankpkg.ErrFormat, err)
		}
		rows = append(rows, r)
	}
}

// writeTable writes the table in the format.
func (t *sweeping) writeTable(w io.Writer, table *experiment.SweepTable) error {
	switch t.format {
	case "csv":
		return table.WriteCSV(w)
	case "json":
		_, err := table.WriteTo(w)
		return err
	}
	if _, err := fmt.Fprint(w, table); err != nil || table.Missing == 0 {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%d of %d cells are missing.\n", table.Missing, table.Cells)
	return err
}

// effectsOf is what compare tells.
type effectsOf struct {
	Measure    metrics.Measure
	Effects    []experiment.Effect
	Importance []experiment.Share     `json:",omitempty"`
	Best       []experiment.BestLevel `json:",omitempty"`
	Notes      []string               `json:",omitempty"`

	family string // what Corrected is for
}

// writeEffects writes what each setting changes.
func (t *sweeping) writeEffects(w io.Writer, table *experiment.SweepTable) error {
	m, err := (&choosing{measure: t.measure}).criterion()
	if err != nil {
		return err
	}
	e := effectsOf{Measure: m, Effects: table.Effects(m), Best: table.BestLevels(m), Notes: table.Notes}
	if e.family = "all of them"; len(table.Sets) > 1 {
		e.family = "all on the mean of the sets, and for all on single ones"
		var on [][]experiment.Effect
		for _, set := range table.Sets {
			on = append(on, table.EffectsOn(set, m))
		}
		e.Effects = append(e.Effects, experiment.Family(on...)...)
	}
	if len(e.Effects) == 0 {
		return errors.New("nothing to compare: no two cells of the table differ in one setting alone")
	}
	e.Importance, _ = table.Importance(m) // a grid that is not whole has none
	switch t.format {
	case "json":
		return atomicfile.EncodeJSON(w, e)
	case "csv":
		return e.writeCSV(w)
	}
	return e.print(w)
}

// writeCSV writes a line for each effect.
func (e *effectsOf) writeCSV(out io.Writer) error {
	w := csv.NewWriter(out)
	w.Write([]string{"effect", "measure", "mean", "low", "high", "p", "corrected", "n"}) // its error is that of Flush
	for _, f := range e.Effects {
		line := []string{f.Label, string(e.Measure)}
		for _, v := range []float64{f.Mean, f.Low, f.High, f.P, f.Corrected} {
			line = append(line, strconv.FormatFloat(v, 'g', -1, 64))
		}
		w.Write(append(line, strconv.Itoa(f.N)))
	}
	w.Flush()
	return w.Error()
}

// print writes the effects for readers.
func (e *effectsOf) print(out io.Writer) error {
	fmt.Fprintf(out, "%s, in percent points: paired differences, 95 %% intervals, p of each by itself,\nand after Holm's correction for %s\n\n", e.Measure.Label(), e.family)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, f := range e.Effects {
		if math.IsInf(f.Low, 0) {
			fmt.Fprintf(w, "%s\t%+.2f\ttoo few cells for an interval\n", f.Label, f.Mean)
			continue
		}
		fmt.Fprintf(w, "%s\t%+.2f\t%+.2f to %+.2f\tp %s\tcorrected %s\t%s, n %d\n", f.Label, f.Mean, f.Low, f.High, metrics.PText(f.P), metrics.PText(f.Corrected), f.Test, f.N)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if len(e.Importance) > 0 {
		fmt.Fprint(out, "\nshare of the variance between settings:\n\n")
		for _, s := range e.Importance {
			fmt.Fprintf(w, "%s\t%.0f %%\n", cmp.Or(strings.Join(s.Factors, " with "), "the rest"), 100*s.Of)
		}
		if err := w.Flush(); err != nil {
			return err
		}
	}
	for _, b := range e.Best {
		edge := ""
		if b.AtEdge != "" {
			edge = "; that is the end of those tried, and one beyond may be better"
		}
		fmt.Fprintf(out, "\nbest %s on the average: %s%s", b.Factor, b.Level, edge)
	}
	for _, note := range e.Notes {
		fmt.Fprintf(out, "\n%s", note)
	}
	_, err := fmt.Fprintln(out)
	return err
}
