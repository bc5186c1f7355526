//go:build unix

package atomicfile

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestWriteToPipe writes to a pipe, which stays one: a file in its place would hide it from all others, and as
// /dev/null from the whole machine.
func TestWriteToPipe(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o666); err != nil {
		t.Skip(err)
	}
	read := make(chan string)
	go func() {
		text, err := os.ReadFile(path)
		if err != nil {
			text = []byte(err.Error())
		}
		read <- string(text)
	}()
	err := Write(path, func(w io.Writer) error {
		_, err := fmt.Fprint(w, "all of it")
		return err
	})
	info, wrong := os.Lstat(path)
	if err != nil || wrong != nil || info.Mode().Type() != fs.ModeNamedPipe {
		t.Fatalf("%v, %v, %v", err, wrong, info)
	}
	if text := <-read; text != "all of it" {
		t.Errorf("%q", text)
	}
}
