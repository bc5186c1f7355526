package nbcheck

import "testing"

// TestLines counts cells by hand.
func TestLines(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, source string
		helpers, all int
	}{
		{"a program", "%%\nx := 1\n\n// a comment\nfmt.Println(x)", 0, 2},
		{"imports, shell and kernel", "import (\n\t\"fmt\"\n\n\t\"math\"\n)\nimport \"os\"\n!ls\n%noautoget\nconst n = 5", 0, 1},
		{"a function and a program", "// f doubles.\nfunc f(x int) int {\n\ty := 2 * x\n\n\treturn y\n}\n\n%%\nfmt.Println(f(2))", 4, 5},
		{"functions in a line each", "func a() int { return 1 }\nfunc b() int { return 2 }\nvar c = a()", 2, 3},
		{"a method and its type", "type p struct {\n\tx int\n}\n\nfunc (q p) f() int {\n\treturn q.x\n}", 3, 6},
		{"a closure in a program", "%%\nf := func() int {\n\treturn 1\n}\nfmt.Println(f())", 0, 4},
		{"braces of its own in a function", "func f() {\n\tif x {\n\t\ty()\n\t}\n}\nvar z = 1", 5, 6},
	} {
		nb := &Notebook{Cells: []Cell{{Type: "markdown", Source: "func no()"}, {Type: "code", Source: Text(c.source)}}}
		if helpers, all := Lines(nb); helpers != c.helpers || all != c.all {
			t.Errorf("%s: %d of %d lines are helpers, want %d of %d", c.name, helpers, all, c.helpers, c.all)
		}
	}
}
