// Package results holds what "crank results" and the scripts under bench have measured, a JSON file for each part, and reads it for
// the notebooks. Each type is a row of the files that its comment names, as far as notebooks use them.
//
//	rows, err := results.Rows[results.Entry]("table1.json")
//
// Files name the commit that they were made at, which MadeBy tells and Caption puts in a line.
package results

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/crank-ml/crank/internal/origin"
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

// MadeBy returns what made a file; empty for those of before files named their commit.
func MadeBy(name string) (origin.Origin, error) {
	data, err := files.ReadFile(name)
	if err != nil {
		return origin.Origin{}, fmt.Errorf("results: there is no %s", name)
	}
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte("[")) {
		return origin.Origin{}, nil
	}
	file, err := decode[struct{ Made origin.Origin }](name, data)
	return file.Made, err
}

// Caption returns a line that says when files were made, those of one commit together: "table1.json, curves.json: made at commit 0123456, 2026-11-28."
func Caption(names ...string) (string, error) {
	var order []string
	of := map[string][]string{}
	for _, name := range names {
		made, err := MadeBy(name)
		if err != nil {
			return "", err
		}
		when := made.String()
		if !slices.Contains(order, when) {
			order = append(order, when)
		}
		of[when] = append(of[when], name)
	}
	for k, when := range order {
		order[k] = strings.Join(of[when], ", ") + ": " + when
	}
	return strings.Join(order, "; ") + ".", nil
}

func decode[T any](name string, data []byte) (value T, err error) {
	if err := json.Unmarshal(data, &value); err != nil {
		return value, fmt.Errorf("results: %s: %w", name, err)
	}
	return value, nil
}
