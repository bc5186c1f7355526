// Command crank-fetch downloads multi-label data sets, whose names are its
// arguments, into the user's cache folder, where crankpkg.LoadSplit finds them:
//
//	go run github.com/crank-ml/crank/cmd/crank-fetch yeast scene
//
// The argument "all" stands for every set. What is there already is kept, and a
// download that was cut off goes on where it stopped.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/internal/command"
)

func main() {
	command.Main("crank-fetch", func(ctx context.Context) error { return run(ctx, os.Args[1:], os.Stderr) })
}

// run fetches the sets called names, and tells the progress to out.
func run(ctx context.Context, names []string, out io.Writer) error {
	if len(names) == 0 {
		return fmt.Errorf("name the data sets to fetch: all, or some of %s", strings.Join(crankpkg.CatalogNames(), ", "))
	}
	if len(names) == 1 && names[0] == "all" {
		names = crankpkg.CatalogNames()
	}
	folder, err := crankpkg.CacheFolder()
	if err != nil {
		return err
	}
	for _, name := range names {
		percent := int64(-1)
		err := crankpkg.Fetch(ctx, name, func(p crankpkg.FetchProgress) {
			if now := 100 * p.Done / p.Total; now != percent {
				percent = now
				fmt.Fprintf(out, "\r%s: %3d %% of %.1f MB", name, percent, float64(p.Total)/1e6)
			}
		})
		fmt.Fprintln(out)
		if err != nil {
			return err
		}
	}
	fmt.Fprintln(out, "the files are in", folder)
	return nil
}
