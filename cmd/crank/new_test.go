package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/tabular"
	"github.com/crank-ml/crank/internal/nbcheck"
)

// checkout returns the folder of the module.
func checkout(t *testing.T) string {
	t.Helper()
	folder, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

// cells returns the sources of the notebook's cells of code.
func cells(t *testing.T, path string) []string {
	t.Helper()
	nb, err := nbcheck.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	var sources []string
	for _, c := range nb.Cells {
		if c.Type == "code" {
			sources = append(sources, string(c.Source))
		}
		if n := strings.Count(string(c.Source), "\n") + 1; n > nbcheck.MaxLines {
			t.Errorf("a cell of %d lines:\n%s", n, c.Source)
		}
	}
	return sources
}

// wholeProgram makes one program of all cells after the first.
func wholeProgram(sources []string) string {
	code := "package main\n"
	for k, source := range sources[1:] {
		before, after, found := strings.Cut(source, "%%\n")
		code += before + "\n"
		if found {
			code += fmt.Sprintf("func run%d() {\n%s\n}\n", k, after)
		}
	}
	return code + "func main() {}\n"
}

// A notebook on a file of one's own compiles, and reads that file as it was told.
func TestNewReadsCSV(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "a folder's")
	if err := os.Mkdir(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	table, path := filepath.Join(folder, `my "shop".csv`), filepath.Join(folder, "study.ipynb")
	if err := os.WriteFile(table, []byte("age;city;tea;late tea\n31;Rome;1;0\n;Oslo;0;1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	status, out, log := call("new", path, "-csv", table, "-comma", ";", "-labels", "tea,late tea")
	if status != 0 || !strings.Contains(log, "2 examples") || !strings.HasPrefix(out, path+" is written") {
		t.Fatalf("status %d, %q, %q", status, out, log)
	}
	sources := cells(t, path)
	program := filepath.Join(folder, "main.go")
	if err := os.WriteFile(program, []byte(wholeProgram(sources)), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "vet", program)
	cmd.Dir, cmd.Env = checkout(t), outside
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	said := strings.Join(sources, "\n")
	for _, want := range []string{
		"const file = " + `"` + strings.ReplaceAll(table, `"`, `\"`) + `"`,
		`tabular.CSVOptions{Comma: ';', Labels: []string{"tea", "late tea"}, Imputer: &crankpkg.Imputer{}}`,
	} {
		if !strings.Contains(said, want) {
			t.Errorf("no %s in\n%s", want, said)
		}
	}
}

// Options come back from their Go code.
func TestLiteral(t *testing.T) {
	t.Parallel()
	got := literal(tabular.CSVOptions{NoHeader: true, Comma: '\'', LabelCount: -2, True: "да\n", Drop: []string{`a"`, "b`"}, Imputer: &crankpkg.Imputer{}})
	if want := `NoHeader: true, Comma: '\'', LabelCount: -2, True: "да\n", Drop: []string{"a\"", "b` + "`" + `"}, Imputer: &crankpkg.Imputer{}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := literal(tabular.CSVOptions{Separator: ","}); got != "" {
		t.Errorf("nothing is %s", got)
	}
	if got := literal(tabular.CSVOptions{Comma: ','}); got != "Comma: ','" { // which a name or a first line may not overrule
		t.Errorf("a comma is %s", got)
	}
}

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file := func(name string) string { return filepath.Join(folder, name) }
	write := func(name, text string) {
		if err := os.WriteFile(file(name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("there.ipynb", "mine")
	write("x.csv", "a,l\n1,0\n2,x\n")
	if err := os.Symlink(file("nowhere"), file("link.ipynb")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args   []string
		status int
		in     string
	}{
		{nil, 2, "name one file"},
		{[]string{"a.ipynb", "b.ipynb"}, 2, "name one file"},
		{[]string{file("study")}, 2, "must end in .ipynb"},
		{[]string{file(".ipynb")}, 2, "must end in .ipynb"},
		{[]string{file("there.ipynb")}, 1, "there.ipynb is there already"},
		{[]string{file("link.ipynb")}, 1, "link.ipynb is there already"},
		{[]string{file("none/study.ipynb")}, 1, "none/study.ipynb: stat "},
		{[]string{file("x.csv/study.ipynb")}, 1, "x.csv is no folder"},
		{[]string{"-labels", "l", file("new.ipynb")}, 2, "-labels tells how a file is read: name the file with -csv"},
		{[]string{"-csv", file("x.csv"), file("new.ipynb")}, 2, "nothing tells which columns are labels: give -labels, -prefix, -suffix, -count or -column"},
		{[]string{"-csv", file("x.csv"), "-comma", "ab", file("new.ipynb")}, 2, "one character"},
		{[]string{"-csv", file("x.csv"), "-labels", "l", file("new.ipynb")}, 1, `x.csv:3: column "l"`},
		{[]string{"-csv", file("none.csv"), "-labels", "l", file("new.ipynb")}, 1, "none.csv"},
		{[]string{"-module", folder, file("new.ipynb")}, 1, "no go.mod of github.com/crank-ml/crank in that folder"},
	} {
		status, out, log := call(append([]string{"new"}, c.args...)...)
		if status != c.status || out != "" || !strings.Contains(log, c.in) || strings.Count(log, "\n") != 1 {
			t.Errorf("%q: status %d, %q, %q; want %d and %q", c.args, status, out, log, c.status, c.in)
		}
	}
	if text, err := os.ReadFile(file("there.ipynb")); err != nil || string(text) != "mine" {
		t.Errorf("there.ipynb holds %q, %v", text, err)
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 3 {
		t.Errorf("left are %v, %v", entries, err)
	}
}

// The first cell makes the module known to a session, wherever
// the checkout lies, and says so in plain words where there is none any more.
func TestFirstCell(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	link := filepath.Join(folder, `Ada's $HOME "check out"`)
	if err := os.Symlink(checkout(t), link); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "study.ipynb")
	if status, _, log := call("new", "-module", link, path); status != 0 {
		t.Fatal(log)
	}
	first := cells(t, path)[0]
	for range 2 { // a cell may be run again
		if out, err := runFirst(t, first, folder); err != nil || out != "" {
			t.Errorf("%v: %s", err, out)
		}
		cmd := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", modulePath)
		cmd.Dir, cmd.Env = folder, session()
		if out, err := cmd.CombinedOutput(); err != nil || string(out) != link+"\n" {
			t.Errorf("%v: %s", err, out)
		}
	}
	if err := os.Remove(link); err != nil {
		t.Fatal(err)
	}
	if out, err := runFirst(t, first, folder); err == nil || out != "The crank module is not in "+link+
		" any more: put the folder of its checkout into the first line of this cell.\n" {
		t.Errorf("%v: %s", err, out)
	}
}

// session is the environment of a kernel.
func session() []string { return append(os.Environ(), "GOWORK=", "GOFLAGS=-mod=readonly -ldflags=-s") }

// runFirst runs the shell lines of a notebook's first cell as GoNB does, in a
// session's folder.
func runFirst(t *testing.T, cell, folder string) (string, error) {
	t.Helper()
	mod := filepath.Join(folder, "go.mod")
	if err := os.WriteFile(mod, []byte("module gonb_session\n\ngo 1.25.0\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	line, magic, found := strings.Cut(strings.ReplaceAll(cell, "\\\n", " "), "\n")
	command, shell := strings.CutPrefix(line, "!*")
	if !found || !shell || magic != "%noautoget" {
		t.Fatalf("a first cell of another form:\n%s", cell)
	}
	cmd := exec.Command("/bin/bash", "-c", command)
	cmd.Dir, cmd.Env = folder, session()
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// Only a program that came as a module tells a version that others can get, and its
// notebooks get that.
func TestPublished(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		main debug.Module
		want string
	}{
		{debug.Module{Path: modulePath, Version: "v0.3.0", Sum: "h1:x="}, "v0.3.0"},
		{debug.Module{Path: modulePath, Version: "v0.0.0-20260101000000-abcdefabcdef+dirty"}, ""},
		{debug.Module{Path: modulePath, Version: "(devel)"}, ""},
		{debug.Module{Path: "example.org/fork", Version: "v0.3.0", Sum: "h1:x="}, ""},
	} {
		if got := published(&debug.BuildInfo{Main: c.main}); got != c.want {
			t.Errorf("%+v: %q, want %q", c.main, got, c.want)
		}
	}
	// A stand-in for go tells what it is asked for, and fails.
	folder := t.TempDir()
	fake := "#!/bin/sh\nprintf '%s\\n' \"$@\" > asked\necho offline\nexit 1\n"
	if err := os.WriteFile(filepath.Join(folder, "go"), []byte(fake), 0o777); err != nil {
		t.Fatal(err)
	}
	cell := strings.Replace(strings.TrimSpace(firstCell(place{version: "v0.3.0"})), "!*", "!*PATH=.:$PATH; ", 1)
	if out, err := runFirst(t, cell, folder); err == nil || !strings.HasPrefix(out, "offline\ngo get could not get the crank module") {
		t.Errorf("%v: %s", err, out)
	}
	asked, err := os.ReadFile(filepath.Join(folder, "asked"))
	if want := "get\n" + modulePath + "/crankpkg@v0.3.0\n" + modulePath + "/crankpkg/tabular@v0.3.0\n" + modulePath +
		"/plotting@v0.3.0\n"; err != nil || string(asked) != want {
		t.Errorf("asked for %s, %v", asked, err)
	}
}

func TestAround(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	deep := filepath.Join(root, "crank", "a", "b")
	if err := os.MkdirAll(deep, 0o777); err != nil {
		t.Fatal(err)
	}
	mod := filepath.Join(root, "crank", "go.mod")
	for text, want := range map[string]string{
		"// a copy\nmodule " + modulePath + "\n\ngo 1.25\n": filepath.Join(root, "crank"),
		"module " + modulePath + "/tools\n":                 "",
		"module example.org/x // " + modulePath + "\n":      "",
	} {
		if err := os.WriteFile(mod, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if got := around(deep); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// What is said next are commands that a shell can take.
func TestNextSteps(t *testing.T) {
	t.Parallel()
	said := nextSteps("/a b/it's.ipynb", place{folder: "/opt/crank"})
	for _, want := range []string{"make -C /opt/crank lab NB='/a b/it'\\''s.ipynb'\n", "JUPYTER_PATH=/opt/crank/.jupyter/data jupyter lab '/a b"} {
		if !strings.Contains(said, want) {
			t.Errorf("no %s in\n%s", want, said)
		}
	}
	if said := nextSteps("/a/b.ipynb", place{version: "v1.0.0"}); strings.Contains(said, "make") || !strings.Contains(said, "jupyter lab /a/b.ipynb\n") {
		t.Error(said)
	}
}
