//go:build !unix

package crankpkg

import "time"

var processStart = time.Now()

// cpuTime returns the time on the wall, where the system does not tell that of
// the processor.
func cpuTime() time.Duration { return time.Since(processStart) }
