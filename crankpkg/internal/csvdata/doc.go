// Package csvdata reads tables with a line for each row, CSV files, as data sets.
// tabular.ReadCSV has the rules.
//
//	Read, Parse, Options   a file, a stream, and how
//	Coding                 which columns there are and how names are coded, fitted once
//
// The columns get their roles from the header (roles.go) and keep their cells as numbers
// (column.go, labels.go), of which the features are made at the end (build.go).
package csvdata
