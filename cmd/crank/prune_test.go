package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
)

// A pruned model is shorter, is told of, and goes on as any other.
func TestPrune(t *testing.T) {
	t.Parallel()
	f := newShellFolder(t)
	full, small := f.file("full.model"), f.file("small.model")
	must(t, "train", "-method", "empty", "-lambda", "0.01", "-o", full, "emotions")
	out := must(t, "prune", "-rise", "0.05", "-digits", "4", "-gap", "0.01", "-o", small, full, "emotions")
	for _, part := range []string{"weights kept, those of at least", "objective ", "certified relative gap ", ", before 0.01\n", "saved in " + small} {
		if !strings.Contains(out, part) {
			t.Errorf("no %q in\n%s", part, out)
		}
	}
	a, err := os.Stat(full)
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.Stat(small)
	if err != nil {
		t.Fatal(err)
	}
	if 3*b.Size() > 2*a.Size() {
		t.Errorf("%d bytes, before %d", b.Size(), a.Size())
	}
	train, _, err := crankpkg.LoadSplit("emotions")
	if err != nil {
		t.Fatal(err)
	}
	was, err := crankpkg.LoadModel(full)
	if err != nil {
		t.Fatal(err)
	}
	is, err := crankpkg.LoadModel(small)
	if err != nil {
		t.Fatal(err)
	}
	if before, after := crankpkg.Primal(train, was, 0.01), crankpkg.Primal(train, is, 0.01); after > 1.05*before {
		t.Errorf("objective %v, before %v", after, before)
	} else if said := fmt.Sprintf("\nobjective %.6g, before %.6g: %+.3f %%\n", after, before, 100*(after-before)/before); !strings.Contains(out, said) {
		t.Errorf("no %q in\n%s", said, out)
	}
	must(t, "evaluate", small, "emotions")
	if out := must(t, "prune", full, "emotions"); strings.Contains(out, "certified") || !strings.Contains(out, "not saved") {
		t.Errorf("without -gap and -o:\n%s", out)
	}
	for _, wrong := range [][]string{
		{full}, {"-rise", "0", full, "emotions"}, {"-gap", "2", full, "emotions"}, {"-digits", "18", full, "emotions"},
		{"-workers", "-1", full, "emotions"}, {"-o", "-", full, "emotions"}, {"-o", full, full, "emotions"},
		{"-rise", "1e-9", "-digits", "1", full, "emotions"},
	} {
		if status, _, log := call(append([]string{"prune"}, wrong...)...); status != 2 || log == "" {
			t.Errorf("%q: status %d, %s", wrong, status, log)
		}
	}
	if status, _, log := call("prune", full, "flags"); status != 1 || !strings.Contains(log, "flags") {
		t.Errorf("on another set: status %d, %s", status, log)
	}
}
