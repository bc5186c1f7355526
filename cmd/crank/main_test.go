package main

import (
	"errors"
	"flag"
	"fmt"
	"strings"
	"testing"
)

func TestStatusOf(t *testing.T) {
	for _, c := range []struct {
		err    error
		status int
		said   string
	}{
		{nil, 0, ""},
		{flag.ErrHelp, 0, ""},
		{fmt.Errorf("flags: %w", flag.ErrHelp), 0, ""},
		{errors.New("no such set"), 1, "crank-fetch: no such set\n"},
	} {
		var log strings.Builder
		if status := statusOf("crank-fetch", c.err, &log); status != c.status || log.String() != c.said {
			t.Errorf("%v: status %d, said %q", c.err, status, log.String())
		}
	}
}
