//go:build unix

package peakmemory

import (
	"os"
	"runtime"
	"syscall"
)

// Of returns the largest memory of a process that has ended.
func Of(p *os.ProcessState) float64 {
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
