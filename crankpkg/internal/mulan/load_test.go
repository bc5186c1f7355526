package mulan_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/internal/mulan"
	"github.com/crank-ml/crank/crankpkg/internal/mulandata"
	"github.com/crank-ml/crank/crankpkg/internal/testkit"
)

// dataVariable names a folder of data sets.
const dataVariable = "CRANK_DATA"

// repository answers requests for Mulan's repository from a folder and, for what is not
// there, from what is built in.
type repository string

func (folder repository) RoundTrip(r *http.Request) (*http.Response, error) {
	const prefix = "https://raw.githubusercontent.com/tsoumakas/mulan/43f6389095ad71984264db4387a8074b22bc7d4a/data/multi-label/"
	name, ok := strings.CutPrefix(r.URL.String(), prefix)
	if !ok {
		return nil, fmt.Errorf("unexpected address %v", r.URL)
	}
	content, err := readPlain(filepath.Join(string(folder), filepath.FromSlash(name)))
	if errors.Is(err, fs.ErrNotExist) {
		content, err = readBuiltIn(name)
	}
	if err != nil {
		return nil, err
	}
	return &http.Response{StatusCode: 200, ContentLength: int64(len(content)), Body: io.NopCloser(bytes.NewReader(content))}, nil
}

// readPlain returns the content of a file, decompressed if only path.gz exists.
func readPlain(path string) ([]byte, error) {
	content, err := os.ReadFile(path)
	if err == nil {
		return content, nil
	}
	packed, err := os.Open(path + ".gz")
	if err != nil {
		return nil, err
	}
	defer packed.Close()
	unpacked, err := gzip.NewReader(packed)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(unpacked)
}

func readBuiltIn(name string) ([]byte, error) {
	r, err := mulandata.Open(name)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}

// builtIn are the data sets that need no folder.
var builtIn = []string{"emotions", "flags", "medical", "scene", "yeast"}

func TestFetchThenLoad(t *testing.T) {
	names := builtIn
	if testing.Short() {
		names = []string{"flags"}
	}
	testFetchThenLoad(t, t.TempDir(), names)
}

func TestFetchLargerSets(t *testing.T) {
	testkit.NeedData(t)
	larger := slices.DeleteFunc(crankpkg.CatalogNames(), func(name string) bool {
		return slices.Contains(builtIn, name) || name == mulan.Medical10
	})
	testFetchThenLoad(t, os.Getenv(dataVariable), larger)
}

// testFetchThenLoad checks that what Fetch brings from the public address, which folder
// stands for, is as the catalog says, and is what LoadSplit takes, in place of damaged copies too.
func testFetchThenLoad(t *testing.T, folder string, names []string) {
	plain := http.DefaultClient.Transport
	http.DefaultClient.Transport = repository(folder)
	defer func() { http.DefaultClient.Transport = plain }()
	useEmptyCache(t)
	t.Setenv(dataVariable, "")
	cache, err := crankpkg.CacheFolder()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if _, _, err := crankpkg.LoadSplit(name); !slices.Contains(builtIn, name) && !errors.Is(err, errs.ErrNotFound) {
			t.Errorf("%s before it was fetched: error %v", name, err)
		}
		if slices.Contains(builtIn, name) {
			damage(t, filepath.Join(cache, name), name) // without copies there is nothing to fetch
		}
		if err := crankpkg.Fetch(context.Background(), name, nil); err != nil {
			t.Error(err)
		}
		if files, err := mulan.Find(name); err != nil || filepath.Dir(files.Labels) != filepath.Join(cache, name) {
			t.Errorf("%s is taken from %s, error %v", name, files.Labels, err)
		}
		if _, _, err := crankpkg.LoadSplit(name); err != nil {
			t.Error(err)
		}
	}
}

// damage writes files of a set that is built in which are not what they should be.
func damage(t *testing.T, folder, name string) {
	t.Helper()
	files, err := mulan.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{files.Train, files.Test, files.Labels} {
		if err := os.WriteFile(filepath.Join(folder, filepath.Base(file)), []byte("damaged"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// useEmptyCache gives the test a user's cache folder of its own.
func useEmptyCache(t *testing.T) {
	t.Helper()
	folder := t.TempDir()
	for _, variable := range []string{"XDG_CACHE_HOME", "HOME", "LocalAppData"} {
		t.Setenv(variable, folder)
	}
}

func TestLoadSplitNotFound(t *testing.T) {
	useEmptyCache(t)
	empty := t.TempDir()
	t.Setenv(dataVariable, empty)
	for _, name := range []string{"bibtex", "cal500"} {
		_, _, err := crankpkg.LoadSplit(name)
		if !errors.Is(err, errs.ErrNotFound) {
			t.Errorf("%s: error %v, want %v", name, err, errs.ErrNotFound)
			continue
		}
		command := "go run github.com/crank-ml/crank/cmd/crank fetch " + name
		for _, part := range []string{"not built in", empty, dataVariable} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: the error %q does not say %q", name, err, part)
			}
		}
		if !strings.HasSuffix(err.Error(), command) {
			t.Errorf("%s: the error %q does not end in %q", name, err, command)
		}
	}
	if _, _, err := crankpkg.LoadSplit("nosuchset"); !errors.Is(err, errs.ErrNotFound) {
		t.Errorf("error %v, want %v", err, errs.ErrNotFound)
	}
}

// A set in CRANK_DATA hides one in the cache folder, and that hides the one that is built
// in, each when it is whole.
func TestLoadSplitPlaces(t *testing.T) {
	useEmptyCache(t)
	data := t.TempDir()
	t.Setenv(dataVariable, data)
	cache, err := crankpkg.CacheFolder()
	if err != nil {
		t.Fatal(err)
	}
	rows := func() [2]int {
		train, test, err := crankpkg.LoadSplit("flags")
		if err != nil {
			t.Fatal(err)
		}
		return [2]int{train.Len(), test.Len()}
	}
	for _, step := range []struct {
		folder, file string
		rows         int
		want         [2]int
	}{
		{data, "flags-train.arff", 1, [2]int{129, 65}},
		{data, "flags.xml", 0, [2]int{129, 65}},
		{cache, "flags-train.arff", 2, [2]int{129, 65}},
		{cache, "flags-test.arff", 3, [2]int{129, 65}},
		{cache, "flags.xml", 0, [2]int{2, 3}},
		{data, "flags-test.arff", 4, [2]int{1, 4}},
	} {
		writeToy(t, filepath.Join(step.folder, "flags", step.file), step.rows)
		if got := rows(); got != step.want {
			t.Errorf("with %s in %s: %d rows, want %d", step.file, step.folder, got, step.want)
		}
	}
}

// writeToy writes an ARFF file with so many rows, or the XML file of its label.
func writeToy(t *testing.T, path string, rows int) {
	t.Helper()
	text := "@relation toy\n@attribute x numeric\n@attribute y {0,1}\n@data\n" + strings.Repeat("1,1\n", rows)
	if filepath.Ext(path) == ".xml" {
		text = `<labels><label name="y"/></labels>`
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// A set whose files are at odds is the files' fault, and both are named.
func TestLoadSplitFilesDiffer(t *testing.T) {
	data := t.TempDir()
	t.Setenv(dataVariable, data)
	for _, file := range []string{"flags-train.arff", "flags-test.arff"} {
		writeToy(t, filepath.Join(data, "flags", file), 1)
	}
	xml := filepath.Join(data, "flags", "flags.xml")
	if err := os.WriteFile(xml, []byte(`<labels><label name="z"/></labels>`), 0o666); err != nil {
		t.Fatal(err)
	}
	_, _, err := crankpkg.LoadSplit("flags")
	if !errors.Is(err, errs.ErrData) || !strings.Contains(err.Error(), xml) || !strings.Contains(err.Error(), "flags-train.arff") {
		t.Errorf("error %v", err)
	}
}

// Neither a home nor a cache folder is needed for what is built in.
func TestLoadSplitWithoutHome(t *testing.T) {
	t.Setenv(dataVariable, "")
	for _, variable := range []string{"XDG_CACHE_HOME", "HOME", "LocalAppData"} {
		t.Setenv(variable, "")
	}
	if _, err := crankpkg.CacheFolder(); err == nil {
		t.Skip("this system has a cache folder whatever the environment says")
	}
	if _, _, err := crankpkg.LoadSplit(mulan.Medical10); err != nil {
		t.Error(err)
	}
	if _, _, err := crankpkg.LoadSplit("bibtex"); !errors.Is(err, errs.ErrNotFound) {
		t.Errorf("error %v, want %v", err, errs.ErrNotFound)
	}
}
