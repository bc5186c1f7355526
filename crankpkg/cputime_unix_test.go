//go:build unix

package crankpkg

import (
	"syscall"
	"time"
)

// cpuTime returns the processor time that this process has used, its garbage
// collector included. Unlike the time on the wall, it does not count what else
// the machine does.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
