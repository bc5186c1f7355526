//go:build amd64 && !purego

package vec

import "testing"

// eachUnit runs f with each set of instructions that there is, and without any.
func eachUnit(t *testing.T, f func(t *testing.T)) {
	defer func(u unit) { best = u }(best)
	for u, name := range []string{none: "none", avx2: "AVX2", avx512: "AVX-512"} {
		if unit(u) > detect() {
			t.Logf("this processor has no %s", name)
			break
		}
		best = unit(u)
		t.Run(name, f)
	}
}
