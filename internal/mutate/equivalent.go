package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// A key tells a mutation by its file and its lines, which stay when others move.
type key struct{ file, before, after string }

func keyOf(m mutation) key { return key{m.name, m.before(), m.after()} }

func (k key) String() string { return fmt.Sprintf("%s\n- %s\n+ %s", k.file, k.before, k.after) }

// equivalent holds the mutations that change no result, in the order of their file.
type equivalent []key

// readEquivalent reads a list of mutations. An empty name is no list.
func readEquivalent(name string) (equivalent, error) {
	if name == "" {
		return nil, nil
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	list, err := parseEquivalent(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return list, nil
}

// parseEquivalent reads blocks of lines with empty lines between them: the file, the line before after "- ", the line
// after after "+ ", and the reason why nothing changes. What follows a colon in the first line does not count, so that
// a block can come from a report. Lines that start with # are comments.
func parseEquivalent(text string) (equivalent, error) {
	var list equivalent
	var block []string
	for i, line := range append(strings.Split(text, "\n"), "") {
		line = strings.TrimSpace(line)
		if line != "" && line[0] != '#' {
			block = append(block, line)
		}
		if line != "" || len(block) == 0 {
			continue
		}
		if len(block) < 4 || block[1][0] != '-' || block[2][0] != '+' {
			return nil, fmt.Errorf("the block that ends at line %d: want a file, a line after -, a line after + and a reason", i)
		}
		file, _, _ := strings.Cut(block[0], ":")
		list = append(list, key{file, strings.TrimSpace(block[1][1:]), strings.TrimSpace(block[2][1:])})
		block = nil
	}
	return list, nil
}

// without returns the mutations that are not in the list.
func (list equivalent) without(all []mutation) []mutation {
	known := map[key]bool{}
	for _, k := range list {
		known[k] = true
	}
	var left []mutation
	for _, m := range all {
		if !known[keyOf(m)] {
			left = append(left, m)
		}
	}
	return left
}

// stale returns the entries that are no mutation of their file. It says nothing of files that no mutation comes from,
// unless they are gone.
func (list equivalent) stale(dir string, all []mutation) []key {
	there, listed := map[key]bool{}, map[string]bool{}
	for _, m := range all {
		there[keyOf(m)], listed[m.name] = true, true
	}
	var stale []key
	for _, k := range list {
		_, err := os.Stat(filepath.Join(dir, filepath.FromSlash(k.file)))
		if !there[k] && (listed[k.file] || errors.Is(err, fs.ErrNotExist)) {
			stale = append(stale, k)
		}
	}
	return stale
}
