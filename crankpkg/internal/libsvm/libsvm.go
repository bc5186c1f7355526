package libsvm

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/internal/table"
	"github.com/crank-ml/crank/crankpkg/internal/textfile"
)

// Options says how ReadLIBSVM reads a file.
type Options struct {
	// OneBased counts features from 1, as LIBSVM does. Without it they count from 0, as
	// extreme-classification files do.
	OneBased bool
	// OneBasedLabels counts labels from 1. Without it they count from 0.
	OneBasedLabels bool
	// NumFeatures and NumLabels are the sizes; 0 means those of the header line or, where
	// there is none, of the largest numbers in the file. Give those of the training file
	// when the test file is read.
	NumFeatures, NumLabels int
}

// file is a file while it is read.
type file struct {
	name   string
	opts   Options
	source *bufio.Reader
	lineNo int
	read   int // bytes
	header bool
	rows   int // that the header tells

	features, labels int // sizes; those of the numbers so far where they are not known
	fixed            struct{ features, labels bool }
	x                feature.Matrix
	sets             [][]int32 // the labels of each row
	cells            []cell    // of the row under construction
}

type cell struct {
	index int32
	value float64
}

// Read reads a file; see tabular.ReadLIBSVM.
func Read(path string, opts Options) (*table.Data, error) {
	return textfile.ReadFile(path, func(r io.Reader, name string) (*table.Data, error) { return Parse(r, name, opts) })
}

// Parse is Read for an open stream; name stands for the file in errors and, without its
// folder and extension, becomes the name of the data.
func Parse(r io.Reader, name string, opts Options) (*table.Data, error) {
	if opts.NumFeatures < 0 || opts.NumLabels < 0 || opts.NumFeatures > math.MaxInt32 || opts.NumLabels > math.MaxInt32 {
		return nil, fmt.Errorf("%w: LIBSVMOptions.NumFeatures %d or NumLabels %d is negative or too large", errs.ErrSettings, opts.NumFeatures, opts.NumLabels)
	}
	text, err := textfile.Open(r)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", errs.ErrFormat, name, err)
	}
	in := &file{name: name, opts: opts, source: text, features: opts.NumFeatures, labels: opts.NumLabels, x: feature.Matrix{Start: []int{0}}}
	in.fixed.features, in.fixed.labels = opts.NumFeatures > 0, opts.NumLabels > 0
	if err := in.readAll(); err != nil {
		return nil, err
	}
	return in.build()
}

// errorf returns an error that wraps kind and names the file and the line.
func (in *file) errorf(kind error, format string, args ...any) error {
	return fmt.Errorf("%w: %s:%d: %w", kind, in.name, in.lineNo, fmt.Errorf(format, args...))
}

// readAll reads all lines.
func (in *file) readAll() error {
	first := true
	for {
		line, err := in.source.ReadBytes('\n')
		in.lineNo++
		in.read += len(line)
		if err != nil && err != io.EOF {
			return in.errorf(errs.ErrFormat, "%w", err)
		}
		text, _, _ := bytes.Cut(line, []byte("#")) // a comment, as SVMlight has them
		if content := bytes.TrimSpace(text); len(content) > 0 {
			if first {
				in.header = in.readHeader(content)
			}
			if !first || !in.header {
				if err := in.row(text); err != nil {
					return err
				}
			}
			first = false
		}
		if err == io.EOF {
			return in.checkRows()
		}
	}
}

// readHeader reads the line "rows features labels" of extreme-classification files and
// reports whether it is one.
func (in *file) readHeader(line []byte) bool {
	fields := bytes.Fields(line)
	if len(fields) != 3 {
		return false
	}
	var sizes [3]int32
	for k, field := range fields {
		size, err := strconv.ParseInt(string(field), 10, 32)
		if err != nil || size < 0 {
			return false
		}
		sizes[k] = int32(size)
	}
	in.rows = int(sizes[0])
	if !in.fixed.features {
		in.features, in.fixed.features = int(sizes[1]), true
	}
	if !in.fixed.labels {
		in.labels, in.fixed.labels = int(sizes[2]), true
	}
	return true
}

func (in *file) checkRows() error {
	switch {
	case len(in.sets) == 0:
		return fmt.Errorf("%w: %s: no rows", errs.ErrData, in.name)
	case in.header && len(in.sets) != in.rows:
		return fmt.Errorf("%w: %s: the header tells %d rows, and there are %d", errs.ErrFormat, in.name, in.rows, len(in.sets))
	}
	return nil
}

// row reads "label,label index:value index:value ...". A line that starts with a blank or
// with a feature has no labels.
func (in *file) row(text []byte) error {
	fields := bytes.Fields(text)
	var set []int32
	if blank := text[0] <= ' '; !blank && bytes.IndexByte(fields[0], ':') < 0 {
		var err error
		if set, err = in.labelSet(fields[0]); err != nil {
			return in.errorf(errs.ErrFormat, "%w", err)
		}
		fields = fields[1:]
	}
	in.cells = in.cells[:0]
	for _, field := range fields {
		if err := in.cell(field); err != nil {
			return in.errorf(errs.ErrFormat, "%w", err)
		}
	}
	in.sets = append(in.sets, set)
	return in.store()
}

// labelSet reads the numbers of the labels.
func (in *file) labelSet(text []byte) ([]int32, error) {
	var set []int32
	for name := range bytes.SplitSeq(text, []byte(",")) {
		i, err := number(name, in.opts.OneBasedLabels)
		switch {
		case errors.Is(err, errCount):
			return nil, fmt.Errorf("label %s: %w", clip(name), err)
		case err != nil:
			if sign := string(name); sign == "+1" || sign == "-1" {
				return nil, fmt.Errorf("%s where the numbers of labels are expected, such as 1,3: a single label is 0 where it is on, and nothing where it is off", clip(text))
			}
			return nil, fmt.Errorf("%s where the numbers of labels are expected, such as 1,3", clip(text))
		case in.fixed.labels && i >= in.labels:
			return nil, fmt.Errorf("label %s, but there are %d, counted from %d", name, in.labels, base(in.opts.OneBasedLabels))
		}
		in.labels = max(in.labels, i+1)
		set = append(set, int32(i))
	}
	return set, nil
}

// cell reads "index:value".
func (in *file) cell(text []byte) error {
	index, value, found := bytes.Cut(text, []byte(":"))
	if !found {
		return fmt.Errorf("%s where a feature is expected, such as 2:0.5", clip(text))
	}
	k, err := number(index, in.opts.OneBased)
	switch {
	case errors.Is(err, errCount):
		return fmt.Errorf("feature %s: %w; see LIBSVMOptions.OneBased", clip(index), err)
	case err != nil:
		return fmt.Errorf("%s where the number of a feature is expected", clip(index))
	case in.fixed.features && k >= in.features:
		return fmt.Errorf("feature %s, but there are %d, counted from %d", index, in.features, base(in.opts.OneBased))
	}
	v, ok := table.ParseNumber(value)
	if !ok {
		return fmt.Errorf("feature %s: %s is not a finite number", index, clip(value))
	}
	in.features = max(in.features, k+1)
	in.cells = append(in.cells, cell{int32(k), v})
	return nil
}

var errCount = errors.New("the count starts at 1")

// number reads the number of a label or a feature, and counts it from 0.
func number(text []byte, oneBased bool) (int, error) {
	k, err := strconv.ParseUint(string(text), 10, 31)
	switch {
	case err != nil:
		return 0, err
	case k == 0 && oneBased:
		return 0, errCount
	case k == math.MaxInt32:
		return 0, strconv.ErrRange // one more has to be countable
	}
	return int(k) - base(oneBased), nil
}

func base(oneBased bool) int {
	if oneBased {
		return 1
	}
	return 0
}

func clip(text []byte) string { return table.Clip(textfile.Decode(text)) }

// store adds the cells of the row to the matrix, in order and without zeros.
func (in *file) store() error {
	slices.SortStableFunc(in.cells, func(a, b cell) int { return int(a.index) - int(b.index) })
	for p, c := range in.cells {
		if p > 0 && c.index == in.cells[p-1].index {
			return in.errorf(errs.ErrFormat, "feature %d: the row has two values for it", int(c.index)+base(in.opts.OneBased))
		}
		if c.value != 0 {
			in.x.Index, in.x.Value = append(in.x.Index, c.index), append(in.x.Value, c.value)
		}
	}
	in.x.Start = append(in.x.Start, len(in.x.Value))
	in.x.NumRows++
	return nil
}

// build makes the data set.
func (in *file) build() (*table.Data, error) {
	const perName = 32 // bytes, of a name and its place
	n, d := in.labels, in.features
	switch {
	case n == 0:
		return nil, fmt.Errorf("%w: %s: no labels", errs.ErrData, in.name)
	case d == 0:
		return nil, fmt.Errorf("%w: %s: no features", errs.ErrData, in.name)
	case !table.Affordable(perName*(int64(n)+int64(d)), in.read) || !table.Affordable(int64(len(in.sets))*int64(n), in.read):
		return nil, fmt.Errorf("%w: %s: %d features and %d labels need too much memory for so short rows", errs.ErrData, in.name, d, n)
	}
	in.x.NumCols = d
	ds := &table.Data{
		Name:         textfile.BaseName(in.name),
		FeatureNames: names("x", d, base(in.opts.OneBased)),
		LabelNames:   names("y", n, base(in.opts.OneBasedLabels)),
		X:            &in.x,
		Coding:       table.Coding{Sparse: true},
		Y:            make([]uint8, len(in.sets)*n),
	}
	for m, set := range in.sets {
		for _, i := range set {
			ds.Y[m*n+int(i)] = 1
		}
	}
	return ds, nil
}

// names returns the names of so many columns: a letter and the number in the file.
func names(letter string, count, first int) []string {
	list := make([]string, count)
	for k := range list {
		list[k] = letter + strconv.Itoa(k+first)
	}
	return list
}
