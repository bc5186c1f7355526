//go:build unix

package cputime

import (
	"io"
	"os"
	"syscall"
	"testing"
)

// usage returns the seconds that the system tells of this process, apart and together.
func usage(t *testing.T) (user, system, both float64) {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	user, system = float64(u.Utime.Nano())/1e9, float64(u.Stime.Nano())/1e9
	return user, system, user + system
}

// TestSecondsAreOfUserAndSystem works, and has the system work, until both have used some time. Their sum counts.
func TestSecondsAreOfUserAndSystem(t *testing.T) {
	t.Parallel()
	zero, err := os.Open("/dev/zero")
	if err != nil {
		t.Skip(err)
	}
	defer zero.Close()
	for user, system := 0.0, 0.0; user < 1e-3 || system < 1e-3; user, system, _ = usage(t) {
		if _, err := io.CopyN(io.Discard, zero, 1<<20); err != nil {
			t.Fatal(err)
		}
	}
	_, _, before := usage(t)
	got := Seconds()
	_, _, after := usage(t)
	if got < before-1e-9 || got > after+1e-9 {
		t.Errorf("%v seconds, between %v and %v of the user and the system", got, before, after)
	}
}
