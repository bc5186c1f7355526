package crankpkg

import (
	"io"

	"github.com/crank-ml/crank/crankpkg/internal/arff"
	"github.com/crank-ml/crank/crankpkg/internal/table"
)

// ReadARFF reads a data set in the ARFF format of Weka, Mulan and MEKA, plain
// or compressed by gzip or bzip2. Its errors name the file, the line and the attribute
// at fault, and wrap ErrFormat where the file breaks the format, ErrData where
// it cannot be learned from, and ErrSettings where the options contradict it.
//
// Features. A numeric, real or integer attribute is one column. So is a nominal
// attribute of two values: 0/1, no/yes, n/y, false/true, f/t and -1/1, declared in
// either order and any case, give 0 and 1 under the attribute's own name; any
// other two values give 1 for the one that is later in the order of strings, under
// the name "attribute=value". A nominal attribute of any other number of values is
// one-hot: one such column for each value, in the order of declaration. The
// columns depend on the header alone, and a name tells what its column means
// however the file declares it, so that Model.Match can go by names.
//
// Labels. A label is a nominal attribute of two values of the pairs above, or a
// numeric one with the values 0 and 1, or -1 and 1; ARFFOptions.True names the value
// that means on where it is another. Rows to predict on, whose labels are missing, are
// read with ARFFOptions.FeaturesOnly.
//
// Cells. A declared value may stand in a cell as another spelling of the same number,
// such as 1.0 for 1. "?" and, among numbers, NaN are missing cells. Infinity is refused.
//
// Rows. A file whose first row is sparse gives a sparse Matrix; what a sparse
// row leaves out is 0, or the first declared value of a nominal attribute. A
// file whose first row is dense gives a dense Matrix, unless one-hot columns
// are more than four times as many as the attributes: then that is sparse too.
// Memory is proportional to the size of the (uncompressed) file: a file that
// would need far more, such as thousands of labels on rows of a few bytes, is
// refused.
//
// Text is UTF-8 or, with a byte order mark, UTF-16; what is not valid UTF-8 is taken as
// Latin-1. Lines end in LF, CR LF or CR.
func ReadARFF(path string, opts ARFFOptions) (*Dataset, error) {
	data, err := arff.Read(path, opts)
	return datasetOf(data), err
}

// ParseARFF is ReadARFF for an open stream; name stands for the file in errors
// and, without its folder and extension, becomes the name of the Dataset.
func ParseARFF(r io.Reader, name string, opts ARFFOptions) (*Dataset, error) {
	data, err := arff.Parse(r, name, opts)
	return datasetOf(data), err
}

// datasetOf returns the data set of what a file holds; nil of nil.
func datasetOf(data *table.Data) *Dataset {
	if data == nil {
		return nil
	}
	return &Dataset{
		Name: data.Name, FeatureNames: data.FeatureNames, LabelNames: data.LabelNames, X: data.X, Y: data.Y,
		Coding: data.Coding, Unlabeled: data.Unlabeled,
	}
}
