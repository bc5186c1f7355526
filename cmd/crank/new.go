package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"

	"github.com/crank-ml/crank/crankpkg/tabular"
	"github.com/crank-ml/crank/internal/atomicfile"
)

var newCommand = subcommand{
	name: "new", args: "[flags] FILE.ipynb",
	summary: "start a notebook of your own, in any folder",
	help: `Writes a small notebook that loads data, trains CRANK and Empty and draws what
they learned, and says how to open it. It runs in any folder: its first cell
says where the module is, which is the checkout in whose folder the command
runs, the one that -module names, or else the published version that the
command is of. A file that is there already is left alone.

With -csv the notebook loads that file, and the flags that tell labels are those
of convert; without, it loads a built-in set and has a place for a file.`,
	example: "new -csv shop.csv -prefix buys_ study.ipynb",
	setup:   setupNew,
}

func setupNew(p *program, flags *flag.FlagSet) action {
	r := reading{impute: true}
	module := flags.String("module", "", "`folder` of a checkout of crank, or of a copy of the module")
	table := flags.String("csv", "", "the `file` to load")
	r.labelFlags(flags)
	return func(_ context.Context, args []string) error {
		if len(args) != 1 {
			return usageError("name one file to write: new study.ipynb")
		}
		var idle error
		flags.Visit(func(f *flag.Flag) {
			if *table == "" && f.Name != "module" && f.Name != "csv" {
				idle = usageError(fmt.Sprintf("-%s tells how a file is read: name the file with -csv", f.Name))
			}
		})
		if idle != nil {
			return idle
		}
		return p.newNotebook(args[0], *module, *table, r)
	}
}

// newNotebook writes the notebook called path. The module is in a folder, or is to
// be found where folder is ""; the CSV file called table, unless that is "", is read
// as r says.
func (p *program) newNotebook(path, folder, table string, r reading) error {
	if err := free(path); err != nil {
		return err
	}
	at, err := locate(folder)
	if err != nil {
		return err
	}
	var opts tabular.CSVOptions
	if table != "" {
		if opts, err = r.csvOptions(); err != nil {
			return err
		}
		ds, err := tabular.ReadCSV(table, opts) // what is wrong with it is told here already
		if err != nil {
			return err
		}
		fmt.Fprintln(p.stderr, ds)
		p.warnOfColumns(ds, &r, table)
		if table, err = filepath.Abs(table); err != nil {
			return err
		}
	}
	data, err := notebook(at, table, opts)
	if err != nil {
		return err
	}
	if err := atomicfile.Write(path, func(w io.Writer) error { _, err := w.Write(data); return err }); err != nil {
		return err
	}
	fmt.Fprint(p.stdout, nextSteps(path, at))
	return nil
}

// free returns an error unless a notebook can be written to path without loss.
func free(path string) error {
	if !strings.HasSuffix(path, ".ipynb") || filepath.Base(path) == ".ipynb" {
		return usageError(fmt.Sprintf("the name %q must end in .ipynb", path))
	}
	switch info, err := os.Stat(filepath.Dir(path)); {
	case err != nil:
		return fmt.Errorf("the folder of %s: %w", path, err)
	case !info.IsDir():
		return fmt.Errorf("%s is no folder", filepath.Dir(path))
	}
	switch _, err := os.Lstat(path); {
	case err == nil:
		return fmt.Errorf("%s is there already, and is left as it is", path)
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	return nil
}

// modulePath is what go.mod calls this module.
const modulePath = "github.com/crank-ml/crank"

// moduleLine is how its go.mod says so.
var moduleLine = regexp.MustCompile(`(?m)^module ` + regexp.QuoteMeta(modulePath) + `$`)

// place is where a notebook takes the module from: a folder or a published version.
type place struct{ folder, version string }

// locate returns the place of the module: the folder that is named, the checkout
// around the working folder, or the version that this program was built from.
func locate(folder string) (place, error) {
	if folder != "" {
		folder, err := filepath.Abs(folder)
		if err != nil {
			return place{}, err
		}
		if !isModule(folder) {
			return place{}, fmt.Errorf("-module %s: no go.mod of %s in that folder", folder, modulePath)
		}
		return inFolder(folder)
	}
	working, err := os.Getwd()
	if err != nil {
		return place{}, err
	}
	if folder := around(working); folder != "" {
		return inFolder(folder)
	}
	if info, ok := debug.ReadBuildInfo(); ok && published(info) != "" {
		return place{version: published(info)}, nil
	}
	return place{}, errors.New("the working folder is in no checkout of crank, and this program is of no published version: " +
		"name the folder of a checkout with -module")
}

// inFolder refuses what does not fit into a line of a cell.
func inFolder(folder string) (place, error) {
	if strings.ContainsAny(folder, "\r\n") {
		return place{}, fmt.Errorf("the folder %q has a line break in its name, which a notebook cannot say", folder)
	}
	return place{folder: folder}, nil
}

// around returns the folder of the checkout that holds dir, or "".
func around(dir string) string {
	for ; !isModule(dir); dir = filepath.Dir(dir) {
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
	return dir
}

// isModule reports whether the folder is that of this module.
func isModule(folder string) bool {
	text, err := os.ReadFile(filepath.Join(folder, "go.mod"))
	return err == nil && moduleLine.Match(text)
}

// published returns the version that a program was built from, or "" if that cannot
// be downloaded: only what came as a module has a checksum.
func published(info *debug.BuildInfo) string {
	if info.Main.Path != modulePath || info.Main.Sum == "" {
		return ""
	}
	return info.Main.Version
}

// nextSteps tells how to open the notebook.
func nextSteps(path string, at place) string {
	if absolute, err := filepath.Abs(path); err == nil {
		path = absolute
	}
	if at.folder == "" {
		return fmt.Sprintf("%s is written. Any Jupyter that has the GoNB kernel (github.com/janpfeifer/gonb) opens it:\n\n    jupyter lab %s\n",
			path, shellWord(path))
	}
	return fmt.Sprintf(`%s is written. This opens it, and sets up what it needs:

    make -C %s lab NB=%s

A Jupyter of your own finds the kernel, once that is set up, through JUPYTER_PATH:

    JUPYTER_PATH=%s jupyter lab %s
`, path, shellWord(at.folder), shellWord(path), shellWord(filepath.Join(at.folder, ".jupyter", "data")), shellWord(path))
}

// plainWord matches what a shell takes as it is.
var plainWord = regexp.MustCompile(`^[\w@%+=:,./-]+$`)

// shellWord quotes a word for the shell, if need be.
func shellWord(word string) string {
	if plainWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
