// Package jsonrows writes result files that are read well in a comparison of two
// versions: a JSON array with one element to a line.
package jsonrows

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/crank-ml/crank/crankpkg"
)

// Write replaces the file at path by the array of values, or leaves it as it is
// when a value cannot be written.
func Write[T any](path string, values []T) error {
	return crankpkg.WriteFileAtomic(path, func(w io.Writer) error {
		if len(values) == 0 {
			_, err := io.WriteString(w, "[]\n")
			return err
		}
		for k, v := range values {
			line, err := json.Marshal(v)
			if err != nil {
				return err
			}
			if _, err := fmt.Fprintf(w, "%c%s\n", "[,"[min(k, 1)], line); err != nil {
				return err
			}
		}
		_, err := io.WriteString(w, "]\n")
		return err
	})
}
