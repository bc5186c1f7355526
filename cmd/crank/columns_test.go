package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
)

// Columns that name the rows are told, with how to drop them, by all that reads a table to learn from; what only looks a little
// like them is not.
func TestIdentifiers(t *testing.T) {
	t.Chdir("../..") // new asks for the checkout around
	f := newShellFolder(t)
	columns := map[string]func(m int) string{
		"customer": func(m int) string { return fmt.Sprintf("c%03d", 7*m%20) },
		"number":   func(m int) string { return fmt.Sprint(100 + 7*m%20) },
		"zero up":  func(m int) string { return fmt.Sprint(m) },
		"repeated": func(m int) string { return fmt.Sprintf("c%d", m%19) },
		"gap":      func(m int) string { return fmt.Sprint(m + m/10) },
		"twice":    func(m int) string { return fmt.Sprint(max(m, 1)) },
		"half":     func(m int) string { return fmt.Sprint(float64(m) / 2) },
		"city":     func(m int) string { return []string{"Rome", "Oslo", "Lima"}[m%3] },
		"constant": func(int) string { return "1" },
		"missing":  func(m int) string { return []string{fmt.Sprint(m), "", fmt.Sprint(m)}[m%3] },
		"label":    func(m int) string { return fmt.Sprint(m % 2) },
	}
	table := func(rows int, names ...string) string {
		var b strings.Builder
		b.WriteString(strings.Join(names, ",") + "\n")
		for m := range rows {
			for k, name := range names {
				if k > 0 {
					b.WriteByte(',')
				}
				b.WriteString(columns[name](m))
			}
			b.WriteByte('\n')
		}
		return b.String()
	}
	others := []string{"repeated", "gap", "twice", "half", "city", "constant", "missing", "label"}
	for name, c := range map[string]struct{ text, said string }{
		"none":  {table(20, others...), ""},
		"few":   {table(9, append([]string{"customer", "number", "zero up"}, others...)...), ""},
		"text":  {table(20, append([]string{"customer"}, others...)...), `column "customer" looks like an identifier, with another value in each row; -drop customer leaves it out`},
		"count": {table(20, append([]string{"city", "number"}, others[5:]...)...), `column "number" looks like an identifier, with another value in each row; -drop number leaves it out`},
		"both": {table(20, append([]string{"zero up", "city", "customer"}, others[5:]...)...),
			`columns "zero up", "customer" look like identifiers, with another value in each row; -drop 'zero up,customer' leaves them out`},
	} {
		path := f.write(name+".csv", c.text)
		for _, args := range [][]string{
			{"train", "-impute", "-method", "empty", "-lambda", "1", "-labels", "label", path}, {"convert", "-labels", "label", path, f.file(name + ".arff")},
			{"cv", "-impute", "-methods", "empty", "-lambdas", "1", "-labels", "label", path},
			{"new", "-csv", path, "-labels", "label", f.file(name + ".ipynb")},
		} {
			var out, log strings.Builder
			status := run(context.Background(), args, strings.NewReader(""), &out, &log)
			warned := ""
			for line := range strings.Lines(log.String()) {
				if after, found := strings.CutPrefix(line, "crank: warning: "); found {
					warned += after
				}
			}
			if want := c.said; status != 0 || strings.TrimSuffix(warned, "\n") != want {
				t.Errorf("%q: status %d, %q, want %q", args, status, log.String(), want)
			}
		}
		if _, err := os.Stat(f.file(name + ".ipynb")); err != nil {
			t.Error(err)
		}
	}
	// What the warning says helps.
	path := f.file("both.csv")
	must(t, "train", "-impute", "-method", "empty", "-lambda", "1", "-labels", "label", "-drop", "zero up,customer", path)
	if status, _, log := call("train", "flags", "-method", "empty", "-lambda", "1"); status != 0 || strings.Contains(log, "identifier") {
		t.Errorf("status %d, %q", status, log)
	}
}
