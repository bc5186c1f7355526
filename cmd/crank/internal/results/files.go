package results

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/crank-ml/crank/internal/atomicfile"
	"github.com/crank-ml/crank/internal/origin"
)

// writeRows writes what made the file, and rows with one element to a line, which reads
// well in a comparison of two versions.
func writeRows[T any](mk *maker, name string, rows []T) error {
	made, err := json.Marshal(mk.made())
	if err != nil {
		return err
	}
	lines := make([]string, len(rows))
	for k, row := range rows {
		line, err := json.Marshal(row)
		if err != nil {
			return err
		}
		lines[k] = string(line)
	}
	return mk.write(name, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "{\"Made\":%s\n,\"Rows\":[%s\n]}\n", made, strings.Join(lines, "\n,"))
		return err
	})
}

// report is a result file that says what it cost too.
type report[T any] struct {
	Made       origin.Origin
	CPUSeconds float64
	Rows       []T
}

func writeReport[T any](mk *maker, name string, rows []T) error {
	return mk.write(name, func(w io.Writer) error { return atomicfile.EncodeJSON(w, report[T]{mk.made(), mk.cpu, rows}) })
}

// made is what makes the part, now.
func (mk *maker) made() origin.Origin {
	made := mk.Made
	made.Command = "go run ./cmd/crank results " + pick(mk, "", "-quick ") + mk.part.Name
	return made
}

// write replaces a result file, or leaves it as it is when write fails.
func (mk *maker) write(name string, write func(io.Writer) error) error {
	if err := os.MkdirAll(mk.Out, 0o777); err != nil {
		return err
	}
	path := filepath.Join(mk.Out, name)
	if err := atomicfile.Write(path, write); err != nil {
		return err
	}
	fmt.Fprintf(mk.Log, "wrote %s\n", path)
	return nil
}
