package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/tabular"
	"github.com/crank-ml/crank/internal/atomicfile"
)

var convertCommand = subcommand{
	name: "convert", args: "[flags] FROM TO",
	summary: "turn a data file into one of another format",
	help: `Reads a data set and writes it in another format. The names tell the formats:
.arff, .csv and .svm (LIBSVM's, with the header of extreme-classification sets;
.libsvm and .txt are that too). What is read may be compressed by gzip or bzip2.
Nominal columns become columns of 0 and 1, and missing values are filled in by
means and most frequent values. Flags tell which columns are labels, unless
the file does.`,
	example: "convert -prefix y_ shop.csv shop.arff",
	setup:   setupConvert,
}

// reading says how a file is read.
type reading struct {
	labels, drop, xml, prefix, suffix, column, separator, comma, on string
	count                                                           int
	noHeader, oneBased                                              bool
}

func setupConvert(p *program, flags *flag.FlagSet) action {
	var r reading
	r.csvFlags(flags)
	flags.StringVar(&r.xml, "xml", "", "Mulan's `file` of labels, for ARFF")
	flags.BoolVar(&r.oneBased, "onebased", false, "features count from 1, for LIBSVM")
	return func(_ context.Context, args []string) error {
		if len(args) != 2 {
			return usageError("name the file to read and the file to write")
		}
		return p.convert(r, args[0], args[1])
	}
}

// csvFlags defines the flags that tell how a CSV file is read.
func (r *reading) csvFlags(flags *flag.FlagSet) {
	flags.StringVar(&r.labels, "labels", "", "names of the labels, between commas")
	flags.IntVar(&r.count, "count", 0, "the first `k` columns are labels; the last k when negative")
	flags.StringVar(&r.prefix, "prefix", "", "labels are the columns whose names start so, for CSV")
	flags.StringVar(&r.suffix, "suffix", "", "labels are the columns whose names end so, for CSV")
	flags.StringVar(&r.column, "column", "", "the column that lists the labels, for CSV")
	flags.StringVar(&r.separator, "separator", ",", "what stands between the labels in -column")
	flags.StringVar(&r.comma, "comma", ",", "what stands between cells, for CSV; tab is a tabulator")
	flags.StringVar(&r.on, "true", "", "the `value` that means that a label is on, where it is not 1, yes or true")
	flags.StringVar(&r.drop, "drop", "", "columns to leave out, between commas")
	flags.BoolVar(&r.noHeader, "noheader", false, "the first line is a row, for CSV")
}

// convert reads one file and writes another.
func (p *program) convert(r reading, from, to string) error {
	write, ok := writers[format(to)]
	if ext := filepath.Ext(to); !ok || strings.EqualFold(ext, ".gz") || strings.EqualFold(ext, ".bz2") {
		return usageError(fmt.Sprintf("the name %q tells no format: it must end in .arff, .csv or .svm", to))
	}
	ds, err := r.read(from)
	if err != nil {
		return err
	}
	if err := atomicfile.Write(to, func(w io.Writer) error { return write(w, ds) }); err != nil {
		return err
	}
	fmt.Fprintln(p.stderr, ds)
	return nil
}

// writers has a writer for each format.
var writers = map[string]func(io.Writer, *crankpkg.Dataset) error{
	".arff": tabular.WriteARFF, ".csv": tabular.WriteCSV, ".svm": tabular.WriteLIBSVM,
}

// format returns the extension that stands for the format of the file called path.
func format(path string) string {
	path = strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(path), ".gz"), ".bz2")
	switch ext := filepath.Ext(path); ext {
	case ".libsvm", ".txt":
		return ".svm"
	default:
		return ext
	}
}

// read reads the file called path.
func (r *reading) read(path string) (*crankpkg.Dataset, error) {
	switch format(path) {
	case ".arff":
		return crankpkg.ReadARFF(path, crankpkg.ARFFOptions{
			XML: r.xml, Labels: split(r.labels), LabelCount: r.count, Drop: split(r.drop), True: r.on, Imputer: &crankpkg.Imputer{},
		})
	case ".csv":
		opts, err := r.csvOptions()
		if err != nil {
			return nil, err
		}
		return tabular.ReadCSV(path, opts)
	case ".svm":
		return tabular.ReadLIBSVM(path, tabular.LIBSVMOptions{OneBased: r.oneBased})
	}
	return nil, usageError(fmt.Sprintf("the name %q tells no format: it must end in .arff, .csv or .svm", path))
}

// csvOptions returns what the flags say of a CSV file.
func (r *reading) csvOptions() (tabular.CSVOptions, error) {
	comma, err := r.commaRune()
	if err != nil {
		return tabular.CSVOptions{}, err
	}
	return tabular.CSVOptions{
		Labels: split(r.labels), LabelPrefix: r.prefix, LabelSuffix: r.suffix, LabelCount: r.count, LabelColumn: r.column,
		Separator: r.separator, Comma: comma, NoHeader: r.noHeader, Drop: split(r.drop), True: r.on, Imputer: &crankpkg.Imputer{},
	}, nil
}

// commaRune returns what separates cells.
func (r *reading) commaRune() (rune, error) {
	if r.comma == "tab" {
		return '\t', nil
	}
	c, size := utf8.DecodeRuneInString(r.comma)
	if size == 0 || size != len(r.comma) {
		return 0, usageError(fmt.Sprintf("-comma %q is not one character", r.comma))
	}
	return c, nil
}

// split returns the names in a list between commas, nil of "".
func split(list string) []string {
	if list == "" {
		return nil
	}
	return slices.Collect(strings.SplitSeq(list, ","))
}
