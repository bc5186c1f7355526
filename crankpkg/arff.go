package crankpkg

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// ARFFOptions says how ReadARFF turns the attributes of a file into the
// features and labels of a Dataset. The zero value reads a MEKA file.
//
// Which attributes are labels is said by XML, Labels or LabelCount, of which
// at most one may be set, or else by the option -C of a MEKA relation name.
// Labels are looked up by name: neither where they stand in the file nor the
// order in which they are listed matters. The Dataset has labels and features
// in the order of the ARFF file.
type ARFFOptions struct {
	// XML is the path of the Mulan file that lists the labels.
	XML string
	// Labels lists the names of the labels.
	Labels []string
	// LabelCount, like MEKA's -C, makes the first k attributes labels, or the
	// last k when it is -k.
	LabelCount int
	// Drop lists attributes, of any type, to leave out.
	Drop []string
	// Imputer supplies the values of missing cells ("?"). Nil refuses them. An
	// Imputer that is not fitted yet is fitted to the file; give it again when
	// the test file is read.
	Imputer *Imputer
	// IgnoreWeights drops instance weights. Without it a weight other than 1 is
	// refused, because learning counts every example once.
	IgnoreWeights bool
}

// ReadARFF reads a data set in the ARFF format of Weka, Mulan and MEKA, plain
// or compressed by gzip. Its errors name the file, the line and the attribute
// at fault, and wrap ErrFormat where the file breaks the format, ErrData where
// it cannot be learned from, and ErrSettings where the options contradict it.
//
// Features. A numeric, real or integer attribute is one column. So is a nominal
// attribute of two values: 0/1, no/yes, n/y, false/true and f/t, declared in
// either order and any case, give 0 and 1 under the attribute's own name; any
// other two values give 1 for the value declared second, under the name
// "attribute=value". A nominal attribute of any other number of values is
// one-hot: one such column for each value, in the order of declaration. The
// columns depend on the header alone, so that a training and a test file with
// the same attributes agree.
//
// Labels. A label is a nominal attribute of two values of the pairs above.
//
// Rows. A file whose first row is sparse gives a sparse Matrix; what a sparse
// row leaves out is 0, or the first declared value of a nominal attribute. A
// file whose first row is dense gives a dense Matrix, unless one-hot columns
// are more than four times as many as the attributes: then that is sparse too.
// Memory is proportional to the size of the (uncompressed) file: a file that
// would need far more, such as thousands of labels on rows of a few bytes, is
// refused.
//
// Text that is not valid UTF-8 is taken as Latin-1.
func ReadARFF(path string, opts ARFFOptions) (*Dataset, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("crankpkg: %w", err)
	}
	defer f.Close()
	return ParseARFF(f, path, opts)
}

// ParseARFF is ReadARFF for an open stream; name stands for the file in errors
// and, without its folder and extension, becomes the name of the Dataset.
func ParseARFF(r io.Reader, name string, opts ARFFOptions) (*Dataset, error) {
	labels, err := opts.labelNames()
	if err != nil {
		return nil, err
	}
	text, err := decompress(r)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrFormat, name, err)
	}
	in := newARFFReader(text, name)
	header, err := readARFFHeader(in)
	if err != nil {
		return nil, err
	}
	if err := header.assignRoles(in, labels, opts); err != nil {
		return nil, err
	}
	ds, err := header.newDataset(in, baseName(name))
	if err != nil {
		return nil, err
	}
	rows := newARFFRows(in, header, ds, opts)
	if err := rows.readAll(); err != nil {
		return nil, err
	}
	return ds, rows.impute(opts.Imputer)
}

// labelNames returns the names that opts lists, or nil when positions or the
// relation name tell the labels.
func (opts *ARFFOptions) labelNames() ([]string, error) {
	given := 0
	for _, set := range []bool{opts.XML != "", opts.Labels != nil, opts.LabelCount != 0} {
		if set {
			given++
		}
	}
	switch {
	case given > 1:
		return nil, fmt.Errorf("%w: only one of ARFFOptions.XML, Labels and LabelCount can tell the labels", ErrSettings)
	case opts.XML != "":
		return ReadMulanXML(opts.XML)
	}
	return opts.Labels, nil
}

// decompress returns r, or what r holds if that was compressed by gzip.
func decompress(r io.Reader) (io.Reader, error) {
	buffered := bufio.NewReader(r)
	magic, err := buffered.Peek(2)
	if err != nil || magic[0] != 0x1f || magic[1] != 0x8b {
		return buffered, nil // a short or failing stream fails when it is read
	}
	return gzip.NewReader(buffered)
}

// baseName returns the file name of path without extensions.
func baseName(path string) string {
	base := strings.TrimSuffix(filepath.Base(path), ".gz")
	return strings.TrimSuffix(base, filepath.Ext(base))
}
