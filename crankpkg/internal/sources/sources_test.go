package sources

import (
	"crypto/sha256"
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
