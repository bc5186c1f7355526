package crankpkg

import (
	"go/scanner"
	"go/token"
	"io/fs"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/crank-ml/crank/crankpkg/internal/sources"
)

// changesNoResult lists what this package stands on that only reads, writes or keeps: what it hands on is in the keys itself.
var changesNoResult = []string{"trainstore", "internal/arff", "internal/errs", "internal/jsonlist", "internal/modelfile", "internal/mulan", "internal/mulandata",
	"internal/schema", "internal/sources", "internal/table", "internal/textfile", "internal/values"}

// programFiles returns the texts of program, without the pins.
func programFiles(t *testing.T) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := fs.WalkDir(program, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(path, "testdata/") {
			return err
		}
		files[path], err = fs.ReadFile(program, path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestProgramIsWhole compares program with what the compiler is given: each file of each package that this one and crossval depend
// on, for any processor, and what package experiment measures with. Nothing else makes a key another one: neither tests nor notebooks.
func TestProgramIsWhole(t *testing.T) {
	t.Parallel()
	list, err := exec.Command("go", "list", "-deps", "-f", "{{.ImportPath}}", ".", "./crossval").Output()
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"experiment/cell.go", "experiment/sweep_cell.go"}
	const here = "github.com/crank-ml/crank/crankpkg"
	for _, path := range strings.Fields(string(list)) {
		folder, ours := strings.CutPrefix(path+"/", here+"/")
		folder = strings.TrimSuffix(folder, "/")
		if !ours || slices.Contains(changesNoResult, folder) {
			continue
		}
		for _, ending := range []string{"*.go", "*.s"} {
			names, err := filepath.Glob(filepath.Join(folder, ending))
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range names {
				if !strings.HasSuffix(name, "_test.go") {
					want = append(want, filepath.ToSlash(name))
				}
			}
		}
	}
	files := programFiles(t)
	for _, name := range want {
		if files[name] == nil {
			t.Errorf("%s is not in the keys of trainings: name it, or its folder, at program in stored.go", name)
		}
	}
	for name := range files {
		if !slices.Contains(want, name) {
			t.Errorf("%s is in the keys of trainings, and changes no result", name)
		}
	}
	if len(files) < 100 {
		t.Errorf("%d files", len(files))
	}
}

// TestProgramWithoutComments holds the text that is hashed to have all tokens of the files: what is left out is comments.
func TestProgramWithoutComments(t *testing.T) {
	t.Parallel()
	tokens := func(name string, text []byte) []string {
		var s scanner.Scanner
		set := token.NewFileSet()
		s.Init(set.AddFile(name, -1, len(text)), text, nil, 0)
		var all []string
		for {
			_, tok, lit := s.Scan()
			if tok == token.EOF {
				return all
			}
			all = append(all, tok.String()+" "+lit)
		}
	}
	for name, text := range programFiles(t) {
		code := sources.Code(text)
		if len(code) == 0 || len(code) > len(text) {
			t.Errorf("%s: %d bytes of %d", name, len(code), len(text))
		}
		if filepath.Ext(name) == ".go" && !slices.Equal(tokens(name, text), tokens(name, code)) {
			t.Errorf("%s: a line that begins like a comment is none", name)
		}
	}
}

// TestVersionChangesWithProgram changes a file of each folder in turn, as by a default of a setting that nothing pins: trainings
// of one program are not those of another.
func TestVersionChangesWithProgram(t *testing.T) {
	t.Parallel()
	all := fstest.MapFS{}
	folders := map[string]string{}
	for name, text := range programFiles(t) {
		all[name] = &fstest.MapFile{Data: text}
		folders[filepath.Dir(name)] = name
	}
	seen := map[string]string{newResultsVersion(all).String(): "the program"}
	for _, name := range slices.Sorted(maps.Values(folders)) {
		changed := maps.Clone(all)
		changed[name] = &fstest.MapFile{Data: append(slices.Clone(all[name].Data), "\nvar other = 1\n"...)}
		version := newResultsVersion(changed).String()
		if seen[version] != "" {
			t.Errorf("with a change of %s, the version is that of %s", name, seen[version])
		}
		seen[version] = name
	}
	for name, text := range programFiles(t) {
		all[name] = &fstest.MapFile{Data: append([]byte("// Another comment.\n\n"), text...)}
	}
	if seen[newResultsVersion(all).String()] != "the program" {
		t.Error("with other comments, the version is another one")
	}
	if newResultsVersion(program) != resultsVersion() {
		t.Error("the version is not that of the program")
	}
}
