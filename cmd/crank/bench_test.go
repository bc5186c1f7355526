package main

import (
	"encoding/json"
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
BenchmarkRestarts/scene/0.001-2   	5	1 ns/op	260 cpu-ms	1.2 one-x	-0.1234 over-ten	8.5 ten-x	1.13 tree-x	2.4567 x-full
PASS
`

func TestBench(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path, compared, out := filepath.Join(folder, "bench.txt"), filepath.Join(folder, "glpk.json"), filepath.Join(folder, "new", "out")
	glpk := `{"random": [{"labels": 14, "pairs": 91, "unary": 3, "ratio": {"cold": 831.4}}], "prediction": [
		{"method": "CRANK", "solver": "tree", "relative": 0.001}, {"method": "Full", "solver": "GLPK, cold", "relative": 1}]}`
	for path, text := range map[string]string{path: output, compared: glpk} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	status, printed, log := call("bench", "-out", out, "-glpk", compared, path)
	if status != 0 || log != "" {
		t.Fatalf("status %d, %s", status, log)
	}
	want := `| Training: set, method, lambda, relative gap asked for | processor time | scoring passes | gap reached | oracle calls |
|---|---:|---:|---:|---:|
| Yeast, Full, 1/M, 1 % | 228 ms | 504 | 0.73 % | 16500 |

| Times of two things, taken in turn | ratio |
|---|---:|
| 14 labels, 103 features: predicting one example / its 14 dot products | 1.06 |
| LP relaxation, 14 labels, 91 random pairs, unary terms of deviation 3: GLPK's simplex method / ours | 831 |
| Yeast, predicting a test example: Full by GLPK's simplex method / CRANK by tree | 1000 |

| CRANK to 1 %: set / lambda; times relative to Full's | default | one start | ten starts | its tree alone | objective against ten starts |
|---|---:|---:|---:|---:|---:|
| scene/0.001 | 2.46 | 1.20 | 8.50 | 1.13 | -0.12 % |

| Prediction with a tree, one core | time of an example | examples a second |
|---|---:|---:|
| 14 labels, 103 features, one at a time | 250 ns | 4.0 million |

`
	if printed != want {
		t.Errorf("printed\n%s\nand not\n%s", printed, want)
	}
	bench := readBench(t, out)
	if bench.Made.Command != "make bench-table" || bench.Made.Date == "" {
		t.Errorf("made by %+v", bench.Made)
	}
	if bench.CPU != "Some CPU" || len(bench.Benchmarks) != 4 {
		t.Errorf("%+v", bench)
	}
	full, last := bench.Benchmarks[0], bench.Benchmarks[2]
	if full.Name != "TrainYeastFull" || full.Runs != 3 || full.Metrics["cpu-ms"] != 228.3 || last.Name != "SomethingElse" ||
		last.Metrics["ns/op"] != 12 {
		t.Errorf("%+v, %+v", full, last)
	}
	// Without GLPK, the other tables are printed all the same.
	if status, again, log := call("bench", "-out", out, "-glpk", filepath.Join(folder, "none"), path); status != 0 || log != "" ||
		strings.Contains(again, "GLPK") || !strings.Contains(again, "| 228 ms |") {
		t.Errorf("status %d, %q, %q", status, again, log)
	}
}

func readBench(t *testing.T, folder string) (r report) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, "bench.json"))
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestCommittedBench prints the committed measurements: each row of the tables that
// it has a benchmark for is there, and none is of a benchmark that does not exist.
func TestCommittedBench(t *testing.T) {
	t.Parallel()
	r := readBench(t, filepath.Join("..", "..", "notebooks", "results"))
	for _, row := range trainings {
		if ms, ok := r.metric(row.benchmark, "cpu-ms"); !ok || ms <= 0 {
			t.Errorf("%s was not measured", row.benchmark)
		}
	}
	for _, row := range ratios {
		if v, ok := r.metric(row.benchmark, row.unit); !ok || v <= 0 {
			t.Errorf("%s, %s was not measured", row.benchmark, row.unit)
		}
	}
	for _, row := range throughputs {
		if v, ok := r.metric(row.benchmark, "ns/example"); !ok || v <= 0 {
			t.Errorf("%s was not measured", row.benchmark)
		}
	}
}

func TestBenchFails(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for name, text := range map[string]string{"no benchmark in it": "PASS\n", "x": "BenchmarkA 1 x ns/op\n",
		"too long": strings.Repeat("x", 100000)} {
		path := filepath.Join(folder, "bench.txt")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if status, out, log := call("bench", "-out", folder, path); status != 1 || out != "" ||
			!strings.HasPrefix(log, "crank: "+path+": ") || !strings.Contains(log, name) {
			t.Errorf("%s: status %d, %q, %q", name, status, out, log)
		}
	}
	good, bad := filepath.Join(folder, "good.txt"), filepath.Join(folder, "glpk.json")
	if err := os.WriteFile(good, []byte(output), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(bad, []byte("{"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"-out", folder, "-glpk", bad}, {"-out", folder, "-glpk", folder}, {"-out", good, "-glpk", "none"}} {
		if status, out, log := call(append([]string{"bench", good}, args...)...); status != 1 || out != "" || strings.Count(log, "\n") != 1 {
			t.Errorf("%q: status %d, %q, %q", args, status, out, log)
		}
	}
}

func TestMedian(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		values []float64
		want   float64
	}{{[]float64{3}, 3}, {[]float64{3, 1}, 1}, {[]float64{5, 1, 3}, 3}, {[]float64{9, 5, 1, 3}, 3}} {
		if got := median(c.values); got != c.want {
			t.Errorf("%v: %v", c.values, got)
		}
	}
}

func TestDigits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		v           float64
		significant int
		want        string
	}{{0, 2, "0.00"}, {0.0123, 2, "0.012"}, {0.123, 2, "0.12"}, {1, 2, "1.0"}, {1.234, 2, "1.2"}, {12.34, 2, "12"},
		{1234.5, 2, "1234"}, {16500, 0, "16500"}} {
		if got := digits(c.v, c.significant); got != c.want {
			t.Errorf("%v with %d: %s, not %s", c.v, c.significant, got, c.want)
		}
	}
	for name, want := range map[string]string{"BenchmarkA-2": "A", "BenchmarkA/n=14/d=103-16": "A/n=14/d=103", "BenchmarkA-b": "A-b",
		"BenchmarkA": "A"} {
		if got := benchmarkName(name); got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
}
