package modelfile

import "github.com/crank-ml/crank/crankpkg/internal/table"

// CodingOf returns c as a file has it; nil where all columns are numbers, none is dropped and rows are dense.
func CodingOf(c table.Coding) *Coding {
	if len(c.Columns) == 0 && len(c.Dropped) == 0 && !c.Sparse {
		return nil
	}
	file := &Coding{Dropped: c.Dropped, Missing: c.Missing, DecimalComma: c.DecimalComma, IgnoreUnseen: c.IgnoreUnseen, Sparse: c.Sparse}
	for _, f := range c.Columns {
		file.Columns = append(file.Columns, Column{Name: f.Name, Values: f.Values, Fill: f.Fill})
	}
	return file
}

// Coding returns the coding; the zero one of nil. It is for the caller to check.
func (c *Coding) Coding() table.Coding {
	if c == nil {
		return table.Coding{}
	}
	coding := table.Coding{Dropped: c.Dropped, Missing: c.Missing, DecimalComma: c.DecimalComma, IgnoreUnseen: c.IgnoreUnseen, Sparse: c.Sparse}
	for _, f := range c.Columns {
		coding.Columns = append(coding.Columns, table.Column{Name: f.Name, Values: f.Values, Fill: f.Fill})
	}
	return coding
}
