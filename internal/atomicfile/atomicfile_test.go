package atomicfile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
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

// text reads and writes itself, unless told to fail.
type text struct {
	s   string
	err error
}

func (v *text) WriteTo(w io.Writer) (int64, error) {
	n, err := io.WriteString(w, v.s)
	return int64(n), errors.Join(err, v.err)
}

func (v *text) ReadFrom(r io.Reader) (int64, error) {
	data, err := io.ReadAll(r)
	v.s = string(data)
	return int64(len(data)), errors.Join(err, v.err)
}

func TestSaveLoad(t *testing.T) {
	path, reason := filepath.Join(t.TempDir(), "file"), errors.New("reason")
	if err := Load(path, new(text)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if err := Save(path, &text{s: "whole"}); err != nil {
		t.Fatal(err)
	}
	if err := Save(path, &text{s: "half", err: reason}); !errors.Is(err, reason) {
		t.Errorf("Save: %v, want the reason", err)
	}
	var got text
	if err := Load(path, &got); err != nil || got.s != "whole" {
		t.Errorf("%q, %v", got.s, err)
	}
	if err := Load(path, &text{err: reason}); !errors.Is(err, reason) || !strings.Contains(err.Error(), path) {
		t.Errorf("Load: %v, want the reason and the file", err)
	}
}
