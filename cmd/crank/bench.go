package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/crank-ml/crank/internal/atomicfile"
	"github.com/crank-ml/crank/internal/origin"
	"gonum.org/v1/gonum/stat"
)

var benchCommand = subcommand{
	name: "bench", args: "[flags] FILE",
	summary: "print the README's tables of speed",
	help: `Prints tables of what go test -bench has measured, as make bench leaves it in
build/bench.txt: the medians over the repetitions of each benchmark. It writes
these to bench.json too.`,
	example: "bench build/bench.txt",
	setup: func(p *program, flags *flag.FlagSet) action {
		out := flags.String("out", filepath.Join("build", "results"), "`folder` of bench.json")
		glpk := flags.String("glpk", filepath.Join("notebooks", "results", "glpk.json"),
			"`file` of make bench-glpk, which is left out where it is not there")
		return func(_ context.Context, args []string) error {
			if len(args) != 1 {
				return usageError("name one file with the output of go test -bench")
			}
			return p.bench(args[0], *out, *glpk)
		}
	},
}

// bench prints the tables of the measurements in a file.
func (p *program) bench(path, out, glpk string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	report, err := parseBenchmarks(f)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	rivals, err := readGLPK(glpk)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o777); err != nil {
		return err
	}
	report.Made = origin.Here("make bench-table")
	printTables(p.stdout, report, rivals)
	return atomicfile.WriteJSON(filepath.Join(out, "bench.json"), report)
}

// report is what one run of the benchmarks says.
type report struct {
	Made       origin.Origin
	CPU        string      `json:"cpu"`
	Benchmarks []benchmark `json:"benchmarks"`
}

// benchmark is one benchmark with the medians of its metrics, by unit.
type benchmark struct {
	Name    string             `json:"name"`
	Runs    int                `json:"runs"`
	Metrics map[string]float64 `json:"metrics"`
}

// parseBenchmarks reads the output of go test -bench.
func parseBenchmarks(r io.Reader) (*report, error) {
	rep := &report{}
	values := map[string]map[string][]float64{} // by name and unit
	s := bufio.NewScanner(r)
	for s.Scan() {
		if cpu, ok := strings.CutPrefix(s.Text(), "cpu: "); ok {
			rep.CPU = cpu
		}
		fields := strings.Fields(s.Text())
		if len(fields) < 4 || len(fields)%2 != 0 || !strings.HasPrefix(fields[0], "Benchmark") {
			continue
		}
		name := benchmarkName(fields[0])
		if values[name] == nil {
			values[name] = map[string][]float64{}
			rep.Benchmarks = append(rep.Benchmarks, benchmark{Name: name, Metrics: map[string]float64{}})
		}
		for k := 2; k < len(fields); k += 2 {
			v, err := strconv.ParseFloat(fields[k], 64)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			values[name][fields[k+1]] = append(values[name][fields[k+1]], v)
		}
	}
	if err := s.Err(); err != nil {
		return nil, err
	}
	if len(values) == 0 {
		return nil, fmt.Errorf("no benchmark in it")
	}
	for k := range rep.Benchmarks {
		b := &rep.Benchmarks[k]
		for unit, v := range values[b.Name] {
			b.Runs = max(b.Runs, len(v))
			b.Metrics[unit] = median(v)
		}
	}
	return rep, nil
}

// benchmarkName takes the word Benchmark and the number of processors off.
func benchmarkName(field string) string {
	name := strings.TrimPrefix(field, "Benchmark")
	if k := strings.LastIndexByte(name, '-'); k > 0 {
		if _, err := strconv.Atoi(name[k+1:]); err == nil {
			return name[:k]
		}
	}
	return name
}

// median returns the lower one of the two in the middle where they are even.
func median(values []float64) float64 {
	return stat.Quantile(0.5, stat.Empirical, slices.Sorted(slices.Values(values)), nil)
}

// metric returns a benchmark's metric, and whether it was measured.
func (r *report) metric(name, unit string) (float64, bool) {
	for _, b := range r.Benchmarks {
		if b.Name == name {
			v, ok := b.Metrics[unit]
			return v, ok
		}
	}
	return 0, false
}
