package csvdata_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/tabular"
)

func parse(text string, opts tabular.CSVOptions) (*crankpkg.Dataset, error) {
	return tabular.ParseCSV(strings.NewReader(text), "dir/some.csv", opts)
}

func TestParseCSV(t *testing.T) {
	for _, test := range []struct {
		name, text string
		opts       tabular.CSVOptions
		features   []string
		labels     []string
		x          [][]float64
		y          []string
	}{
		{
			name: "labels by name, anywhere",
			text: "p,a,q,b\n1,2,0,3\n0,-1.5,1,2e3\n", opts: tabular.CSVOptions{Labels: []string{"q", "p"}},
			features: []string{"a", "b"}, labels: []string{"p", "q"},
			x: [][]float64{{2, 3}, {-1.5, 2000}}, y: []string{"10", "01"},
		}, {
			name: "labels by prefix",
			text: "y_p,a,y_q\n1,2,0\n", opts: tabular.CSVOptions{LabelPrefix: "y_"},
			features: []string{"a"}, labels: []string{"y_p", "y_q"}, x: [][]float64{{2}}, y: []string{"10"},
		}, {
			name: "labels by prefix and suffix",
			text: "y_p,y_a,q_?,y_q_?\n1,2,0,1\n", opts: tabular.CSVOptions{LabelPrefix: "y_", LabelSuffix: "_?"},
			features: []string{"y_p", "y_a", "q_?"}, labels: []string{"y_q_?"}, x: [][]float64{{1, 2, 0}}, y: []string{"1"},
		}, {
			name: "the first are labels",
			text: "p,q,a\n1,0,2\n", opts: tabular.CSVOptions{LabelCount: 2},
			features: []string{"a"}, labels: []string{"p", "q"}, x: [][]float64{{2}}, y: []string{"10"},
		}, {
			name: "the last are labels, without a header",
			text: "2,1,0\n3,0,0\n", opts: tabular.CSVOptions{LabelCount: -2, NoHeader: true},
			features: []string{"column1"}, labels: []string{"column2", "column3"}, x: [][]float64{{2}, {3}}, y: []string{"10", "00"},
		}, {
			name: "a column of labels",
			text: "a,tags\n1,\"rock, jazz\"\n2,\n3,\"jazz,,jazz\"\n4, blues\n", opts: tabular.CSVOptions{LabelColumn: "tags"},
			features: []string{"a"}, labels: []string{"blues", "jazz", "rock"},
			x: [][]float64{{1}, {2}, {3}, {4}}, y: []string{"011", "000", "010", "100"},
		}, {
			name: "a column of labels with another separator",
			text: "tags;a\nx| y,z;1,5\nz;2\n", opts: tabular.CSVOptions{LabelColumn: "tags", Separator: "|", Comma: ';', DecimalComma: true},
			features: []string{"a"}, labels: []string{"x", "y,z", "z"}, x: [][]float64{{1.5}, {2}}, y: []string{"110", "001"},
		}, {
			name: "labels in all spellings",
			text: "a,b,c,d,e,f\n1,1.0,no,TRUE,-1,y\n1,0,yes,false,1.0,Y\n1,1,NO,True,-1,y\n", opts: tabular.CSVOptions{LabelCount: -5},
			features: []string{"a"}, labels: []string{"b", "c", "d", "e", "f"},
			x: [][]float64{{1}, {1}, {1}}, y: []string{"10101", "01011", "10101"},
		}, {
			name: "a true value",
			text: "a,b,c,d\n1,there,there,gone\n2,gone,there,gone\n", opts: tabular.CSVOptions{LabelCount: -3, True: "there"},
			features: []string{"a"}, labels: []string{"b", "c", "d"}, x: [][]float64{{1}, {2}}, y: []string{"110", "010"},
		}, {
			name: "names of one, two and three values",
			text: "o,s,b,k,l\nonly,red,True,x,1\nonly,blue,False,z,0\nonly,red,False,y,0\n", opts: tabular.CSVOptions{LabelCount: -1},
			features: []string{"o=only", "s=red", "b", "k=x", "k=y", "k=z"}, labels: []string{"l"},
			x: [][]float64{{1, 1, 1, 1, 0, 0}, {1, 0, 0, 0, 0, 1}, {1, 1, 0, 0, 1, 0}}, y: []string{"1", "0", "0"},
		}, {
			name: "numbers that are names",
			text: "zip,l\n10,1\n9,0\n10b,0\n", opts: tabular.CSVOptions{LabelCount: -1, Nominal: []string{"zip"}},
			features: []string{"zip=10", "zip=10b", "zip=9"}, labels: []string{"l"},
			x: [][]float64{{1, 0, 0}, {0, 0, 1}, {0, 1, 0}}, y: []string{"1", "0", "0"},
		}, {
			name: "missing cells",
			text: "a,k,s,l\n1,x,p,1\n,?,NA,0\nnan,z,q,0\n5,z,q,0\n", opts: tabular.CSVOptions{LabelCount: -1, Imputer: &crankpkg.Imputer{}},
			features: []string{"a", "k=z", "s=q"}, labels: []string{"l"},
			x: [][]float64{{1, 0, 0}, {3, 1, 1}, {3, 1, 1}, {5, 1, 1}}, y: []string{"1", "0", "0", "0"},
		}, {
			name: "other missing cells",
			text: "a,k,l\n-,NA,1\n5,-,0\n4,NA,0\n", opts: tabular.CSVOptions{LabelCount: -1, Missing: []string{"-"}, Imputer: &crankpkg.Imputer{}},
			features: []string{"a", "k=NA"}, labels: []string{"l"}, x: [][]float64{{4.5, 1}, {5, 1}, {4, 1}}, y: []string{"1", "0", "0"},
		}, {
			name: "dropped columns, one of them without a name",
			text: ",name,a,l,m\n0,Ann,1,1,x\n1,Bob 2,2,0,y\n", opts: tabular.CSVOptions{Labels: []string{"l"}, Drop: []string{"", "name", "m"}},
			features: []string{"a"}, labels: []string{"l"}, x: [][]float64{{1}, {2}}, y: []string{"1", "0"},
		}, {
			name: "byte order mark, CRLF, quotes, blanks, empty lines, a line inside a cell",
			text: "\uFEFF a ,\"b \"\"c\"\"\", l\r\n\r\n 1,\t2 , \"1\"\r\n3, 4,\"0\r\n\"\r\n", opts: tabular.CSVOptions{Labels: []string{"l"}},
			features: []string{"a", `b "c"`}, labels: []string{"l"}, x: [][]float64{{1, 2}, {3, 4}}, y: []string{"1", "0"},
		}, {
			name: "tabs, with an empty cell",
			text: "a\tb\tl\n\t2\t1\n3\t4\t0\n", opts: tabular.CSVOptions{LabelCount: -1, Comma: '\t', Imputer: &crankpkg.Imputer{}},
			features: []string{"a", "b"}, labels: []string{"l"}, x: [][]float64{{3, 2}, {3, 4}}, y: []string{"1", "0"},
		}, {
			name: "CR and Latin-1",
			text: "caf\xe9,l\rcr\xe8me,1\rnoir,0\r", opts: tabular.CSVOptions{LabelCount: -1},
			features: []string{"café=noir"}, labels: []string{"l"}, x: [][]float64{{0}, {1}}, y: []string{"1", "0"},
		}, {
			name: "rows to predict on",
			text: "l,a,m\n?,1,what\n,2,\n", opts: tabular.CSVOptions{Labels: []string{"l", "m", "n"}, FeaturesOnly: true},
			features: []string{"a"}, labels: []string{"l", "m", "n"}, x: [][]float64{{1}, {2}}, y: []string{"000", "000"},
		}, {
			name: "rows to predict on, labels unknown",
			text: "a,b\n1,2\n", opts: tabular.CSVOptions{FeaturesOnly: true},
			features: []string{"a", "b"}, x: [][]float64{{1, 2}}, y: []string{""},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			ds, err := parse(test.text, test.opts)
			if err != nil {
				t.Fatal(err)
			}
			if ds.Name != "some" {
				t.Errorf("name %q, want some", ds.Name)
			}
			if !slices.Equal(ds.FeatureNames, test.features) {
				t.Errorf("features %q, want %q", ds.FeatureNames, test.features)
			}
			if !slices.Equal(ds.LabelNames, test.labels) {
				t.Errorf("labels %q, want %q", ds.LabelNames, test.labels)
			}
			if got := testkit.DenseRows(ds.X); !reflect.DeepEqual(got, test.x) {
				t.Errorf("x %v, want %v", got, test.x)
			}
			if got := testkit.LabelRows(ds.Y, ds.Len(), len(ds.LabelNames)); !slices.Equal(got, test.y) {
				t.Errorf("y %v, want %v", got, test.y)
			}
		})
	}
}

func TestParseCSVRefuses(t *testing.T) {
	last := tabular.CSVOptions{LabelCount: -1}
	filled := tabular.CSVOptions{LabelCount: -1, Imputer: &crankpkg.Imputer{}}
	for _, test := range []struct {
		name, text string
		opts       tabular.CSVOptions
		kind       error
		in         string // a part of the error
	}{
		{"empty", "", last, errs.ErrFormat, "empty"},
		{"no rows", "a,l\n", last, errs.ErrData, "no rows"},
		{"short row", "a,b,l\n1,2,0\n1,2\n", last, errs.ErrFormat, `some.csv:3: 2 cells for 3 columns; "l"`},
		{"long row", "a,b,l\n1,2,0,4\n", last, errs.ErrFormat, "some.csv:2: 4 cells for 3 columns"},
		{"quote", "a,l\n1,0\n\"x\"y,0\n", last, errs.ErrFormat, "some.csv:3: column 3 of the line"},
		{"no name", "a,,l\n1,2,0\n", last, errs.ErrData, "column 2 has no name"},
		{"same name", "a,b, a,l\n1,2,3,0\n", last, errs.ErrData, `columns 1 and 3 are both called "a"`},
		{"no labels told", "a,l\n1,0\n", tabular.CSVOptions{}, errs.ErrSettings, "nothing tells"},
		{"labels told twice", "a,l\n1,0\n", tabular.CSVOptions{LabelCount: 1, Labels: []string{"l"}}, errs.ErrSettings, "only one"},
		{"coding not fitted", "a\n1\n", tabular.CSVOptions{FeaturesOnly: true, Coding: &tabular.Coding{}}, errs.ErrSettings, "not fitted"},
		{"bad comma", "a,l\n1,0\n", tabular.CSVOptions{LabelCount: 1, Comma: '"'}, errs.ErrSettings, "Comma"},
		{"too many labels", "a,l\n1,0\n", tabular.CSVOptions{LabelCount: -3}, errs.ErrSettings, "3 labels among 2 columns"},
		{"only labels", "a,l\n1,0\n", tabular.CSVOptions{LabelCount: 2}, errs.ErrData, "no features"},
		{"no such label", "a,l\n1,0\n", tabular.CSVOptions{Labels: []string{"m"}}, errs.ErrSettings, `no label column "m"; there are 2 columns: "a, l"`},
		{"no such prefix", "a,l\n1,0\n", tabular.CSVOptions{LabelPrefix: "y"}, errs.ErrSettings, "no column is a label"},
		{"no such label column", "a,l\n1,0\n", tabular.CSVOptions{LabelColumn: "m"}, errs.ErrSettings, `no column "m"`},
		{"nothing to drop", "a,l\n1,0\n", tabular.CSVOptions{LabelCount: -1, Drop: []string{"x"}}, errs.ErrSettings, `"x", which is to be dropped`},
		{"no such nominal column", "a,l\n1,0\n", tabular.CSVOptions{LabelCount: -1, Nominal: []string{"x"}}, errs.ErrSettings, `"x", which is to be nominal`},
		{"a label dropped", "a,l\n1,0\n", tabular.CSVOptions{LabelCount: -1, Drop: []string{"l"}}, errs.ErrSettings, `"l" is dropped`},
		{"missing", "a,b,l\n1,2,0\n1,,0\n", last, errs.ErrData, `some.csv:3: column "b": a value is missing`},
		{"missing label", "a,l\n1,NA\n", filled, errs.ErrData, `some.csv:2: column "l": a label is missing`},
		{"missing list of labels", "a,l\n1,?\n", tabular.CSVOptions{LabelColumn: "l"}, errs.ErrData, `some.csv:2: column "l": a label is missing`},
		{"no label listed", "a,l\n1,\n", tabular.CSVOptions{LabelColumn: "l"}, errs.ErrData, `column "l": no row has a label`},
		{"all missing", "a,b,l\n1,,0\n1,NA,0\n", filled, errs.ErrData, `column "b": every value is missing`},
		{"all missing names", "a,b,l\n1,,0\n", tabular.CSVOptions{LabelCount: -1, Nominal: []string{"b"}, Imputer: &crankpkg.Imputer{}}, errs.ErrData, `column "b": every value is missing`},
		{"a name among numbers", "a,l\n1,0\n\n2x,0\n", last, errs.ErrData, `some.csv:4: column "a": "2x" is not a finite number`},
		{"infinity", "a,l\n1,0\n-Inf,0\n", last, errs.ErrData, `some.csv:3: column "a": "-Inf" is not a finite number`},
		{"a number among names", "a,l\nx,0\n2,0\n", last, errs.ErrData, `some.csv:3: column "a": "2" is a number among names`},
		{"decimal commas", "a;l\n1,5;0\n", tabular.CSVOptions{LabelCount: -1, Comma: ';'}, errs.ErrData, `some.csv:2: column "a": "1,5" looks like`},
		{"three label values", "a,l\n1,0\n1,1\n1,2\n", last, errs.ErrData, `some.csv:4: column "l": "2" beside "0" and "1"`},
		{"other label values", "a,l\n1,1\n1,2\n", last, errs.ErrData, `some.csv:3: column "l": a label must have two values`},
		{"one other label value", "a,l\n1,x\n", last, errs.ErrData, `some.csv:2: column "l": a label must have two values`},
		{"another comma", "a;l\n1;0\n", tabular.CSVOptions{LabelPrefix: "l"}, errs.ErrSettings, `there is one column: "a;l"; ';' seems to stand between cells: set CSVOptions.Comma`},
		{"no comma", "a\n1\n", tabular.CSVOptions{LabelPrefix: "l"}, errs.ErrSettings, `there is one column: "a"`},
		{"zeros", "a,l\n1,\x00\n", last, errs.ErrFormat, "some.csv: this is no text"},
		{"no true value", "a,l\n1,x\n1,y\n", tabular.CSVOptions{LabelCount: -1, True: "z"}, errs.ErrData, `column "l": the true value "z"`},
		{"a line inside a cell", "a,l\n\"\n\n1\",0\n\"x\",0\n", last, errs.ErrData, `some.csv:5: column "a"`},
		{"web page", "<!doctype html>", last, errs.ErrFormat, "HTML"},
	} {
		ds, err := parse(test.text, test.opts)
		if !errors.Is(err, test.kind) || ds != nil || !strings.Contains(err.Error(), test.in) {
			t.Errorf("%s: %v, error %v; want %v that says %s", test.name, ds, err, test.kind, test.in)
		}
	}
	if _, err := tabular.ReadCSV(t.TempDir()+"/none.csv", last); err == nil {
		t.Error("a file that is not there is read")
	}
}

// What a mark keeps from being a number is refused wherever it stands, with its column and its cell, as is a number among names; what is
// a name in one row is one in each, whatever the order of the rows.
func TestCellsThatLookLikeNumbers(t *testing.T) {
	t.Parallel()
	last := tabular.CSVOptions{LabelCount: -1}
	named := tabular.CSVOptions{LabelCount: -1, Nominal: []string{"a"}, Comma: ';'}
	last.Comma = ';'
	for _, cell := range []string{"5%", "5 %", "1,5%", "$3", "3 €", "£1,200", "1,234", "1.234.567", "1 234", "1'234.5", "1,5", "\u22125", "300.200.100.200", "192.168.001.200"} {
		for _, text := range []string{"a;l\n%s;0\n%s;1\n", "a;l\nx;0\n%s;1\n%s;0\n", "a;l\n7;0\n%s;1\n%s;0\n"} {
			text = strings.ReplaceAll(text, "%s", cell)
			ds, err := parse(text, last)
			if !errors.Is(err, errs.ErrData) || ds != nil || !strings.Contains(err.Error(), `column "a": "`+cell+`" looks like a number`) {
				t.Errorf("%q: %v, error %v", text, ds, err)
			}
			if ds, err := parse(text, named); err != nil || !slices.Contains(ds.Coding.Columns[0].Values, cell) {
				t.Errorf("%q, a name: %v, error %v", text, ds, err)
			}
		}
	}
	names := []string{"10.0.0.1", "192.168.100.200", "100.200.150.250", "1.2.3", "2026-11-29", "12:30", "5 kg", "%"}
	for _, first := range names {
		for _, second := range names {
			ds, err := parse("a;l\n"+first+";0\n"+second+";1\n", last)
			if err != nil || !slices.Contains(ds.Coding.Columns[0].Values, first) || !slices.Contains(ds.Coding.Columns[0].Values, second) {
				t.Errorf("%s and %s: %v, error %v", first, second, ds, err)
			}
		}
		want := `column "a": "` + first + `" is not a finite number`
		if _, err := parse("a;l\n7;0\n"+first+";1\n", last); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s among numbers: error %v, want one that says %s", first, err, want)
		}
		if _, err := parse("a;l\n"+first+";0\n7;1\n", last); err == nil || !strings.Contains(err.Error(), `column "a": "7" is a number`) {
			t.Errorf("a number after %s: error %v", first, err)
		}
	}
}

// Where a coding says what a column holds, no option can make another thing of a cell, and none is offered.
func TestCodingOffersNoOptions(t *testing.T) {
	t.Parallel()
	for _, cell := range []string{"x", "N/A", "$3", "1,5", "10.0.0.1"} {
		coding := &tabular.Coding{}
		train, test := "a;l\n1;0\n2;1\n", "a;l\n"+cell+";0\n"
		opts := tabular.CSVOptions{LabelCount: -1, Comma: ';', Coding: coding}
		_, err := parse(train+cell+";0\n", opts)
		if err == nil || !strings.Contains(err.Error(), `column "a": "`+cell+`"`) || !strings.Contains(err.Error(), "CSVOptions.") && cell != "$3" {
			t.Errorf("%s in a file by itself: error %v, want one that offers an option", cell, err)
		}
		if _, err := parse(train, opts); err != nil {
			t.Fatal(err)
		}
		_, err = parse(test, tabular.CSVOptions{Comma: ';', Coding: coding})
		if err == nil || !strings.Contains(err.Error(), `column "a": "`+cell+`"`) || strings.Contains(err.Error(), "CSVOptions") {
			t.Errorf("%s under a coding: error %v, want one without options", cell, err)
		}
	}
}

// A test file means what the training file's coding says, in any order of its columns.
func TestCoding(t *testing.T) {
	opts := tabular.CSVOptions{LabelPrefix: "y_", Drop: []string{"id"}, Imputer: &crankpkg.Imputer{}, Coding: &tabular.Coding{}}
	train, err := parse("id,y_p,y_q,a,k,s\n1,1,0,1,x,m\n2,0,0,3,z,f\n3,0,1,5,z,f\n", opts)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"a", "k=z", "s=m"}
	if !slices.Equal(train.FeatureNames, want) {
		t.Fatalf("features %q, want %q", train.FeatureNames, want)
	}
	for _, test := range []struct {
		name, text   string
		only, ignore bool
		x            [][]float64
		y            []string
	}{
		{"another order", "s,y_q,a,k,y_p,id\nm,1,7,z,0,5\n", false, false, [][]float64{{7, 1, 1}}, []string{"01"}},
		{"fewer values, and missing ones", "y_p,y_q,a,k,s\n0,0,,x,\n", false, false, [][]float64{{3, 0, 0}}, []string{"00"}},
		{"no labels", "k,s,a\nx,f,2\n", true, false, [][]float64{{2, 0, 0}}, []string{"00"}},
		{"unseen names", "y_p,y_q,a,k,s\n0,1,1,w,m\n", false, true, [][]float64{{1, 0, 1}}, []string{"01"}},
	} {
		again := opts
		again.FeaturesOnly, again.IgnoreUnseen = test.only, test.ignore
		ds, err := parse(test.text, again)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if x := testkit.DenseRows(ds.X); !reflect.DeepEqual(x, test.x) || !slices.Equal(testkit.LabelRows(ds.Y, ds.Len(), len(ds.LabelNames)), test.y) {
			t.Errorf("%s: x %v, y %v; want %v, %v", test.name, x, testkit.LabelRows(ds.Y, ds.Len(), len(ds.LabelNames)), test.x, test.y)
		}
		if !slices.Equal(ds.FeatureNames, want) || !slices.Equal(ds.LabelNames, train.LabelNames) {
			t.Errorf("%s: features %q and labels %q", test.name, ds.FeatureNames, ds.LabelNames)
		}
	}
	for text, part := range map[string]string{
		"y_p,y_q,a,k,s\n0,1,1,w,m\n":     `some.csv:2: column "k": "w" is none of the values "{x,z}"`,
		"y_p,y_q,a,k,s\n0,1,x,x,m\n":     `some.csv:2: column "a": "x" is not a finite number`,
		"y_p,y_q,a,s\n0,1,1,m\n":         `column "k" of the file that the coding was fitted to is missing`,
		"y_p,y_q,a,k,s,t\n0,1,1,x,m,2\n": `column "t" is no feature of the file`,
		"y_p,a,k,s\n0,1,x,m\n":           `no label column "y_q"`,
	} {
		if ds, err := parse(text, opts); !errors.Is(err, errs.ErrData) || !strings.Contains(err.Error(), part) || ds != nil {
			t.Errorf("error %v, want one that says %s", err, part)
		}
	}
}

func TestCodingOfListedLabels(t *testing.T) {
	opts := tabular.CSVOptions{LabelColumn: "tags", Separator: "|", Coding: &tabular.Coding{}}
	if _, err := parse("a,tags\n1,x|z\n2,y\n", opts); err != nil {
		t.Fatal(err)
	}
	test := "tags,a\nz,1\nw|x,2\n"
	if _, err := parse(test, opts); !errors.Is(err, errs.ErrData) || !strings.Contains(err.Error(), `some.csv:3: column "tags": label "w"`) {
		t.Errorf("error %v, want one that names w", err)
	}
	opts.IgnoreUnseen = true
	ds, err := parse(test, opts)
	if err != nil || !slices.Equal(testkit.LabelRows(ds.Y, ds.Len(), len(ds.LabelNames)), []string{"001", "100"}) {
		t.Errorf("%v, error %v", ds, err)
	}
	opts.FeaturesOnly = true
	ds, err = parse("a\n5\n", opts)
	if err != nil || !slices.Equal(testkit.LabelRows(ds.Y, ds.Len(), len(ds.LabelNames)), []string{"000"}) {
		t.Errorf("%v, error %v", ds, err)
	}
}

// A file without a header may lack the labels when it is predicted on.
func TestCodingWithoutHeader(t *testing.T) {
	opts := tabular.CSVOptions{LabelCount: 1, NoHeader: true, Coding: &tabular.Coding{}}
	if _, err := parse("1,2,x\n0,3,y\n", opts); err != nil {
		t.Fatal(err)
	}
	opts.FeaturesOnly = true
	for _, text := range []string{"4,y\n", "?,4,y\n"} {
		ds, err := parse(text, opts)
		if err != nil || !reflect.DeepEqual(testkit.DenseRows(ds.X), [][]float64{{4, 1}}) {
			t.Errorf("%q: %v, error %v", text, ds, err)
		}
	}
}

// A reading that fails leaves the coding as it was.
func TestCodingIsFittedWhole(t *testing.T) {
	opts := tabular.CSVOptions{LabelCount: 1, Coding: &tabular.Coding{}}
	if _, err := parse("l,a\n1,1\n0,x\n", opts); err == nil || opts.Coding.Columns != nil {
		t.Errorf("error %v, coding %v", err, opts.Coding)
	}
}

// Tables read the same as CSV, as ARFF with the values declared in alphabetical order, and
// with the rows in another order; wide ones are sparse.
func TestParseCSVAgainstARFF(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		width, count := 1+rnd.IntN(4), 1+rnd.IntN(12)
		head, declared := "l", "@relation r\n@attribute l {0,1}\n"
		kinds, seen := make([]int, width), make([]map[string]bool, width)
		rows := make([]string, count)
		for m := range rows {
			rows[m] = fmt.Sprint(rnd.IntN(2))
		}
		for k := range width {
			kinds[k], seen[k] = rnd.IntN(3), map[string]bool{}
			for m := range rows {
				value := "?"
				switch {
				case m > 0 && rnd.IntN(5) == 0:
				case kinds[k] == 0:
					value = fmt.Sprintf("%.1f", rnd.NormFloat64())
				default:
					value = string(rune('a' + rnd.IntN(1+9*kinds[k])))
				}
				seen[k][value] = value != "?"
				rows[m] += "," + value
			}
			values := slices.Sorted(func(yield func(string) bool) {
				for v, real := range seen[k] {
					if real && !yield(v) {
						return
					}
				}
			})
			kind := "{" + strings.Join(values, ",") + "}"
			if kinds[k] == 0 {
				kind = "numeric"
			}
			head += fmt.Sprintf(",a%d", k)
			declared += fmt.Sprintf("@attribute a%d %s\n", k, kind)
		}
		body := strings.Join(rows, "\n") + "\n"
		want, err := crankpkg.ParseARFF(strings.NewReader(declared+"@data\n"+body), "some.arff", crankpkg.ARFFOptions{LabelCount: 1, Imputer: &crankpkg.Imputer{}})
		if err != nil {
			t.Fatal(err)
		}
		got, err := parse(head+"\n"+body, tabular.CSVOptions{LabelCount: 1, Imputer: &crankpkg.Imputer{}})
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%v, error %v; want %v from\n%s\n%s", got, err, want, head, body)
		}
	}
}

// A table whose one-hot columns are many is sparse, and its gaps are filled.
func TestParseCSVSparse(t *testing.T) {
	text := "k,n,l\n"
	for k := range 30 {
		text += fmt.Sprintf("v%02d,%d,%d\n", k/2, k, k%2)
	}
	ds, err := parse(text+"NA,NA,1\nv07,,0\n", tabular.CSVOptions{LabelCount: -1, Imputer: &crankpkg.Imputer{}})
	if err != nil || !ds.X.IsSparse() || ds.NumFeatures() != 16 {
		t.Fatalf("%v, error %v", ds, err)
	}
	x := testkit.DenseRows(ds.X)
	if x[30][7] != 1 || math.Abs(x[30][15]-14.5) > 1e-12 || x[31][7] != 1 || x[5][2] != 1 || x[5][15] != 5 {
		t.Errorf("rows %v, %v and %v", x[5], x[30], x[31])
	}
}

// A small file that asks for much memory is refused: many labels, or a long name for many
// values.
func TestParseCSVMemory(t *testing.T) {
	var lists, names strings.Builder
	lists.WriteString("a,tags\n")
	names.WriteString("l," + strings.Repeat("a", 100000) + "\n")
	for k := range 40000 {
		fmt.Fprintf(&lists, "1,%d\n", k)
		fmt.Fprintf(&names, "0,v%d\n", k)
	}
	for text, opts := range map[string]tabular.CSVOptions{lists.String(): {LabelColumn: "tags"}, names.String(): {LabelCount: 1}} {
		if _, err := parse(text, opts); !errors.Is(err, errs.ErrData) {
			t.Errorf("error %v, want %v", err, errs.ErrData)
		}
	}
}

func FuzzParseCSV(f *testing.F) {
	for _, seed := range []string{
		"l,a,b\n1,2,x\n0,,y\n", "\uFEFFl;a\r\n\"1\";\"1,5\"\r\n", "l,a\r-1,NA\r1,3\r", "tags,a\nx|y,1\n,2\n", "l\n1\n", "l,a,a=x,b\n1,x,2,3\n0,y,2,z",
	} {
		for mode := range uint8(8) {
			f.Add([]byte(seed), mode*37)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, mode uint8) {
		opts := tabular.CSVOptions{NoHeader: mode&1 != 0, FeaturesOnly: mode&2 != 0, IgnoreUnseen: mode&4 != 0, DecimalComma: mode&8 != 0}
		opts.LabelCount = []int{1, -1, 2, 0}[mode>>6]
		if !opts.FeaturesOnly {
			opts.Coding = &tabular.Coding{}
		}
		if mode&16 != 0 {
			opts.Imputer = &crankpkg.Imputer{}
		}
		if mode&32 != 0 {
			opts.Comma = ';'
		}
		if opts.LabelCount == 0 {
			opts.LabelColumn, opts.Separator = "tags", "|"
		}
		if mode%3 == 0 {
			opts.Drop = []string{"a"}
		}
		ds, err := tabular.ParseCSV(bytes.NewReader(text), "x", opts)
		if err != nil {
			if !errors.Is(err, errs.ErrFormat) && !errors.Is(err, errs.ErrData) && !errors.Is(err, errs.ErrSettings) {
				t.Errorf("error of no kind: %v", err)
			}
			return
		}
		labeled := *ds
		labeled.Unlabeled = false
		if ds.NumLabels() > 0 && labeled.Validate() != nil || ds.Unlabeled != opts.FeaturesOnly {
			t.Error(ds.Unlabeled, labeled.Validate())
		}
		if opts.Coding != nil {
			opts.Drop = nil // it knows
		}
		again, err := tabular.ParseCSV(bytes.NewReader(text), "x", opts)
		if err != nil || !reflect.DeepEqual(ds, again) {
			t.Errorf("reading it again with its coding gives %v, error %v", again, err)
		}
	})
}

// TestCellsTellBrokenFiles reads one column of files that break off or fail at any record.
func TestCellsTellBrokenFiles(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"id,x\na,1\nb,\"2\n", "id,x\n\"a,1\n", "\"id,x\n", "id,x\na,1\nb\n"} {
		cells, err := tabular.ParseCells(strings.NewReader(text), "broken.csv", "id", tabular.CSVOptions{})
		if err == nil || !strings.Contains(err.Error(), "broken.csv") {
			t.Errorf("%q: cells %q, error %v", text, cells, err)
		}
	}
}

// A column's cells are the texts of that column alone, whatever it means as data, by its name or, without a header, by its number.
func TestCellsAreThoseOfTheColumn(t *testing.T) {
	t.Parallel()
	rows := [][]string{{"id", "a b", "l"}, {"7", "x", "1"}, {"7", "", "0"}, {"NA", "y", "?"}}
	var text strings.Builder
	for _, row := range rows {
		fmt.Fprintln(&text, strings.Join(row, ","))
	}
	for c, name := range rows[0] {
		var column []string
		for _, row := range rows {
			column = append(column, row[c])
		}
		if got, err := tabular.ParseCells(strings.NewReader(text.String()), "x.csv", name, tabular.CSVOptions{}); err != nil || !slices.Equal(got, column[1:]) {
			t.Errorf("%s: %q, error %v", name, got, err)
		}
		number := fmt.Sprint("column", c+1)
		if got, err := tabular.ParseCells(strings.NewReader(text.String()), "x.csv", number, tabular.CSVOptions{NoHeader: true}); err != nil || !slices.Equal(got, column) {
			t.Errorf("%s: %q, error %v", number, got, err)
		}
		if got, err := tabular.ParseCells(strings.NewReader(text.String()), "x.csv", name, tabular.CSVOptions{NoHeader: true}); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("x.csv: there is no column %q", name)) {
			t.Errorf("%s, without a header: %q, error %v", name, got, err)
		}
	}
}

// A first line tells what stands between cells with any sign that is part of no number and no name; with another it is a header, as in
// files of a single column. What the options say counts more.
func TestLineThatTellsTheComma(t *testing.T) {
	t.Parallel()
	read := func(text string, comma rune) (string, error) {
		cells, err := tabular.ParseCells(strings.NewReader(text), "x.csv", "b", tabular.CSVOptions{Comma: comma})
		return strings.Join(cells, " "), err
	}
	for c := rune(' ') + 1; c < 0x7f; c++ {
		sep := string(c)
		if c == '"' {
			continue
		}
		got, err := read("sep="+sep+"\na"+sep+"b\n1"+sep+"2\n", 0)
		if tells := !strings.ContainsRune("+-._", c) && !unicode.IsLetter(c) && !unicode.IsDigit(c); tells != (err == nil && got == "2") {
			t.Errorf("sep=%s: %q, %v", sep, got, err)
		}
	}
	if cells, err := tabular.ParseCells(strings.NewReader("sep=x\n1\n2\n"), "x.csv", "sep=x", tabular.CSVOptions{}); err != nil || len(cells) != 2 {
		t.Errorf("a header: %q, %v", cells, err)
	}
	for _, first := range []string{"sep=\t\n", "SEP=\t\r\n", "\uFEFFsep=\t\n", "sep=,\n"} {
		if got, err := read(first+"a\tb\n1\t2\n3\t4\n", '\t'); err != nil || got != "2 4" {
			t.Errorf("%q: %q, %v", first, got, err)
		}
	}
}
