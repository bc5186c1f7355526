//go:build unix

package results

import (
	"os"
	"runtime"
	"syscall"
	"time"
)

// cpuSeconds returns the processor time that this process has used, in all of its
// goroutines: unlike the time on the wall, that does not count what else the
// machine does.
func cpuSeconds() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // the arguments are constants
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}

// peakMegabytes returns the largest memory of a process that has ended.
func peakMegabytes(p *os.ProcessState) float64 {
	u, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	unit := 1024.0 // Linux counts kilobytes, macOS bytes
	if runtime.GOOS == "darwin" {
		unit = 1
	}
	return float64(u.Maxrss) * unit / 1e6
}
