// Package atomicfile writes files that are there whole or not at all, and reads them.
package atomicfile

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"strconv"
)

// Write writes a file through write. The content goes to a temporary
// file in the same folder, which takes the place of path only when all of it
// is on disk: whatever fails, path keeps what it had. The new file is readable
// by all (0644, less the umask's bits), or has the permissions of the one that
// it replaces. What is no plain file, such as a pipe or /dev/null, is written to and
// stays what it is.
func Write(path string, write func(io.Writer) error) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return writeTo(path, write)
	}
	f, err := createTemporary(path)
	if err != nil {
		return fmt.Errorf("crankpkg: %w", err)
	}
	done := false
	defer func() { // also when write panics
		if !done {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	w := bufio.NewWriter(f)
	if err := write(w); err != nil {
		return err
	}
	for _, step := range []func() error{w.Flush, f.Sync, f.Close} {
		if err := step(); err != nil {
			return fmt.Errorf("crankpkg: %w", err)
		}
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return fmt.Errorf("crankpkg: %w", err)
	}
	done = true
	return nil
}

// writeTo writes to a pipe or a device.
func writeTo(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("crankpkg: %w", err)
	}
	w := bufio.NewWriter(f)
	err = write(w)
	if err == nil {
		err = w.Flush()
	}
	return errors.Join(err, f.Close())
}

// Save writes what v writes of itself, as Write does.
func Save(path string, v io.WriterTo) error {
	return Write(path, func(w io.Writer) error {
		_, err := v.WriteTo(w)
		return err
	})
}

// WriteJSON writes v as EncodeJSON does.
func WriteJSON(path string, v any) error {
	return Write(path, func(w io.Writer) error { return EncodeJSON(w, v) })
}

// EncodeJSON writes v with a line for each value, indented by one space, as all result files are.
func EncodeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", " ")
	return e.Encode(v)
}

// Load has v read the file. The error names the file.
func Load(path string, v io.ReaderFrom) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := v.ReadFrom(f); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// createTemporary creates an unused file beside path. Unlike os.CreateTemp it
// gives the permissions that an ordinary new file would have.
func createTemporary(path string) (*os.File, error) {
	mode := fs.FileMode(0o666)
	if old, err := os.Stat(path); err == nil {
		mode = old.Mode().Perm()
	}
	for {
		name := path + "." + strconv.FormatUint(rand.Uint64(), 36) + ".tmp"
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}
