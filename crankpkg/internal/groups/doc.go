// Package groups lays out labels that come in groups of which exactly one is on: which
// labels belong to a group (Layout), which pairs of labels to an edge between groups,
// where in the table of an edge a pair is (Tables), and which labels are best (Scorer).
package groups
