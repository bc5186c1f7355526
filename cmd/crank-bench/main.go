// Command crank-bench turns what `make bench` has measured into the tables of
// the README, on standard output, and into a file that notebooks read:
//
//	go run github.com/crank-ml/crank/cmd/crank-bench [flags] build/bench.txt
//
// Each value is the median over the repetitions of its benchmark.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/crank-ml/crank/crankpkg"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "crank-bench:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("crank-bench", flag.ContinueOnError)
	results := flags.String("results", filepath.Join("notebooks", "results"), "folder of bench.json, which is written, and of glpk.json, which is read where it is there")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 {
		return fmt.Errorf("name the file with the output of go test -bench")
	}
	f, err := os.Open(flags.Arg(0))
	if err != nil {
		return err
	}
	defer f.Close()
	report, err := parse(f)
	if err != nil {
		return fmt.Errorf("%s: %w", flags.Arg(0), err)
	}
	err = crankpkg.WriteFileAtomic(filepath.Join(*results, "bench.json"), func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", " ")
		return e.Encode(report)
	})
	if err != nil {
		return err
	}
	rivals, err := readGLPK(filepath.Join(*results, "glpk.json"))
	if err != nil {
		return err
	}
	printTables(out, report, rivals)
	return nil
}

// report is what one run of the benchmarks says.
type report struct {
	CPU        string      `json:"cpu"`
	Benchmarks []benchmark `json:"benchmarks"`
}

// benchmark is one benchmark with the medians of its metrics, by unit.
type benchmark struct {
	Name    string             `json:"name"`
	Runs    int                `json:"runs"`
	Metrics map[string]float64 `json:"metrics"`
}

// parse reads the output of go test -bench.
func parse(r io.Reader) (*report, error) {
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

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	k := len(sorted) / 2
	if len(sorted)%2 == 0 {
		return (sorted[k-1] + sorted[k]) / 2
	}
	return sorted[k]
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
