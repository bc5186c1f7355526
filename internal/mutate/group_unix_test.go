//go:build unix

package main

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"
)

// The output ends when the last process that could write to it is gone.
func TestInterruptReachesWhatTheCommandStarted(t *testing.T) {
	t.Parallel()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", `sh -c "echo ready; exec sleep 60"; exit 0`)
	cmd.Stdout = w
	cmd.WaitDelay = 10 * time.Second
	interruptible(cmd)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	out := bufio.NewReader(r)
	if line, err := out.ReadString('\n'); line != "ready\n" {
		t.Fatalf("read %q, error %v", line, err)
	}
	cancel()
	if err := cmd.Wait(); err == nil {
		t.Error("the command was not interrupted")
	}
	if err := r.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(out); err != nil {
		t.Errorf("what the command started goes on: %v", err)
	}
}
