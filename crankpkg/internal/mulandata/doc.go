// Package mulandata holds the published files of a few small data sets of Mulan's, so that a program can have them with no
// disk and no network. README.md says where they come from, whom to cite, and their checksums.
//
//	Has   whether a set is here
//	Open  the content of a file
//
// Package mulan alone asks for them, on behalf of crankpkg.LoadSplit: a program that never calls that is linked without the
// data, because nothing else reaches the variable that holds them. Nothing here may read it when a program starts.
package mulandata
