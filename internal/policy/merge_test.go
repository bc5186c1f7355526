package policy

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestNothingHalfMerged looks for what a merge leaves where both sides changed a line.
func TestNothingHalfMerged(t *testing.T) {
	list := exec.Command("git", "ls-files", "-z")
	list.Dir = root
	files, err := list.Output()
	if err != nil {
		t.Skip("not a checkout of git: ", err)
	}
	for _, file := range bytes.Split(bytes.TrimRight(files, "\x00"), []byte{0}) {
		text, err := os.ReadFile(filepath.Join(root, string(file)))
		if err != nil {
			continue // removed, and not committed yet
		}
		if k := halfMerged(text); k > 0 {
			t.Errorf("%s:%d: the mark of a merge", file, k)
		}
	}
}

// halfMerged returns the number of the first line that a merge has marked, 0 if there is none.
func halfMerged(text []byte) int {
	for k, line := range bytes.Split(text, []byte("\n")) {
		for _, mark := range []string{"<<<<<<< ", ">>>>>>> "} {
			if bytes.HasPrefix(line, []byte(mark)) {
				return k + 1
			}
		}
	}
	return 0
}

func TestHalfMerged(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "a << b\n=======\n": 0, "a\n" + "<<<<<<<" + " HEAD\nb\n": 2, "a\nb\n" + ">>>>>>>" + " c": 3,
	} {
		if got := halfMerged([]byte(text)); got != want {
			t.Errorf("%q: line %d, want %d", text, got, want)
		}
	}
}
