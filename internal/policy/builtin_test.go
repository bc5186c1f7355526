package policy

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
)

// ownData is a program that trains, predicts and draws, on data of its own.
const ownData = `
	ds, err := crankpkg.ReadARFF("mine.arff", crankpkg.ARFFOptions{})
	if err != nil {
		log.Fatal(err)
	}
	m, trace, err := crankpkg.CRANK{}.Train(ctx, ds)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(crankpkg.Evaluate(m, ds), trace.Gap(), m.Save("model"), crankpkg.CatalogNames())
	fmt.Println(crankpkg.Fetch(ctx, "bibtex", nil))
	plotting.Show(plotting.Network(m))
`

// TestOnlyLoadSplitCarriesData builds a program without a call of LoadSplit, which has none of the data in it. The program of this
// test calls LoadSplit, and has them all.
func TestOnlyLoadSplitCarriesData(t *testing.T) {
	t.Parallel()
	if _, _, err := crankpkg.LoadSplit("no such set"); err == nil {
		t.Error("no error for a set that is not there")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	with, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	without := build(t, ownData)
	files, err := filepath.Glob(root + "/crankpkg/internal/mulandata/*/*.gz")
	if err != nil || len(files) == 0 {
		t.Fatal("no data sets found: ", err)
	}
	size := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		size += len(data)
		if bytes.Contains(without, data) {
			t.Errorf("a program that never calls LoadSplit carries %s", file)
		}
		if !bytes.Contains(with, data) {
			t.Errorf("a program that calls LoadSplit does not carry %s", file)
		}
	}
	if most := 3_500_000; size > most {
		t.Errorf("the data sets that are built in take %d bytes, more than %d", size, most)
	}
}

// build returns the program whose main function has a body.
func build(t *testing.T, body string) []byte {
	t.Helper()
	folder := t.TempDir()
	source, binary := filepath.Join(folder, "main.go"), filepath.Join(folder, "main")
	if err := os.WriteFile(source, []byte(program(body)), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "build", "-ldflags=-s -w", "-o", binary, source) // a debugger's tables take long to link
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	content, err := os.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	return content
}
