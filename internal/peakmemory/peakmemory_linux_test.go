package peakmemory

import "testing"

func TestPeakIn(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]float64{
		"Name:\tx\nVmPeak:\t  99 kB\nVmHWM:\t    1000 kB\nVmRSS:\t   5 kB\n": 1.024, "": 0, "VmHWM:\n": 0, "VmRSS: 4 kB\n": 0,
	} {
		if got := peakIn([]byte(text)); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
	if got := Own(); got < 1 {
		t.Errorf("this process has had %v megabytes", got)
	}
}
