package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSummary(t *testing.T) {
	t.Parallel()
	all := made([]int{5}, []int{1}, []int{1})
	var results []result
	for i, o := range []outcome{killed, survived, timedOut, invalid, invalid, survived, killed} {
		results = append(results, result{all[i], o, ""})
	}
	s := summarize(results)
	if want := (tally{killed: 2, timedOut: 1, survived: 2}); s.total != want {
		t.Errorf("total %v, want %v", s.total, want)
	}
	for pkg, share := range map[string]float64{"p0": 2. / 3, "p1": 0, "p2": 1} {
		if got := s.packages[pkg].share(); got != share {
			t.Errorf("%s: %v, want %v", pkg, got, share)
		}
	}
	var out strings.Builder
	if err := s.print(&out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	for i, want := range []string{"killed timed out survived noticed", "1 1 1 67 % p0", "0 0 1 0 % p1", "1 0 0 100 % p2", "2 1 2 60 % all"} {
		if got := strings.Join(strings.Fields(lines[i]), " "); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestWriteReport(t *testing.T) {
	t.Parallel()
	src := &source{pkg: "p", name: "p/f.go", text: []byte("a\nb < c\n\td\n")}
	results := []result{
		{mutation{source: src, kind: "deletion", line: 3, start: 9, end: 10}, killed, "q"},
		{mutation{source: src, kind: "comparison", line: 2, start: 4, end: 5, text: "<="}, survived, ""},
		{mutation{source: src, kind: "constant", line: 1, start: 0, end: 1, text: "2"}, survived, ""},
	}
	path := filepath.Join(t.TempDir(), "new", "mutants.txt")
	if err := writeReport(path, results); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	want := "p/f.go:1: constant\n- a\n+ 2\nsurvived\n\n" +
		"p/f.go:2: comparison\n- b < c\n+ b <= c\nsurvived\n\n" +
		"p/f.go:3: deletion\n- d\n+ \nkilled by the tests of q\n\n"
	if err != nil || string(got) != want {
		t.Errorf("error %v, got\n%s", err, got)
	}
}

// A mutation that does not compile is told, but is none of those asked for.
func TestProgress(t *testing.T) {
	t.Parallel()
	src := &source{name: "f.go", text: []byte("b < c\n")}
	m := mutation{source: src, kind: "comparison", line: 1, start: 2, end: 3, text: ">"}
	var out strings.Builder
	tell := newProgress(&out)
	for _, o := range []outcome{killed, invalid, survived} {
		tell(result{m, o, ""}, 10)
	}
	want := " 1/10 killed           f.go:1: comparison\n" +
		" 1/10 does not compile f.go:1: comparison\n" +
		" 2/10 survived         f.go:1: comparison\n\t- b < c\n\t+ b > c\n"
	if out.String() != want {
		t.Errorf("got\n%s", &out)
	}
}
