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
Emotions, flags, medical, scene and yeast are built in and need no download, nor
do sets in the folder that CRANK_DATA names: then it says where the set is.

The sets: ` + strings.Join(crankpkg.CatalogNames(), ", ") + ".",
	example: "fetch bibtex birds",
	setup:   func(p *program, _ *flag.FlagSet) action { return p.fetch },
}

// fetch fetches the sets called names, and tells the progress.
func (p *program) fetch(ctx context.Context, names []string) error {
	if len(names) == 0 {
		return usageError("name the data sets to fetch: all, or some of " + strings.Join(crankpkg.CatalogNames(), ", "))
	}
	if err := known("data set", append(crankpkg.CatalogNames(), "all"), names...); err != nil {
		return err
	}
	if slices.Contains(names, "all") {
		names = crankpkg.CatalogNames()
	}
	folder, err := crankpkg.CacheFolder()
	if err != nil {
		return err
	}
	brought := false
	for _, name := range names {
		fetched, err := p.fetchOne(ctx, name)
		if err != nil {
			return keptError{err, "what has come is kept in " + folder + goesOn}
		}
		brought = brought || fetched
	}
	if brought {
		fmt.Fprintln(p.stderr, "what was fetched is in", folder)
	}
	return nil
}

// fetchOne fetches a set, or says where it is already. It returns whether something came.
func (p *program) fetchOne(ctx context.Context, name string) (fetched bool, err error) {
	percent := int64(-1)
	err = crankpkg.Fetch(ctx, name, func(f crankpkg.FetchProgress) {
		switch now := 100 * f.Done / f.Total; {
		case f.BuiltIn:
			fmt.Fprintf(p.stderr, "%s is built in and needs no download\n", name)
		case f.Found != "":
			fmt.Fprintf(p.stderr, "%s is in %s already\n", name, f.Found)
		case now != percent:
			percent = now
			fmt.Fprintf(p.stderr, "\r%s: %3d %% of %.1f MB", name, percent, float64(f.Total)/1e6)
		}
	})
	if percent >= 0 {
		fmt.Fprintln(p.stderr)
	}
	return percent >= 0, err
}
