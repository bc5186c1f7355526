//go:build unix

// Package cputime tells the processor time of this process, which, unlike the
// time on the wall, does not count what else the machine does.
package cputime

import (
	"syscall"
	"time"
)

// Seconds returns the processor time that this process has used, in all of its
// goroutines.
func Seconds() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}
