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

	"github.com/crank-ml/crank/crankpkg"
)

// rival is svc.py at work on one set.
type rival struct {
	cmd     *exec.Cmd
	dir     string
	in      io.WriteCloser
	out     *bufio.Reader
	version string // scikit-learn's
}

// startRival starts svc.py with the scaled rows of a split, its files in dir.
func startRival(python, script, dir string, train *crankpkg.Dataset, x, testX []float64, c, gamma float64) (*rival, error) {
	y := make([]float64, 0, len(train.Y))
	for _, v := range train.Y {
		y = append(y, float64(v))
	}
	for name, values := range map[string][]float64{"x": x, "y": y, "test": testX} {
		var b bytes.Buffer
		if err := binary.Write(&b, binary.NativeEndian, values); err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(dir, name), b.Bytes(), 0o600); err != nil {
			return nil, err
		}
	}
	r := &rival{cmd: exec.Command(python, script, dir, fmt.Sprint(train.NumLabels()), fmt.Sprint(c), fmt.Sprint(gamma)), dir: dir}
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
	if _, err := fmt.Fscanln(r.out, &r.version); err != nil {
		return nil, fmt.Errorf("svc.py says nothing of use: %w", err)
	}
	return r, nil
}

// round has all trained and tested once.
func (r *rival) round() (own, shared seconds, err error) {
	if _, err := fmt.Fprintln(r.in); err != nil {
		return own, shared, err
	}
	_, err = fmt.Fscanln(r.out, &own.Train, &own.Test, &shared.Train, &shared.Test)
	return own, shared, err
}

// scores returns the scores of the last round, those of a test row after the other.
func (r *rival) scores(rows, labels int) ([]float64, error) {
	raw, err := os.ReadFile(filepath.Join(r.dir, "scores"))
	if err != nil {
		return nil, err
	}
	s := make([]float64, rows*labels)
	return s, binary.Read(bytes.NewReader(raw), binary.NativeEndian, s)
}

func (r *rival) stop() error {
	if err := r.in.Close(); err != nil {
		return err
	}
	return r.cmd.Wait()
}
