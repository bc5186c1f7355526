package claims

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// errEnded is what a cell's end panics with in tests.
var errEnded = errors.New("the cell has ended")

// run returns what f prints, what it says on standard error, and whether it errEnded the cell.
func run(t *testing.T, f func()) (printed, said string, failed bool) {
	t.Helper()
	var o, e bytes.Buffer
	oldOut, oldErr, oldExit := out, errOut, exit
	out, errOut = &o, &e
	exit = func(code int) {
		if code == 0 {
			t.Error("a cell that fails ends with status 0")
		}
		panic(errEnded)
	}
	defer func() {
		out, errOut, exit = oldOut, oldErr, oldExit
		if r := recover(); r != nil && r != errEnded {
			panic(r)
		} else if r == errEnded {
			failed = true
		}
		printed, said = o.String(), e.String()
	}()
	f()
	return
}

func TestClaims(t *testing.T) {
	cases := []struct {
		name          string
		f             func()
		printed, said string // parts of what is printed; said "" stands for a cell that goes on
	}{
		{"holds", func() { Holds("all is well", true) }, "holds: all is well\n", ""},
		{"does not hold", func() { Holds("all is well", false) }, "", "no longer holds: all is well"},
		{"required", func() { Require("all is well", true) }, "", ""},
		{"required in vain", func() { Require("all is well", false) }, "", "no longer holds: all is well"},
		{"agrees", func() { Agree("a = b", 1e-12) }, "checked: a = b\n", ""},
		{"differs", func() { Agree("a = b", 1e-6) }, "", "a = b: wrong by 1e-06"},
		{"not a number", func() { Agree("a = b", math.NaN()) }, "", "a = b: wrong by NaN"},
		{"says", func() { Say("%d of %d", 3, 4) }, "3 of 4\n", ""},
		{"must", func() { Say("%d", Must(7, nil)) }, "7\n", ""},
		{"must not", func() { Must(7, errors.New("no file")) }, "", "no file"},
		{"two", func() { a, b := Must2(7, "x", nil); Say("%d%s", a, b) }, "7x\n", ""},
		{"not two", func() { Must2(7, "x", errors.New("no file")) }, "", "no file"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			printed, said, failed := run(t, c.f)
			if printed != c.printed {
				t.Errorf("printed %q, want %q", printed, c.printed)
			}
			if failed != (c.said != "") || !strings.Contains(said, c.said) {
				t.Errorf("failed %v with %q, want %q", failed, said, c.said)
			}
		})
	}
}

// TestPaired draws pairs whose true difference is known: the interval has to cover it in about 95 % of the draws, and the words
// have to say "level" for as many where it is zero.
func TestPaired(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 1))
	const draws, pairs = 4000, 6
	covered, level := 0, 0
	for range draws {
		a, b, same := make([]float64, pairs), make([]float64, pairs), make([]float64, pairs)
		for i := range a {
			common := 10 * rng.NormFloat64() // of the pair, so that only the difference is small
			a[i], b[i], same[i] = common+1.5+rng.NormFloat64(), common+rng.NormFloat64(), common+rng.NormFloat64()
		}
		d := Paired(a, b)
		if d.Low <= 1.5 && 1.5 <= d.High {
			covered++
		}
		if Paired(same, b).Words("ahead", "level", "behind") == "level" {
			level++
		}
	}
	for _, n := range []int{covered, level} {
		if share := float64(n) / draws; math.Abs(share-0.95) > 0.015 { // four standard errors
			t.Errorf("covers in %.3f of the draws, want 0.95", share)
		}
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	up, none, down := Paired([]float64{2, 3, 2.5}, []float64{1, 2, 1.4}), Paired([]float64{1, 2, 3}, []float64{2, 1, 3}), Paired([]float64{1, 2, 1.4}, []float64{2, 3, 2.5})
	got := up.Words("a", "l", "b") + none.Words("a", "l", "b") + down.Words("a", "l", "b")
	if got != "alb" {
		t.Errorf("words %q, want alb", got)
	}
	if s := (Difference{Mean: 1.24, Low: 0.26, High: 2.14}).String(); s != "+1.2 (0.3 to 2.1)" {
		t.Error(s)
	}
	if s := Count(1, "edge", "edges") + Count(3, "edge", "edges"); s != "1 edge3 edges" {
		t.Error(s)
	}
}
