package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/crank-ml/crank/internal/origin"
)

func TestVersion(t *testing.T) {
	t.Parallel()
	status, want, log := call("version")
	if status != 0 || log != "" || !strings.HasPrefix(want, "crank ") || !strings.Contains(want, "\n"+runtime.Version()+" "+runtime.GOOS+"\n") ||
		!strings.HasSuffix(want, "\n"+origin.Here("").Processor+"\n") {
		t.Errorf("status %d, %q, %q", status, want, log)
	}
	for _, arg := range []string{"-version", "--version"} {
		if status, out, log := call(arg); status != 0 || out != want || log != "" {
			t.Errorf("%s: status %d, %q, %q", arg, status, out, log)
		}
	}
	if status, _, log := call("version", "x"); status != 2 || log != "crank: version takes no arguments\n" {
		t.Errorf("status %d, %q", status, log)
	}
	info := &debug.BuildInfo{GoVersion: "go1.99", Main: debug.Module{Version: "v1.2.3"}, Settings: []debug.BuildSetting{
		{Key: "vcs.revision", Value: "0123abcd"}, {Key: "vcs.time", Value: "2026-11-29T10:00:00Z"}, {Key: "vcs.modified", Value: "true"}}}
	if got, want := versionOf(info), "crank v1.2.3\ncommit 0123abcd of 2026-11-29T10:00:00Z, with changes\ngo1.99 "+runtime.GOOS+"\n"; !strings.HasPrefix(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := versionOf(&debug.BuildInfo{}); !strings.HasPrefix(got, "crank of an unknown version\n"+runtime.Version()) {
		t.Errorf("%q", got)
	}
}

func TestCalledAs(t *testing.T) {
	t.Parallel()
	hash := strings.Repeat("0123456789abcdef", 4)
	for _, c := range []struct{ executable, name, want string }{
		{"/usr/local/bin/crank", "crank", "crank"}, {"/home/me/crank/bin/crank", "bin/crank", "crank"}, {`C:\bin\crank.exe`, "crank.exe", "crank"},
		{"/home/me/go-build/crank", "./crank", "crank"}, {"/opt/crank-2", "/opt/crank-2", "crank-2"},
		{"/tmp/go-build123/b001/exe/crank", "/tmp/go-build123/b001/exe/crank", goRun},
		{"/home/me/.cache/go-build/01/" + hash + "-d/crank", "x", goRun}, {"/var/cache/01/" + hash + "-d/crank", "x", goRun},
		{`C:\Users\me\AppData\Local\go-build\01\` + hash + `-d\crank.exe`, "x", goRun},
	} {
		if got := calledAs(c.executable, c.name); got != c.want {
			t.Errorf("%s: %q, want %q", c.executable, got, c.want)
		}
	}
}

// TestHelpOfTheBuiltProgram runs copies of this program, which is crank, as one that was built and as one that go run has made: all
// help names what the user calls.
func TestHelpOfTheBuiltProgram(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for folder, c := range map[string]struct{ want, not string }{
		"bin": {"crank", goRun}, "go-build77/b001": {goRun, "\n    crank "},
	} {
		path := filepath.Join(t.TempDir(), filepath.FromSlash(folder), "crank")
		if runtime.GOOS == "windows" {
			path += ".exe"
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.Link(self, path); err != nil {
			t.Skip("no link to this program can be made: ", err)
		}
		for _, args := range [][]string{{"help"}, {"train", "-help"}, {"fetch", "-h"}, {"help", "version"}, {}} {
			out, _ := exec.Command(path, args...).CombinedOutput()
			if text := string(out); !strings.Contains(text, c.want) || strings.Contains(text, c.not) {
				t.Errorf("%s: %q does not say %q, or %q:\n%s", folder, args, c.want, c.not, text)
			}
		}
	}
}
