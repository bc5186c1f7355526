// Package command is the frame that the commands share.
package command

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
)

// Main runs a command and exits with its status. An interrupt cancels the context
// of run, whose error then says what was not done.
func Main(name string, run func(ctx context.Context) error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if status := statusOf(name, run(ctx), os.Stderr); status != 0 {
		os.Exit(status)
	}
}

// statusOf returns the exit status for an error, which it tells to log. To have
// asked for help is none.
func statusOf(name string, err error, log io.Writer) int {
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return 0
	}
	fmt.Fprintf(log, "%s: %v\n", name, err)
	return 1
}
