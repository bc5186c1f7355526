package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const output = `goos: linux
cpu: Some CPU
BenchmarkTrainYeastFull-2   	5	1047866417 ns/op	226.3 cpu-ms	0.007317 gap	16500 oracle-calls	501.7 x-scoring	25357 allocs/op
BenchmarkTrainYeastFull-2   	5	1047866417 ns/op	228.3 cpu-ms	0.007317 gap	16500 oracle-calls	503.7 x-scoring	25357 allocs/op
BenchmarkTrainYeastFull-2   	5	1047866417 ns/op	900.3 cpu-ms	0.007317 gap	16500 oracle-calls	508.7 x-scoring	25357 allocs/op
BenchmarkPredictTree/n=14/d=103-2   	5	1 ns/op	250 ns/example	1.0634 x-dots
BenchmarkSomethingElse 	100	12 ns/op
PASS
`

func TestTables(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "bench.txt")
	if err := os.WriteFile(path, []byte(output), 0o666); err != nil {
		t.Fatal(err)
	}
	glpk := `{"random": [{"labels": 14, "pairs": 91, "unary": 3, "ratio": {"cold": 831.4}}],
		"prediction": [{"method": "CRANK", "solver": "tree", "relative": 0.001}]}`
	if err := os.WriteFile(filepath.Join(folder, "glpk.json"), []byte(glpk), 0o666); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := run([]string{"-results", folder, path}, &out); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"| Yeast, Full, 1/M, 1 % | 228 ms | 504 | 0.73 % | 16500 |",
		"| 14 labels, 103 features: predicting one example / its 14 dot products | 1.06 |",
		"| LP relaxation, 14 labels, 91 random pairs, unary terms of deviation 3: GLPK's simplex method / ours | 831 |",
		"| Yeast, predicting a test example: Full by GLPK's simplex method / CRANK by tree | 1000 |",
		"| 14 labels, 103 features, one at a time | 250 ns | 4.0 million |",
	} {
		if !strings.Contains(out.String(), line+"\n") {
			t.Errorf("no line %q in\n%s", line, out.String())
		}
	}
	data, err := os.ReadFile(filepath.Join(folder, "bench.json"))
	if err != nil || !strings.Contains(string(data), `"SomethingElse"`) {
		t.Errorf("bench.json: %v\n%s", err, data)
	}
}

func TestNoBenchmarks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bench.txt")
	if err := os.WriteFile(path, []byte("PASS\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := run([]string{path}, new(strings.Builder)); err == nil {
		t.Error("no error for a file without benchmarks")
	}
}
