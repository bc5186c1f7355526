package policy

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// goBlock is a block of Go code in Markdown.
var goBlock = regexp.MustCompile("(?s)```go\n(.*?)```")

// TestReadmeCompiles builds every block of Go code in the README, as the body of a program. A block that changes the library's
// names, or a library that changes the block's, fails.
func TestReadmeCompiles(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(root + "/README.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := goBlock.FindAllStringSubmatch(string(text), -1)
	if len(blocks) == 0 {
		t.Fatal("no Go code in the README")
	}
	for k, b := range blocks {
		path := filepath.Join(t.TempDir(), "main.go")
		if err := os.WriteFile(path, []byte(program(b[1])), 0o666); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("go", "vet", path)
		cmd.Dir = root
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("block %d of the README: %v\n%s", k+1, err, out)
		}
	}
}

// program makes a block the body of main, with what it needs around it.
func program(body string) string {
	packages := map[string]string{
		"context": "context", "errors": "errors", "fmt": "fmt", "log": "log", "os": "os",
		"crankpkg": module + "crankpkg", "plotting": module + "plotting", "labelgraph": module + "crankpkg/labelgraph",
		"infer": module + "crankpkg/infer", "metrics": module + "crankpkg/metrics", "feature": module + "crankpkg/feature",
		"crossval": module + "crankpkg/crossval", "experiment": module + "crankpkg/experiment", "multistate": module + "crankpkg/multistate",
		"tabular": module + "crankpkg/tabular",
	}
	code := "func main() {\n\tctx := context.Background()\n\t_ = ctx\n" + body + "}\n"
	var imports strings.Builder
	for name, path := range packages {
		if regexp.MustCompile(`\b` + name + `\.`).MatchString(code) {
			imports.WriteString("import \"" + path + "\"\n")
		}
	}
	return "package main\n\n" + imports.String() + "\n" + code
}
