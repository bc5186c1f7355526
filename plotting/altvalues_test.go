package plotting

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/metrics"
	"gonum.org/v1/plot/plotter"
)

// TestValuesAreSaid has what is said of the values of figures, alone and in a grid.
func TestValuesAreSaid(t *testing.T) {
	t.Parallel()
	at := func(ys ...float64) (points plotter.XYs) {
		for k, y := range ys {
			points = append(points, plotter.XY{X: float64(k), Y: y})
		}
		return points
	}
	curves := Curves{Lines: []Line{{Name: "$f_1$", XYs: at(0.25, 7, -12.5)}, {Name: "level", XYs: at(5, 5, 5)}, {XYs: at(1, 2)}, {Name: "cloud", XYs: at(1, 2), Dots: true},
		{Name: "one", XYs: at(3)}, {Name: "there and back", XYs: at(1, 2, 1)}, {Name: "gap", XYs: at(math.NaN(), 2, 3)}}}
	heat := HeatMap{XNames: []string{"a", "b"}, YNames: []string{"p", "q"}, Values: [][]float64{{0.5, math.NaN()}, {-3, 2.25}}, Decimals: 1}
	cells := CellTable{Rows: []string{"p", "q"}, Columns: []string{"a", "b"}, Cells: [][]string{{"+1.5", "−2"}, {"", "+0.5"}}}
	verdicts := cells
	verdicts.Cells = [][]string{{"1", "yes"}, {"2", "3"}}
	flat := HeatMap{XNames: []string{"a"}, YNames: []string{"p", "q"}, Values: [][]float64{{3}, {3}}}
	methods := Comparison{Methods: []string{"A", "B"}, Measures: []string{"x", "y"}, Mean: [][]float64{{1, -2}, {math.NaN(), 0.125}}}
	differences := CellTable{Rows: []string{"p", "q"}, Columns: []string{"a", "b"}}.WithDifferences([][]float64{{1, -2}, {0.04, math.NaN()}}, [][]float64{{2, 1}, {1, 1}}, 1)
	for want, d := range map[string]Drawing{
		"Least: −2.0 (p, b); greatest: +1.0 (p, a). 1 of 4 cells are pale. Key: above zero, below zero, pale: smaller than a standard error.": differences.Figure(),
		"From the first to the last point: f₁: 0.2 to −12.5, 7 between; level: 5; there and back: 1 at both ends, 2 between; gap: 2 to 3.":    curves.Figure(),
		"Least: −3.0 (q, a); greatest: 2.2 (q, b).":                            heat.Figure(),
		"Least: −2 (p, b); greatest: +1.5 (p, a).":                             Grid(2, heat.Figure(), cells.Figure()),
		"All values are 3.":                                                    flat.Figure(),
		"p: 1 (a), yes (b); q: 2 (a), 3 (b).":                                  verdicts.Figure(),
		"gap: 2 to 3. cloud: 2 points, 1 to 2.":                                curves.Figure(),
		"point: 1 to 2.":                                                       Curves{Lines: []Line{{XYs: at(1, 2)}}}.Figure(),
		"b: 1 to 2; c: 1 to 3; d: 1 to 2. a lies beneath b; a lies beneath d.": Curves{Lines: []Line{{Name: "a", XYs: at(1, 2)}, {Name: "b", XYs: at(1, 2)}, {Name: "c", XYs: at(1, 3)}, {Name: "d", XYs: at(1, 2)}}}.Figure(),
		"all: 3 points, 1 to 2.":                                               Curves{Lines: []Line{{XYs: at(1, 2, 1), Dots: true}}}.Figure(),
		"1: −2.00 [−3.00, −1.00]; 3: +2.00 [1.00, 3.00].":                      MainEffects{Settings: []SettingEffects{{Name: "s", Values: []string{"1", "3"}, Effects: []metrics.Difference{{Mean: -2, Low: -3, High: -1}, {Mean: 2, Low: 1, High: 3}}}}}.Figure(),
		"0.01 − 0.003: +1.00 [0.50, 1.50], p = 0.0":                            Forest{Labels: []string{"0.01 - 0.003"}, Differences: []metrics.Difference{{Mean: 1, Low: 0.5, High: 1.5, P: 0.04}}}.Figure(),
		"a: 0.25; b: −4; bound: 3.":                                            Bars{Names: []string{"a", "b"}, Values: []float64{0.25, -4}, Levels: []Level{{"bound", 3}}}.Figure(),
		"a: 1 (x); b: 2 (x), 5 (y).":                                           DotPlot{Names: []string{"a", "b"}, Groups: []DotGroup{{"x", []float64{1, 2}}, {"y", []float64{math.NaN(), 5}}}}.Figure(),
		"g, low: 1 at 0; g: 4 points, 1 to 4 at 0 to 3; 3 above the diagonal, 0 below it, 1 on it.": Scatter{Diagonal: "equal",
			Groups: []ScatterGroup{{Name: "g", XYs: plotter.XYs{{X: 0, Y: 1}, {X: 1, Y: 2}, {X: 2, Y: 2}, {X: 3, Y: 4}}, Labels: []string{"low", "", "", ""}}}}.Figure(),
		"Least: 2 (start 2); greatest: 7 (start 1).":                     Restarts(&crankpkg.Trace{Restarts: []crankpkg.Restart{{Primal: 7, Dual: 5}, {Primal: 2, Dual: 1}}}),
		"y from 1 to 2 against x from 0 to 1.":                           Curves{Lines: []Line{{Name: "a", XYs: at(1, 2), NoMarkers: true}}}.Figure(),
		"A graph of 2 nodes with 1 edge: between a, b and c.":            LabelGraph{Names: []string{"a, b", "c"}, Edges: []crankpkg.Edge{{I: 0, J: 1}}}.Figure(),
		"A table of 1 row: name.":                                        Table{Columns: []string{"", "name"}, Rows: [][]string{{"a", "b"}}},
		"Intervals and p by: McNemar, exact; t.":                         Forest{Labels: []string{"a", "b"}, Differences: []metrics.Difference{{Test: "McNemar, exact"}, {Test: "t"}}}.Figure(),
		"A: 1.":                                                          methods.Figure(),
		"A: −2; B: 0.12.":                                                Grid(1, methods.Figure(), curves.Figure()),
		"to the last point: a: 2.52012 to 2.52134; b: 2.5209 to 2.5201.": Curves{Lines: []Line{{Name: "a", XYs: at(2.52012, 2.52134)}, {Name: "b", XYs: at(2.5209, 2.5201)}}}.Figure(),
		"to the last point: a: 10¹² to 10⁻¹⁵.":                           Curves{LogY: true, Lines: []Line{{Name: "a", XYs: at(1e12, 1e-15)}}}.Figure(),
		"to the last point: a: 0 to 50.":                                 Curves{Lines: []Line{{Name: "a", XYs: at(-1e-14, 50)}}}.Figure(),
	} {
		if said := describe(d); !strings.Contains(said, want) {
			t.Errorf("%q lacks %q", said, want)
		}
	}
	for want, d := range map[string]Drawing{
		"There are no points to draw.": Scatter{Diagonal: "equal", Groups: []ScatterGroup{{Name: "g"}}}.Figure(), "No search has found anything.": Anytime{}.Figure(),
	} {
		if said := describe(d); said != want {
			t.Errorf("%q of nothing, want %q", said, want)
		}
	}
	if said := describe(curves.Scrubber()); strings.Contains(said, "to the last point") {
		t.Errorf("values beside those of the key: %q", said)
	}
}

// TestExtremesAreExtreme compares with all cells of random maps.
func TestExtremesAreExtreme(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	name := func(i, j int) string { return fmt.Sprint(i, " ", j) }
	text := func(v float64) string { return fmt.Sprint(v) }
	for range 100 {
		values := make([][]float64, 1+rng.IntN(4))
		for i := range values {
			for range 2 + rng.IntN(3) {
				values[i] = append(values[i], float64(rng.Perm(1000)[0])+float64(i)/10+float64(len(values[i]))/100)
			}
		}
		said := extremes(values, text, name)
		for i, row := range values {
			for j, v := range row {
				below, above := 0, 0
				for _, others := range values {
					for _, o := range others {
						below, above = below+bit(o < v), above+bit(o > v)
					}
				}
				if here := fmt.Sprintf("%s (%s)", text(v), name(i, j)); (below == 0) != strings.Contains(said, "Least: "+here) || (above == 0) != strings.Contains(said, "greatest: "+here) {
					t.Fatalf("%q of %v", said, values)
				}
			}
		}
	}
}

// TestNamesWithCommasStayApart checks that a name with a comma is not taken for two, in keys and along axes.
func TestNamesWithCommasStayApart(t *testing.T) {
	t.Parallel()
	for want, names := range map[string][]string{
		"CRANK, Full": {"CRANK", "Full"}, "CRANK; CRANK, swaps; Full": {"CRANK", "CRANK, swaps", "Full"}, "": nil, "a": {"a"},
	} {
		if got := apart(names); got != want {
			t.Errorf("%q: %q, want %q", names, got, want)
		}
	}
}
