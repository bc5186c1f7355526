package tabular

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/crank-ml/crank/crankpkg"
)

// WriteCSV writes a data set as a table with a header: the features, then the labels as 0
// and 1. ParseCSV reads it with LabelCount -n.
func WriteCSV(w io.Writer, ds *crankpkg.Dataset) error {
	if err := ds.Validate(); err != nil {
		return err
	}
	table := csv.NewWriter(w)
	record := append(append([]string(nil), ds.FeatureNames...), ds.LabelNames...)
	if err := table.Write(record); err != nil {
		return err
	}
	d := ds.NumFeatures()
	row := make([]float64, d)
	for m := range ds.Len() {
		clear(row)
		ds.Row(m).AddScaledTo(row, 1)
		for k, v := range row {
			record[k] = number(v)
		}
		for i, v := range ds.Labels(m) {
			record[d+i] = strconv.Itoa(int(v))
		}
		if err := table.Write(record); err != nil {
			return err
		}
	}
	table.Flush()
	return table.Error()
}

// WriteLIBSVM writes a data set in the form of the Extreme Classification Repository, with a
// header, features and labels counted from 0. Names are lost. ParseLIBSVM reads it with the
// zero LIBSVMOptions.
func WriteLIBSVM(w io.Writer, ds *crankpkg.Dataset) error {
	if err := ds.Validate(); err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	fmt.Fprintln(out, ds.Len(), ds.NumFeatures(), ds.NumLabels())
	for m := range ds.Len() {
		separator := ""
		for i, v := range ds.Labels(m) {
			if v == 1 {
				out.WriteString(separator + strconv.Itoa(i))
				separator = ","
			}
		}
		cells := 0
		eachCell(ds.Row(m), func(k int, v float64) {
			fmt.Fprintf(out, " %d:%s", k, number(v))
			cells++
		})
		if cells == 0 && ds.NumFeatures() > 0 {
			out.WriteString(" 0:0") // an empty line would be no row
		}
		out.WriteByte('\n')
	}
	return out.Flush()
}

// WriteARFF writes a data set as MEKA has them, labels first, with sparse rows if the matrix
// is sparse. crankpkg.ParseARFF reads it with the zero ARFFOptions.
func WriteARFF(w io.Writer, ds *crankpkg.Dataset) error {
	if err := ds.Validate(); err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	name := strings.ReplaceAll(ds.Name, "-C", "-c") // the first -C tells the labels
	fmt.Fprintf(out, "@relation %s\n\n", quote(fmt.Sprintf("%s: -C %d", name, ds.NumLabels())))
	for _, label := range ds.LabelNames {
		fmt.Fprintf(out, "@attribute %s {0,1}\n", quote(label))
	}
	for _, feature := range ds.FeatureNames {
		fmt.Fprintf(out, "@attribute %s numeric\n", quote(feature))
	}
	out.WriteString("\n@data\n")
	for m := range ds.Len() {
		if ds.X.IsSparse() {
			writeSparseARFF(out, ds, m)
		} else {
			writeDenseARFF(out, ds, m)
		}
	}
	return out.Flush()
}

func writeDenseARFF(out *bufio.Writer, ds *crankpkg.Dataset, m int) {
	for _, v := range ds.Labels(m) {
		fmt.Fprintf(out, "%d,", v)
	}
	for k, v := range ds.Row(m).Value {
		if k > 0 {
			out.WriteByte(',')
		}
		out.WriteString(number(v))
	}
	out.WriteByte('\n')
}

func writeSparseARFF(out *bufio.Writer, ds *crankpkg.Dataset, m int) {
	separator := "{"
	for i, v := range ds.Labels(m) {
		if v == 1 {
			fmt.Fprintf(out, "%s%d 1", separator, i)
			separator = ", "
		}
	}
	eachCell(ds.Row(m), func(k int, v float64) {
		fmt.Fprintf(out, "%s%d %s", separator, ds.NumLabels()+k, number(v))
		separator = ", "
	})
	if separator == "{" {
		out.WriteByte('{')
	}
	out.WriteString("}\n")
}

// eachCell calls f with the features of a row that are not zero.
func eachCell(x crankpkg.Row, f func(k int, v float64)) {
	for p, v := range x.Value {
		k := p
		if x.Index != nil {
			k = int(x.Index[p])
		}
		if v != 0 {
			f(k, v)
		}
	}
}

// number returns the shortest text that reads as v again.
func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

var escape = strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\n", `\n`, "\r", `\r`, "\t", `\t`)

// quote returns a name between quotes, as ARFF has them.
func quote(name string) string { return "'" + escape.Replace(name) + "'" }
