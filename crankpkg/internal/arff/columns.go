package arff

import (
	"errors"
	"fmt"

	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/internal/table"
)

// newDataset lays out the columns and returns the empty data, with a sparse
// matrix if one-hot columns make that the smaller form.
func (h *header) newDataset(in *reader, name string) (*Data, error) {
	ds := &Data{Name: name}
	features, nameBytes := 0, 0
	for k := range h.attrs {
		a := &h.attrs[k]
		switch a.role {
		case labelRole:
			a.Column = int32(len(ds.LabelNames))
			ds.LabelNames = append(ds.LabelNames, a.Name)
		case featureRole:
			features++
			nameBytes += a.LayOut(len(ds.FeatureNames))
			if !in.affords(nameBytes) || table.FitsColumns(len(ds.FeatureNames), len(a.Values)) != nil {
				return nil, fmt.Errorf("%w: %s:%d: attribute %q: too many nominal values for so long a name",
					errs.ErrData, in.file, a.lineNo, a.Name)
			}
			ds.FeatureNames = a.AppendColumnNames(ds.FeatureNames)
		}
	}
	ds.LabelNames = append(ds.LabelNames, h.absent...)
	ds.X = &feature.Matrix{NumCols: len(ds.FeatureNames)}
	if len(ds.FeatureNames) > table.SparseWidening*features {
		ds.X.Start = []int{0}
	}
	return ds, nil
}

// fields returns the attributes that are features, nil for others.
func (h *header) fields() []*table.Field {
	fields := make([]*table.Field, len(h.attrs))
	for k := range fields {
		if a := &h.attrs[k]; a.role == featureRole {
			fields[k] = &a.Field
		}
	}
	return fields
}

// coding returns what the attributes mean. Those of the values 0 and 1 mean these numbers,
// unless sparse rows that leave them out mean 1.
func (h *header) coding(names []string, fill *Imputer, sparse bool) table.Coding {
	c := table.NewCoding(h.fields(), names, fill)
	for k := range c.Columns {
		if values := c.Columns[k].Values; len(values) == 2 {
			a, isNumber := table.ParseNumber([]byte(values[0]))
			b, also := table.ParseNumber([]byte(values[1]))
			if isNumber && also && a+b == 1 && a*b == 0 && (a == 0 || !sparse) {
				c.Columns[k].Values = nil
			}
		}
	}
	switch {
	case sparse && c.IsPlain():
		return table.Coding{Sparse: true}
	case c.IsPlain():
		return table.Coding{}
	}
	c.Sparse = sparse
	return c
}

// impute fits fill if that is still to do, and replaces what is missing.
func (r *rows) impute(fill *Imputer) error {
	if fill == nil {
		return nil
	}
	fields := r.header.fields()
	err := fill.Complete(r.ds.X, r.ds.FeatureNames, fields, r.missing)
	var empty table.EmptyField
	switch {
	case errors.As(err, &empty):
		a := &r.header.attrs[empty]
		return fmt.Errorf("%w: %s:%d: attribute %q: %w", errs.ErrData, r.file, a.lineNo, a.Name, err)
	case err != nil:
		return fmt.Errorf("%w (%s)", err, r.file)
	}
	return nil
}
