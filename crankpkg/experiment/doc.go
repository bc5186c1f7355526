// Package experiment trains and tests several methods on several data sets, keeps what
// is done, and makes tables of it.
//
//	Experiment, Set, NamedSets    the cells: a set, a method, a seed
//	Table, Entry, Cell            means, ranks, Markdown, HTML, CSV, JSON
//	Comparison                    paired tests between methods
//	Store, StoreKey               finished work in a folder, by a hash of what it was made from
//	Sweep, Vary, VaryFunc         the cells: methods at many settings of their fields
//	SweepTable, Row, Effect       a row for each cell; paired effects, importance of settings
//	Family, Excess                p-values of effects told together; objectives beside the lowest
//	Spec, SpecCell, CellRunner    a sweep as JSON, and a cell of it by itself
//	PaperTable1, PaperTable2      the paper's own numbers
//
// An Experiment compares methods; a Sweep varies their fields. Trainings of both come from the
// store of package trainstore, where there is one, if they were ever done.
//
// It stands on crossval and crankpkg. The command crank keeps its results in the same
// Store.
package experiment
