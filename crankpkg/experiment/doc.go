// Package experiment trains and tests several methods on several data sets, keeps what
// is done, and makes tables of it.
//
//	Experiment, Set, NamedSets    the cells: a set, a method, a seed
//	Table, Entry, Cell            means, ranks, Markdown, HTML, CSV, JSON
//	Comparison                    paired tests between methods
//	Store, StoreKey               finished work in a folder, by a hash of what it was made from
//	PaperTable1, PaperTable2      the paper's own numbers
//
// It stands on crossval and crankpkg. The command crank keeps its results in the same
// Store.
package experiment
