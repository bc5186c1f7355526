package mulan_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/internal/mulan"
	"github.com/crank-ml/crank/crankpkg/internal/testkit"
)

// dataVariable names a folder of data sets.
const dataVariable = "CRANK_DATA"

// folderTransport answers requests for Mulan's repository from a folder.
type folderTransport string

func (folder folderTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	const prefix = "https://raw.githubusercontent.com/tsoumakas/mulan/43f6389095ad71984264db4387a8074b22bc7d4a/data/multi-label/"
	name, ok := strings.CutPrefix(r.URL.String(), prefix)
	if !ok {
		return nil, fmt.Errorf("unexpected address %v", r.URL)
	}
	content, err := readPlain(filepath.Join(string(folder), filepath.FromSlash(name)))
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

// Sizes and checksums of the catalog agree with the files at hand, and what
// Fetch brings from the public address is what LoadSplit finds.
func TestFetchThenLoad(t *testing.T) {
	testkit.NeedData(t)
	plain := http.DefaultClient.Transport
	http.DefaultClient.Transport = folderTransport(os.Getenv(dataVariable))
	defer func() { http.DefaultClient.Transport = plain }()
	useEmptyCache(t)
	t.Setenv(dataVariable, "")

	names := crankpkg.CatalogNames()
	if testing.Short() {
		names = []string{"flags"}
	}
	for _, name := range names {
		if _, _, err := crankpkg.LoadSplit(name); name != mulan.Medical10 && !errors.Is(err, errs.ErrNotFound) {
			t.Errorf("%s before it was fetched: error %v", name, err)
		}
		if err := crankpkg.Fetch(context.Background(), name, nil); err != nil {
			t.Error(err)
		}
		if _, _, err := crankpkg.LoadSplit(name); err != nil {
			t.Error(err)
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
	for _, name := range []string{"yeast", mulan.Medical10} {
		_, _, err := crankpkg.LoadSplit(name)
		if !errors.Is(err, errs.ErrNotFound) {
			t.Errorf("%s: error %v, want %v", name, err, errs.ErrNotFound)
			continue
		}
		command := "go run github.com/crank-ml/crank/cmd/crank fetch " + strings.TrimSuffix(name, "10")
		if text := err.Error(); !strings.HasSuffix(text, command) || !strings.Contains(text, empty) {
			t.Errorf("%s: the error %q does not name %q and %q", name, text, command, empty)
		}
	}
	if _, _, err := crankpkg.LoadSplit("nosuchset"); !errors.Is(err, errs.ErrNotFound) {
		t.Errorf("error %v, want %v", err, errs.ErrNotFound)
	}
}
