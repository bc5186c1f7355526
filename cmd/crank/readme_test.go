package main

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

var updateReadme = flag.Bool("update", false, "write what the README's commands print into the README")

// console is a block of commands with what they print.
var console = regexp.MustCompile("(?s)```console\n(.*?)```")

// TestReadmeConsole runs the commands of the README's block in a folder with the files of examples/shell: they print what
// it says, numbers included.
func TestReadmeConsole(t *testing.T) {
	t.Parallel()
	if runtime.GOARCH != "amd64" {
		t.Skip("other processors round in other ways")
	}
	path := filepath.Join(checkout(t), "README.md")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	blocks := console.FindAllStringSubmatchIndex(string(text), -1)
	if len(blocks) != 1 {
		t.Fatalf("%d blocks of commands in the README", len(blocks))
	}
	from, to := blocks[0][2], blocks[0][3]
	said := string(text[from:to])
	printed := transcript(t, said)
	if printed == said {
		return
	}
	if !*updateReadme {
		t.Fatalf("the README's commands print\n%s\nand the README says\n%s\n-update writes what they print", printed, said)
	}
	if err := os.WriteFile(path, []byte(string(text[:from])+printed+string(text[to:])), 0o666); err != nil {
		t.Fatal(err)
	}
}

// transcript returns the commands of a block with what they print now.
func transcript(t *testing.T, block string) string {
	folder, bin := t.TempDir(), t.TempDir()
	if err := os.CopyFS(folder, os.DirFS(filepath.Join(checkout(t), "examples", "shell"))); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, filepath.Join(bin, "crank")); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for line := range strings.Lines(block) {
		command, found := strings.CutPrefix(line, "$ ")
		if !found {
			continue
		}
		cmd := exec.Command("sh", "-c", command)
		cmd.Dir = folder
		cmd.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", command, err, out)
		}
		b.WriteString(line + string(out))
	}
	return b.String()
}
