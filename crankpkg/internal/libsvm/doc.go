// Package libsvm reads sparse data sets in the multi-label form of LIBSVM, "1,3 2:0.5
// 7:1", and of the Extreme Classification Repository. tabular.ReadLIBSVM has the rules.
//
//	Read, Parse, Options   a file, a stream, and how
package libsvm
