package arff_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/internal/arff"
	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/internal/testkit"
)

// wide returns text in UTF-16 with a byte order mark, the high byte first.
func wide(text string) string {
	var b []byte
	for _, c := range append([]uint16{0xfeff}, utf16.Encode([]rune(text))...) {
		b = append(b, byte(c>>8), byte(c))
	}
	return string(b)
}

// bzipped is a small file after the command bzip2, which compress/bzip2 cannot write.
var bzipped = func() string {
	b, err := base64.StdEncoding.DecodeString("QlpoOTFBWSZTWac8dnQAAAvdgAAQQARwAEAAPieWCiAASGmqNPTSPSPJHqDU0aNGjQAvaeabIWYs+HouSg+7nEDSHgT6U2vFVuxZQukBQBDfgnPi7kinChIU547OgA==")
	if err != nil {
		panic(err)
	}
	return string(b)
}()

func TestParseARFF(t *testing.T) {
	lastLabel := arff.Options{LabelCount: -1}
	for _, test := range []struct {
		name     string
		text     string
		opts     arff.Options
		features []string
		labels   []string
		x        [][]float64
		y        []string
	}{
		{
			name:     "plain",
			text:     "@relation r\n@attribute a numeric\n@attribute b real\n@attribute c integer\n@attribute l {0,1}\n@data\n1,2,3,0\n-1.5,2e3,+.5,1\n",
			opts:     lastLabel,
			features: []string{"a", "b", "c"}, labels: []string{"l"},
			x: [][]float64{{1, 2, 3}, {-1.5, 2000, 0.5}}, y: []string{"0", "1"},
		}, {
			name:     "no newline at the end",
			text:     "@relation r\n@attribute a numeric\n@attribute l {0,1}\n@data\n1,0\n2,1",
			opts:     lastLabel,
			features: []string{"a"}, labels: []string{"l"},
			x: [][]float64{{1}, {2}}, y: []string{"0", "1"},
		}, {
			name:     "byte order mark, CRLF, comments, blank lines, blanks and tabs, any case",
			text:     "\uFEFF% one\r\n\r\n@RELATION r % two\r\n \t\r\n\t@Attribute\ta\tNUMERIC % three\r\n%\r\n@aTTribute l{ 0 ,\t1 } % four\r\n  @DATA  % five\r\n\r\n% six\r\n \t1 ,\t0 % seven\r\n\r\n2\t1\r\n   % eight",
			opts:     lastLabel,
			features: []string{"a"}, labels: []string{"l"},
			x: [][]float64{{1}, {2}}, y: []string{"0", "1"},
		}, {
			name:     "quotes and escapes",
			text:     "@relation 'r % {'\n@attribute 'a, b {%}' numeric\n@attribute \"it's\" numeric\n@attribute 'it\\'s \\\\ \\\"two\\\"\\t\\u00e9' numeric\n@attribute b'c numeric\n@attribute col {'red % wine', \"dark blue\", 'x\\'y'}\n@attribute 'l 1' {'0',\"1\"}\n@data\n'1',\"2\",3,4,'dark blue','1'\n1,2,3,4,'x\\'y',0\n",
			opts:     lastLabel,
			features: []string{"a, b {%}", "it's", "it's \\ \"two\"\té", "b'c", "col=red % wine", "col=dark blue", "col=x'y"},
			labels:   []string{"l 1"},
			x:        [][]float64{{1, 2, 3, 4, 0, 1, 0}, {1, 2, 3, 4, 0, 0, 1}}, y: []string{"1", "0"},
		}, {
			name:     "Latin-1",
			text:     "@relation r\n@attribute caf\xe9 {cr\xe8me,noir}\n@attribute l {0,1}\n@data\ncr\xe8me,1\nnoir,0\n",
			opts:     lastLabel,
			features: []string{"café=noir"}, labels: []string{"l"},
			x: [][]float64{{0}, {1}}, y: []string{"1", "0"},
		}, {
			name:     "nominal features of one, two and three values",
			text:     "@relation r\n@attribute z {0,1}\n@attribute o {1,0}\n@attribute g {YES,NO}\n@attribute t {True,False}\n@attribute s {m,f}\n@attribute k {3,1,2}\n@attribute u {only}\n@attribute l {0,1}\n@data\n0,0,YES,True,m,3,only,0\n1,1,NO,False,f,2,only,1\n",
			opts:     lastLabel,
			features: []string{"z", "o", "g", "t", "s=m", "k=3", "k=1", "k=2", "u=only"}, labels: []string{"l"},
			x: [][]float64{{0, 0, 1, 1, 1, 1, 0, 0, 1}, {1, 1, 0, 0, 0, 0, 0, 1, 1}}, y: []string{"0", "1"},
		}, {
			name:     "two values declared in either order",
			text:     "@relation r\n@attribute s {card,none}\n@attribute t {none,card}\n@attribute l {0,1}\n@data\n{}\n{0 none, 1 card}\n{0 card, 1 none, 2 1}\n",
			opts:     lastLabel,
			features: []string{"s=none", "t=none"}, labels: []string{"l"},
			x: [][]float64{{0, 1}, {1, 0}, {0, 1}}, y: []string{"0", "0", "1"},
		}, {
			name:     "what sparse rows omit is the first value",
			text:     "@relation r\n@attribute n numeric\n@attribute z {0,1}\n@attribute o {1,0}\n@attribute g {YES,NO}\n@attribute k {a,b,c}\n@attribute l {0,1}\n@attribute m {1,0}\n@data\n{}\n{ 0 5 , 1 1,2 0,3 NO,4 c,5 1,6 0 }\n{4 b, 0 -1}\n",
			opts:     arff.Options{LabelCount: -2},
			features: []string{"n", "z", "o", "g", "k=a", "k=b", "k=c"}, labels: []string{"l", "m"},
			x: [][]float64{{0, 0, 1, 1, 1, 0, 0}, {5, 1, 0, 0, 0, 0, 1}, {-1, 0, 1, 1, 0, 1, 0}}, y: []string{"01", "10", "01"},
		}, {
			name:     "dense and sparse rows in one file",
			text:     "@relation r\n@attribute a numeric\n@attribute b numeric\n@attribute l {0,1}\n@data\n1,2,1\n{1 3}\n{2 1}\n",
			opts:     lastLabel,
			features: []string{"a", "b"}, labels: []string{"l"},
			x: [][]float64{{1, 2}, {0, 3}, {0, 0}}, y: []string{"1", "0", "1"},
		}, {
			name:     "labels by name anywhere",
			text:     "@relation 'r: -C 2'\n@attribute p {0,1}\n@attribute a numeric\n@attribute q {1,0}\n@attribute b numeric\n@data\n1,2,0,3\n",
			opts:     arff.Options{Labels: []string{"q", "p"}},
			features: []string{"a", "b"}, labels: []string{"p", "q"},
			x: [][]float64{{2, 3}}, y: []string{"10"},
		}, {
			name:     "dropped attributes of any type",
			text:     "@relation 'r: -C 1'\n@attribute l {0,1}\n@attribute s string\n@attribute d date 'yyyy-MM-dd'\n@attribute c hierarchical a/b,c\n@attribute bag relational\n  @attribute s string\n  @attribute inner RELATIONAL\n    @attribute v numeric\n  @end inner\n@end bag\n@attribute a numeric\n@attribute m {0,1}\n@data\n1,'some text',?,a/b,'1,2',7,?\n{1 x,5 8}\n",
			opts:     arff.Options{Drop: []string{"s", "bag", "d", "c", "m"}},
			features: []string{"a"}, labels: []string{"l"},
			x: [][]float64{{7}, {8}}, y: []string{"1", "0"},
		}, {
			name:     "weights of one",
			text:     "@relation r\n@attribute a numeric\n@attribute l {0,1}\n@data\n1,0,{1}\n2,1 { 1.0 }\n{0 3},{1}\n{0 4 , 1 1} {1}\n",
			opts:     lastLabel,
			features: []string{"a"}, labels: []string{"l"},
			x: [][]float64{{1}, {2}, {3}, {4}}, y: []string{"0", "1", "0", "1"},
		}, {
			name:     "other weights, ignored",
			text:     "@relation r\n@attribute a numeric\n@attribute l {0,1}\n@data\n1,0,{0.5}\n{0 3},{2}\n",
			opts:     arff.Options{LabelCount: -1, IgnoreWeights: true},
			features: []string{"a"}, labels: []string{"l"},
			x: [][]float64{{1}, {3}}, y: []string{"0", "0"},
		}, {
			name:     "a range after the type",
			text:     "@relation r\n@attribute a real [0, 1]\n@attribute l {0,1}\n@data\n1,0\n",
			opts:     lastLabel,
			features: []string{"a"}, labels: []string{"l"},
			x: [][]float64{{1}}, y: []string{"0"},
		}, {
			name:     "labels that are numbers in other spellings",
			text:     "@relation r\n@attribute a numeric\n@attribute l {0.0,1.0}\n@attribute m {-1,1}\n@attribute n {0,1}\n@data\n1,1.0,-1,1.0\n2,0,1,0.0\n3,1,1.0,+1\n",
			opts:     arff.Options{LabelCount: -3},
			features: []string{"a"}, labels: []string{"l", "m", "n"},
			x: [][]float64{{1}, {2}, {3}}, y: []string{"101", "010", "111"},
		}, {
			name:     "numeric labels",
			text:     "@relation r\n@attribute a numeric\n@attribute l numeric\n@attribute m real\n@data\n1,0,-1\n2,1.0,1\n{0 3,1 1,2 -1}\n{0 4,2 1}\n",
			opts:     arff.Options{LabelCount: -2},
			features: []string{"a"}, labels: []string{"l", "m"},
			x: [][]float64{{1}, {2}, {3}, {4}}, y: []string{"00", "11", "10", "01"},
		}, {
			name:     "the true value is named",
			text:     "@relation r\n@attribute a numeric\n@attribute l {yes,no}\n@attribute m {absent,no}\n@data\n1,yes,no\n{1 no}\n",
			opts:     arff.Options{LabelCount: -2, True: "no"},
			features: []string{"a"}, labels: []string{"l", "m"},
			x: [][]float64{{1}, {0}}, y: []string{"01", "10"},
		}, {
			name:     "the true number is named",
			text:     "@relation r\n@attribute a numeric\n@attribute l numeric\n@attribute m {1,2}\n@data\n1,2,1\n2,1,2\n",
			opts:     arff.Options{LabelCount: -2, True: "2"},
			features: []string{"a"}, labels: []string{"l", "m"},
			x: [][]float64{{1}, {2}}, y: []string{"10", "01"},
		}, {
			name:     "cells of nominal features as other numbers",
			text:     "@relation r\n@attribute a {1,2,3}\n@attribute l {0,1}\n@data\n2.0,1\n3.0,0\n3.0,0\n1e0,0\n",
			opts:     lastLabel,
			features: []string{"a=1", "a=2", "a=3"}, labels: []string{"l"},
			x: [][]float64{{0, 1, 0}, {0, 0, 1}, {0, 0, 1}, {1, 0, 0}}, y: []string{"1", "0", "0", "0"},
		}, {
			name:     "a dropped attribute of an unknown type",
			text:     "@relation r\n@attribute a numeric\n@attribute e unknown\n@attribute f 'some type' {of its own\n@attribute l {0,1}\n@data\n1,?,x,0\n{0 2,1 y,3 1}\n",
			opts:     arff.Options{LabelCount: -1, Drop: []string{"e", "f"}},
			features: []string{"a"}, labels: []string{"l"},
			x: [][]float64{{1}, {2}}, y: []string{"0", "1"},
		}, {
			name:     "rows to predict on",
			text:     "@relation 'r: -C 2'\n@attribute l {0,1}\n@attribute m string\n@attribute a numeric\n@data\n?,?,3\n1,x,2\n{2 5}\n{0 7,2 6}\n",
			opts:     arff.Options{FeaturesOnly: true},
			features: []string{"a"}, labels: []string{"l", "m"},
			x: [][]float64{{3}, {2}, {5}, {6}}, y: []string{"00", "00", "00", "00"},
		}, {
			name:     "rows to predict on, without a label's attribute",
			text:     "@relation r\n@attribute a numeric\n@attribute m {0,1}\n@data\n3,1\n",
			opts:     arff.Options{FeaturesOnly: true, Labels: []string{"l", "m", "l"}},
			features: []string{"a"}, labels: []string{"m", "l"},
			x: [][]float64{{3}}, y: []string{"00"},
		}, {
			name:     "lines that end in CR",
			text:     "@relation r\r@attribute a numeric\r@attribute l {0,1}\r@data\r1,0\r2,1\r",
			opts:     lastLabel,
			features: []string{"a"}, labels: []string{"l"},
			x: [][]float64{{1}, {2}}, y: []string{"0", "1"},
		}, {
			name:     "UTF-16",
			text:     wide("@relation r\n@attribute é numeric\n@attribute l {0,1}\n@data\n1,0\n"),
			opts:     lastLabel,
			features: []string{"é"}, labels: []string{"l"},
			x: [][]float64{{1}}, y: []string{"0"},
		}, {
			name:     "bzip2",
			text:     bzipped,
			opts:     lastLabel,
			features: []string{"a"}, labels: []string{"l"},
			x: [][]float64{{1}, {2}}, y: []string{"0", "1"},
		}, {
			name:     "labels that read as false and true",
			text:     "@relation r\n@attribute a numeric\n@attribute l {no,YES}\n@attribute m {T,F}\n@data\n1,YES,F\n2,no,T\n",
			opts:     arff.Options{LabelCount: -2},
			features: []string{"a"}, labels: []string{"l", "m"},
			x: [][]float64{{1}, {2}}, y: []string{"10", "01"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			ds, err := crankpkg.ParseARFF(strings.NewReader(test.text), "dir/some.arff", test.opts)
			if err != nil {
				t.Fatal(err)
			}
			if err := ds.Validate(); ds.Unlabeled != test.opts.FeaturesOnly || (err != nil) != ds.Unlabeled {
				t.Errorf("unlabeled %v, error %v", ds.Unlabeled, err)
			}
			if ds.Name != "some" {
				t.Errorf("name %q, want some", ds.Name)
			}
			if !slices.Equal(ds.FeatureNames, test.features) {
				t.Errorf("features %q\n    want %q", ds.FeatureNames, test.features)
			}
			if !slices.Equal(ds.LabelNames, test.labels) {
				t.Errorf("labels %q, want %q", ds.LabelNames, test.labels)
			}
			if got := testkit.DenseRows(ds.X); !reflect.DeepEqual(got, test.x) {
				t.Errorf("x %v\nwant %v", got, test.x)
			}
			if got := testkit.LabelRows(ds.Y, ds.Len(), len(ds.LabelNames)); !slices.Equal(got, test.y) {
				t.Errorf("y %v, want %v", got, test.y)
			}
		})
	}
}

// MEKA says in the relation name how many labels there are, and where.
func TestParseARFFMeka(t *testing.T) {
	for relation, want := range map[string][]string{
		`'r: -C 2'`:                     {"a", "b"},
		`"r: -C 2"`:                     {"a", "b"},
		`'r -C 2'`:                      {"a", "b"},
		`'-C 2'`:                        {"a", "b"},
		`r:-C 2`:                        {"a", "b"},
		`r: -C 2`:                       {"a", "b"},
		`'r: -C -2'`:                    {"c", "d"},
		`"r -C -2"`:                     {"c", "d"},
		`'r -C -1 -split-number 1500'`:  {"d"},
		`'r: -split-percentage 5 -C 3'`: {"a", "b", "c"},
		`'r: -C 1-x-R1-45_r: -C 1 -I'`:  {"a"},
		`'r-C 1: -C 2'`:                 {"a", "b"},
		`'r: -C 1 -C 2'`:                {"a"},
		`'r: -C 2-weka.filters.X -W weka.J48 -- -C 0.25 -M 2'`: {"a", "b"},
	} {
		text := "@relation " + relation + "\n@attribute a {0,1}\n@attribute b {0,1}\n@attribute c {0,1}\n@attribute d {0,1}\n@data\n0,1,0,1\n"
		ds, err := crankpkg.ParseARFF(strings.NewReader(text), "x", arff.Options{})
		if err != nil {
			t.Errorf("%s: %v", relation, err)
		} else if !slices.Equal(ds.LabelNames, want) {
			t.Errorf("%s: labels %q, want %q", relation, ds.LabelNames, want)
		}
	}
	text := "@relation 'r: -C 2'\n@attribute a {0,1}\n@attribute b {0,1}\n@attribute c {0,1}\n@data\n0,1,0\n"
	ds, err := crankpkg.ParseARFF(strings.NewReader(text), "x", arff.Options{LabelCount: -1})
	if err != nil || !slices.Equal(ds.LabelNames, []string{"c"}) {
		t.Errorf("LabelCount does not take precedence: %v, error %v", ds, err)
	}
}

// Each refused thing gives an error that names the file, the line and the
// attribute.
func TestParseARFFRefuses(t *testing.T) {
	const head = "@relation r\n@attribute a numeric\n@attribute 'b c' {x,y,z}\n@attribute l {0,1}\n" // lines 1 to 4
	const data = head + "@data\n1,x,0\n"                                                             // the next is line 7
	for _, test := range []struct {
		name string
		text string
		kind error
		line int    // 0: no line is at fault
		in   string // a part of the error
		opts arff.Options
	}{
		{name: "empty file", text: "", kind: errs.ErrFormat, line: 0, in: "the file is empty"},
		{name: "not ARFF", text: "a,b,c\n1,2,3\n", kind: errs.ErrFormat, line: 1, in: "@relation"},
		{name: "no @data", text: head, kind: errs.ErrFormat, line: 4, in: "@data"},
		{name: "@data twice", text: data + "@data\n", kind: errs.ErrData, line: 7, in: `"a"`},
		{name: "text after @data", text: head + "@data 1\n", kind: errs.ErrFormat, line: 5, in: `"1"`},
		{name: "no attributes", text: "@relation r\n@data\n1\n", kind: errs.ErrFormat, line: 2, in: "@attribute"},
		{name: "no rows", text: head + "@data\n", kind: errs.ErrData, in: "no rows"},
		{name: "unknown keyword", text: head + "@inputs a\n", kind: errs.ErrFormat, line: 5, in: "@inputs"},
		{name: "no name", text: head + "@attribute\n", kind: errs.ErrFormat, line: 5, in: "name"},
		{name: "empty name", text: head + "@attribute '' real\n", kind: errs.ErrFormat, line: 5, in: "name"},
		{name: "no type", text: head + "@attribute q\n", kind: errs.ErrFormat, line: 5, in: `"q"`},
		{name: "unknown type", text: head + "@attribute q float\n", kind: errs.ErrFormat, line: 5, in: `"q": unknown type "float"`},
		{name: "quoted type", text: head + "@attribute q 'real'\n", kind: errs.ErrFormat, line: 5, in: `"q"`},
		{name: "text after the type", text: head + "@attribute q real x\n", kind: errs.ErrFormat, line: 5, in: `"q": "x"`},
		{name: "duplicate attribute", text: head + "@attribute 'a' real\n", kind: errs.ErrFormat, line: 5, in: `"a": declared already in line 2`},
		{name: "open quote in a name", text: head + "@attribute 'q real\n", kind: errs.ErrFormat, line: 5, in: "quote"},
		{name: "open quote after a backslash", text: head + "@attribute 'q\\' real\n", kind: errs.ErrFormat, line: 5, in: "quote"},
		{name: "open quote in the relation", text: "@relation 'r\n", kind: errs.ErrFormat, line: 1, in: "quote"},
		{name: "open nominal values", text: head + "@attribute q {x,y\n", kind: errs.ErrFormat, line: 5, in: `"q"`},
		{name: "no nominal values", text: head + "@attribute q {}\n", kind: errs.ErrFormat, line: 5, in: `"q"`},
		{name: "duplicate nominal value", text: head + "@attribute q {x,'x'}\n", kind: errs.ErrFormat, line: 5, in: `"q": nominal value "x"`},
		{name: "text after nominal values", text: head + "@attribute q {x} 1\n", kind: errs.ErrFormat, line: 5, in: `"q"`},
		{name: "string attribute", text: head + "@attribute q string\n@data\n1,x,0,t\n", opts: arff.Options{Labels: []string{"l"}}, kind: errs.ErrData, line: 5, in: `"q": a string attribute`},
		{name: "date attribute", text: head + "@attribute q DATE 'yyyy'\n@data\n1,x,0,t\n", opts: arff.Options{Labels: []string{"l"}}, kind: errs.ErrData, line: 5, in: `"q": a date attribute`},
		{name: "hierarchical attribute", text: head + "@attribute q hierarchical a/b\n@data\n1,x,0,t\n", opts: arff.Options{Labels: []string{"l"}}, kind: errs.ErrData, line: 5, in: `"q": a hierarchical attribute`},
		{name: "relational attribute", text: head + "@attribute q relational\n@attribute i real\n@end q\n@data\n1,x,0,t\n", opts: arff.Options{Labels: []string{"l"}}, kind: errs.ErrData, line: 5, in: `"q": a relational attribute`},
		{name: "endless relational attribute", text: head + "@attribute q relational\n@attribute i real\n", kind: errs.ErrFormat, line: 6, in: `"q"`},

		{name: "nothing tells the labels", text: data, opts: arff.Options{Drop: []string{}}, kind: errs.ErrData, in: "label"},
		{name: "a label count of zero", text: strings.Replace(data, "r\n", "'r: -C 0'\n", 1), opts: arff.Options{Drop: []string{}}, kind: errs.ErrData, in: `"0"`},
		{name: "a huge label count", text: strings.Replace(data, "r\n", "'r: -C 99999999999999999999'\n", 1), opts: arff.Options{Drop: []string{}}, kind: errs.ErrData, in: "label count"},
		{name: "more labels than attributes", text: data, opts: arff.Options{LabelCount: 4}, kind: errs.ErrData, in: "4 labels among 3"},
		{name: "more labels from the end", text: data, opts: arff.Options{LabelCount: -4}, kind: errs.ErrData, in: "4 labels among 3"},
		{name: "only labels", text: "@relation r\n@attribute l {0,1}\n@data\n1\n", kind: errs.ErrData, in: "no features"},
		{name: "no label is left", text: data, opts: arff.Options{LabelCount: -1, Drop: []string{"l"}}, kind: errs.ErrData, in: "no labels"},
		{name: "a label that is not there", text: data, opts: arff.Options{Labels: []string{"l", "nope"}}, kind: errs.ErrSettings, in: `"nope"`},
		{name: "an attribute to drop that is not there", text: data, opts: arff.Options{LabelCount: -1, Drop: []string{"nope"}}, kind: errs.ErrSettings, in: `"nope"`},
		{name: "labels told twice", text: data, opts: arff.Options{LabelCount: -1, Labels: []string{"l"}}, kind: errs.ErrSettings, in: "only one"},
		{name: "numeric label of another value", text: data + "2,x,1\n", opts: arff.Options{Labels: []string{"a"}}, kind: errs.ErrData, line: 7, in: `"a": 2 is neither 0 nor 1`},
		{name: "numeric label of three values", text: data + "0,x,1\n{0 -1}\n", opts: arff.Options{Labels: []string{"a"}}, kind: errs.ErrData, line: 8, in: `"a": -1 beside 0 and 1`},
		{name: "numeric label that a sparse row omits", text: data + "-1,x,1\n{2 1}\n", opts: arff.Options{Labels: []string{"a"}}, kind: errs.ErrData, line: 8, in: `"a": 0 beside -1 and 1`},
		{name: "numeric label and a true value that is no number", text: data, opts: arff.Options{Labels: []string{"a"}, True: "x"}, kind: errs.ErrData, line: 2, in: `"a": it is numeric`},
		{name: "a true value that is not declared", text: data, opts: arff.Options{LabelCount: -1, True: "x"}, kind: errs.ErrData, line: 4, in: `"l": the true value "x" is none of "{0,1}"`},
		{name: "string label", text: strings.Replace(data, "{0,1}", "string", 1), kind: errs.ErrData, line: 4, in: `"l": a label must be`},
		{name: "string feature of rows to predict on", text: strings.Replace(data, "numeric", "string", 1), opts: arff.Options{FeaturesOnly: true}, kind: errs.ErrData, line: 2, in: `"a": a string attribute`},
		{name: "missing feature of rows to predict on", text: data + "?,x,?\n", opts: arff.Options{FeaturesOnly: true}, kind: errs.ErrData, line: 7, in: `"a": a value is missing`},
		{name: "dropped attribute without a type", text: head + "@attribute q\n", opts: arff.Options{Drop: []string{"q"}}, kind: errs.ErrFormat, line: 5, in: `"q"`},
		{name: "zip", text: "PK\x03\x04\x14", kind: errs.ErrFormat, in: "zip archive"},
		{name: "web page", text: "<!DOCTYPE html>\n<html>", kind: errs.ErrFormat, in: "HTML"},
		{name: "Git LFS pointer", text: "version https://git-lfs.github.com/spec/v1\noid sha256:0\n", kind: errs.ErrFormat, in: "Git LFS pointer"},
		{name: "label of three values", text: data, opts: arff.Options{Labels: []string{"b c"}}, kind: errs.ErrData, line: 3, in: `"b c": a label must be`},
		{name: "label of other values", text: strings.Replace(data, "{0,1}", "{1,2}", 1), kind: errs.ErrData, line: 4, in: `"l": a label must have two values such as {0,1}, or ARFFOptions.True`},

		{name: "missing feature", text: data + "?,x,0\n", kind: errs.ErrData, line: 7, in: `"a": a value is missing`},
		{name: "missing nominal feature", text: data + "1,?,0\n", kind: errs.ErrData, line: 7, in: `"b c": a value is missing`},
		{name: "missing sparse feature", text: data + "{0 ?}\n", kind: errs.ErrData, line: 7, in: `"a": a value is missing`},
		{name: "missing label", text: data + "1,x,?\n", kind: errs.ErrData, line: 7, in: `"l": a label is missing`},
		{name: "missing label, imputing", text: data + "1,x,?\n", opts: arff.Options{LabelCount: -1, Imputer: &arff.Imputer{}}, kind: errs.ErrData, line: 7, in: `"l": a label is missing`},
		{name: "label out of range", text: data + "1,x,2\n", kind: errs.ErrData, line: 7, in: `"l": "2"`},
		{name: "not a number", text: data + "one,x,0\n", kind: errs.ErrData, line: 7, in: `"a": "one"`},
		{name: "NaN", text: data + "NaN,x,0\n", kind: errs.ErrData, line: 7, in: `"a": a value is missing`},
		{name: "NaN as a label", text: data + "NaN,x,0\n", opts: arff.Options{Labels: []string{"a"}}, kind: errs.ErrData, line: 7, in: `"a": a label is missing`},
		{name: "NaN as a nominal value", text: data + "1,NaN,0\n", opts: arff.Options{LabelCount: -1, Imputer: &arff.Imputer{}}, kind: errs.ErrData, line: 7, in: `"b c": "NaN" is none`},
		{name: "Infinity", text: data + "Infinity,x,0\n", opts: arff.Options{LabelCount: -1, Imputer: &arff.Imputer{}}, kind: errs.ErrData, line: 7, in: `"a": "Infinity" is not a finite number`},
		{name: "Inf", text: data + "-inf,x,0\n", kind: errs.ErrData, line: 7, in: `"a": "-inf"`},
		{name: "overflow", text: data + "1e999,x,0\n", kind: errs.ErrData, line: 7, in: `"a": "1e999"`},
		{name: "hexadecimal", text: data + "0x1p3,x,0\n", kind: errs.ErrData, line: 7, in: `"a": "0x1p3"`},
		{name: "underscore", text: data + "1_0,x,0\n", kind: errs.ErrData, line: 7, in: `"a": "1_0"`},
		{name: "quoted question mark", text: data + "'?',x,0\n", kind: errs.ErrData, line: 7, in: `"a": "?"`},
		{name: "undeclared value", text: data + "1,w,0\n", kind: errs.ErrData, line: 7, in: `"b c": "w" is none of the declared values "{x,y,z}"`},
		{name: "short row", text: data + "1,x\n", kind: errs.ErrFormat, line: 7, in: `"l" is the first without one`},
		{name: "long row", text: data + "1,x,0,5\n", kind: errs.ErrFormat, line: 7, in: "3 attributes"},
		{name: "empty value", text: data + "1,,0\n", kind: errs.ErrFormat, line: 7, in: `"b c": a comma`},
		{name: "empty first value", text: data + ",x,0\n", kind: errs.ErrFormat, line: 7, in: `"a": a comma`},
		{name: "comma at the end", text: data + "1,x,0,\n", kind: errs.ErrFormat, line: 7, in: "after the last"},
		{name: "comma at the end of a short row", text: data + "1,x,\n", kind: errs.ErrFormat, line: 7, in: `"l": the end of the line`},
		{name: "brace in a row", text: data + "1,{,0\n", kind: errs.ErrFormat, line: 7, in: `"b c"`},
		{name: "open quote in a row", text: data + "1,'x,0\n", kind: errs.ErrFormat, line: 7, in: "quote"},

		{name: "sparse index out of range", text: data + "{3 1}\n", kind: errs.ErrFormat, line: 7, in: "index 3"},
		{name: "huge sparse index", text: data + "{18446744073709551616 1}\n", kind: errs.ErrFormat, line: 7, in: "index"},
		{name: "negative sparse index", text: data + "{-1 1}\n", kind: errs.ErrFormat, line: 7, in: `"-1"`},
		{name: "no sparse index", text: data + "{x 1}\n", kind: errs.ErrFormat, line: 7, in: `"x"`},
		{name: "quoted sparse index", text: data + "{'0' 1}\n", kind: errs.ErrFormat, line: 7, in: `"0"`},
		{name: "sparse index twice", text: data + "{0 1, 2 1, 0 2}\n", kind: errs.ErrFormat, line: 7, in: `"a": the row has two values`},
		{name: "no sparse value", text: data + "{0}\n", kind: errs.ErrFormat, line: 7, in: `"a": "}"`},
		{name: "open sparse row", text: data + "{0 1\n", kind: errs.ErrFormat, line: 7, in: "the end of the line"},
		{name: "text after a sparse row", text: data + "{0 1} x\n", kind: errs.ErrFormat, line: 7, in: `"x"`},
		{name: "comma in front", text: data + "{,0 1}\n", kind: errs.ErrFormat, line: 7, in: "comma"},

		{name: "weight", text: data + "1,x,0,{2}\n", kind: errs.ErrData, line: 7, in: "weight 2"},
		{name: "weight of a sparse row", text: data + "{0 1},{0.5}\n", kind: errs.ErrData, line: 7, in: "weight 0.5"},
		{name: "negative weight", text: data + "1,x,0,{-1}\n", opts: arff.Options{LabelCount: -1, IgnoreWeights: true}, kind: errs.ErrFormat, line: 7, in: "weight"},
		{name: "no weight", text: data + "1,x,0,{}\n", kind: errs.ErrFormat, line: 7, in: "weight"},
		{name: "open weight", text: data + "1,x,0,{1\n", kind: errs.ErrFormat, line: 7, in: "weight"},
		{name: "two weights", text: data + "1,x,0,{1},{1}\n", kind: errs.ErrFormat, line: 7, in: "comma"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if reflect.DeepEqual(test.opts, arff.Options{}) {
				test.opts.LabelCount = -1
			}
			ds, err := crankpkg.ParseARFF(strings.NewReader(test.text), "dir/bad.arff", test.opts)
			if !errors.Is(err, test.kind) || ds != nil {
				t.Fatalf("%v, error %v; want %v", ds, err, test.kind)
			}
			place := "dir/bad.arff"
			if test.line > 0 {
				place += fmt.Sprintf(":%d: ", test.line)
			}
			if test.kind != errs.ErrSettings && !strings.Contains(err.Error(), place) {
				t.Errorf("the error %q does not name %s", err, place)
			}
			if !strings.Contains(err.Error(), test.in) {
				t.Errorf("the error %q does not say %s", err, test.in)
			}
		})
	}
}

// A data set reads the same from dense and from sparse rows, and from gzip.
func TestParseARFFForms(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		head, rows := randomARFF(rnd)
		opts := arff.Options{LabelCount: 1 + rnd.IntN(2)}
		var forms [3]*crankpkg.Dataset
		for f := range forms {
			text := head
			for _, row := range rows {
				text += row[f%2] + "\n"
			}
			var err error
			if forms[f], err = crankpkg.ParseARFF(bytes.NewReader(packed(text, f == 2)), "x", opts); err != nil {
				t.Fatalf("%v in\n%s", err, text)
			}
		}
		for _, form := range forms[1:] {
			if !slices.Equal(form.Y, forms[0].Y) || !reflect.DeepEqual(testkit.DenseRows(form.X), testkit.DenseRows(forms[0].X)) {
				t.Fatalf("different data from\n%s\n%q", head, rows)
			}
		}
	}
}

// packed returns text, compressed by gzip where asked.
func packed(text string, compress bool) []byte {
	if !compress {
		return []byte(text)
	}
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(text))
	w.Close()
	return b.Bytes()
}

// randomARFF returns a header, whose first two attributes can be labels, and
// rows in the dense and the sparse form.
func randomARFF(rnd *rand.Rand) (head string, rows [][2]string) {
	types := []string{"numeric", "{0,1}", "{1,0}", "{NO,YES}", "{YES,NO}", "{a,b}", "{a,b,c}", "{a}"}
	kinds := []int{1 + rnd.IntN(4), 1 + rnd.IntN(4)}
	for range 1 + rnd.IntN(5) {
		kinds = append(kinds, rnd.IntN(len(types)))
	}
	head = "@relation r\n"
	for k, kind := range kinds {
		head += fmt.Sprintf("@attribute a%d %s\n", k, types[kind])
	}
	head += "@data\n"
	for range 1 + rnd.IntN(4) {
		var dense, sparse []string
		for k, kind := range kinds {
			value, omit := fmt.Sprint(rnd.IntN(3)), false
			if kind > 0 {
				values := strings.Split(strings.Trim(types[kind], "{}"), ",")
				value = values[rnd.IntN(len(values))]
				omit = value == values[0]
			} else {
				omit = value == "0"
			}
			dense = append(dense, value)
			if !omit || rnd.IntN(4) == 0 {
				sparse = append(sparse, fmt.Sprintf("%d %s", k, value))
			}
		}
		rnd.Shuffle(len(sparse), func(i, j int) { sparse[i], sparse[j] = sparse[j], sparse[i] })
		rows = append(rows, [2]string{strings.Join(dense, ","), "{" + strings.Join(sparse, ", ") + "}"})
	}
	return head, rows
}

// Small files that ask for much memory are refused, or do without.
func TestParseARFFMemory(t *testing.T) {
	many := func(n int, format string) string {
		var b strings.Builder
		for k := range n {
			fmt.Fprintf(&b, format, k)
		}
		return b.String()
	}
	for _, test := range []struct {
		name string
		text string
		opts arff.Options
		want error
	}{
		{
			// 4000 x 100,000 labels would be 400 MB.
			name: "many labels on empty rows",
			text: "@relation 'r: -C -4000'\n@attribute a real\n" + many(4000, "@attribute l%d {0,1}\n") + "@data\n" + strings.Repeat("{}\n", 100000),
			want: errs.ErrData,
		}, {
			// Each omitted value is a 1: 12 x 4000 x 100,000 bytes.
			name: "omitted values that are not zero",
			text: "@relation 'r: -C 1'\n@attribute l {0,1}\n" + many(4000, "@attribute a%d {1,0}\n") + "@data\n" + strings.Repeat("{}\n", 100000),
			want: errs.ErrData,
		}, {
			// 10,000 columns x 20,000 rows would be 1.6 GB when dense.
			name: "a nominal feature of many values",
			text: "@relation 'r: -C 1'\n@attribute l {0,1}\n@attribute a {" + many(10000, "%d,") + "x}\n@data\n" + strings.Repeat("0,x\n", 20000),
		}, {
			// 10,000 column names of 100,000 bytes.
			name: "a long name for many values",
			text: "@relation 'r: -C 1'\n@attribute l {0,1}\n@attribute " + strings.Repeat("a", 100000) + " {" + many(10000, "%d,") + "x}\n@data\n0,x\n",
			want: errs.ErrData,
		}, {
			name: "a line of many blanks and comments",
			text: "@relation 'r: -C 1'\n@attribute l {0,1}\n@attribute a real\n@data\n" + strings.Repeat("%\n\n", 2000000) + "0,1\n",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			small := packed(test.text, true)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := crankpkg.ParseARFF(bytes.NewReader(small), "x", test.opts)
			runtime.ReadMemStats(&after)
			if !errors.Is(err, test.want) {
				t.Errorf("error %v, want %v", err, test.want)
			}
			// A slice that grows to its final size allocates about five times that.
			if used, most := after.TotalAlloc-before.TotalAlloc, uint64(6*(16<<20+64*len(test.text))); used > most {
				t.Errorf("%d bytes for a text of %d, more than %d", used, len(test.text), most)
			}
		})
	}
}

func TestReadARFFWithXML(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "toy-train.arff.gz")
	labels := filepath.Join(folder, "toy.xml")
	os.WriteFile(file, packed("@relation r\n@attribute 'l 1' {0,1}\n@attribute a real\n@attribute l2 {1,0}\n@data\n1,2,0\n", true), 0o666)
	os.WriteFile(labels, []byte(`<labels><label name="l2"/><label name="l 1"/></labels>`), 0o666)
	ds, err := crankpkg.ReadARFF(file, arff.Options{XML: labels})
	if err != nil {
		t.Fatal(err)
	}
	if ds.Name != "toy-train" || !slices.Equal(ds.LabelNames, []string{"l 1", "l2"}) || !slices.Equal(testkit.LabelRows(ds.Y, ds.Len(), len(ds.LabelNames)), []string{"10"}) {
		t.Errorf("%v with labels %q, %v", ds, ds.LabelNames, testkit.LabelRows(ds.Y, ds.Len(), len(ds.LabelNames)))
	}

	os.WriteFile(labels, []byte(`<labels><label name="l3"/></labels>`), 0o666)
	_, err = crankpkg.ReadARFF(file, arff.Options{XML: labels})
	if !errors.Is(err, errs.ErrData) || !strings.Contains(err.Error(), "l3") || !strings.Contains(err.Error(), file) || !strings.Contains(err.Error(), labels) {
		t.Errorf("error %v, want one that names l3 and both files", err)
	}
	for _, opts := range []arff.Options{{XML: filepath.Join(folder, "none.xml")}, {LabelCount: 1}} {
		path := file
		if opts.XML == "" {
			path = filepath.Join(folder, "none.arff")
		}
		if _, err := crankpkg.ReadARFF(path, opts); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("error %v, want %v", err, os.ErrNotExist)
		}
	}
}

func TestParseARFFCutGzip(t *testing.T) {
	whole := packed("@relation r\n@attribute a real\n@attribute l {0,1}\n@data\n"+strings.Repeat("1.25,1\n", 1000), true)
	for cut := 3; cut < len(whole); cut++ {
		_, err := crankpkg.ParseARFF(bytes.NewReader(whole[:cut]), "cut.arff.gz", arff.Options{LabelCount: -1})
		if !errors.Is(err, errs.ErrFormat) || !strings.Contains(err.Error(), "cut.arff.gz") {
			t.Fatalf("cut after %d bytes: error %v", cut, err)
		}
	}
}

func FuzzParseARFF(f *testing.F) {
	for _, seed := range []string{
		"@relation 'r: -C 1'\n@attribute l {0,1}\n@attribute a real\n@data\n1,2\n{1 3},{1}\n",
		"@relation \"r -C -1\"\r\n@attribute 'a\\'' {x,y,z}\r\n@attribute u {1}\r\n@attribute l {1,0}\r\n@data\r\n?,1,0\r\n{}\r\n",
		"@relation r: -C 2\n@attribute p {NO,yes}\n@attribute q {f,t}\n@attribute b relational\n@attribute c date\n@end b\n@attribute n integer [0,1]\n@data\n",
		string(packed("@relation 'r: -C 1'\n@attribute l {0,1}\n@attribute a real\n@data\n1,2\n", true)),
	} {
		f.Add([]byte(seed), false)
		f.Add([]byte(seed), true)
	}
	f.Add([]byte("@relation 'r: -C 2'\r@attribute l numeric\r@attribute m {-1,1}\r@attribute a {1.0,2}\r@data\r0,1.0,1\r{1 -1, 2 2.0}"), true)
	f.Add([]byte(bzipped), false)
	f.Fuzz(func(t *testing.T, text []byte, impute bool) {
		opts := arff.Options{IgnoreWeights: impute}
		if impute {
			opts.Imputer = &arff.Imputer{}
		}
		ds, err := crankpkg.ParseARFF(bytes.NewReader(text), "x", opts)
		if err != nil {
			if !errors.Is(err, errs.ErrFormat) && !errors.Is(err, errs.ErrData) {
				t.Errorf("error of no kind: %v", err)
			}
			return
		}
		if err := ds.Validate(); err != nil {
			t.Error(err)
		}
		again, err := crankpkg.ParseARFF(bytes.NewReader(text), "x", opts)
		if err != nil || !reflect.DeepEqual(ds, again) {
			t.Errorf("reading it again gives %v, error %v", again, err)
		}
	})
}

func BenchmarkReadDelicious(b *testing.B) {
	testkit.NeedData(b)
	for b.Loop() {
		if _, _, err := crankpkg.LoadSplit("delicious"); err != nil {
			b.Fatal(err)
		}
	}
}

// TestZeroAndOneAreNumbers checks which attributes of two values need no coding: those of the numbers 0 and 1, but not where
// a sparse row that leaves out the first means 1, and not other numbers that add up to 1.
func TestZeroAndOneAreNumbers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		values string
		sparse bool
		number bool
	}{
		{"{0,1}", false, true}, {"{1,0}", false, true}, {"{0,1}", true, true}, {"{1,0}", true, false}, {"{0.0,1e0}", false, true},
		{"{-1,2}", false, false}, {"{0.5,0.5e0}", false, false}, {"{0,2}", false, false}, {"{0,one}", false, false}, {"{0}", false, false}, {"{0,1,2}", false, false},
	} {
		text := "@relation r\n@attribute z " + c.values + "\n@attribute l {0,1}\n@data\n"
		if c.sparse {
			text += "{1 1}\n"
		} else {
			text += strings.Trim(strings.Split(c.values, ",")[0], "{}") + ",1\n"
		}
		d, err := arff.Parse(strings.NewReader(text), "z.arff", arff.Options{LabelCount: -1})
		if err != nil {
			t.Fatalf("%s: %v", c.values, err)
		}
		if got := len(d.Coding.Columns) == 0; got != c.number {
			t.Errorf("%s, sparse %v: taken for a number %v, want %v", c.values, c.sparse, got, c.number)
		}
	}
}
