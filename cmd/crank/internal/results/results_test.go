package results

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/internal/origin"
)

// labels are the numbers of labels of the planted sets that stand in for the
// catalog's, small where the real ones are large.
var labels = map[string]int{
	"scene": 3, "emotions": 4, "medical10": 3, "yeast": 4, "birds": 3, "flags": 3, "genbase": 3, "enron": 3, "cal500": 3, "bibtex": 4,
	"corel5k": 3, "delicious": 3,
}

// plantedSets returns sets with so many examples.
func plantedSets(labels map[string]int, numTrain, numTest int) Sets {
	generate := func(name string, seed uint64) (train, test *crankpkg.Dataset, err error) {
		n, ok := labels[name]
		if !ok {
			return nil, nil, fmt.Errorf("no set %q", name)
		}
		h := fnv.New64()
		io.WriteString(h, name)
		train, test, _ = crankpkg.PlantedTree{N: n, D: 3, Noise: 0.1, Seed: h.Sum64() + seed}.Generate(numTrain, numTest)
		return train, test, nil
	}
	return Sets{
		Split: func(name string) (train, test *crankpkg.Dataset, err error) { return generate(name, 0) },
		Seeded: func(name string, _ float64, seed uint64) (train, test *crankpkg.Dataset, err error) {
			return generate(name, seed)
		},
	}
}

var testSets = plantedSets(labels, 20, 16)

func inProcess(ctx context.Context, j Job) (JobResult, error) { return j.Do(ctx, testSets) }

// invented returns numbers that the job determines.
func invented(_ context.Context, j Job) (JobResult, error) {
	return JobResult{Job: j, Wall: 1, Primal: float64(j.M + j.N), Scores: crankpkg.Scores{HammingAccuracy: float64(len(j.Method))}}, nil
}

// computed finds the cells and tasks that a log tells to be new.
var computed = regexp.MustCompile(`(?m)^(\S+) \[\d+/\d+, \S+ left\] (.*, seed \d+):|^([\w-]+): (.*): [\d.]+ s of the processors$`)

// TestParts makes a trial of every part on planted sets: it is interrupted after
// the first cell, then at more and more places in the midst of cells, resumed, and
// made once more. No cell may be computed twice, the last time must leave the same
// files, times and all, and they hold what is computed directly.
func TestParts(t *testing.T) {
	t.Parallel()
	for _, part := range Parts() {
		t.Run(part.Name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			o := Options{Sets: testSets, Out: filepath.Join(folder, "out"), Cells: filepath.Join(folder, "cells"), Quick: true, Workers: 1,
				Run: inProcess, Made: origin.Origin{Commit: "abc", Clean: true}}
			if part.Name == "growth" {
				o.Run = invented
			}
			var fresh []string
			begin := func(ctx context.Context, seen func()) error {
				o.Log = writerFunc(func(line []byte) {
					if bytes.Contains(line, []byte(context.Canceled.Error())) {
						return // what was interrupted
					}
					for _, found := range computed.FindAllStringSubmatch(string(line), -1) {
						fresh = append(fresh, strings.Join(found[1:], " "))
						seen()
					}
				})
				return Make(ctx, o, part.Name)
			}
			ctx, cancel := context.WithCancel(context.Background())
			if err := begin(ctx, cancel); !errors.Is(err, context.Canceled) || len(fresh) != 1 {
				t.Fatalf("interrupted after %d new cells: %v", len(fresh), err)
			}
			for questions := int64(1); ; questions *= 8 {
				if files, err := os.ReadDir(o.Out); err == nil {
					t.Fatalf("a part that was interrupted left %v", files)
				}
				if err := begin(newMortal(questions), func() {}); err == nil {
					break
				} else if !errors.Is(err, context.Canceled) {
					t.Fatalf("interrupted after %d questions: %v", questions, err)
				}
			}
			before := filesOf(t, o.Out)
			if sorted := slices.Sorted(slices.Values(fresh)); len(slices.Compact(sorted)) < len(fresh) || len(fresh) < 2 {
				t.Errorf("computed: %q", fresh)
			}
			count := len(fresh)
			if err := begin(context.Background(), func() {}); err != nil || len(fresh) > count {
				t.Errorf("a third run computes %q: %v", fresh[count:], err)
			}
			after := filesOf(t, o.Out)
			if len(after) != len(part.Files) {
				t.Errorf("%d files, and not %q", len(after), part.Files)
			}
			for _, name := range part.Files {
				var file struct{ Made origin.Origin }
				if err := json.Unmarshal(after[name], &file); err != nil || file.Made.Commit != "abc" || !strings.HasSuffix(file.Made.Command, " -quick "+part.Name) {
					t.Errorf("%s: made by %+v, %v", name, file.Made, err)
				}
				if len(after[name]) < 20 || !bytes.Equal(before[name], after[name]) {
					t.Errorf("%s: %d bytes, then %d, or others", name, len(before[name]), len(after[name]))
				}
			}
			for _, folder := range folders(t, filepath.Join(o.Cells, "quick")) {
				if shared := []string{part.Name, "table1", "table1-scalings", "objectives", "loss-trees"}; !slices.Contains(shared, folder) {
					t.Errorf("cells are in %s", folder)
				}
			}
			check, ok := checks[part.Name]
			if !ok {
				t.Fatal("nothing checks what is in its files")
			}
			check(t, o)
		})
	}
}

// folders returns the names of what is in a folder.
func folders(t *testing.T, folder string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

type writerFunc func([]byte)

func (f writerFunc) Write(text []byte) (int, error) {
	f(text)
	return len(text), nil
}

// filesOf returns the files of a folder.
func filesOf(t *testing.T, folder string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if files[e.Name()], err = os.ReadFile(filepath.Join(folder, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	return files
}
