package cputime

import "testing"

// TestSecondsGrow works until the time has grown; it never falls.
func TestSecondsGrow(t *testing.T) {
	t.Parallel()
	begin := Seconds()
	if begin < 0 {
		t.Fatalf("%v seconds", begin)
	}
	for last := begin; last == begin; {
		now := Seconds()
		if now < last {
			t.Fatalf("%v seconds after %v", now, last)
		}
		last = now
	}
}
