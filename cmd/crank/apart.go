package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
)

// apart sends lines to a process of its own, which answers each with a line. Where the process
// ends without an answer, for want of memory say, the next line gets another one.
type apart struct {
	args   []string // of this program
	child  *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr *beginning
}

// ask returns the answer to a line, both with their ends. The error says how the process has ended.
func (a *apart) ask(ctx context.Context, line []byte) ([]byte, error) {
	if a.child == nil {
		if err := a.start(ctx); err != nil {
			return nil, err
		}
	}
	a.in.Write(line) // a process that does not read does not answer
	answer, err := a.out.ReadBytes('\n')
	if err == nil {
		return answer, nil
	}
	return nil, fmt.Errorf("its process ended without a result: %s", a.end())
}

// start starts the process.
func (a *apart) start(ctx context.Context) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	child := exec.CommandContext(ctx, self, a.args...)
	a.stderr = new(beginning)
	child.Stderr = a.stderr
	if a.in, err = child.StdinPipe(); err != nil {
		return err
	}
	out, err := child.StdoutPipe()
	if err != nil {
		return err
	}
	a.out = bufio.NewReader(out)
	if err := child.Start(); err != nil {
		return err
	}
	a.child = child
	return nil
}

// end lets the process end, and returns how it did, with the first line of what it has said.
func (a *apart) end() string {
	if a.child == nil {
		return ""
	}
	a.in.Close()
	err := a.child.Wait()
	how := "no error"
	if err != nil {
		how = err.Error()
	}
	if said, _, _ := bytes.Cut(bytes.TrimSpace(a.stderr.text), []byte("\n")); len(said) > 0 {
		how += ": " + string(said)
	}
	a.child = nil
	return how
}

// beginning keeps the first bytes that are written to it.
type beginning struct{ text []byte }

func (b *beginning) Write(p []byte) (int, error) {
	const most = 1000
	b.text = append(b.text, p[:min(len(p), most-len(b.text))]...)
	return len(p), nil
}
