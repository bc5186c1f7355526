package tabular

import (
	"io"
	"slices"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/internal/csvdata"
	"github.com/crank-ml/crank/crankpkg/internal/table"
)

// What the readers need a user to name.
type (
	CSVOptions = csvdata.Options
	Coding     = csvdata.Coding
	Column     = table.Column
)

// ReadCSV reads a data set from a table with a line for each row, plain or compressed by
// gzip or bzip2. Its errors name the file, the line and the column at fault.
//
// Features. A column whose cells are numbers is one feature. A column whose cells are
// names (nominal) is one or more, in the alphabetical order of the names, as ReadARFF has
// them: 0/1, no/yes, n/y, false/true, f/t and -1/1 in any case give 0 and 1 under the
// column's own name; any other two names give 1 for the second, under the name
// "column=name"; any other number of names is one-hot. A column with both numbers and
// names is refused unless CSVOptions.Nominal lists it, and so is one with cells that only a
// mark keeps from being numbers, as 5%, $3 and 1.234.567; addresses such as 192.168.0.1 are
// names. Missing cells are those of CSVOptions.Missing, filled by CSVOptions.Imputer.
//
// Labels are columns of 0 and 1 or another of these pairs, or the names that one column
// lists. They keep the order of the file; listed ones are in alphabetical order.
//
// A test file has to be coded as the training file was: give both the same
// CSVOptions.Coding and Imputer, which are fitted to the first. The columns of the second
// are then found by their names, in any order, and those that the first one had to Drop are
// left out again; what is missing, extra or has a name that was not seen is refused by name.
//
// CodingOf a trained model makes rows to predict on mean what they meant in training, missing
// cells included, where the training file is no longer at hand.
//
// The matrix is dense, unless one-hot features are more than four times as many as the
// columns. Blanks around cells do not matter, nor does a byte order mark; text may be UTF-8,
// UTF-16 with such a mark, or Latin-1.
func ReadCSV(path string, opts CSVOptions) (*crankpkg.Dataset, error) {
	return validated(csvdata.Read(path, opts))
}

// ParseCSV is ReadCSV for an open stream; name stands for the file in errors and, without
// its folder and extension, becomes the name of the Dataset.
func ParseCSV(r io.Reader, name string, opts CSVOptions) (*crankpkg.Dataset, error) {
	return validated(csvdata.Parse(r, name, opts))
}

// ReadCells returns the cells of one column of a CSV file, row after row, without the blanks
// around them: keys of rows that are no features, say, for Dataset.GroupedFolds or beside
// predictions. Of the options it looks at NoHeader and Comma. Its errors are those of ReadCSV.
func ReadCells(path, column string, opts CSVOptions) ([]string, error) {
	return csvdata.ReadCells(path, column, opts)
}

// ParseCells is ReadCells for an open stream; name stands for the file in errors.
func ParseCells(r io.Reader, name, column string, opts CSVOptions) ([]string, error) {
	return csvdata.ParseCells(r, name, column, opts)
}

// CodingOf returns the coding of the file that a model was trained on, as far as the model
// keeps it: its features, of which the names, values and what fills in missing cells are
// those of Model.Coding, and the names of its labels. A file is read with it by the names of
// columns, or, with NoHeader and FeaturesOnly, in the order of Model.Coding.
func CodingOf(m *crankpkg.Model) *Coding {
	c := &Coding{Features: m.Coding.Or(m.FeatureNames), Labels: slices.Clone(m.LabelNames)}
	c.Features = c.Features.Clone()
	for _, f := range c.Features.Columns {
		c.Columns = append(c.Columns, f.Name)
	}
	c.Columns = append(c.Columns, c.Labels...)
	return c
}

// validated returns the data set of what a file holds. Of rows to predict on there is nothing to
// validate that the reader has not.
func validated(data *table.Data, err error) (*crankpkg.Dataset, error) {
	if err != nil {
		return nil, err
	}
	ds := &crankpkg.Dataset{
		Name: data.Name, FeatureNames: data.FeatureNames, LabelNames: data.LabelNames, X: data.X, Y: data.Y,
		Coding: data.Coding, Unlabeled: data.Unlabeled,
	}
	if ds.Unlabeled {
		return ds, nil
	}
	return ds, ds.Validate()
}
