package policy

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// goBlock is a block of Go code in Markdown.
var goBlock = regexp.MustCompile("(?s)```go\n(.*?)```")

// TestReadmeCompiles vets every block of Go code in the README and the guide, each as the body of a function of one program. A block that changes
// the library's names, or a library that changes the block's, fails.
func TestReadmeCompiles(t *testing.T) {
	t.Parallel()
	var blocks []string
	for _, name := range []string{"README.md", "GUIDE.md"} {
		text, err := os.ReadFile(root + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		found := goBlock.FindAllStringSubmatchIndex(string(text), -1)
		if len(found) == 0 {
			t.Errorf("no Go code in %s", name)
		}
		for _, at := range found {
			line := 1 + strings.Count(string(text[:at[2]]), "\n")
			blocks = append(blocks, fmt.Sprintf("//line %s:%d\n%s", name, line, text[at[2]:at[3]]))
		}
	}
	path := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(path, []byte(program(blocks...)), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "vet", path)
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("code in the README or the guide: %v\n%s", err, out)
	}
}

// TestReadmeReadsTheFilesThatAreThere runs the block on data of one's own, which has to do what its comments say with the files that it names.
func TestReadmeReadsTheFilesThatAreThere(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(root + "/README.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := goBlock.FindAllStringSubmatch(string(text), -1)
	k := slices.IndexFunc(blocks, func(m []string) bool { return strings.Contains(m[1], "tabular.ReadCSV(") })
	if k < 0 {
		t.Fatal("no block reads a CSV file")
	}
	folder := t.TempDir()
	if err := os.CopyFS(filepath.Join(folder, "examples"), os.DirFS(root+"/examples")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "main.go"), []byte(program(blocks[k][1])), 0o666); err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-ldflags=-s -w", "-o", filepath.Join(folder, "shop"), filepath.Join(folder, "main.go"))
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := exec.Command(filepath.Join(folder, "shop"))
	cmd.Dir = folder
	out, err := cmd.CombinedOutput()
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if err != nil || len(lines) != 2 || !strings.HasSuffix(lines[0], "] <nil>") || !strings.HasSuffix(lines[1], "] <nil>") {
		t.Errorf("%v\n%s", err, out)
	}
	if _, err := os.Stat(filepath.Join(folder, "shop.json")); err != nil {
		t.Error(err)
	}
}

// program makes each block the body of a function that main calls, with what they need around them.
func program(blocks ...string) string {
	packages := map[string]string{
		"context": "context", "errors": "errors", "fmt": "fmt", "log": "log", "os": "os",
		"crankpkg": module + "crankpkg", "plotting": module + "plotting", "labelgraph": module + "crankpkg/labelgraph",
		"infer": module + "crankpkg/infer", "metrics": module + "crankpkg/metrics", "feature": module + "crankpkg/feature",
		"crossval": module + "crankpkg/crossval", "experiment": module + "crankpkg/experiment", "multistate": module + "crankpkg/multistate",
		"tabular": module + "crankpkg/tabular", "decision": module + "crankpkg/decision", "planted": module + "crankpkg/planted",
		"significance": module + "crankpkg/significance",
	}
	var code, calls strings.Builder
	for k, block := range blocks {
		fmt.Fprintf(&code, "func block%d(ctx context.Context) {\n%s}\n\n", k+1, block)
		fmt.Fprintf(&calls, "\tblock%d(context.Background())\n", k+1)
	}
	fmt.Fprintf(&code, "func main() {\n%s}\n", &calls)
	var imports strings.Builder
	for name, path := range packages {
		if regexp.MustCompile(`\b` + name + `\.`).MatchString(code.String()) {
			imports.WriteString("import \"" + path + "\"\n")
		}
	}
	return "package main\n\n" + imports.String() + "\n" + code.String()
}

// TestDocNamesFiles holds the list of files in crankpkg's documentation to the files: each name there, where a * stands for the
// rest, is one, and each file is named.
func TestDocNamesFiles(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../crankpkg/doc.go")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(text), "//	  data ")
	list, _, found := strings.Cut(list, "//	decision ")
	if !found {
		t.Fatal("no list of files")
	}
	files, err := filepath.Glob("../../crankpkg/*.go")
	if err != nil {
		t.Fatal(err)
	}
	list = regexp.MustCompile(`(?s)\([^)]*\)|:[^;\n]*\n`).ReplaceAllString(list, "\n")
	list = regexp.MustCompile(`(?m)^//\s+(models|methods|training|definitions) `).ReplaceAllString(list, " ")
	names := regexp.MustCompile(`[a-z_]+\*?`).FindAllString(list, -1)
	for _, file := range files {
		base := strings.TrimSuffix(filepath.Base(file), ".go")
		named := slices.ContainsFunc(names, func(name string) bool {
			stem, open := strings.CutSuffix(name, "*")
			return base == name || open && strings.HasPrefix(base, stem)
		})
		if !named && !strings.HasSuffix(base, "_test") && base != "doc" && base != "aliases" {
			t.Errorf("%s.go is not in the list of crankpkg's documentation", base)
		}
	}
	for _, name := range names {
		if matches, _ := filepath.Glob("../../crankpkg/" + strings.TrimSuffix(name, "*") + "*.go"); len(matches) == 0 {
			t.Errorf("crankpkg's documentation lists %s, and there is no such file", name)
		}
	}
}
