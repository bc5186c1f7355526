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

// warnOfColumns tells about columns that seem not to be meant as r reads them from the file called
// path, or from another source of that name.
func (p *program) warnOfColumns(ds *crankpkg.Dataset, r *reading, path string) {
	if path == "-" || format(path) == ".csv" {
		p.warnOfHeader(ds, r.column)
	}
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
// to be a row. Numbers that count the columns are names. The labels are columns, unless the column
// called list lists them.
func (p *program) warnOfHeader(ds *crankpkg.Dataset, list string) {
	var names []string
	for _, c := range ds.Coding.Or(ds.FeatureNames).Columns {
		names = append(names, c.Name)
	}
	first, labels := names[0], ds.LabelNames
	if list != "" {
		labels = []string{list}
	}
	names = slices.Concat(names, labels, ds.Coding.Dropped)
	if areNumbers, count := numbered(names); areNumbers && !count {
		fmt.Fprintf(p.stderr, "crank: warning: the columns are called %q, %q and so on: if the first line is a row, give -noheader\n",
			first, labels[0])
	}
}

// numbered reports whether names are numbers, and whether these count the names, from 0 or 1 on.
func numbered(names []string) (areNumbers, count bool) {
	values := make([]float64, len(names))
	for k, name := range names {
		v, err := strconv.ParseFloat(name, 64)
		if err != nil {
			return false, false
		}
		values[k] = v
	}
	slices.Sort(values)
	for k, v := range values {
		if v != values[0]+float64(k) {
			return true, false
		}
	}
	return true, values[0] == 0 || values[0] == 1
}

// inList returns a name as lists between commas have it: split takes it back.
func inList(name string) string {
	if !strings.ContainsAny(name, ",\"\r\n") {
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
