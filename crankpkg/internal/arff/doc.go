// Package arff reads the ARFF files of Weka, Mulan and MEKA, dense or sparse, and the
// XML files in which Mulan lists labels. crankpkg.ReadARFF has the rules.
//
//	Read, Parse, Options, Data   a file, a stream, how, and what comes out
//	Imputer                      what takes the place of missing values
//	ReadMulanXML, ParseMulanXML  the names of labels
//	ParseWithXML                 a stream whose labels are in another
//
// A lexer (lexer.go) feeds the header (header.go), which gives attributes their roles
// (labels.go) and columns (columns.go), by which the rows are read (rows.go).
package arff
