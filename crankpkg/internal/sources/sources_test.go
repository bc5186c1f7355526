package sources

import (
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"testing"
	"testing/fstest"
)

const program = "// Package p is here.\npackage p\n\n// F adds.\nfunc F(x int) int {\n\treturn x + 1 // one\n}\n"

func hashOf(t *testing.T, files map[string]string) string {
	t.Helper()
	all := fstest.MapFS{}
	for name, text := range files {
		all[name] = &fstest.MapFile{Data: []byte(text)}
	}
	h := sha256.New()
	if err := Add(h, all); err != nil {
		t.Fatal(err)
	}
	return string(h.Sum(nil))
}

// TestAdd tells apart programs that may do something else, and no others.
func TestAdd(t *testing.T) {
	t.Parallel()
	seen := map[string]string{hashOf(t, map[string]string{"a/p.go": program}): "the program"}
	for name, same := range map[string]string{
		"no comments":    "package p\nfunc F(x int) int {\n\treturn x + 1 // one\n}\n",
		"other comments": "// Copyright.\n\n// Package p is there.\npackage p\n\n\t// F\n//\n// adds.\nfunc F(x int) int {\n\t\n\treturn x + 1 // one\n}",
		"CR LF":          "package p\r\n\r\nfunc F(x int) int {\r\n\treturn x + 1 // one\r\n}\r\n",
	} {
		if seen[hashOf(t, map[string]string{"a/p.go": same})] == "" {
			t.Errorf("%s: another program", name)
		}
	}
	for name, other := range map[string]map[string]string{
		"a number":         {"a/p.go": "package p\nfunc F(x int) int {\n\treturn x + 2 // one\n}\n"},
		"a name":           {"a/q.go": program},
		"a folder":         {"b/p.go": program},
		"another file":     {"a/p.go": program, "a/q.go": "package p\n"},
		"a file in two":    {"a/p.go": "package p\n", "a/q.go": "package p\nfunc F(x int) int {\n\treturn x + 1 // one\n}\n"},
		"a constraint":     {"a/p.go": "//go:build purego\n" + program},
		"a space":          {"a/p.go": "package p\nfunc F(x int) int {\n\treturn  x + 1 // one\n}\n"},
		"a line's end":     {"a/p.go": "package p\nfunc F(x int) int {\n\treturn x +\n1 // one\n}\n"},
		"none":             {},
		"assembly in line": {"a/p.go": program, "a/p.s": "ADDQ $1, AX // one\n"},
	} {
		h := hashOf(t, other)
		if seen[h] != "" {
			t.Errorf("%s: taken for %s", name, seen[h])
		}
		seen[h] = name
	}
}

// unreadable has a file that is listed and cannot be read.
type unreadable struct{ fstest.MapFS }

func (u unreadable) Open(name string) (fs.File, error) {
	if name == "a/q.go" {
		return nil, fs.ErrPermission
	}
	return u.MapFS.Open(name)
}

func (u unreadable) ReadFile(name string) ([]byte, error) {
	if name == "a/q.go" {
		return nil, fs.ErrPermission
	}
	return u.MapFS.ReadFile(name)
}

// full takes so many writes and no more.
type full int

func (f *full) Write(p []byte) (int, error) {
	if *f--; *f < 0 {
		return 0, io.ErrShortWrite
	}
	return len(p), nil
}

// A hash that lacks a part is none: what cannot be listed, read or written is an error.
func TestAddTellsLostParts(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{"a/p.go": {Data: []byte(program)}, "a/q.go": {Data: []byte(program)}, "a/r.go": {Data: []byte(program)}}
	if err := Add(io.Discard, unreadable{files}); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("a file that cannot be read: error %v", err)
	}
	if err := Add(io.Discard, gone{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no files at all: error %v", err)
	}
	for k := range full(7) { // the version, then each file's name and text
		room := k
		if err := Add(&room, files); !errors.Is(err, io.ErrShortWrite) {
			t.Errorf("room for %d writes: error %v", k, err)
		}
	}
}

// gone is a folder that is not there.
type gone struct{}

func (gone) Open(string) (fs.File, error) { return nil, fs.ErrNotExist }
