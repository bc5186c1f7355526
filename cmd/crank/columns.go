package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/crank-ml/crank/crankpkg"
)

// fewestKeys is the number of rows from which on other values in all of them tell something.
const fewestKeys = 10

// warnOfColumns tells about columns that seem not to be meant as they are read.
func (p *program) warnOfColumns(ds *crankpkg.Dataset) {
	p.warnOfHeader(ds)
	p.warnOfIdentifiers(ds)
}

// warnOfIdentifiers tells about columns that look like identifiers, from which nothing can be
// learned about other rows: another name in each row, or another one of consecutive integers.
func (p *program) warnOfIdentifiers(ds *crankpkg.Dataset) {
	if ds.Len() < fewestKeys {
		return
	}
	var quoted, names []string
	at := 0
	for _, c := range ds.Coding.Or(ds.FeatureNames).Columns {
		if len(c.Values) == ds.Len() || c.Values == nil && isCount(ds.X, at) {
			quoted, names = append(quoted, strconv.Quote(c.Name)), append(names, inList(c.Name))
		}
		at += width(c)
	}
	const most = 5
	switch list := shellWord(strings.Join(names[:min(most, len(names))], ",")); {
	case len(names) == 1:
		fmt.Fprintf(p.stderr, "crank: warning: column %s looks like an identifier, with another value in each row; -drop %s leaves it out\n", quoted[0], list)
	case len(names) > most:
		fmt.Fprintf(p.stderr, "crank: warning: %d columns look like identifiers, with another value in each row; -drop %s,... leaves them out\n", len(names), list)
	case len(names) > 1:
		fmt.Fprintf(p.stderr, "crank: warning: columns %s look like identifiers, with another value in each row; -drop %s leaves them out\n",
			strings.Join(quoted, ", "), list)
	}
}

// warnOfHeader tells about a table whose columns are called by numbers, so that its first line seems
// to be a row. Numbers that count the columns are names.
func (p *program) warnOfHeader(ds *crankpkg.Dataset) {
	count := true
	for k, name := range slices.Concat(ds.FeatureNames, ds.LabelNames) {
		v, err := strconv.ParseFloat(name, 64)
		if err != nil {
			return
		}
		count = count && v == math.Trunc(v) && (v == float64(k) || v == float64(k+1))
	}
	if !count {
		fmt.Fprintf(p.stderr, "crank: warning: the columns are called %q, %q and so on: if the first line is a row, give -noheader\n",
			ds.FeatureNames[0], ds.LabelNames[0])
	}
}

// inList returns a name as lists between commas have it.
func inList(name string) string {
	if !strings.Contains(name, ",") {
		return name
	}
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}

// isCount reports whether a column has consecutive integers, in any order and each once.
func isCount(x *crankpkg.Matrix, column int) bool {
	seen := make(map[float64]bool)
	least, most := math.Inf(1), math.Inf(-1)
	for m := range x.NumRows {
		v := at(x.Row(m), column)
		if seen[v] || v != math.Trunc(v) {
			return false
		}
		seen[v] = true
		least, most = min(least, v), max(most, v)
	}
	return most-least == float64(x.NumRows-1)
}

// at returns the value of a column in a row.
func at(row crankpkg.Row, column int) float64 {
	if row.Index == nil {
		return row.Value[column]
	}
	k, found := slices.BinarySearch(row.Index, int32(column))
	if !found {
		return 0
	}
	return row.Value[k]
}
