// Package sources hashes the text of programs, so that what they have made is known by it.
package sources

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"runtime"
)

// Add writes all files to h, a hash, each with its name, in the order of their names. Empty lines and lines that are comments
// change no result and are left out, but not those that tell the compiler something. The compiler's version comes first.
func Add(h io.Writer, files fs.FS) error {
	fmt.Fprintln(h, runtime.Version(), runtime.GOARCH)
	return fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(files, path)
		if err != nil {
			return err
		}
		code := Code(text)
		fmt.Fprintf(h, "%s %d\n", path, len(code))
		_, err = h.Write(code)
		return err
	})
}

// Code returns the lines of a text that are not empty and no comments, with line feeds alone at their ends.
func Code(text []byte) []byte {
	var code []byte
	for line := range bytes.Lines(text) {
		trimmed := bytes.TrimSpace(line)
		if len(trimmed) == 0 || bytes.HasPrefix(trimmed, []byte("//")) && !bytes.HasPrefix(trimmed, []byte("//go:")) {
			continue
		}
		code = append(append(code, bytes.TrimRight(line, "\r\n")...), '\n')
	}
	return code
}
