package main

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/tabular"
)

// shownTable has columns of all kinds, with a missing cell in each that may have one.
func shownTable() string {
	var b strings.Builder
	b.WriteString("id,age,city,member,card,flag,only,l,m\n")
	for k := range 30 {
		cell := func(values ...string) string {
			if k == 7 {
				return ""
			}
			return values[k%len(values)]
		}
		fmt.Fprintf(&b, "k%d,%s,%s,%s,%s,%s,%s,%d,%d\n", k, cell("20", "30", "41"), cell(`"Rome, Italy"`, "Oslo", "Lima", "Oslo"), cell("yes", "no", "yes"),
			cell("none", "gold", "gold"), cell("F", "T", "F"), cell("x"), k%2, k/15)
	}
	return b.String()
}

// What is shown of a model is what it does: the names that are told to fill in missing cells do the same as these.
func TestShow(t *testing.T) {
	t.Parallel()
	f := newShellFolder(t)
	model := f.file("a.model")
	trained := must(t, "train", "-lambda", "0.1", "-count", "-2", "-drop", "id", "-impute", "-o", model, f.write("a.csv", shownTable()))
	shown := must(t, "show", model)
	for _, line := range []string{"CRANK: lambda 0.1, scaling zscore\n", "\nreads 6 columns, 8 features in all:\n", "\n  age: numbers; 30.34 where missing\n",
		"\n  city: Lima, Oslo, \"Rome, Italy\"; Oslo where missing\n", "\n  member: no, yes; yes where missing\n", "\n  card: gold, none; gold where missing\n",
		"\nleaves out, where they come: \"id\"\n", "\npredicts 2 labels: l, m\n"} {
		if !strings.Contains(shown, line) {
			t.Errorf("no %q in\n%s", line, shown)
		}
	}
	_, pairs, _ := strings.Cut(trained, "certified relative gap")
	_, pairs, _ = strings.Cut(pairs, "\n")
	pairs, _, _ = strings.Cut(pairs, "saved in")
	if pairs == "" || !strings.HasSuffix(shown, "\n"+pairs) {
		t.Errorf("%s does not end with %s", shown, pairs)
	}
	m, err := crankpkg.LoadModel(model)
	if err != nil {
		t.Fatal(err)
	}
	p, at := m.Predictor(), 0
	for _, c := range m.Coding.Columns {
		with, without := map[string]any{}, map[string]any{}
		if c.Values != nil {
			with[c.Name] = filled(c, m.FeatureNames[at])
		}
		at += width(c)
		a, err := p.EncodeRecord(with)
		b, also := p.EncodeRecord(without)
		if err != nil || also != nil || !reflect.DeepEqual(a, b) {
			t.Errorf("%s: %v where it is missing, %v of %v; errors %v, %v", c.Name, b, a, with, also, err)
		}
	}
	sparse := tabular.Column{Name: "a", Values: []string{"x", "y"}}
	if got := told(sparse, "a=y", true); got != "x, y; x where the column is not there" {
		t.Error(got)
	}
	for _, args := range [][]string{{"show"}, {"show", model, model}} {
		if status, _, log := call(args...); status != 2 || log != "crank: name the file of the model\n" {
			t.Errorf("%q: status %d, %q", args, status, log)
		}
	}
	if status, _, log := call("show", f.file("none.model")); status != 1 || !strings.Contains(log, "none.model") {
		t.Errorf("status %d, %q", status, log)
	}
	must(t, "train", "emotions", "-lambda", "1", "-method", "empty", "-o", f.file("emotions.model"))
	if out := must(t, "show", f.file("emotions.model")); !strings.Contains(out, "\n  and 52 more\n") || !strings.HasSuffix(out, "\nno pair of labels: each is predicted by itself\n") {
		t.Errorf("%s", out)
	}
}

// Columns that are left out are told in quotes, so that an empty name is seen, and only the first of many.
func TestShowDropped(t *testing.T) {
	t.Parallel()
	f := newShellFolder(t)
	for dropped, said := range map[string]string{
		",":                 `""`, // a name is told once
		",id":               `"", "id"`,
		`"a, ""b""",c`:      `"a, \"b\"", "c"`,
		"p,q,r,s,t":         `"p", "q", "r", "s", "t"`,
		"p,q,r,s,t,u":       `"p", "q", "r", "s", "t" and 1 more`,
		"p,,r,s,t,u,v,w,id": `"p", "", "r", "s", "t" and 4 more`,
	} {
		count := len(split(dropped))
		cells := strings.Repeat("k,", count)
		table := f.write("a.csv", dropped+",n,l\n"+cells+"1,0\n"+cells+"2,1\n")
		model := f.file("a.model")
		must(t, "train", "-lambda", "1", "-count", "-1", "-drop", dropped, "-o", model, table)
		if shown := must(t, "show", model); !strings.Contains(shown, "\nleaves out, where they come: "+said+"\n") {
			t.Errorf("-drop %s: no %s in\n%s", dropped, said, shown)
		}
	}
}
