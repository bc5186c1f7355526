//go:build !unix

package results

import "os"

// peakMegabytes returns zero: the system does not tell.
func peakMegabytes(*os.ProcessState) float64 { return 0 }
