package nbcheck

import "strings"

// Lines counts the lines of Go in a notebook, and those of them that are helpers: function declarations, from the
// line with "func" at its beginning to its closing brace. What stands below %% is the program of a cell and no helper,
// closures included. Neither counts imports, comments, blank lines, and lines to the shell or to the kernel.
func Lines(nb *Notebook) (helpers, all int) {
	for i := range nb.Cells {
		if c := &nb.Cells[i]; c.Type == "code" {
			h, a := cellLines(string(c.Source))
			helpers, all = helpers+h, all+a
		}
	}
	return helpers, all
}

func cellLines(source string) (helpers, all int) {
	program, function, imports := false, false, false
	for line := range strings.Lines(source) {
		line = strings.TrimRight(line, " \t\r\n")
		text := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(text, "%%"):
			program = true
			continue
		case text == "", strings.HasPrefix(text, "//"), strings.HasPrefix(text, "!"), strings.HasPrefix(text, "%"):
			continue
		case strings.HasPrefix(line, "import"):
			imports = strings.HasSuffix(text, "(")
			continue
		case imports:
			imports = text != ")"
			continue
		}
		all++
		if program {
			continue
		}
		if strings.HasPrefix(line, "func ") {
			function = true
		}
		if function {
			helpers++
			// A function ends at a brace in the first column, or in its first line.
			function = line != "}" && !(strings.HasPrefix(line, "func ") && strings.HasSuffix(line, "}"))
		}
	}
	return helpers, all
}
