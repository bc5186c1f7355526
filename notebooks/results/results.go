// Package results holds what "crank results" and the scripts under bench have measured, a JSON file for each part, and reads it for
// the notebooks. Each type is a row of the files that its comment names, as far as notebooks use them.
//
//	rows, err := results.Rows[results.Entry]("table1.json")
package results

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
)

//go:embed *.json
var files embed.FS

// Rows returns the rows of a file: the array that it is, or the Rows of a report that says how it was made. The error names the file.
func Rows[T any](name string) ([]T, error) {
	data, err := files.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("results: there is no %s", name)
	}
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte("[")) {
		return decode[[]T](name, data)
	}
	report, err := decode[struct{ Rows []T }](name, data)
	return report.Rows, err
}

// Whole returns a file that is no list of rows.
func Whole[T any](name string) (whole T, err error) {
	data, err := files.ReadFile(name)
	if err != nil {
		return whole, fmt.Errorf("results: there is no %s", name)
	}
	return decode[T](name, data)
}

func decode[T any](name string, data []byte) (value T, err error) {
	if err := json.Unmarshal(data, &value); err != nil {
		return value, fmt.Errorf("results: %s: %w", name, err)
	}
	return value, nil
}
