package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"
)

// trainings are the rows of the table of trainings, as far as they were run.
var trainings = []struct{ benchmark, name string }{
	{"TrainYeastFull", "Yeast, Full, 1/M, 1 %"},
	{"TrainYeastFullTight", "Yeast, Full, 1/M, 0.1 %"},
	{"TrainYeastFull001", "Yeast, Full, 0.001, 1 %"},
	{"TrainYeastFull001Tight", "Yeast, Full, 0.001, 0.1 %"},
	{"TrainYeastFull0067", "Yeast, Full, 0.0067, 1 %"},
	{"TrainYeastFull0067Tight", "Yeast, Full, 0.0067, 0.1 %"},
	{"TrainYeastChowLiu", "Yeast, Chow-Liu, 1/M, 1 %"},
	{"TrainYeastCRANK", "Yeast, CRANK (one start), 0.001, 1 %"},
	{"TrainYeastEmpty", "Yeast, Empty, 1/M, 1 %"},
	{"TrainSceneFull", "Scene, Full, 1/M, 1 %"},
	{"TrainSceneFullTight", "Scene, Full, 1/M, 0.1 %"},
	{"TrainSceneChowLiu", "Scene, Chow-Liu, 1/M, 1 %"},
	{"TrainSceneCRANK", "Scene, CRANK (one start), 0.003, 1 %"},
	{"TrainSceneEmpty", "Scene, Empty, 1/M, 1 %"},
}

// ratios are the rows of the table of ratios: metrics of benchmarks that time two
// things in turn.
var ratios = []struct{ benchmark, unit, name string }{
	{"Textbook/yeast", "x-ours", "Yeast, Full, 1/M, 1 %: textbook block-coordinate Frank-Wolfe / ours"},
	{"Textbook/scene", "x-ours", "Scene, Full, 1/M, 1 %: textbook block-coordinate Frank-Wolfe / ours"},
	{"YeastCRANKAgainstFull", "x-full", "Yeast, 0.001, 1 %: CRANK (one start) / Full"},
	{"PredictTree/n=14/d=103", "x-dots", "14 labels, 103 features: predicting one example / its 14 dot products"},
	{"PredictTree/n=6/d=294", "x-dots", "6 labels, 294 features: predicting one example / its 6 dot products"},
	{"PredictBatch/n=14/d=103", "x-product", "14 labels, 103 features: predicting 1024 examples / the matrix product"},
	{"PredictBatch/n=6/d=294", "x-product", "6 labels, 294 features: predicting 1024 examples / the matrix product"},
}

// throughputs are the benchmarks of prediction that tell the time of an example.
var throughputs = []struct{ benchmark, name string }{
	{"PredictTree/n=14/d=103", "14 labels, 103 features, one at a time"},
	{"PredictBatch/n=14/d=103", "14 labels, 103 features, batch"},
	{"PredictTree/n=6/d=294", "6 labels, 294 features, one at a time"},
	{"PredictBatch/n=6/d=294", "6 labels, 294 features, batch"},
}

// printTables prints the tables as Markdown. What was not measured is left out.
func printTables(out io.Writer, r *report, g *glpk) {
	t := newTable("Training: set, method, lambda, relative gap asked for", "processor time", "scoring passes", "gap reached", "oracle calls")
	for _, row := range trainings {
		if ms, ok := r.metric(row.benchmark, "cpu-ms"); ok {
			passes, _ := r.metric(row.benchmark, "x-scoring")
			gap, _ := r.metric(row.benchmark, "gap")
			calls, _ := r.metric(row.benchmark, "oracle-calls")
			t.add(row.name, digits(ms, 2)+" ms", digits(passes, 2), digits(100*gap, 2)+" %", digits(calls, 0))
		}
	}
	t.print(out)
	t = newTable("Times of two things, taken in turn", "ratio")
	for _, row := range ratios {
		if v, ok := r.metric(row.benchmark, row.unit); ok {
			t.add(row.name, digits(v, 3))
		}
	}
	t.addGLPK(g)
	t.print(out)
	printRestarts(out, r)
	t = newTable("Prediction with a tree, one core", "time of an example", "examples a second")
	for _, row := range throughputs {
		if ns, ok := r.metric(row.benchmark, "ns/example"); ok {
			t.add(row.name, digits(ns, 2)+" ns", digits(1e3/ns, 2)+" million")
		}
	}
	t.print(out)
}

// printRestarts prints how CRANK's time and objective compare with Full's and with those of
// ten starts.
func printRestarts(out io.Writer, r *report) {
	t := newTable("CRANK to 1 %: set / lambda; times relative to Full's", "default", "one start", "ten starts", "its tree alone", "objective against ten starts")
	for _, b := range r.Benchmarks {
		if name, ok := strings.CutPrefix(b.Name, "Restarts/"); ok {
			t.add(name, digits(b.Metrics["x-full"], 3), digits(b.Metrics["one-x"], 3), digits(b.Metrics["ten-x"], 3),
				digits(b.Metrics["tree-x"], 3), fmt.Sprintf("%+.2f %%", b.Metrics["over-ten"]))
		}
	}
	t.print(out)
}

// glpk is what the tables need of glpk.json.
type glpk struct {
	Random []struct {
		Labels int                `json:"labels"`
		Pairs  int                `json:"pairs"`
		Unary  float64            `json:"unary"`
		Ratio  map[string]float64 `json:"ratio"`
	} `json:"random"`
	Prediction []struct {
		Method   string  `json:"method"`
		Solver   string  `json:"solver"`
		Relative float64 `json:"relative"`
	} `json:"prediction"`
}

// readGLPK returns the comparison with GLPK, empty where there is none.
func readGLPK(path string) (*glpk, error) {
	g := &glpk{}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return g, nil
	}
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(data, g); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return g, nil
}

func (t *table) addGLPK(g *glpk) {
	for _, row := range g.Random {
		t.add(fmt.Sprintf("LP relaxation, %d labels, %d random pairs, unary terms of deviation %v: GLPK's simplex method / ours",
			row.Labels, row.Pairs, row.Unary),
			digits(row.Ratio["cold"], 2))
	}
	for _, row := range g.Prediction {
		if row.Solver == "roof duality" || row.Solver == "tree" {
			t.add(fmt.Sprintf("Yeast, predicting a test example: Full by GLPK's simplex method / %s by %s", row.Method, row.Solver),
				digits(1/row.Relative, 2))
		}
	}
}

// table is a Markdown table; all columns but the first are numbers.
type table struct{ rows [][]string }

func newTable(head ...string) *table { return &table{rows: [][]string{head}} }

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

// print prints the table unless it has a head alone.
func (t *table) print(out io.Writer) {
	if len(t.rows) == 1 {
		return
	}
	for k, cells := range t.rows {
		fmt.Fprintf(out, "| %s |\n", strings.Join(cells, " | "))
		if k == 0 {
			fmt.Fprintf(out, "|---|%s\n", strings.Repeat("---:|", len(cells)-1))
		}
	}
	fmt.Fprintln(out)
}

// digits prints v with at least so many significant digits, and all those before
// the decimal point.
func digits(v float64, significant int) string {
	decimals := significant
	for x := v; x >= 1; x /= 10 {
		decimals--
	}
	for x := v; x > 0 && x < 0.1; x *= 10 {
		decimals++
	}
	return strconv.FormatFloat(v, 'f', max(0, decimals), 64)
}
