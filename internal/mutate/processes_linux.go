package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
)

// processesOf returns the processes that have a folder in their environment, which they hand on to those that they start.
// It leaves out those of others, which nobody may look at, and those that have ended.
func processesOf(folder string) []int {
	paths, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		return nil
	}
	var all []int
	for _, path := range paths {
		environment, err := os.ReadFile(path)
		if err != nil || !names(environment, folder) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path))); err == nil {
			all = append(all, pid)
		}
	}
	return all
}

// names reports whether a variable of an environment is a folder, or something in it. Another folder may begin with the same letters.
func names(environment []byte, folder string) bool {
	for _, end := range []byte{0, filepath.Separator} {
		if bytes.Contains(append(environment, 0), append([]byte("="+folder), end)) {
			return true
		}
	}
	return false
}
