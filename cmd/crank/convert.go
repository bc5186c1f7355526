package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/tabular"
	"github.com/crank-ml/crank/internal/atomicfile"
)

var convertCommand = subcommand{
	name: "convert", args: "[flags] FROM TO",
	summary: "turn a data file into one of another format",
	help: `Reads a data set and writes it in another format. The names tell the formats:
.arff, .csv and .svm (LIBSVM's, with the header of extreme-classification sets;
.libsvm and .txt are that too). What is read may be .tsv, with tabs between cells,
and compressed by gzip or bzip2.
Nominal columns become columns of 0 and 1, and missing values are filled in by
means and most frequent values. Flags tell which columns are labels, unless
the file does.`,
	example: "convert -prefix y_ shop.csv shop.arff",
	setup:   setupConvert,
}

func setupConvert(p *program, flags *flag.FlagSet) action {
	r := reading{impute: true}
	r.labelFlags(flags)
	r.otherFormats(flags)
	return func(_ context.Context, args []string) error {
		if len(args) != 2 {
			return usageError("name the file to read and the file to write")
		}
		return p.convert(r, args[0], args[1])
	}
}

// convert reads one file and writes another.
func (p *program) convert(r reading, from, to string) error {
	write, ok := writers[format(to)]
	if ext := strings.ToLower(filepath.Ext(to)); !ok || slices.Contains([]string{".gz", ".bz2", ".tsv"}, ext) {
		return usageError(fmt.Sprintf("the name %q tells no format: it must end in .arff, .csv or .svm", to))
	}
	if err := checkTarget(to, from); err != nil {
		return err
	}
	in, err := p.open(from)
	if err != nil {
		return err
	}
	ds, err := r.read(in)
	if err != nil {
		return err
	}
	if err := atomicfile.Write(to, func(w io.Writer) error { return write(w, ds) }); err != nil {
		return err
	}
	fmt.Fprintln(p.stderr, ds)
	p.warnOfColumns(ds, &r, from)
	return nil
}

// writers has a writer for each format.
var writers = map[string]func(io.Writer, *crankpkg.Dataset) error{
	".arff": tabular.WriteARFF, ".csv": tabular.WriteCSV, ".svm": tabular.WriteLIBSVM,
}
