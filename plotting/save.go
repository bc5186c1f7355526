package plotting

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Save writes d to a file in the format that the extension of path names: PNG
// (192 dots to the inch), SVG, PDF or, for an Animation, GIF. The file is
// replaced as a whole or not at all.
func Save(path string, d Drawing) error {
	format := strings.ToLower(strings.TrimPrefix(filepath.Ext(path), "."))
	data, err := encode(d, format)
	if err != nil {
		return err
	}
	err = writeFileAtomic(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
	if err != nil {
		return fmt.Errorf("plotting: %w", err)
	}
	return nil
}

// writeFileAtomic writes a file beside path and renames it to path.
func writeFileAtomic(path string, write func(io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), ".figure-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if err := write(f); err != nil {
		return err
	}
	if err := f.Chmod(0o644); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
