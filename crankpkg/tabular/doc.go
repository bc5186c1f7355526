// Package tabular makes data sets of what people have: CSV files, sparse files in the form
// of LIBSVM, and values of Go.
//
//	ReadCSV, ParseCSV, CSVOptions, Coding      a table with a header; nominal columns, missing cells
//	ReadCells, ParseCells                      one column as it stands
//	CodingOf                                   rows to predict on, as a model has learned to read them
//	ReadLIBSVM, ParseLIBSVM, LIBSVMOptions     "1,3 2:0.5 7:1"
//	FromRows, FromMatrix, Names                [][]float64, or a matrix of gonum
//	Indicators, ZeroOne, ZeroOneMatrix, Sets    with what labels
//	WriteCSV, WriteLIBSVM, WriteARFF           a data set as a file
//
// crankpkg.ReadARFF reads ARFF files. Everything that comes out is validated; errors wrap
// crankpkg.ErrFormat, ErrData or ErrSettings and name the file, the line and the column, or
// the row and the column.
package tabular
