package policy

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestMarkdownTablesEnd looks for paragraphs that readers would see as the last row of a table.
func TestMarkdownTablesEnd(t *testing.T) {
	list := exec.Command("git", "ls-files", "-z", "*.md")
	list.Dir = root
	files, err := list.Output()
	if err != nil {
		t.Skip("not a checkout of git: ", err)
	}
	for file := range strings.SplitSeq(strings.TrimRight(string(files), "\x00"), "\x00") {
		text, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			continue // removed, and not committed yet
		}
		if k := endlessTable(string(text)); k > 0 {
			t.Errorf("%s:%d: text joins the table above it; an empty line ends a table", file, k)
		}
	}
}

// endlessTable returns the number of the first line that is neither a row nor empty and follows a row of a table, 0 if there is none.
func endlessTable(text string) int {
	code, inTable := false, false
	for k, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, "```") {
			code = !code
		}
		if inTable && line != "" && line[0] != '|' {
			return k + 1
		}
		inTable = !code && strings.HasPrefix(line, "|")
	}
	return 0
}

func TestEndlessTable(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "| a |\n| b |\n\ntext": 0, "| a |\n| b |\ntext": 3, "```\n| a |\n```\n": 0, "a\n| b |\nc\n": 3,
	} {
		if got := endlessTable(text); got != want {
			t.Errorf("%q: line %d, want %d", text, got, want)
		}
	}
}
