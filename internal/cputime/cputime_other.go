//go:build !unix

// Package cputime tells the processor time of this process, which, unlike the
// time on the wall, does not count what else the machine does.
package cputime

import "time"

var start = time.Now()

// Seconds returns the time on the wall, where the system does not tell that of
// the processor.
func Seconds() float64 { return time.Since(start).Seconds() }
