package policy

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
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

// builtInSet adds to a program a use of a data set that is built in.
const builtInSet = `
	_, test, err := crankpkg.LoadSplit("emotions")
	fmt.Println(test, err)
`

// TestOnlyLoadSplitCarriesData builds two programs that differ in a call of LoadSplit: that with the call has the data in it, the
// other has none and is smaller by them.
func TestOnlyLoadSplitCarriesData(t *testing.T) {
	t.Parallel()
	without, with := build(t, ownData), build(t, ownData+"{"+builtInSet+"}\n")
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
	if saved := len(with) - len(without); saved < size {
		t.Errorf("without LoadSplit a program has %d bytes less, want %d or more", saved, size)
	}
	if most := 3_500_000; size > most {
		t.Errorf("the data sets that are built in take %d bytes, more than %d", size, most)
	}
	t.Logf("%d bytes without LoadSplit, %d with it", len(without), len(with))
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
