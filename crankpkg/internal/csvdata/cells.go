package csvdata

import (
	"fmt"
	"io"
	"slices"

	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/internal/textfile"
)

// ReadCells reads one column of a file as it stands; see tabular.ReadCells.
func ReadCells(path, column string, opts Options) ([]string, error) {
	return textfile.ReadFile(path, func(r io.Reader, name string) ([]string, error) {
		return parseCells(r, name, column, commaOf(path), opts)
	})
}

// ParseCells is ReadCells for an open stream; name stands for the file in errors.
func ParseCells(r io.Reader, name, column string, opts Options) ([]string, error) {
	return parseCells(r, name, column, 0, opts)
}

// parseCells is ParseCells for a file whose name tells what stands between cells, unless comma is 0.
func parseCells(r io.Reader, name, column string, comma rune, opts Options) ([]string, error) {
	text, err := textfile.Open(r)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", errs.ErrFormat, name, err)
	}
	in := &file{name: name, opts: opts, comma: comma}
	in.open(text)
	record, err := in.record()
	if err != nil {
		return nil, err
	}
	if opts.NoHeader {
		in.numberColumns(len(record))
	} else {
		for _, cell := range record {
			in.header = append(in.header, clean(cell))
		}
		if record, err = in.record(); err != nil {
			return nil, err
		}
	}
	at := slices.Index(in.header, column)
	if at < 0 {
		return nil, fmt.Errorf("%w: %s: there is no column %q%s", errs.ErrData, name, column, in.instead(column))
	}
	if next := slices.Index(in.header[at+1:], column); next >= 0 {
		return nil, fmt.Errorf("%w: %s: columns %d and %d are both called %q%s", errs.ErrData, name, at+1, at+next+2, column, in.rowForHeader(column))
	}
	in.roles = make([]filler, len(in.header))
	cells := &plainCells{}
	in.roles[at] = cells
	for ; record != nil && err == nil; record, err = in.record() {
		if err := in.row(record); err != nil {
			return nil, err
		}
	}
	return cells.texts, err
}

// plainCells keeps the cells of a column as they are.
type plainCells struct{ texts []string }

func (c *plainCells) add(text string) error {
	c.texts = append(c.texts, text)
	return nil
}
