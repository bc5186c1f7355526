package atomicfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// openBelow returns the files of a folder that this process holds open, where the system tells.
func openBelow(t *testing.T, folder string) (open []string) {
	t.Helper()
	const descriptors = "/proc/self/fd"
	entries, err := os.ReadDir(descriptors)
	if err != nil {
		t.Skip("the system does not tell which files are open")
	}
	for _, e := range entries {
		if path, err := os.Readlink(filepath.Join(descriptors, e.Name())); err == nil && strings.HasPrefix(path, folder) {
			open = append(open, path)
		}
	}
	return open
}

// TestNothingStaysOpen checks that files are closed when all goes well, after an error and after a panic.
func TestNothingStaysOpen(t *testing.T) {
	folder, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "f")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if open := openBelow(t, folder); len(open) != 1 {
		t.Fatalf("one file is open, and not %q", open)
	}
	f.Close()
	reason := errors.New("reason")
	for name, do := range map[string]func(){
		"Save":                func() { Save(path, &text{s: "whole"}) },
		"Save with an error":  func() { Save(path, &text{err: reason}) },
		"Write with a panic":  func() { defer func() { recover() }(); Write(path, func(io.Writer) error { panic("no") }) },
		"Write over a folder": func() { Write(folder, func(io.Writer) error { return nil }) },
		"Load":                func() { Load(path, new(text)) },
		"Load with an error":  func() { Load(path, &text{err: reason}) },
	} {
		if do(); len(openBelow(t, folder)) > 0 {
			t.Errorf("%s leaves %q open", name, openBelow(t, folder))
		}
	}
}
