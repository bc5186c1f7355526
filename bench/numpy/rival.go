package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

// rival is product.py at work on one set.
type rival struct {
	cmd       *exec.Cmd
	in        io.WriteCloser
	out       *bufio.Reader
	numpy     string // its version
	blas      string
	positives int
}

// startRival starts product.py with the rows x and the weights w of so many labels.
func startRival(python, script, dir string, x, w []float64, labels int) (*rival, error) {
	for name, values := range map[string][]float64{"x": x, "w": w} {
		var b bytes.Buffer
		if err := binary.Write(&b, binary.NativeEndian, values); err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(dir, name), b.Bytes(), 0o600); err != nil {
			return nil, err
		}
	}
	r := &rival{cmd: exec.Command(python, script, filepath.Join(dir, "x"), filepath.Join(dir, "w"), fmt.Sprint(labels))}
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
	var version string
	if _, err := fmt.Fscanln(r.out, &r.numpy, &r.blas, &version, &r.positives); err != nil {
		return nil, fmt.Errorf("product.py says nothing of use: %w", err)
	}
	r.blas += " " + version
	return r, nil
}

// seconds has the product timed, in processor seconds a row.
func (r *rival) seconds() (s float64, err error) {
	if _, err := fmt.Fprintln(r.in); err != nil {
		return 0, err
	}
	_, err = fmt.Fscanln(r.out, &s)
	return s, err
}

func (r *rival) stop() error {
	if err := r.in.Close(); err != nil {
		return err
	}
	return r.cmd.Wait()
}
