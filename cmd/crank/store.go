package main

import (
	"context"
	"flag"
	"fmt"
	"math"
	"strconv"
	"strings"
)

var storeCommand = subcommand{
	name: "store", args: "[flags]",
	summary: "tell how much the store of trainings holds, or make room",
	help: `Tells the folder in which trainings are kept, how many values it has and how many bytes they
take. Notebooks and sweeps keep what they train there, in the user's cache folder unless
CRANK_STORE names another one; what is removed is trained again when it is needed.`,
	example: "store -trim 200MB",
	setup: func(p *program, flags *flag.FlagSet) action {
		var folder, trim string
		flags.StringVar(&folder, "store", "", "`folder` of the store; without it that of CRANK_STORE, else the one in the user's cache")
		flags.StringVar(&trim, "trim", "", "remove what was not used for longest until at most this `size` is left, such as 200MB; 0 removes all")
		return func(_ context.Context, args []string) error {
			if len(args) > 0 {
				return usageError("store takes no arguments")
			}
			return p.store(folder, trim)
		}
	},
}

// store makes room, if trim says so, and tells what is kept.
func (p *program) store(folder, trim string) error {
	s, err := (&sweeping{store: folder}).open()
	if err != nil {
		return err
	}
	if s == nil {
		_, err := fmt.Fprintln(p.stdout, "no trainings are kept: there is no folder")
		return err
	}
	count, size := s.Usage()
	if trim != "" {
		most, err := bytesOf(trim)
		if err != nil {
			return err
		}
		count, size = s.Trim(most)
	}
	_, err = fmt.Fprintf(p.stdout, "%s: %d values, %.1f MB\n", s.Folder(), count, float64(size)/1e6)
	return err
}

// bytesOf reads a size such as 200MB.
func bytesOf(text string) (int64, error) {
	number, unit := text, 1.0
	for _, u := range []struct {
		name string
		size float64
	}{{"kB", 1e3}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}} {
		if rest, ok := strings.CutSuffix(text, u.name); ok {
			number, unit = rest, u.size
		}
	}
	size, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil || !(size >= 0 && size*unit < math.MaxInt64) {
		return 0, usageError(fmt.Sprintf("-trim %s is no size such as 200MB", text))
	}
	return int64(size * unit), nil
}
