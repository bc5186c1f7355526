package csvdata

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/internal/table"
	"github.com/crank-ml/crank/crankpkg/internal/textfile"
)

// Options says how ReadCSV turns the columns of a file into the features and labels of a
// Dataset.
//
// Which columns are labels is said by Labels, by LabelPrefix and LabelSuffix, by
// LabelCount or by LabelColumn: one of these must be set.
type Options struct {
	// NoHeader reads a file whose first line is a row already. Its columns are called
	// column1, column2 and so on.
	NoHeader bool
	// Comma separates cells; 0 means what a first line such as "sep=;" says, which is no header
	// and no row, else a tabulator in a file whose name ends in .tsv, before .gz or .bz2, else ','.
	Comma rune
	// DecimalComma reads 1,5 as one and a half.
	DecimalComma bool

	// Labels lists the names of the label columns.
	Labels []string
	// LabelPrefix and LabelSuffix make labels of the columns whose names start and end so.
	LabelPrefix, LabelSuffix string
	// LabelCount makes the first k columns labels, or the last k when it is -k.
	LabelCount int
	// LabelColumn names a column that lists the labels of its row, between Separators.
	LabelColumn string
	// Separator stands between the labels in LabelColumn; "" means ",".
	Separator string
	// True is the value that means that a label is on. Without it label columns have the
	// values 0/1, no/yes, n/y, false/true, f/t or -1/1.
	True string
	// FeaturesOnly reads rows to predict on: what stands in label columns is not looked
	// at, the file may lack them, and the Dataset is Unlabeled.
	FeaturesOnly bool

	// Drop lists columns to leave out. Those that a Coding has Dropped are left out in any case.
	Drop []string
	// Nominal lists columns whose cells are names although they may look like numbers.
	Nominal []string
	// Missing lists what stands in missing cells; nil means "", "?", "NA" and "NaN".
	Missing []string
	// Imputer supplies the values of missing cells. Nil refuses them. An Imputer that is
	// not fitted yet is fitted to the file; give it again when the test file is read.
	Imputer *table.Imputer
	// Coding, if not nil, makes a test file agree with the training file: it is fitted to
	// the first file that is read with it, and holds the next ones to that. It has what
	// fills missing cells, too, where an Imputer was there, Missing and DecimalComma.
	// CodingOf gives that of a model.
	Coding *Coding
	// IgnoreUnseen lets a later file have names that the Coding has not seen, instead of
	// refusing them: in a feature all columns are 0, a label is left out.
	IgnoreUnseen bool
}

// Coding holds what the columns of a file mean. The zero Coding is not fitted yet.
type Coding struct {
	// Columns are the names of all columns of the file that it was fitted to, in its
	// order; nil: not fitted.
	Columns []string
	// Features are the columns that became features.
	Features table.Coding
	// Labels are the names of the labels.
	Labels []string
}

// file is a file while it is read.
type file struct {
	name   string
	opts   Options
	fitted *Coding // nil before anything is fitted
	rows   *csv.Reader
	comma  rune         // between cells, as the name of the file tells; 0 where it does not
	before int          // lines before those of rows
	cells  table.Coding // how cells are read; its columns are the fitted ones, if any

	header   []string
	features []*column
	labels   []*column // nil for those that the file lacks
	listed   *labelLists
	roles    []filler        // what takes the cells of each column; nil: nothing
	drops    map[string]bool // names of columns to leave out
	dropped  []string        // those that are there
	count    int             // rows so far
}

// filler takes the cells of a column.
type filler interface{ add(text string) error }

// Read reads a file; see tabular.ReadCSV.
func Read(path string, opts Options) (*table.Data, error) {
	return textfile.ReadFile(path, func(r io.Reader, name string) (*table.Data, error) { return parse(r, name, commaOf(path), opts) })
}

// commaOf returns what stands between the cells of the file called path as far as its name tells, or 0.
func commaOf(path string) rune {
	if strings.HasSuffix(strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(path), ".gz"), ".bz2"), ".tsv") {
		return '\t'
	}
	return 0
}

// Parse is Read for an open stream; name stands for the file in errors and, without its
// folder and extension, becomes the name of the data.
func Parse(r io.Reader, name string, opts Options) (*table.Data, error) {
	return parse(r, name, 0, opts)
}

// parse is Parse for a file whose name tells what stands between cells, unless comma is 0.
func parse(r io.Reader, name string, comma rune, opts Options) (*table.Data, error) {
	in := &file{name: name, opts: opts, comma: comma, cells: table.Coding{Missing: table.UsualMissing()}}
	if opts.Coding != nil && opts.Coding.Columns != nil {
		in.fitted = opts.Coding
		in.cells = in.fitted.Features
	}
	if opts.Missing != nil {
		in.cells.Missing = opts.Missing
	}
	in.cells.DecimalComma = in.cells.DecimalComma || opts.DecimalComma
	in.cells.IgnoreUnseen = in.cells.IgnoreUnseen || opts.IgnoreUnseen
	if err := in.checkOptions(); err != nil {
		return nil, err
	}
	text, err := textfile.Open(r)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", errs.ErrFormat, name, err)
	}
	in.open(text)
	if err := in.readAll(); err != nil {
		return nil, err
	}
	return in.build()
}

// checkOptions refuses options that contradict one another.
func (in *file) checkOptions() error {
	o := &in.opts
	ways := 0
	for _, set := range []bool{o.Labels != nil, o.LabelPrefix != "" || o.LabelSuffix != "", o.LabelCount != 0, o.LabelColumn != ""} {
		if set {
			ways++
		}
	}
	switch c := o.Comma; {
	case c == '"' || c == '\r' || c == '\n' || !utf8.ValidRune(c) || c == utf8.RuneError:
		return fmt.Errorf("%w: CSVOptions.Comma %q cannot separate cells", errs.ErrSettings, c)
	case ways > 1:
		return fmt.Errorf("%w: only one of CSVOptions.Labels, LabelPrefix with LabelSuffix, LabelCount and LabelColumn can tell the labels", errs.ErrSettings)
	case o.Coding != nil && in.fitted == nil && o.FeaturesOnly:
		return fmt.Errorf("%w: CSVOptions.Coding is not fitted: read the training file with it before rows to predict on", errs.ErrSettings)
	case ways == 0 && in.fitted == nil && !o.FeaturesOnly:
		return fmt.Errorf("%w: nothing tells which columns are labels: set CSVOptions.Labels, LabelPrefix, LabelSuffix, LabelCount or LabelColumn", errs.ErrSettings)
	}
	return nil
}

// commaLine is a line that tells what stands between cells: nothing that is part of names or numbers.
var commaLine = regexp.MustCompile("^(?i:sep)=([\t!#-*,/:-@[-^`{-~])\r?\n")

// open begins to read the records. A first line such as "sep=;", which spreadsheets write, tells
// what stands between cells.
func (in *file) open(text *bufio.Reader) {
	head, _ := text.Peek(len("sep=;\r\n"))
	if found := commaLine.FindSubmatch(head); found != nil {
		text.Discard(len(found[0]))
		in.before = 1
		if in.opts.Comma == 0 {
			in.opts.Comma = rune(found[1][0])
		}
	}
	if in.opts.Comma == 0 {
		in.opts.Comma = in.comma
	}
	in.rows = csv.NewReader(text)
	in.rows.FieldsPerRecord = -1 // counted here, to name the column
	in.rows.ReuseRecord = true
	in.rows.TrimLeadingSpace = true
	if c := in.opts.Comma; c != 0 {
		in.rows.Comma = c
		in.rows.TrimLeadingSpace = !unicode.IsSpace(c) // else it would trim empty cells
	}
}

// readAll reads the header and the rows.
func (in *file) readAll() error {
	record, err := in.record()
	if err != nil {
		return err
	}
	if record == nil {
		return fmt.Errorf("%w: %s: the file is empty", errs.ErrFormat, in.name)
	}
	if in.opts.NoHeader {
		in.numberColumns(len(record))
	} else {
		for _, cell := range record {
			in.header = append(in.header, clean(cell))
		}
	}
	if err := in.assignRoles(); err != nil {
		return err
	}
	if !in.opts.NoHeader {
		if record, err = in.record(); err != nil {
			return err
		}
	}
	for ; record != nil; record, err = in.record() {
		if err := in.row(record); err != nil {
			return err
		}
	}
	if err == nil && in.count == 0 {
		err = fmt.Errorf("%w: %s: no rows", errs.ErrData, in.name)
	}
	return err
}

// record returns the next record, nil at the end of the file.
func (in *file) record() ([]string, error) {
	record, err := in.rows.Read()
	var parse *csv.ParseError
	switch {
	case err == io.EOF:
		return nil, nil
	case errors.As(err, &parse):
		return nil, fmt.Errorf("%w: %s:%d: column %d of the line: %w", errs.ErrFormat, in.name, parse.Line+in.before, parse.Column, parse.Err)
	case err != nil:
		return nil, fmt.Errorf("%w: %s: %w", errs.ErrFormat, in.name, err)
	}
	return record, nil
}

// row stores the cells of a row.
func (in *file) row(record []string) error {
	line := in.line(0)
	switch have, want := len(record), len(in.header); {
	case have < want:
		return fmt.Errorf("%w: %s:%d: %d cells for %d columns; %q is the first without one", errs.ErrFormat, in.name, line, have, want, in.header[have])
	case have > want:
		return fmt.Errorf("%w: %s:%d: %d cells for %d columns", errs.ErrFormat, in.name, line, have, want)
	}
	for k, cell := range record {
		if in.roles[k] == nil {
			continue
		}
		if err := in.roles[k].add(clean(cell)); err != nil {
			return fmt.Errorf("%w: %s:%d: column %q: %w", errs.ErrData, in.name, in.line(k), in.header[k], err)
		}
	}
	in.count++
	return nil
}

// line returns the line of a cell of the last record.
func (in *file) line(cell int) int {
	line, _ := in.rows.FieldPos(cell)
	return line + in.before
}

// clean returns a cell without blanks around it, in UTF-8.
func clean(cell string) string {
	cell = strings.TrimSpace(cell)
	if utf8.ValidString(cell) {
		return cell
	}
	return textfile.Latin1([]byte(cell))
}
