package mulandata

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestOpenErrors asks for files that are not built in: an error says so, not an empty reader.
func TestOpenErrors(t *testing.T) {
	for _, name := range []string{"", "yeast", "yeast/yeast-none.arff", "bibtex/bibtex-train.arff"} {
		r, err := Open(name)
		if r != nil || !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%q: %v, %v, want fs.ErrNotExist", name, r, err)
		}
	}
}

// TestOpen reads each file that README.md lists: its text has the checksum there, and no file is here without one.
func TestOpen(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	listed := regexp.MustCompile(`(?m)^([0-9a-f]{64})  ((\w+)/\S+)$`).FindAllStringSubmatch(string(readme), -1)
	sums := map[string]string{}
	for _, m := range listed {
		sums[m[2]] = m[1]
		if !Has(m[3]) {
			t.Errorf("%s is not here", m[3])
		}
	}
	err = fs.WalkDir(packed, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name := strings.TrimSuffix(path, ".gz")
		text, err := Open(name)
		if err != nil {
			return err
		}
		h := sha256.New()
		if _, err := io.Copy(h, text); err != nil {
			return err
		}
		if got := hex.EncodeToString(h.Sum(nil)); got != sums[name] {
			t.Errorf("%s has the checksum %s, want %s", name, got, sums[name])
		}
		delete(sums, name)
		return text.Close()
	})
	if err != nil || len(sums) > 0 {
		t.Errorf("error %v; not here: %v", err, sums)
	}
	for _, other := range []string{"bibtex", "yeast/none", "../emotions"} {
		if Has(other) {
			t.Errorf("%q is here", other)
		}
	}
}
