//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// interruptible lets a canceled command interrupt what it started too, for go test alone would leave a test running.
func interruptible(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGINT) }
}
