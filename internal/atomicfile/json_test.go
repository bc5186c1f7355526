package atomicfile

import (
	"os"
	"path/filepath"
	"testing"
)

// What JSON cannot hold leaves the file as it was.
func TestWriteJSON(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "result.json")
	if err := WriteJSON(path, map[string]int{"a": 1}); err != nil {
		t.Fatal(err)
	}
	if err := WriteJSON(path, func() {}); err == nil {
		t.Error("a function is written")
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "{\n \"a\": 1\n}\n" {
		t.Errorf("%q, error %v", text, err)
	}
}
