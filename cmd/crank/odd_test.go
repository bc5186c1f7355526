package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// oddFiles are what people have in place of a good table: each loads, or is refused with its
// name, the line at fault where there is one, and the cause.
var oddFiles = []struct {
	name, text string
	in         string // a part of the error; "" loads
}{
	{"empty.csv", "", "empty.csv: the file is empty"},
	{"empty.arff", "", "empty.arff: the file is empty"},
	{"empty.svm", "", "empty.svm: no rows"},
	{"header.csv", "a,y_1\n", "header.csv: no rows"},
	{"header.arff", "@relation 'x: -C -1'\n@attribute a numeric\n@attribute y_1 {0,1}\n@data\n", "header.arff: no rows"},
	{"row.csv", "a,y_1\n1,1\n", ""},
	{"twice.csv", "a,a,y_1\n1,2,0\n", `twice.csv: columns 1 and 2 are both called "a"`},
	{"labels-twice.csv", "a,y_1,y_1\n1,1,0\n", `labels-twice.csv: columns 2 and 3 are both called "y_1"`},
	{"row-twice.csv", "3,3,y_1\n1,2,0\n", `row-twice.csv: columns 1 and 2 are both called "3"; if the first line is a row, give -noheader`},
	{"tabs.tsv", "a\ty_1\n1\t1\n2\t0\n", ""},
	{"twice.arff", "@relation 'x: -C -1'\n@attribute a numeric\n@attribute a numeric\n@attribute y {0,1}\n@data\n1,2,0\n", `twice.arff:3: attribute "a"`},
	{"constant.csv", "a,y_1,y_2\n1,1,0\n2,1,0\n", ""},
	{"unknown.csv", "a,y_1,y_2\n1,1,?\n2,0,?\n", `unknown.csv:2: column "y_2": a label is missing`},
	{"unknown.arff", "@relation 'x: -C -1'\n@attribute a numeric\n@attribute y {0,1}\n@data\n1,?\n2,?\n", `unknown.arff:5: attribute "y": a label is missing`},
	{"mark.csv", "\ufeffa,y_1\n1,1\n2,0\n", ""},
	{"crlf.csv", "a,y_1\r\n1,1\r\n2,0\r\n", ""},
	{"cr.csv", "a,y_1\r1,1\r2,0\r", ""},
	{"blank.csv", "a,y_1\n\n1,1\n\n2,0\n\n", ""},
	{"semicolons.csv", "a;y_1\n1;1\n2;0\n", `semicolons.csv: no column is a label: no name begins with "y_"; there is one column: "a;y_1"; ';' seems to stand between cells: give -comma ';'`},
	{"tabs.csv", "a\ty_1\n1\t1\n", `'\t' seems to stand between cells: give -comma '\t'`},
	{"commas.csv", "a,y_1\n\"1,5\",1\n", `commas.csv:2: column "a": "1,5" looks like a number with a decimal comma: give -decimalcomma`},
	{"thousands.csv", "a,y_1\n\"1,234.5\",1\n", `thousands.csv:2: column "a": "1,234.5" looks like a number with marks between thousands: take the marks out`},
	{"either.csv", "a,y_1\n5,1\n\"1,234\",0\n", `either.csv:3: column "a": "1,234" looks like a number with a decimal comma, or one between thousands: give -decimalcomma`},
	{"percent.csv", "a,y_1\n5 %,1\n", `percent.csv:2: column "a": "5 %" looks like a number with a sign of per cent`},
	{"address.csv", "a,y_1\n10.0.0.1,1\n192.168.100.200,0\n", ""},
	{"money.csv", "a,y_1\n\"$1,200\",1\n", `money.csv:2: column "a": "$1,200" looks like a number with the sign of a currency`},
	{"hyphen.csv", "a,y_1\n1,1\n\u22121,0\n", `hyphen.csv:3: column "a": "−1" looks like a number with the minus sign of typesetting`},
	{"n-a.csv", "a,y_1\n1,1\nN/A,0\n", `n-a.csv:3: column "a": "N/A" is not a finite number; if it stands for a missing value, name it in -missing`},
	{"n-a-first.csv", "a,y_1\nN/A,1\n1,0\n", `n-a-first.csv:3: column "a": "1" is a number, and "N/A" before it is none: if that stands for a missing value, name it in -missing`},
	{"mixed.csv", "a,y_1\nx,1\n1,0\n", `mixed.csv:3: column "a": "1" is a number among names, the first of which is "x"`},
	{"sep.csv", "sep=,\na,y_1\n1,1\n2,0\n", ""},
	{"sep-semicolon.csv", "SEP=;\r\na;y_1\r\n1;1\r\n2;0\r\n", ""},
	{"sep-line.csv", "sep=;\na;y_1\n1;1\nx;0\n", `sep-line.csv:4: column "a": "x" is not a finite number`},
	{"newlines.csv", "\"a\nb\",y_1\n1,1\n\"x\ny\",0\n", `newlines.csv:4: column "a\nb": "x\ny" is not a finite number`},
	{"open.csv", "a,y_1\n\"1,1\n2,0\n", "open.csv:3: column 5 of the line: extraneous or missing \""},
	{"inside.csv", "a,y_1\n1\"x,1\n", "inside.csv:2: column 2 of the line: bare \""},
	{"after.csv", "a,y_1\n\"1\"x,1\n", "after.csv:2: column 3 of the line: extraneous or missing \""},
	{"short.csv", "a,b,y_1\n1,2,1\n1,2\n", `short.csv:3: 2 cells for 3 columns; "y_1" is the first without one`},
	{"long.csv", "a,y_1\n1,1\n2,0,0\n", "long.csv:3: 3 cells for 2 columns"},
	{"maybe.csv", "a,y_1\n1,1\n2,maybe\n", `maybe.csv:3: column "y_1": a label must have two values`},
	{"three.csv", "a,y_1\n1,1\n2,0\n3,2\n", `three.csv:4: column "y_1": "2" beside "1" and "0", but a label has two values; -column makes a label of each`},
	{"infinite.csv", "a,y_1\n1,1\n1e999,0\n", `infinite.csv:3: column "a": "1e999" is not a finite number`},
	{"noname.csv", "a,,y_1\n1,2,1\n", "noname.csv: column 2 has no name; give it one, or leave out the empty name, which is the first in -drop ,id"},
	{"labels.csv", "y_1,y_2\n1,0\n", "labels.csv: no features"},
	{"binary.csv", "a,y_1\n\x00\x01\x02\n", "binary.csv: this is no text"},
	{"kind.arff", "@relation 'x: -C -1'\n@attribute a float\n@attribute y {0,1}\n@data\n1,0\n", `kind.arff:2: attribute "a": unknown type "float"; drop the attribute`},
	{"index.arff", "@relation 'x: -C -1'\n@attribute a numeric\n@attribute y {0,1}\n@data\n{0 1}\n{5 2}\n", "index.arff:6: index 5"},
	{"word.svm", "0 1:2\n1 1:x\n", `word.svm:2: feature 1: "x" is not a finite number`},
	{"signs.svm", "+1 1:2\n-1 1:3\n", `signs.svm:1: "+1" where the numbers of labels are expected, such as 1,3: a single label is 0 where it is on`},
	{"again.svm", "0 1:2 1:3\n", "again.svm:1: feature 1: the row has two values for it"},
}

func TestOddFiles(t *testing.T) {
	t.Parallel()
	f := newShellFolder(t)
	for _, c := range oddFiles {
		path := f.write(c.name, c.text)
		args := []string{"train", "-lambda", "1", "-method", "empty", "-o", f.file("odd.model")}
		if format(c.name) == ".csv" {
			args = append(args, "-prefix", "y_")
		}
		status, out, log := call(append(args, path)...)
		switch {
		case c.in == "" && (status != 0 || !strings.Contains(out, "saved in")):
			t.Errorf("%s: status %d, %q, %q", c.name, status, out, log)
		case c.in != "" && (status == 0 || !strings.HasPrefix(log, "crank: "+path) || strings.Contains(log, "crankpkg") || !strings.Contains(log, c.in) || strings.Count(log, "\n") != 1):
			t.Errorf("%s: status %d, %q, want %q", c.name, status, log, c.in)
		}
	}
	few := f.write("few.csv", "a,y_1\n1,1\n2,0\n")
	if status, _, log := call("train", "-prefix", "y_", few); status != 2 || !strings.Contains(log, "5 folds of 2 examples: give -folds of 2 or more (a -lambda of your own takes none)") {
		t.Errorf("status %d, %q", status, log)
	}
}

// TestOddModels cuts a model short, and takes other files for one: the errors name the file.
func TestOddModels(t *testing.T) {
	t.Parallel()
	f := newShellFolder(t)
	table := f.write("a.csv", "a,y_1\n1,1\n2,0\n")
	must(t, "train", "-lambda", "1", "-prefix", "y_", "-o", f.file("good.model"), table)
	good := f.read("good.model")
	for size := 0; size < len(good)-1; size += 1 + len(good)/40 {
		cut := f.write("cut.model", good[:size])
		if status, _, log := call("predict", cut, table); status != 1 || !strings.Contains(log, "cut.model: ") || !strings.Contains(log, "cut short") {
			t.Errorf("%d of %d bytes: status %d, %q", size, len(good), status, log)
		}
	}
	if status, _, log := call("evaluate", table, table); status != 1 || !strings.Contains(log, "a.csv: ") || !strings.Contains(log, "this is no model") {
		t.Errorf("a table for a model: status %d, %q", status, log)
	}
}

// TestWideTable learns from 10,000 columns of 20 rows.
func TestWideTable(t *testing.T) {
	t.Parallel()
	f := newShellFolder(t)
	rng := rand.New(rand.NewPCG(1, 5))
	var text strings.Builder
	const width = 10000
	for k := range width {
		fmt.Fprintf(&text, "f%d,", k)
	}
	text.WriteString("y_1\n")
	for m := range 20 {
		for range width {
			fmt.Fprintf(&text, "%d,", rng.IntN(10))
		}
		fmt.Fprintf(&text, "%d\n", m%2)
	}
	path := f.write("wide.csv", text.String())
	out := must(t, "train", "-lambda", "0.1", "-prefix", "y_", "-o", f.file("wide.model"), path)
	if !strings.Contains(out, "wide: 20 examples, 10000 dense features") {
		t.Errorf("%s", out)
	}
	if out := must(t, "evaluate", f.file("wide.model"), path); !strings.Contains(out, "100.0") {
		t.Errorf("%s", out)
	}
}

// TestOddButRead reads what is odd and makes sense: words for missing values, a table of names and numbers, of which the
// features are scaled alike, and labels that are the same in all rows.
func TestOddButRead(t *testing.T) {
	t.Parallel()
	f := newShellFolder(t)
	var ages, mixed strings.Builder
	ages.WriteString("age,y_1,y_2,y_3\n")
	mixed.WriteString("city,year,y_1\n")
	for k := range 60 {
		age := fmt.Sprint(20 + k)
		if k%7 == 0 {
			age = []string{"N/A", "none"}[k%2]
		}
		fmt.Fprintf(&ages, "%s,%d,0,1\n", age, k/30)
		fmt.Fprintf(&mixed, "town %d,%d,%d\n", k%20, 1960+k, k/30)
	}
	file := f.write("ages.csv", ages.String())
	status, _, log := call("train", "-lambda", "0.01", "-prefix", "y_", "-missing", "N/A,none", "-impute", "-o", f.file("ages.model"), file)
	if status != 0 || !strings.Contains(log, `labels that are the same in all rows, so that nothing can be learned of them: "y_2", "y_3"`) {
		t.Errorf("status %d, %q", status, log)
	}
	out := must(t, "predict", f.file("ages.model"), f.write("rows.csv", "age\n20\nN/A\nnone\n\"\"\n79\n"))
	lines := strings.Split(out, "\n")
	if len(lines) != 7 || lines[1] != "0,0,1" || lines[5] != "1,0,1" || lines[2] != lines[3] || lines[3] != lines[4] {
		t.Errorf("%q", out)
	}
	if status, _, log := call("predict", f.file("ages.model"), f.write("word.csv", "age\nold\n")); status != 1 || !strings.HasSuffix(log, "word.csv:2: column \"age\": \"old\" is not a finite number\n") {
		t.Errorf("status %d, %q", status, log)
	}
	list := f.write("list.csv", "a,tags\n1,sun\n2,\"sun; rain\"\n3,\n4,rain\n")
	must(t, "train", "-lambda", "0.1", "-column", "tags", "-separator", ";", "-o", f.file("list.model"), list)
	if status, _, log := call("predict", f.file("list.model"), list); status != 1 || !strings.Contains(log, `column "tags" is no feature of the training file; -drop leaves it out, or -column where it lists the labels`) {
		t.Errorf("status %d, %q", status, log)
	}
	if out := must(t, "predict", "-column", "tags", f.file("list.model"), list); strings.Count(out, "\n") != 5 {
		t.Errorf("%q", out)
	}
	status, out, log = call("train", "-lambda", "0.001", "-method", "empty", "-prefix", "y_", f.write("mixed.csv", mixed.String()))
	if status != 0 || !strings.Contains(out, "60 examples, 21 sparse features") || !strings.Contains(out, "scaling minmax, certified relative gap") {
		t.Errorf("status %d, %q, %q", status, out, log)
	}
}
