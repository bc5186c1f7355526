package results

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/crank-ml/crank/internal/atomicfile"
)

// writeRows writes a JSON array with one element to a line, which reads well in a
// comparison of two versions.
func writeRows[T any](mk *maker, name string, rows []T) error {
	lines := make([]string, len(rows))
	for k, row := range rows {
		line, err := json.Marshal(row)
		if err != nil {
			return err
		}
		lines[k] = string(line)
	}
	return mk.write(name, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "[%s\n]\n", strings.Join(lines, "\n,"))
		return err
	})
}

// report is a result file that says what made it.
type report[T any] struct {
	Command    string
	CPUSeconds float64
	Rows       []T
}

func writeReport[T any](mk *maker, name string, rows []T) error {
	return mk.write(name, func(w io.Writer) error { return encode(w, report[T]{mk.command(), mk.cpu, rows}) })
}

func encode(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", " ")
	return encoder.Encode(value)
}

// command is what makes the part.
func (mk *maker) command() string {
	return "go run ./cmd/crank results " + pick(mk, "", "-quick ") + mk.part.Name
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
	return mk.record(name)
}

// commandsFile tells what made each file of the folder: arrays have no place for
// it.
const commandsFile = "commands.json"

// record puts the file's command into commandsFile.
func (mk *maker) record(name string) error {
	path := filepath.Join(mk.Out, commandsFile)
	commands := map[string]string{}
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &commands)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w", path, err)
	}
	commands[name] = mk.command()
	return atomicfile.Write(path, func(w io.Writer) error { return encode(w, commands) })
}
