package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A table goes to ARFF, from there to LIBSVM's form and back to a table.
func TestConvert(t *testing.T) {
	folder := t.TempDir()
	file := func(name string) string { return filepath.Join(folder, name) }
	write := func(name, text string) {
		if err := os.WriteFile(file(name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("shop.csv", "id;city;age;tags\n1;Rome;31;a|b\n2;Oslo;;\n3;Oslo;33;b\n")
	write("yes.csv", "a,l\n1,here\n2,gone\n")
	write("rows.csv", "1\t0\n2\t1\n")
	write("one.txt", "0 1:5\n1 2:7\n")
	for _, step := range []struct {
		args []string
		want string // what is written
	}{
		{[]string{"-comma", ";", "-column", "tags", "-separator", "|", "-drop", "id", "shop.csv", "shop.arff"},
			"@relation 'shop: -C 2'\n\n@attribute 'a' {0,1}\n@attribute 'b' {0,1}\n@attribute 'city=Rome' numeric\n@attribute 'age' numeric\n\n@data\n1,1,1,31\n0,0,0,32\n0,1,0,33\n"},
		{[]string{"shop.arff", "shop.svm"}, "3 2 2\n0,1 0:1 1:31\n 1:32\n1 1:33\n"},
		{[]string{"shop.svm", "again.csv"}, "x0,x1,y0,y1\n1,31,1,1\n0,32,0,0\n0,33,0,1\n"},
		{[]string{"-true", "here", "-labels", "l", "yes.csv", "yes.svm"}, "2 1 1\n0 0:1\n 0:2\n"},
		{[]string{"-noheader", "-comma", "tab", "-count", "-1", "rows.csv", "rows.svm"}, "2 1 1\n 0:1\n0 0:2\n"},
		{[]string{"-onebased", "one.txt", "one.csv"}, "x1,x2,y0,y1\n5,0,1,0\n0,7,0,1\n"},
	} {
		n := len(step.args)
		args := append([]string{"convert"}, step.args[:n-2]...)
		args = append(args, file(step.args[n-2]), file(step.args[n-1]))
		if status, _, stderr := call(args...); status != 0 {
			t.Fatalf("%v: status %d, %s", step.args, status, stderr)
		}
		got, err := os.ReadFile(file(step.args[n-1]))
		if err != nil || string(got) != step.want {
			t.Errorf("%v wrote\n%s, error %v; want\n%s", step.args, got, err, step.want)
		}
	}
}

func TestConvertRefuses(t *testing.T) {
	folder := t.TempDir()
	source, target := filepath.Join(folder, "x.csv"), filepath.Join(folder, "x.arff")
	if err := os.WriteFile(source, []byte("a,l\n1,0\n2,x\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args   []string
		status int
		in     string
	}{
		{[]string{source}, 2, "name the file"},
		{[]string{source, "x.parquet"}, 2, "no format"},
		{[]string{source, "x.csv.gz"}, 2, "no format"},
		{[]string{"x.parquet", target}, 2, "no format"},
		{[]string{"-comma", "ab", source, target}, 2, "one character"},
		{[]string{source, target}, 2, "nothing tells which columns are labels: give -labels, -prefix, -suffix, -count or -column"},
		{[]string{"-count", "-1", source, target}, 1, `x.csv:3: column "l": a label must have two values`},
		{[]string{"-count", "-1", filepath.Join(folder, "none.csv"), target}, 1, "none.csv"},
	} {
		status, _, stderr := call(append([]string{"convert"}, test.args...)...)
		if status != test.status || !strings.Contains(stderr, test.in) {
			t.Errorf("%v: status %d, %s; want %d and %q", test.args, status, stderr, test.status, test.in)
		}
	}
	if _, err := os.Stat(target); !os.IsNotExist(err) {
		t.Errorf("a failure left %s: %v", target, err)
	}
}
