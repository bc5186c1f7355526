package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// bounds keep in what a command leaves behind: it may leave neither files nor processes, and start no more than some.
// A slip can let a program start itself without end.
type bounds struct {
	temp      string // folder for temporary folders, empty for that of the system
	processes int    // that may run at the same time, 0 for no limit
}

// A finished command has said something. It has passed, or it has not, and if not, perhaps because it ran away.
type finished struct {
	said            []byte
	passed, runaway bool
}

// errRunaway ends a command that has started too many processes.
var errRunaway = errors.New("too many processes")

// how often the processes of a command are counted.
const interval = 100 * time.Millisecond

// run runs a command in dir with a temporary folder of its own. When run returns, neither the folder is there any more nor,
// as far as the system tells, a process that the command has started.
func (b bounds) run(ctx context.Context, dir, name string, args ...string) (finished, error) {
	room, err := os.MkdirTemp(b.temp, "mutant")
	if err != nil {
		return finished{}, err
	}
	defer removeAll(room)
	// A pipe would stay open until the last process that has it ends.
	said, err := os.CreateTemp(room, "said")
	if err != nil {
		return finished{}, err
	}
	defer said.Close()
	bounded, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	cmd := exec.CommandContext(bounded, name, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, said, said
	cmd.Env = append(os.Environ(), "TMPDIR="+room, "TMP="+room, "TEMP="+room)
	cmd.WaitDelay = 5 * time.Second
	interruptible(cmd)
	if err := cmd.Start(); err != nil {
		return finished{}, err
	}
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		b.watch(bounded, room, cancel)
	}()
	passed := cmd.Wait() == nil
	runaway := errors.Is(context.Cause(bounded), errRunaway)
	cancel(nil)
	<-watched
	endGroup(cmd)
	endProcesses(room)
	if ctx.Err() != nil {
		return finished{}, ctx.Err()
	}
	text, err := os.ReadFile(said.Name())
	return finished{text, passed && !runaway, runaway}, err
}

// watch ends the processes of a command when there are too many.
func (b bounds) watch(ctx context.Context, room string, cancel context.CancelCauseFunc) {
	if b.processes == 0 {
		return
	}
	ticks := time.NewTicker(interval)
	defer ticks.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticks.C:
			if len(processesOf(room)) > b.processes {
				cancel(errRunaway)
				endProcesses(room)
				return
			}
		}
	}
}

// endProcesses ends the processes that have a temporary folder, also those that have left the group, until there are none:
// while some end, others start more.
func endProcesses(room string) {
	for range 100 {
		all := processesOf(room)
		if len(all) == 0 {
			return
		}
		for _, pid := range all {
			if p, err := os.FindProcess(pid); err == nil {
				p.Kill()
			}
		}
		time.Sleep(interval / 10)
	}
}

// removeAll removes a folder, also where some of it may only be read, as what go downloads.
func removeAll(folder string) {
	if os.RemoveAll(folder) == nil {
		return
	}
	filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			os.Chmod(path, 0o700)
		}
		return nil
	})
	os.RemoveAll(folder)
}
