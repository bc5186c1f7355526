package trainstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/crank-ml/crank/crankpkg/internal/parallel"
)

// A claim is a file beside that of the value, which only one can create. Who holds it
// touches it every beat. Whoever waits and has not seen it touched for as long as patience,
// by a clock of its own, takes it away; at once, if its process was on this machine and is
// no more. Two that take it away in the same moment may both make the value: it is the same.
const (
	beat     = time.Second
	patience = 10 * time.Second
	// unnamed is the patience with a claim whose holder was stopped before it wrote its name.
	unnamed   = time.Second
	firstPoll = 2 * time.Millisecond
	lastPoll  = 200 * time.Millisecond
)

// claimed is the extension of a claim's file.
const claimed = ".claim"

// claim waits until this caller alone may make the value of the key, or until the value is
// there or ctx ends. Release gives the claim back.
func (s *Store) claim(ctx context.Context, key Key, waiting func()) (release func(), err error) {
	path := s.path(key, claimed)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, err
	}
	var seen sight
	for poll := firstPoll; ; poll = min(2*poll, lastPoll) {
		release, err := hold(path)
		if !errors.Is(err, fs.ErrExist) {
			return release, err
		}
		if seen.stale(path) {
			if err := takeAway(path, seen.holder); err != nil {
				return nil, err // of a folder that cannot be written, it stays for ever
			}
			continue
		}
		if waiting != nil && poll > 4*firstPoll {
			waiting()
			waiting = nil
		}
		select {
		case <-ctx.Done():
			return nil, parallel.Cause(ctx)
		case <-time.After(poll):
		}
	}
}

// hold creates the claim and touches it until it is released.
func hold(path string) (release func(), err error) {
	holder := newHolder()
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, err
	}
	_, err = f.WriteString(holder)
	if err = errors.Join(err, f.Close()); err != nil {
		os.Remove(path)
		return nil, err
	}
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-done:
				return
			case now := <-time.After(beat):
				os.Chtimes(path, now, now)
			}
		}
	}()
	return func() {
		close(done)
		<-ended
		if text, err := os.ReadFile(path); err == nil && string(text) == holder {
			os.Remove(path)
		}
	}, nil
}

// newHolder returns a name that nobody else has: host and process, and a number.
func newHolder() string {
	return fmt.Sprintf("%s\n%d\n%s\n", host(), os.Getpid(), strconv.FormatUint(rand.Uint64(), 36))
}

// host names where numbers of processes mean the same: the machine, and within it a
// container.
var host = sync.OnceValue(func() string {
	name, err := os.Hostname()
	if err != nil {
		return ""
	}
	space, _ := os.Readlink("/proc/self/ns/pid") // there is none but on Linux
	return strings.ReplaceAll(name+" "+space, "\n", " ")
})

// sight is what a waiting caller has last seen of a claim, and since when it looks the same.
type sight struct {
	holder string
	beat   time.Time // by the clock of the file
	since  time.Time // by ours
}

// stale looks at the claim again, and reports whether its holder is no more.
func (s *sight) stale(path string) bool {
	holder, beat, err := look(path)
	if gone(err) {
		return false
	}
	if holder != s.holder || !beat.Equal(s.beat) || s.since.IsZero() {
		*s = sight{holder: holder, beat: beat, since: time.Now()}
	}
	still := time.Since(s.since)
	return still > patience || err == nil && s.holder == "" && still > unnamed || died(s.holder)
}

// look returns the holder and the last beat of a claim. One that cannot be read, as that of
// another user, still beats for as long as it can be seen; with the error of reading it.
func look(path string) (holder string, beat time.Time, err error) {
	f, err := os.Open(path) // opened, a file on a network tells its present time
	if err != nil {
		if info, seen := os.Stat(path); seen == nil {
			beat = info.ModTime()
		}
		return "", beat, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", beat, err
	}
	text := make([]byte, 512)
	n, _ := f.Read(text)
	return string(text[:n]), info.ModTime(), nil
}

// died reports whether the holder was a process of this machine that has ended.
func died(holder string) bool {
	parts := strings.Split(holder, "\n")
	if len(parts) != 4 || parts[0] != host() || parts[0] == "" {
		return false
	}
	pid, err := strconv.Atoi(parts[1])
	return err == nil && pid != os.Getpid() && !alive(pid)
}

// takeAway removes the claim of a holder. Should another one have come in between, it is
// put back. The error is for a claim that is there and cannot be removed.
func takeAway(path, holder string) error {
	aside := path + "." + strconv.FormatUint(rand.Uint64(), 36) + ".tmp"
	if err := os.Rename(path, aside); err != nil {
		if gone(err) {
			return nil // somebody else was faster
		}
		return err
	}
	if text, err := os.ReadFile(aside); err == nil && string(text) != holder {
		_ = os.Link(aside, path) // in vain where a third one has come
	}
	os.Remove(aside)
	return nil
}
