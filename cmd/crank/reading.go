package main

import (
	"bytes"
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/tabular"
)

// reading says how a file is read.
type reading struct {
	labels, prefix, suffix, column, separator, on, xml string
	count                                              int
	drop, nominal, comma, missing                      string
	noHeader, decimalComma, oneBased                   bool
	impute, ignoreUnseen                               bool
}

// cellFlags defines the flags that tell how the cells of a table are read.
func (r *reading) cellFlags(flags *flag.FlagSet) {
	flags.StringVar(&r.comma, "comma", "", "what stands between cells, for CSV; tab is a tabulator. Unless it is given, a first line such as sep=; tells, else tabs are in .tsv and commas in others")
	flags.BoolVar(&r.noHeader, "noheader", false, "the first line is a row, for CSV; the columns are called column1, column2, ...")
	flags.StringVar(&r.drop, "drop", "", "columns to leave out, between commas, for CSV and ARFF; quotes keep a comma in a name")
	flags.StringVar(&r.column, "column", "", "the column that lists the labels, for CSV")
	flags.StringVar(&r.separator, "separator", ",", "what stands between the labels in -column")
}

// trueFlag defines the flag that tells which labels are on.
func (r *reading) trueFlag(flags *flag.FlagSet) {
	flags.StringVar(&r.on, "true", "", "the `value` that means that a label is on, where it is not 1, yes or true")
}

// labelFlags defines the flags that tell how a table with labels is read.
func (r *reading) labelFlags(flags *flag.FlagSet) {
	r.cellFlags(flags)
	r.trueFlag(flags)
	flags.StringVar(&r.labels, "labels", "", "names of the labels, between commas")
	flags.IntVar(&r.count, "count", 0, "the first `k` columns are labels; the last k when negative")
	flags.StringVar(&r.prefix, "prefix", "", "labels are the columns whose names start so, for CSV")
	flags.StringVar(&r.suffix, "suffix", "", "labels are the columns whose names end so, for CSV")
	flags.StringVar(&r.nominal, "nominal", "", "columns whose numbers are names, as postal codes are, between commas, for CSV")
	flags.StringVar(&r.missing, "missing", "", "what stands in missing cells, beside nothing, ?, NA and NaN, between commas, for CSV")
	flags.BoolVar(&r.decimalComma, "decimalcomma", false, "1,5 is one and a half, for CSV")
}

// otherFormats defines the flags for other formats than CSV.
func (r *reading) otherFormats(flags *flag.FlagSet) {
	flags.StringVar(&r.xml, "xml", "", "Mulan's `file` of labels, for ARFF")
	flags.BoolVar(&r.oneBased, "onebased", false, "features count from 1, for LIBSVM")
}

// input is a file to read, or standard input.
type input struct {
	path string // or "-"
	data []byte // what came from standard input
}

// open returns the input called path.
func (p *program) open(path string) (*input, error) {
	if path != "-" {
		return &input{path: path}, nil
	}
	data, err := io.ReadAll(p.stdin)
	if err != nil {
		return nil, fmt.Errorf("standard input: %w", err)
	}
	return &input{path, data}, nil
}

// stdinName stands for standard input in errors.
const stdinName = "standard input"

// csv reads a table.
func (in *input) csv(opts tabular.CSVOptions) (*crankpkg.Dataset, error) {
	if in.path == "-" {
		return tabular.ParseCSV(bytes.NewReader(in.data), stdinName, opts)
	}
	return tabular.ReadCSV(in.path, opts)
}

// cells reads a column of a table.
func (in *input) cells(column string, opts tabular.CSVOptions) ([]string, error) {
	if in.path == "-" {
		return tabular.ParseCells(bytes.NewReader(in.data), stdinName, column, opts)
	}
	return tabular.ReadCells(in.path, column, opts)
}

// format returns the extension that stands for the format. Standard input is CSV.
func (in *input) format() string {
	if in.path == "-" {
		return ".csv"
	}
	return format(in.path)
}

// format returns the extension that stands for the format of the file called path.
func format(path string) string {
	switch ext := extension(path); ext {
	case ".libsvm", ".txt":
		return ".svm"
	case ".tsv":
		return ".csv"
	default:
		return ext
	}
}

// extension returns that of the file called path in lower case, without that of a compression.
func extension(path string) string {
	return filepath.Ext(strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(path), ".gz"), ".bz2"))
}

// noFormat is the error about a name that tells no format.
func noFormat(path string) error {
	return usageError(fmt.Sprintf("the name %q tells no format: it must end in .arff, .csv or .svm", path))
}

// errNoDrop refuses to leave out columns that have no names.
var errNoDrop = usageError("-drop is for CSV and ARFF: columns of LIBSVM's form have no names")

// read reads a file with labels.
func (r *reading) read(in *input) (*crankpkg.Dataset, error) {
	switch in.format() {
	case ".arff":
		return crankpkg.ReadARFF(in.path, crankpkg.ARFFOptions{
			XML: r.xml, Labels: split(r.labels), LabelCount: r.count, Drop: split(r.drop), True: r.on, Imputer: r.imputer(),
		})
	case ".csv":
		opts, err := r.csvOptions()
		if err != nil {
			return nil, err
		}
		return in.csv(opts)
	case ".svm":
		if r.drop != "" {
			return nil, errNoDrop
		}
		return tabular.ReadLIBSVM(in.path, tabular.LIBSVMOptions{OneBased: r.oneBased})
	}
	return nil, noFormat(in.path)
}

// loadModel reads the file of a model.
func loadModel(path string) (*crankpkg.Model, error) {
	m, err := crankpkg.LoadModel(path)
	if errors.Is(err, crankpkg.ErrFormat) && slices.Contains([]string{".csv", ".arff", ".svm"}, format(path)) {
		return nil, fmt.Errorf("%w; the model comes first, then the rows", err)
	}
	return m, err
}

// readFor reads a file as a model has learned to read it: rows to predict on, or with labels
// to measure by.
func (r *reading) readFor(m *crankpkg.Model, in *input, labeled bool) (*crankpkg.Dataset, error) {
	switch in.format() {
	case ".arff":
		return crankpkg.ReadARFF(in.path, crankpkg.ARFFOptions{
			Labels: m.LabelNames, Drop: split(r.drop), Ignore: m.Coding.Dropped, True: r.on, Imputer: m.Coding.Imputer(m.FeatureNames), FeaturesOnly: !labeled,
		})
	case ".csv":
		opts, err := r.csvOptions()
		if err != nil {
			return nil, err
		}
		opts.Imputer, opts.Coding = nil, tabular.CodingOf(m)
		opts.FeaturesOnly, opts.IgnoreUnseen = !labeled, r.ignoreUnseen
		return in.csv(opts)
	case ".svm":
		if r.drop != "" {
			return nil, errNoDrop
		}
		return tabular.ReadLIBSVM(in.path, tabular.LIBSVMOptions{
			OneBased:    len(m.FeatureNames) > 0 && m.FeatureNames[0] == "x1",
			NumFeatures: m.NumFeatures(), NumLabels: m.NumLabels(),
		})
	}
	return nil, noFormat(in.path)
}

// tellIgnored says which columns of a data set were left out because training left them out, and
// not because drop names them.
func (p *program) tellIgnored(ds *crankpkg.Dataset, drop string) {
	var names []string
	for _, name := range ds.Coding.Dropped {
		if !slices.Contains(split(drop), name) {
			names = append(names, strconv.Quote(name))
		}
	}
	const most = 5
	switch {
	case len(names) == 1:
		fmt.Fprintf(p.stderr, "column %s is left out, as in training\n", names[0])
	case len(names) > most:
		fmt.Fprintf(p.stderr, "%d columns are left out, as in training: %s and others\n", len(names), strings.Join(names[:most], ", "))
	case len(names) > 1:
		fmt.Fprintf(p.stderr, "columns that are left out, as in training: %s\n", strings.Join(names, ", "))
	}
}

// imputer returns what fills in missing cells, nil where they are refused.
func (r *reading) imputer() *crankpkg.Imputer {
	if r.impute {
		return &crankpkg.Imputer{}
	}
	return nil
}

// csvOptions returns what the flags say of a CSV file.
func (r *reading) csvOptions() (tabular.CSVOptions, error) {
	comma, err := r.commaRune()
	if err != nil {
		return tabular.CSVOptions{}, err
	}
	var missing []string
	if r.missing != "" {
		missing = append([]string{"", "?", "NA", "NaN"}, split(r.missing)...)
	}
	return tabular.CSVOptions{
		Labels: split(r.labels), LabelPrefix: r.prefix, LabelSuffix: r.suffix, LabelCount: r.count, LabelColumn: r.column,
		Separator: r.separator, Comma: comma, NoHeader: r.noHeader, Drop: split(r.drop), Nominal: split(r.nominal),
		DecimalComma: r.decimalComma, True: r.on, Imputer: r.imputer(), Missing: missing,
	}, nil
}

// commaRune returns what separates cells, 0 where that is for the file to tell.
func (r *reading) commaRune() (rune, error) {
	switch r.comma {
	case "":
		return 0, nil
	case "tab", `\t`:
		return '\t', nil
	}
	c, size := utf8.DecodeRuneInString(r.comma)
	if size != len(r.comma) {
		return 0, usageError(fmt.Sprintf("-comma %q is not one character", r.comma))
	}
	return c, nil
}

// split returns the names in a list between commas, nil of "". A name with a comma in it stands in
// quotes, as in a CSV file.
func split(list string) []string {
	if list == "" {
		return nil
	}
	if strings.Contains(list, `"`) {
		if names, err := csv.NewReader(strings.NewReader(list)).Read(); err == nil {
			return names
		}
	}
	return slices.Collect(strings.SplitSeq(list, ","))
}
