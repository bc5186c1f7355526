package peakmemory

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
)

// Own returns the largest memory of this process in megabytes, 0 if the system does not tell. What
// the system tells the parent (Of) is at least the parent's own peak at the start.
func Own() float64 {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	return peakIn(text)
}

// peakIn reads the line "VmHWM: 1234 kB".
func peakIn(status []byte) float64 {
	lines := bufio.NewScanner(bytes.NewReader(status))
	for lines.Scan() {
		var kilobytes float64
		if n, _ := fmt.Sscanf(lines.Text(), "VmHWM: %f kB", &kilobytes); n == 1 {
			return kilobytes * 1024 / 1e6
		}
	}
	return 0
}
