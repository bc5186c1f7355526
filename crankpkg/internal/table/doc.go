// Package table has what all readers of tables share: how columns of numbers and of
// names become features, in files and in single records.
//
//	Data             what a file holds: features and labels
//	Field            a column of the table, and its columns among the features
//	TrueValue, Truth which of two values reads as 1, and what one alone says
//	Imputer, Gap     what takes the place of missing values
//	Coding, Column   what raw columns mean, kept with the data and with models
//	Encoder          raw records as rows of features
//	Affordable       how much memory a file of a size may ask for
package table
