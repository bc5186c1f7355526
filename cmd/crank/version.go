package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/crank-ml/crank/internal/origin"
)

var versionCommand = subcommand{
	name:    "version",
	summary: "tell the version of this program",
	help: `Prints the version of the module that the program was built from, the commit and
its day where the build tells them, the version of Go and the class of the processor, as
files of results name it. crank -version does so too.`,
	example: "version",
	setup: func(p *program, _ *flag.FlagSet) action {
		return func(_ context.Context, args []string) error {
			if len(args) > 0 {
				return usageError("version takes no arguments")
			}
			info, ok := debug.ReadBuildInfo()
			if !ok {
				info = &debug.BuildInfo{}
			}
			_, err := fmt.Fprint(p.stdout, versionOf(info))
			return err
		}
	},
}

// versionOf tells what a program was built from, and what it runs on.
func versionOf(info *debug.BuildInfo) string {
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	var b strings.Builder
	fmt.Fprintf(&b, "crank %s\n", cmp.Or(info.Main.Version, "of an unknown version"))
	if commit := settings["vcs.revision"]; commit != "" {
		fmt.Fprintf(&b, "commit %s", commit)
		if time := settings["vcs.time"]; time != "" {
			fmt.Fprintf(&b, " of %s", time)
		}
		if settings["vcs.modified"] == "true" {
			b.WriteString(", with changes")
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "%s %s\n%s\n", cmp.Or(info.GoVersion, runtime.Version()), runtime.GOOS, origin.Processor())
	return b.String()
}

// goRun is what starts the program in the folder of the checkout.
const goRun = "go run ./cmd/crank"

// called returns what the user starts the program with.
func called() string {
	executable, _ := os.Executable() // where there is none, the name tells
	return calledAs(executable, os.Args[0])
}

// fromCache matches the paths of programs that go run and go test have built.
var fromCache = regexp.MustCompile(`[/\\](go-build[0-9]+[/\\]|[0-9a-f]{2}[/\\][0-9a-f]{64}-d[/\\])`)

// calledAs returns what a program is started with that is at a path and was called so: go run,
// or its own name.
func calledAs(executable, name string) string {
	if fromCache.MatchString(executable) {
		return goRun
	}
	return strings.TrimSuffix(filepath.Base(name), ".exe")
}
