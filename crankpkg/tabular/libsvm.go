package tabular

import (
	"io"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/internal/libsvm"
)

// LIBSVMOptions says how ReadLIBSVM counts.
type LIBSVMOptions = libsvm.Options

// ReadLIBSVM reads a sparse data set with a line such as "1,3 2:0.5 7:1" for each row, the
// numbers of its labels and then its features that are not zero, plain or compressed by
// gzip or bzip2. The first line may be the header "rows features labels" of the Extreme
// Classification Repository. A line without labels starts with a blank or with a feature;
// what follows "#" is a comment. Features are called x and labels y with their numbers.
func ReadLIBSVM(path string, opts LIBSVMOptions) (*crankpkg.Dataset, error) {
	return validated(libsvm.Read(path, opts))
}

// ParseLIBSVM is ReadLIBSVM for an open stream; name stands for the file in errors and,
// without its folder and extension, becomes the name of the Dataset.
func ParseLIBSVM(r io.Reader, name string, opts LIBSVMOptions) (*crankpkg.Dataset, error) {
	return validated(libsvm.Parse(r, name, opts))
}
