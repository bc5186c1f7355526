package main

import "testing"

// A command beside it, whose folder begins with the same letters, is another.
func TestNames(t *testing.T) {
	t.Parallel()
	for environment, want := range map[string]bool{
		"HOME=/root\x00TMPDIR=/tmp/mutant12\x00": true,
		"TMPDIR=/tmp/mutant12":                   true,
		"TMPDIR=/tmp/mutant12/deeper\x00":        true,
		"TMPDIR=/tmp/mutant123\x00":              false,
		"TMPDIR=/other/tmp/mutant12\x00":         false,
		"HOME=/root\x00":                         false,
		"":                                       false,
	} {
		if got := names([]byte(environment), "/tmp/mutant12"); got != want {
			t.Errorf("%q: %v", environment, got)
		}
	}
}
