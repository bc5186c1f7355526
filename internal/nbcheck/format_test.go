package nbcheck

import (
	"strings"
	"testing"
)

// TestUnformatted has cells that gofmt leaves alone, and cells that it changes, above and below %%.
func TestUnformatted(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, source, wrong string }{
		{"nothing", "", ""},
		{"imports and the kernel", "!*go version\n%noautoget\nimport (\n\t\"fmt\"\n\t\"math\"\n)", ""},
		{"a comment", "// nothing yet", ""},
		{"a program", "%%\nx := 1\nfor range x {\n\tfmt.Println(x) // again\n}\n", ""},
		{"a function and a program", "// f doubles.\nfunc f(x int) int { return 2 * x }\n\n%%\nfmt.Println(f(2))", ""},
		{"a program that begins as a declaration", "%%\nvar x int\nx++", ""},
		{"text of several lines", "%%\nx := `a\n  b`\n", ""},
		{"spaces in a program", "%%\nx:=1", `"x:=1" as "x := 1"`},
		{"spaces in a declaration", "const a=1\n\n%%\nx := 1", `"const a=1" as "const a = 1"`},
		{"imports out of order", "import (\n\t\"math\"\n\t\"fmt\"\n)", `"\t\"math\"" as "\t\"fmt\""`},
		{"an indented program", "%%\nif x {\n  y()\n}", `"  y()" as "\ty()"`},
		{"a body too long for its line", "func f(x float64) float64 { return math.Sqrt(x)*math.Sqrt(x) + math.Exp(x)*math.Exp(x) + math.Log(x)*math.Log(x) + math.Sin(x) }",
			`" as "func f(x float64) float64 {"`},
		{"two empty lines", "%%\nx := 1\n\n\ny := 2", `"" as "y := 2"`},
		{"comments that do not stand in a column", "%%\nx := 1 // one\nlonger := 2 // two", `"x := 1 // one" as "x := 1      // one"`},
		{"no Go", "%%\nx := := 1", "is no Go"},
		{"a program above the line", "x := 1\n}\n", "is no Go"},
	} {
		nb := &Notebook{Cells: []Cell{{Type: "markdown", Source: "x:=1"}, {Type: "code", Source: Text(c.source)}}}
		problems := Unformatted(nb)
		switch {
		case c.wrong == "" && len(problems) != 0:
			t.Errorf("%s: %v", c.name, problems)
		case c.wrong != "" && (len(problems) != 1 || problems[0].Cell != 2 || !strings.Contains(problems[0].Text, c.wrong)):
			t.Errorf("%s: %v, want %s", c.name, problems, c.wrong)
		}
	}
}
