package main

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/crank-ml/crank/crankpkg"
)

var fetchCommand = subcommand{
	name: "fetch", args: "SET...|all",
	summary: "download data sets",
	help: `Downloads data sets from Mulan's public repository, at a pinned revision, into
your cache folder, where crankpkg.LoadSplit finds them, and checks them. What is
there already is kept, and a download that was cut goes on where it stopped.
Emotions, flags, medical, scene and yeast are built in and need no download.

The sets: ` + strings.Join(crankpkg.CatalogNames(), ", ") + ".",
	example: "fetch bibtex birds",
	setup:   func(p *program, _ *flag.FlagSet) action { return p.fetch },
}

// fetch fetches the sets called names, and tells the progress.
func (p *program) fetch(ctx context.Context, names []string) error {
	if len(names) == 0 {
		return usageError("name the data sets to fetch: all, or some of " + strings.Join(crankpkg.CatalogNames(), ", "))
	}
	if slices.Equal(names, []string{"all"}) {
		names = crankpkg.CatalogNames()
	}
	if err := known("data set", crankpkg.CatalogNames(), names...); err != nil {
		return err
	}
	folder, err := crankpkg.CacheFolder()
	if err != nil {
		return err
	}
	for _, name := range names {
		percent := int64(-1)
		err := crankpkg.Fetch(ctx, name, func(f crankpkg.FetchProgress) {
			if now := 100 * f.Done / f.Total; now != percent {
				percent = now
				fmt.Fprintf(p.stderr, "\r%s: %3d %% of %.1f MB", name, percent, float64(f.Total)/1e6)
			}
		})
		if percent >= 0 {
			fmt.Fprintln(p.stderr)
		}
		if err != nil {
			return keptError{err, "what has come is kept in " + folder + goesOn}
		}
	}
	fmt.Fprintln(p.stderr, "the files are in", folder)
	return nil
}
