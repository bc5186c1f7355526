package textfile

import (
	"fmt"
	"io"
	"os"
)

// ReadFile opens a file and returns what parse makes of it; name, for errors, is its path.
func ReadFile[T any](path string, parse func(r io.Reader, name string) (T, error)) (T, error) {
	f, err := os.Open(path)
	if err != nil {
		var none T
		return none, fmt.Errorf("crankpkg: %w", err)
	}
	defer f.Close()
	return parse(f, path)
}
