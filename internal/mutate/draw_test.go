package main

import (
	"fmt"
	"slices"
	"testing"
)

// made returns mutations of packages with the given numbers of mutations in each file.
func made(packages ...[]int) []mutation {
	var all []mutation
	for p, files := range packages {
		for f, size := range files {
			src := &source{pkg: fmt.Sprint("p", p), name: fmt.Sprintf("p%d/f%d.go", p, f)}
			for line := range size {
				all = append(all, mutation{source: src, line: line})
			}
		}
	}
	return all
}

func places(all []mutation) []string {
	var p []string
	for _, m := range all {
		p = append(p, fmt.Sprintf("%s:%d", m.name, m.line))
	}
	return p
}

func TestDrawIsAPermutation(t *testing.T) {
	t.Parallel()
	all := made([]int{3, 9}, []int{1}, []int{4, 4, 40})
	for seed := range uint64(20) {
		got, want := places(draw(all, seed)), places(all)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("seed %d: %v", seed, got)
		}
	}
}

func TestDrawFollowsTheSeed(t *testing.T) {
	t.Parallel()
	all := made([]int{10, 10}, []int{10})
	a, again, b := places(draw(all, 1)), places(draw(all, 1)), places(draw(all, 2))
	if !slices.Equal(a, again) {
		t.Error("one seed gives two orders")
	}
	if slices.Equal(a, b) {
		t.Error("two seeds give one order")
	}
}

// As long as every file has mutations left, no package and no file of a package is two ahead of another.
func TestDrawIsEven(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		packages, files := map[string]int{"p0": 0, "p1": 0}, map[string]int{"p0/f0.go": 0, "p0/f1.go": 0, "p0/f2.go": 0}
		for i, m := range draw(made([]int{50, 10, 20}, []int{90}), seed)[:60] {
			packages[m.pkg]++
			if m.pkg == "p0" {
				files[m.name]++
			}
			if spread(packages) > 1 || spread(files) > 1 {
				t.Fatalf("seed %d: after %d draws %v, %v", seed, i+1, packages, files)
			}
		}
	}
}

func spread(counts map[string]int) int {
	low, high := 1<<30, 0
	for _, c := range counts {
		low, high = min(low, c), max(high, c)
	}
	return high - low
}

// TestDrawBeginsAnywhere counts what comes first over seeds: each package as often as the others, and each of its files.
func TestDrawBeginsAnywhere(t *testing.T) {
	t.Parallel()
	const seeds = 600
	packages, files := map[string]int{}, map[string]int{}
	for seed := range uint64(seeds) {
		first := draw(made([]int{9, 1, 3}, []int{2}, []int{40}), seed)[0]
		packages[first.pkg]++
		if first.pkg == "p0" {
			files[first.name]++
		}
	}
	for pkg, count := range packages {
		if len(packages) != 3 || count < seeds/3-70 || count > seeds/3+70 { // six standard deviations
			t.Errorf("%s is first %d times of %d", pkg, count, seeds)
		}
	}
	for file, count := range files {
		if len(files) != 3 || count < packages["p0"]/3-45 || count > packages["p0"]/3+45 {
			t.Errorf("%s is first of its package %d times of %d", file, count, packages["p0"])
		}
	}
}
