package origin

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"
)

// repository makes a checkout with one commit of a module, and returns its folder and commit.
func repository(t *testing.T, module string) (dir, commit string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	dir = t.TempDir()
	write(t, dir, "go.mod", "module "+module+"\n\ngo 1.25\n")
	write(t, dir, "notebooks/results/table1.json", "[]\n")
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "first"}} {
		if _, err := git(dir, args...); err != nil {
			t.Fatalf("git %q: %v", args, err)
		}
	}
	commit, err := git(dir, "rev-parse", "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	return dir, commit
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestCheckout asks from a folder below the top: new results leave a checkout clean, everything else does not, whether git knows it or not.
func TestCheckout(t *testing.T) {
	t.Parallel()
	dir, commit := repository(t, "github.com/crank-ml/crank")
	for _, c := range []struct {
		name, text string
		clean      bool
	}{
		{"notebooks/results/table1.json", "[1]\n", true},
		{"notebooks/results/table2.json", "[]\n", true},
		{"notebooks/results/rows.go", "package results\n", false},
	} {
		write(t, dir, c.name, c.text)
		if got, clean := checkout(filepath.Join(dir, "notebooks")); got != commit || len(got) != 40 || clean != c.clean {
			t.Errorf("with a new %s: commit %s for %s, clean %v", c.name, got, commit, clean)
		}
	}
	if err := os.Remove(filepath.Join(dir, "notebooks/results/rows.go")); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "go.mod", "module github.com/crank-ml/crank\n\ngo 1.26\n")
	if got, clean := checkout(dir); got != commit || clean {
		t.Errorf("with another go.mod: %s, clean %v", got, clean)
	}
}

// TestNoCheckout asks in a checkout of something else, and outside of any.
func TestNoCheckout(t *testing.T) {
	t.Parallel()
	other, _ := repository(t, "github.com/crank-ml/crankshaft")
	for _, dir := range []string{other, t.TempDir(), filepath.Join(other, "none")} {
		if got, clean := checkout(dir); got != Unknown || clean {
			t.Errorf("%s: %s, clean %v", dir, got, clean)
		}
	}
}

func TestStamped(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		settings []debug.BuildSetting
		commit   string
		clean    bool
	}{
		{nil, Unknown, false},
		{[]debug.BuildSetting{{Key: "GOARCH", Value: "amd64"}}, Unknown, false},
		{[]debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.modified", Value: "false"}}, "abc", true},
		{[]debug.BuildSetting{{Key: "vcs.modified", Value: "true"}, {Key: "vcs.revision", Value: "abc"}}, "abc", false},
	} {
		if commit, clean := stamped(c.settings); commit != c.commit || clean != c.clean {
			t.Errorf("%v: %s, %v", c.settings, commit, clean)
		}
	}
}

func TestHere(t *testing.T) {
	t.Parallel()
	o := Here("make all")
	if o.Command != "make all" || o.Go != runtime.Version() || !strings.HasPrefix(o.Processor, runtime.GOARCH) ||
		o.Commit != Unknown && len(o.Commit) != 40 {
		t.Errorf("%+v", o)
	}
	// A test is built without the commit, which the checkout has, if this is one.
	if commit, clean := checkout("."); o.Commit != commit || o.Clean != clean {
		t.Errorf("commit %s, clean %v, and the checkout says %s, %v", o.Commit, o.Clean, commit, clean)
	}
	if day, err := time.Parse(time.DateOnly, o.Date); err != nil || time.Since(day) > 25*time.Hour {
		t.Errorf("date %q: %v", o.Date, err)
	}
}

func TestString(t *testing.T) {
	t.Parallel()
	o := Origin{Commit: "0123456789abcdef", Clean: true, Date: "2026-11-28"}
	changed := o
	changed.Clean = false
	for want, o := range map[string]Origin{
		"made at commit 0123456, 2026-11-28":              o,
		"made at commit 0123456 with changes, 2026-11-28": changed,
		"made at an unknown commit, 2026-11-28":           {Commit: Unknown, Date: "2026-11-28"},
		"made before files named their commit":            {},
	} {
		if got := o.String(); got != want {
			t.Errorf("%+v is %q, and not %q", o, got, want)
		}
	}
}

func TestClass(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"model name\t: Some CPU\nflags\t\t: fpu avx2 avx512f\n\nmodel name\t: Some CPU\n", "amd64 with AVX-512, Some CPU"},
		{"flags\t\t: avx avx2\n", "amd64 with AVX2"},
		{"flags\t\t: avx2x\nmodel name: Old\n", "amd64, Old"},
		{"", "amd64"},
	} {
		if got := class("amd64", c.text); got != c.want {
			t.Errorf("%q is %q, and not %q", c.text, got, c.want)
		}
	}
}
