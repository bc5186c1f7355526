// Package origin says what made a result file: the command, the commit of the checkout, the version of Go, the processor and the day. Files of
// results have an Origin as their field Made, so that nothing that is drawn of them is older than anyone knows.
package origin

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"
)

// Unknown stands for the commit where neither the program nor a checkout tells it.
const Unknown = "unknown"

// Origin is what made a file.
type Origin struct {
	Command string
	// Commit has all digits, or is Unknown. Clean says that the files of the checkout were those of the commit.
	Commit    string
	Clean     bool
	Go        string // version
	Processor string // architecture, the widest vectors and the name, as far as they are known
	Date      string // as in 2026-11-28, UTC
}

// Here returns the origin of what command makes now. The commit is the one that the program was built at, where the build says so (go build
// -buildvcs=true); else that of the checkout of this module around the working folder. There, changes of committed results do not count: a run
// makes them.
func Here(command string) Origin {
	o := Origin{Command: command, Commit: Unknown, Go: runtime.Version(), Processor: Processor(), Date: time.Now().UTC().Format(time.DateOnly)}
	if info, ok := debug.ReadBuildInfo(); ok {
		o.Commit, o.Clean = stamped(info.Settings)
	}
	if o.Commit == Unknown {
		o.Commit, o.Clean = checkout(".")
	}
	return o
}

// String returns a line for a caption.
func (o Origin) String() string {
	switch {
	case o == Origin{}:
		return "made before files named their commit"
	case o.Commit == Unknown:
		return "made at an unknown commit, " + o.Date
	case !o.Clean:
		return fmt.Sprintf("made at commit %.7s with changes, %s", o.Commit, o.Date)
	}
	return fmt.Sprintf("made at commit %.7s, %s", o.Commit, o.Date)
}

// stamped returns what a build tells of its commit.
func stamped(settings []debug.BuildSetting) (commit string, clean bool) {
	commit = Unknown
	for _, s := range settings {
		switch s.Key {
		case "vcs.revision":
			commit = s.Value
		case "vcs.modified":
			clean = s.Value == "false"
		}
	}
	return commit, clean
}

// checkout returns what git tells of the checkout of this module around a folder.
func checkout(dir string) (commit string, clean bool) {
	top, err := git(dir, "rev-parse", "--show-toplevel")
	if err != nil || !ours(top) {
		return Unknown, false
	}
	commit, err = git(dir, "rev-parse", "HEAD")
	if err != nil {
		return Unknown, false
	}
	changes, err := git(dir, "status", "--porcelain", "--", ":/", ":(top,exclude)notebooks/results/*.json")
	return commit, err == nil && changes == ""
}

// ours says whether a folder is that of this module: a program may be run in a checkout of anything.
func ours(folder string) bool {
	mod, err := os.ReadFile(filepath.Join(folder, "go.mod"))
	return err == nil && strings.HasPrefix(string(mod), "module github.com/crank-ml/crank\n")
}

func git(dir string, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	return strings.TrimSpace(string(out)), err
}

// Processor returns the class of the processor: what Linux tells, or the architecture alone.
func Processor() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	return class(runtime.GOARCH, string(text))
}

// class reads the text of /proc/cpuinfo.
func class(arch, text string) string {
	name, vectors := "", ""
	for line := range strings.Lines(text) {
		key, value, _ := strings.Cut(line, ":")
		switch strings.TrimSpace(key) {
		case "model name":
			name = ", " + strings.TrimSpace(value)
		case "flags":
			flags := " " + strings.TrimSpace(value) + " "
			switch {
			case strings.Contains(flags, " avx512f "):
				vectors = " with AVX-512"
			case strings.Contains(flags, " avx2 "):
				vectors = " with AVX2"
			}
		}
	}
	return arch + vectors + name
}
