// Command here makes the crank library of this checkout known to a session of the GoNB kernel. The first cell of each notebook runs it
// in the notebook's folder, with the session's folder as its argument:
//
//	!*go -C "$GONB_DIR" run github.com/crank-ml/crank/notebooks/here "$PWD"
//
// GoNB compiles each cell in a module of its own, in a temporary folder. A workspace there (go.work) joins that module with this one, so
// that imports of crank mean the files of the checkout, and those of others the versions that its go.mod names. No network is needed.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	if len(os.Args) != 2 {
		exit("usage: here FOLDER, where FOLDER is that of a session of the kernel")
	}
	module, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		exit(fmt.Sprint("go env GOMOD: ", err))
	}
	session := os.Args[1]
	if _, err := os.Stat(filepath.Join(session, "go.work")); os.IsNotExist(err) {
		run(session, "work", "init")
	}
	run(session, "work", "use", ".", filepath.Dir(strings.TrimSpace(string(module))))
}

// run runs the go command in a folder, or exits with what it says.
func run(dir string, args ...string) {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		exit(fmt.Sprintf("go %s: %v\n%s", strings.Join(args, " "), err, out))
	}
}

func exit(text string) {
	fmt.Fprintln(os.Stderr, "here:", text)
	os.Exit(1)
}
