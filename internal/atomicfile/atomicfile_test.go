package atomicfile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func TestWriteFileAtomic(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	put := func(text string, fail error) error {
		return Write(path, func(w io.Writer) error {
			io.WriteString(w, text)
			return fail
		})
	}
	holds := func(want string) {
		t.Helper()
		if got, err := os.ReadFile(path); string(got) != want {
			t.Errorf("the file has %q, error %v, want %q", got, err, want)
		}
		if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) != 1 {
			t.Errorf("the folder has %v", entries)
		}
	}
	if err := put("one", nil); err != nil {
		t.Error(err)
	}
	holds("one")
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := put("two", nil); err != nil {
		t.Error(err)
	}
	holds("two")
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the permissions became %v, error %v", info.Mode(), err)
	}
	failure := errors.New("failure")
	if err := put("three", failure); !errors.Is(err, failure) {
		t.Errorf("error %v, want %v", err, failure)
	}
	holds("two")

	err := Write(filepath.Join(path, "below a file"), func(io.Writer) error { return nil })
	if err == nil {
		t.Error("wrote below a file")
	}
	err = Write(filepath.Join(filepath.Dir(path), "none", "f"), func(io.Writer) error { return nil })
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v, want %v", err, fs.ErrNotExist)
	}
	holds("two")
}

// When write panics, the file keeps what it had and nothing else is left.
func TestWriteFileAtomicPanic(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	os.WriteFile(path, []byte("old"), 0o666)
	func() {
		defer func() { recover() }()
		Write(path, func(w io.Writer) error { panic("no") })
	}()
	if got, _ := os.ReadFile(path); string(got) != "old" {
		t.Errorf("the file has %q", got)
	}
	if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) != 1 {
		t.Errorf("the folder has %v", entries)
	}
}
