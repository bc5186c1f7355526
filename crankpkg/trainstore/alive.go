package trainstore

import (
	"errors"
	"os"
	"syscall"
)

// alive reports whether a process of this machine has not ended, as far as can be told.
func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	return err == nil && hears(p)
}

// hears reports whether a signal would not come too late, and releases p.
func hears(p *os.Process) bool {
	defer func() { _ = p.Release() }()
	return !errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone)
}
