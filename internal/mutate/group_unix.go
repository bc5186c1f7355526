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

// endGroup kills what is left of the group of an interruptible command that has started. As long as one of the group is there, no other process
// gets its number.
func endGroup(cmd *exec.Cmd) {
	syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
}
