package nbcheck

import (
	"fmt"
	"go/format"
	"strings"
)

// Unformatted returns the code cells that gofmt would change, with the first line that it would write in another way. What stands
// above %% are declarations, what stands below statements; lines to the shell or to the kernel are no Go.
func Unformatted(nb *Notebook) (problems []Problem) {
	for i := range nb.Cells {
		c := &nb.Cells[i]
		if c.Type != "code" {
			continue
		}
		declarations, program := goParts(string(c.Source))
		if declarations != "" { // a file by themselves: go/format sorts imports of whole files alone
			declarations = "package p\n\n" + declarations + "\n"
		}
		for _, part := range []string{declarations, program} {
			if wrong := unformatted(part); wrong != "" {
				problems = append(problems, Problem{Cell: i + 1, Text: wrong})
			}
		}
	}
	return problems
}

// goParts returns the Go of a cell above and below %%, without empty lines at the ends.
func goParts(source string) (declarations, program string) {
	var parts [2]strings.Builder
	below := 0
	for line := range strings.Lines(source) {
		switch {
		case strings.HasPrefix(line, "%%"):
			below = 1
		case strings.HasPrefix(line, "%"), strings.HasPrefix(line, "!"):
		default:
			parts[below].WriteString(line)
		}
	}
	return strings.Trim(parts[0].String(), "\n"), strings.Trim(parts[1].String(), "\n")
}

// unformatted says what gofmt would change in a file or in statements, or nothing.
func unformatted(code string) string {
	formatted, err := format.Source([]byte(code))
	if err != nil {
		return fmt.Sprintf("is no Go: %v", err)
	}
	if string(formatted) == code {
		return ""
	}
	have, want := strings.Split(code, "\n"), strings.Split(string(formatted), "\n")
	k := 0
	for k < len(have)-1 && k < len(want)-1 && have[k] == want[k] {
		k++
	}
	return fmt.Sprintf("gofmt would write %q as %q", have[k], want[k])
}
