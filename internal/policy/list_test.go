package policy

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
)

// listed is what go list tells of a package of this module.
type listed struct {
	ImportPath, Dir, Export string
	GoFiles, Imports, Deps  []string
}

// list asks once for all packages. Their export data makes go list compile them, through the build cache, but it does not link the
// commands. It does so without cgo, which no package may need.
var list = sync.OnceValues(func() (packages []listed, err error) {
	cmd := exec.Command("go", "list", "-export", "-json=ImportPath,Dir,Export,GoFiles,Imports,Deps", "./...")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("CGO_ENABLED=0 go list -export ./...: %w\n%s", err, &said)
	}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return packages, nil
		} else if err != nil {
			return nil, err
		}
		packages = append(packages, p)
	}
})

// packages returns all packages of this module.
func packages(t *testing.T) []listed {
	t.Helper()
	all, err := list()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) == 0 {
		t.Fatal("no packages")
	}
	return all
}

// inLibrary reports whether a package is one of the library's.
func inLibrary(path string) bool {
	return path == module+"crankpkg" || strings.HasPrefix(path, module+"crankpkg/")
}
