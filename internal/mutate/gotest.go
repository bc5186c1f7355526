package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// limits say how long tests may take, against their time without a mutation.
type limits struct {
	factor float64
	extra  time.Duration
}

func (l limits) of(plain time.Duration) time.Duration {
	return time.Duration(l.factor*float64(plain)) + l.extra
}

// A tester runs the tests that a mutation can fail.
type tester struct {
	dir    string
	flags  []string
	limits limits
	bounds bounds
	tested map[string]bool     // packages with tests
	above  map[string][]string // the packages with tests that import a package
	mu     sync.Mutex
	plain  map[string]func() (time.Duration, error)
}

func newTester(ctx context.Context, o options, packages []*checked) (*tester, error) {
	t := &tester{dir: o.dir, flags: []string{"test", "-vet=off", "-failfast"}, limits: o.limits, bounds: o.bounds,
		tested: map[string]bool{}, above: map[string][]string{}, plain: map[string]func() (time.Duration, error){}}
	if o.short {
		t.flags = append(t.flags, "-short")
	}
	if o.memory > 0 {
		// A slip can let a loop take all memory of the machine before its time is over.
		t.flags = append(t.flags, "-exec", fmt.Sprintf(`sh -c 'ulimit -v %d; exec "$0" "$@"'`, o.memory<<20))
	}
	for _, p := range packages {
		t.tested[p.ImportPath] = hasTests(p.listed)
	}
	if o.dependents == "" {
		return t, nil
	}
	others, err := goList(ctx, o.dir, append([]string{"--"}, strings.Fields(o.dependents)...)...)
	t.note(others)
	return t, err
}

// note keeps which packages have tests and import which.
func (t *tester) note(others []listed) {
	for _, p := range others {
		if !hasTests(p) {
			continue
		}
		imports := slices.Concat(p.Imports, p.TestImports, p.XTestImports)
		slices.Sort(imports)
		for _, below := range slices.Compact(imports) {
			if below != p.ImportPath {
				t.above[below] = append(t.above[below], p.ImportPath)
			}
		}
	}
}

func hasTests(p listed) bool { return len(p.TestGoFiles)+len(p.XTestGoFiles) > 0 }

// suites returns the packages whose tests can notice a mutation in pkg, its own first.
func (t *tester) suites(pkg string) []string {
	if t.tested[pkg] {
		return append([]string{pkg}, t.above[pkg]...)
	}
	return t.above[pkg]
}

// try runs the tests with a mutation, those of its own package first, until some fail.
func (t *tester) try(ctx context.Context, m mutation) (result, error) {
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return result{}, err
	}
	defer os.RemoveAll(dir)
	overlay, err := writeOverlay(dir, m)
	if err != nil {
		return result{}, err
	}
	for _, pkg := range t.suites(m.pkg) {
		plain, err := t.unmutated(ctx, pkg)
		if err != nil {
			return result{}, err
		}
		o, _, err := t.test(ctx, pkg, "-overlay", overlay, "-timeout", t.limits.of(plain).String())
		if err != nil {
			return result{}, err
		}
		if o != survived {
			return result{m, o, pkg}, nil
		}
	}
	return result{m, survived, ""}, nil
}

// writeOverlay writes the mutated file into dir, with an overlay that puts it in the place of the file in the checkout.
func writeOverlay(dir string, m mutation) (string, error) {
	mutated, overlay := filepath.Join(dir, "mutated.go"), filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(mutated, m.mutated(), 0o600); err != nil {
		return "", err
	}
	text, err := json.Marshal(map[string]map[string]string{"Replace": {m.path: mutated}})
	if err != nil {
		return "", err
	}
	return overlay, os.WriteFile(overlay, text, 0o600)
}

// unmutated returns how long the tests of a package take as they are. It measures once.
func (t *tester) unmutated(ctx context.Context, pkg string) (time.Duration, error) {
	t.mu.Lock()
	measure := t.plain[pkg]
	if measure == nil {
		measure = sync.OnceValues(func() (time.Duration, error) { return t.measure(ctx, pkg) })
		t.plain[pkg] = measure
	}
	t.mu.Unlock()
	return measure()
}

func (t *tester) measure(ctx context.Context, pkg string) (time.Duration, error) {
	o, out, err := t.test(ctx, pkg, "-count", "1", "-timeout", "2h")
	if err != nil {
		return 0, err
	}
	if o != survived {
		return 0, fmt.Errorf("the tests of %s fail without a mutation:\n%s", pkg, out)
	}
	return elapsed(out)
}

var okLine = regexp.MustCompile(`(?m)^ok\s+\S+\s+([\d.]+s)`)

// elapsed returns the time that go test says the tests took, to which building adds nothing.
func elapsed(out string) (time.Duration, error) {
	found := okLine.FindStringSubmatch(out)
	if found == nil {
		return 0, fmt.Errorf("go test tells no time:\n%s", out)
	}
	return time.ParseDuration(found[1])
}

// test runs the tests of a package, and returns what became of them with what they said.
func (t *tester) test(ctx context.Context, pkg string, flags ...string) (outcome, string, error) {
	done, err := t.bounds.run(ctx, t.dir, "go", append(slices.Concat(t.flags, flags), pkg)...)
	if err != nil {
		return "", "", err
	}
	if done.runaway { // it would not have ended by itself
		return timedOut, string(done.said), nil
	}
	o := outcomeOf(done.passed, string(done.said))
	if o == "" {
		return "", "", fmt.Errorf("go test %s:\n%s", pkg, done.said)
	}
	return o, string(done.said), nil
}

var (
	setupLine = regexp.MustCompile(`(?m)^FAIL\s.*\[setup failed\]$`)
	buildLine = regexp.MustCompile(`(?m)^FAIL\s.*\[build failed\]$`)
	lateLine  = regexp.MustCompile(`(?m)^(panic: test timed out after|\*\*\* Test killed)`)
	failLine  = regexp.MustCompile(`(?m)^FAIL\s`)
)

// outcomeOf reads what go test said, or returns "" where it did not get to the tests.
func outcomeOf(passed bool, out string) outcome {
	switch {
	case passed:
		return survived
	case setupLine.MatchString(out):
		return ""
	case buildLine.MatchString(out):
		return invalid
	case lateLine.MatchString(out):
		return timedOut
	case failLine.MatchString(out):
		return killed
	}
	return ""
}
