// Package rival runs a Python script that does the same work as ours, a round of it for each line that it gets, so that both take
// turns on the machine.
package rival

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// Rival is a script at work. Its numerics have one thread.
type Rival struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

// WriteAll leaves files of 64-bit floats in a folder, as numpy.fromfile reads them.
func WriteAll(dir string, files map[string][]float64) error {
	for name, values := range files {
		var b bytes.Buffer
		if err := binary.Write(&b, binary.NativeEndian, values); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), b.Bytes(), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// Start starts a script and reads its first line into what hello points to.
func Start(python, script string, args []string, hello ...any) (*Rival, error) {
	r := &Rival{cmd: exec.Command(python, append([]string{script}, args...)...)}
	r.cmd.Env = append(os.Environ(), "OPENBLAS_NUM_THREADS=1", "OMP_NUM_THREADS=1", "MKL_NUM_THREADS=1")
	r.cmd.Stderr = os.Stderr
	var err error
	if r.in, err = r.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := r.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	r.out = bufio.NewReader(out)
	if err := r.cmd.Start(); err != nil {
		return nil, err
	}
	if _, err := fmt.Fscanln(r.out, hello...); err != nil {
		return nil, fmt.Errorf("%s says nothing of use: %w", filepath.Base(script), err)
	}
	return r, nil
}

// Round has the script do its work once and reads its answer into what answer points to.
func (r *Rival) Round(answer ...any) error {
	if _, err := fmt.Fprintln(r.in); err != nil {
		return err
	}
	_, err := fmt.Fscanln(r.out, answer...)
	return err
}

// Stop ends the script.
func (r *Rival) Stop() error {
	if err := r.in.Close(); err != nil {
		return err
	}
	return r.cmd.Wait()
}

// Median returns the middle of some values.
func Median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}
