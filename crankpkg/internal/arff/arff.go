package arff

import (
	"fmt"
	"io"
	"slices"

	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/internal/table"
	"github.com/crank-ml/crank/crankpkg/internal/textfile"
)

// Options says how ReadARFF turns the attributes of a file into the
// features and labels of a Dataset. The zero value reads a MEKA file.
//
// Which attributes are labels is said by XML, Labels or LabelCount, of which
// at most one may be set, or else by the option -C of a MEKA relation name.
// Labels are looked up by name: neither where they stand in the file nor the
// order in which they are listed matters. The Dataset has labels and features
// in the order of the ARFF file.
type Options struct {
	// XML is the path of the Mulan file that lists the labels.
	XML string
	// Labels lists the names of the labels.
	Labels []string
	// LabelCount, like MEKA's -C, makes the first k attributes labels, or the
	// last k when it is -k.
	LabelCount int
	// True is the value that means that a label is on. Without it labels have the
	// values 0/1, no/yes, n/y, false/true, f/t or -1/1.
	True string
	// FeaturesOnly reads rows to predict on: what stands where the labels should be, "?" for
	// example, is not looked at, labels that the file lacks need not be told or declared, and the
	// Dataset is Unlabeled.
	FeaturesOnly bool
	// Drop lists attributes, of any type, to leave out, and Ignore those to leave out where they
	// are declared.
	Drop, Ignore []string
	// Imputer supplies the values of missing cells ("?", NaN). Nil refuses them. An
	// Imputer that is not fitted yet is fitted to the file; give it again when
	// the test file is read.
	Imputer *Imputer
	// IgnoreWeights drops instance weights. Without it a weight other than 1 is
	// refused, because learning counts every example once.
	IgnoreWeights bool
}

// Data and Imputer are those of all readers.
type (
	Data    = table.Data
	Imputer = table.Imputer
)

// Read reads a file; see crankpkg.ReadARFF.
func Read(path string, opts Options) (*Data, error) {
	return textfile.ReadFile(path, func(r io.Reader, name string) (*Data, error) { return Parse(r, name, opts) })
}

// Parse is Read for an open stream; name stands for the file in errors and,
// without its folder and extension, becomes the name of the data.
func Parse(r io.Reader, name string, opts Options) (*Data, error) {
	labels, err := opts.labelNames()
	if err != nil {
		return nil, err
	}
	return parse(r, name, labels, opts)
}

// ParseWithXML is Parse with the XML file of the labels as a stream too; opts.XML stands
// for it in errors.
func ParseWithXML(r, xml io.Reader, name string, opts Options) (*Data, error) {
	labels, err := ParseMulanXML(xml, opts.XML)
	if err != nil {
		return nil, err
	}
	data, err := parse(r, name, labels, opts)
	if err == nil {
		data.Coding.Dropped = nil // what a set of the catalog never shows needs no mention
	}
	return data, err
}

// parse reads a stream whose labels have these names, or are told by opts where there are none.
func parse(r io.Reader, name string, labels []string, opts Options) (*Data, error) {
	text, err := textfile.Open(r)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", errs.ErrFormat, name, err)
	}
	in := newReader(text, name)
	header, err := readHeader(in, slices.Concat(opts.Drop, opts.Ignore))
	if err != nil {
		return nil, err
	}
	if err := header.assignRoles(in, labels, opts); err != nil {
		return nil, err
	}
	ds, err := header.newDataset(in, textfile.BaseName(name))
	if err != nil {
		return nil, err
	}
	rows := newRows(in, header, ds, opts)
	if err := rows.readAll(); err != nil {
		return nil, err
	}
	if err := rows.impute(opts.Imputer); err != nil {
		return nil, err
	}
	ds.Coding = header.coding(ds.FeatureNames, opts.Imputer, rows.sparse)
	ds.Coding.Dropped = header.dropped()
	ds.Unlabeled = opts.FeaturesOnly
	return ds, nil
}

// labelNames returns the names that opts lists, or nil when positions or the
// relation name tell the labels.
func (opts *Options) labelNames() ([]string, error) {
	given := 0
	for _, set := range []bool{opts.XML != "", opts.Labels != nil, opts.LabelCount != 0} {
		if set {
			given++
		}
	}
	switch {
	case given > 1:
		return nil, fmt.Errorf("%w: only one of ARFFOptions.XML, Labels and LabelCount can tell the labels", errs.ErrSettings)
	case opts.XML != "":
		return ReadMulanXML(opts.XML)
	}
	return opts.Labels, nil
}
