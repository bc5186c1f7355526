package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/crank-ml/crank/cmd/crank/internal/results"
	"github.com/crank-ml/crank/internal/origin"
)

func TestListParts(t *testing.T) {
	t.Parallel()
	status, out, log := call("results")
	if status != 0 || log != "" {
		t.Errorf("status %d, %q", status, log)
	}
	for _, part := range results.Parts() {
		if !strings.Contains("\n"+out, "\n"+part.Name+" ") || !strings.Contains(out, part.Terms+"\n") ||
			!strings.Contains(out, " about "+part.Cost+": "+strings.Join(part.Files, ", ")+"\n") {
			t.Errorf("%+v is not listed in\n%s", part, out)
		}
	}
}

// TestResults makes a part by the command, in the folders that it is told.
func TestResults(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	out, cells := filepath.Join(folder, "out"), filepath.Join(folder, "cells")
	var log strings.Builder
	p := &program{nil, io.Discard, &log, plantedSets(func() {})}
	args := []string{"results", "swaps", "-out", out, "-quick", "-cells", cells, "-workers", "1"}
	if status := p.run(context.Background(), args); status != 0 ||
		!strings.Contains(log.String(), "wrote "+filepath.Join(out, "question_swaps.json")) || !strings.Contains(log.String(), "swaps took ") {
		t.Fatalf("status %d, %s", status, log.String())
	}
	text, err := os.ReadFile(filepath.Join(out, "question_swaps.json"))
	var file struct{ Made origin.Origin }
	if err == nil {
		err = json.Unmarshal(text, &file)
	}
	if made := file.Made; err != nil || made.Command != "go run ./cmd/crank results -quick swaps" || made.Commit == "" || made.Go != runtime.Version() {
		t.Errorf("made by %+v, %v", made, err)
	}
	if kept, err := os.ReadDir(filepath.Join(cells, "quick", "swaps")); err != nil || len(kept) != 16 {
		t.Errorf("%d cells, %v", len(kept), err)
	}
}

// TestJobProcess does a job in a process of its own and in this one, which takes more memory: that is not the job's.
func TestJobProcess(t *testing.T) {
	t.Parallel()
	large := bytes.Repeat([]byte{1}, 150e6)
	defer runtime.KeepAlive(large)
	j := results.Job{Part: "test", M: 60, D: 3, N: 5, Dependencies: 4, Method: "CRANK", Lambda: 0.01, Target: 0.01}
	got, err := results.Spawn(context.Background(), j, jobCommand.name)
	if err != nil {
		t.Fatal(err)
	}
	want, err := j.Do(context.Background(), results.Catalog())
	if err != nil {
		t.Fatal(err)
	}
	if got.Memory < 1 || got.Memory > 100 || got.CPU <= 0 || got.Wall <= 0 {
		t.Errorf("%v megabytes, %v CPU seconds in %v", got.Memory, got.CPU, got.Wall)
	}
	got.Memory, got.CPU, got.Wall = want.Memory, want.CPU, want.Wall
	if got != want {
		t.Errorf("%+v, in this process %+v", got, want)
	}
	j.Method = "Fool"
	if _, err := results.Spawn(context.Background(), j, jobCommand.name); err == nil || err.Error() != `there is no method "Fool"` {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := results.Spawn(ctx, j, jobCommand.name); err != context.Canceled {
		t.Errorf("error %v", err)
	}
	if _, err := results.Spawn(context.Background(), j, "scores"); err == nil || err.Error() != "scores takes no arguments" {
		t.Errorf("error %v", err)
	}
	if _, err := results.Spawn(context.Background(), j, "help", "fetch"); err == nil {
		t.Error("a help text is no result")
	}
}
