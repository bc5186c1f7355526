package plotting_test

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/crossval"
	"github.com/crank-ml/crank/crankpkg/experiment"
	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"github.com/crank-ml/crank/crankpkg/metrics"
	"github.com/crank-ml/crank/crankpkg/significance"
	"github.com/crank-ml/crank/plotting"
	"gonum.org/v1/plot/plotter"
)

// written saves a drawing in a temporary folder and tells the size of the file,
// in words; programs call plotting.Show or plotting.Save.
func written(name string, d plotting.Drawing) {
	dir, err := os.MkdirTemp("", "figures")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, name)
	if err := plotting.Save(path, d); err != nil {
		fmt.Println(err)
		return
	}
	if info, err := os.Stat(path); err == nil && info.Size() > 0 {
		fmt.Println("wrote", name)
	}
}

// model returns a small model; usually it comes from a Trainer or a file.
func model() *crankpkg.Model {
	return &crankpkg.Model{
		Method:     "CRANK",
		LabelNames: []string{"beach", "sunset", "field", "mountain"},
		Edges:      []crankpkg.Edge{{I: 0, J: 1}, {I: 1, J: 2}, {I: 2, J: 3}},
		Pair:       []float64{-0.8, -1.2, 0.4},
	}
}

// trace returns a small trace; usually it comes from a Trainer.
func trace() *crankpkg.Trace {
	edges := labelgraph.AllPairs(4)
	return &crankpkg.Trace{
		Method: "CRANK",
		Points: []crankpkg.TracePoint{{Pass: 1, Primal: 4, Dual: 0.5}, {Pass: 2, Primal: 3, Dual: 1.5}, {Pass: 4, Primal: 2.2, Dual: 2}},
		Steps: []crankpkg.Step{
			{Beta: 0.01, Loss: 2.0, Objective: 2.2, CircuitRank: 3, Edges: edges, Weights: []float64{-0.8, 0.1, -1.2, 0.2, 0.1, 0.4}},
			{Beta: 0.02, Loss: 2.1, Objective: 2.1, CircuitRank: 0, Edges: model().Edges, Weights: model().Pair},
		},
		Restarts: []crankpkg.Restart{{Primal: 2.2, Dual: 2.19}, {Primal: 2.3, Dual: 2.29}},
	}
}

func Example() {
	train, _, _ := crankpkg.PlantedTree{N: 6, Seed: 1}.Generate(50, 1)
	m, trace, err := crankpkg.CRANK{Lambda: 0.01, Restarts: 1}.Train(context.Background(), train)
	if err != nil {
		fmt.Println(err)
		return
	}
	// In a notebook: plotting.Show(plotting.Network(m), plotting.Convergence(trace))
	written("tree.pdf", plotting.Network(m))
	written("convergence.png", plotting.Convergence(trace))
	written("path.svg", plotting.Path(trace))
	// Output:
	// wrote tree.pdf
	// wrote convergence.png
	// wrote path.svg
}

func ExampleShow() {
	// In GoNB two pictures below the cell; elsewhere two files, whose names are
	// printed: figure-001.png, figure-002.png.
	if err := plotting.Show(plotting.Network(model()), plotting.Convergence(trace())); err != nil {
		fmt.Println(err)
	}
}

func ExampleScreen() {
	screen := plotting.NewScreen()
	for _, beta := range []float64{0.01, 0.02} { // or when a slider moves
		f := plotting.Network(model())
		f.Title = fmt.Sprintf("$β$ = %g", beta)
		if err := screen.Show(f); err != nil {
			fmt.Println(err)
		}
	}
}

func ExampleSave() {
	dir, err := os.MkdirTemp("", "figures")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	for _, name := range []string{"tree.png", "tree.svg", "tree.pdf", "tree.gif", "tree.bmp"} {
		fmt.Println(plotting.Save(filepath.Join(dir, name), plotting.Network(model())))
	}
	// Output:
	// <nil>
	// <nil>
	// <nil>
	// <nil>
	// plotting: no format "bmp"; there are png, svg, pdf, gif and html
}

func ExampleUse() {
	defer plotting.Use(plotting.Dark())()
	written("dark.svg", plotting.Network(model()))
	// Output: wrote dark.svg
}

func ExampleLight() {
	large := plotting.Light()
	large.TextSize = 14
	defer plotting.Use(large)()
	written("large.svg", plotting.Network(model()))
	// Output: wrote large.svg
}

func ExampleDark() {
	restore := plotting.Use(plotting.Dark())
	f := plotting.Path(trace())
	restore()
	written("dark.svg", f) // a figure keeps the style it was made in
	// Output: wrote dark.svg
}

func ExampleNetwork() {
	written("tree.svg", plotting.Network(model()))
	// Output: wrote tree.svg
}

func ExampleLabelGraph() {
	m := model()
	f := plotting.LabelGraph{
		Title: "Frequent labels are larger",
		Names: m.LabelNames, Edges: m.Edges, Weights: m.Pair,
		Frequency:   []float64{0.4, 0.2, 0.3, 0.1},
		ShowWeights: true,
	}.Figure()
	written("graph.svg", f)
	// Output: wrote graph.svg
}

func ExampleLabelGraph_Figure() {
	// A cycle, with the edge to remove.
	ring := []crankpkg.Edge{{I: 0, J: 1}, {I: 1, J: 2}, {I: 0, J: 2}}
	written("ring.svg", plotting.LabelGraph{Names: []string{"1", "2", "3"}, Edges: ring, Marked: ring[2:]}.Figure())
	// Output: wrote ring.svg
}

func ExampleLabelGraph_Place() {
	// Labels keep their places in both pictures.
	g := plotting.LabelGraph{Names: model().LabelNames, Edges: model().Edges}
	g.Layout = g.Place()
	before := g
	before.Edges = labelgraph.AllPairs(4)
	written("both.svg", plotting.Grid(2, before.Figure(), g.Figure()))
	// Output: wrote both.svg
}

func ExampleConvergence() {
	written("bounds.svg", plotting.Convergence(trace()))
	written("seconds.svg", plotting.Convergence(trace(), plotting.BySecond))
	// Output:
	// wrote bounds.svg
	// wrote seconds.svg
}

func ExampleGaps() {
	full := &crankpkg.Trace{Method: "Full", Points: []crankpkg.TracePoint{{Pass: 1, Primal: 5, Dual: 0.2}, {Pass: 5, Primal: 2.5, Dual: 2}}}
	written("gaps.svg", plotting.Gaps(plotting.ByPass, trace(), full))
	// Output: wrote gaps.svg
}

func ExamplePath() {
	written("path.svg", plotting.Path(trace()))
	// Output: wrote path.svg
}

func ExampleRestarts() {
	written("restarts.svg", plotting.Restarts(trace()))
	// Output: wrote restarts.svg
}

func ExamplePathFrames() {
	frames := plotting.PathFrames(trace(), model().LabelNames, 6)
	fmt.Println(len(frames), "frames")
	written("film.svg", plotting.FilmStrip(2, frames...))
	written("film.gif", plotting.Animate(500*time.Millisecond, frames...))
	// Output:
	// 2 frames
	// wrote film.svg
	// wrote film.gif
}

func ExampleFilmStrip() {
	written("film.svg", plotting.FilmStrip(2, plotting.Network(model()), plotting.Network(model())))
	// Output: wrote film.svg
}

func ExampleAnimate() {
	a := plotting.Animate(time.Second, plotting.Network(model()), plotting.Path(trace()))
	written("moving.gif", a)
	written("last.png", a)
	// Output:
	// wrote moving.gif
	// wrote last.png
}

func ExampleScrubber() {
	// Show puts a control under the picture, which works without a kernel.
	var frames []plotting.Drawing
	var labels []string
	for power := range 4 {
		f := plotting.Curves{XLabel: "$x$", Lines: []plotting.Line{{XYs: plotter.XYs{{X: 1, Y: 1}, {X: 2, Y: math.Pow(2, float64(power))}}}}}.Figure()
		f.Width, f.Height = 150, 100
		frames, labels = append(frames, f), append(labels, fmt.Sprintf("$x^%d$", power))
	}
	written("powers.html", plotting.Scrubber(frames, labels))
	// Output: wrote powers.html
}

func ExamplePositions() {
	p := plotting.Scrubber([]plotting.Drawing{plotting.Network(model()), plotting.Path(trace())}, []string{"the tree", "the way to it"})
	p.Start = 0
	written("first.png", p)
	// Output: wrote first.png
}

func ExamplePathScrubber() {
	// The label graph at each beta.
	fmt.Println(plotting.PathScrubber(trace(), model().LabelNames).Labels[0])
	// Output: $β$ = 0.01
}

func ExampleCurves_Scrubber() {
	lines := []plotting.Line{{Name: "CRANK", XYs: plotter.XYs{{X: 0.01, Y: 56.8}, {X: 0.1, Y: 57.2}}}}
	p := plotting.Curves{XLabel: "$λ$", YLabel: "F1, %", LogX: true, Lines: lines}.Scrubber()
	fmt.Println(p.Labels[1], p.Frames[1].(*plotting.Figure).Key[0].Name)
	// Output: $λ$ = 0.1 CRANK: 57.2
}

func ExampleCuts() {
	saddle := plotting.Slice{Title: "a saddle", F: func(x, y float64) float64 { return x * y }, XMin: -1, XMax: 1, YMin: -1, YMax: 1}
	up, down := saddle.Along(45), saddle.Along(135)
	fmt.Println(math.Round(up[0].Y), math.Round(down[0].Y), plotting.Cuts(4, saddle).Labels)
	// Output: 1 -1 [0° 45° 90° 135°]
}

func ExampleTangent() {
	ta := plotting.Tangent{Name: "$x^2$", XLabel: "$x$", XMin: -1, XMax: 1,
		F: func(x float64) float64 { return x * x }, Slope: func(x float64) float64 { return 2 * x }}
	fmt.Println(ta.Figure(0.5).Key[1].Name)
	// Output: touches it at 0.5
}

func ExampleGrid() {
	f := plotting.Grid(2, plotting.Convergence(trace()), plotting.Network(model()), plotting.Gaps(plotting.ByPass, trace()))
	f.Title = "A training"
	fmt.Println(len(f.Panels), "panels")
	written("training.svg", f)
	// Output:
	// 3 panels
	// wrote training.svg
}

func ExampleFigure_Plots() {
	f := plotting.Gaps(plotting.ByPass, trace())
	p := f.Plots()[0] // a gonum plot, to be changed like any
	p.Y.Min, p.Y.Max = 1e-3, 1
	p.X.Label.Text = "passes"
	written("gaps.svg", f)
	// Output: wrote gaps.svg
}

func ExampleFigure_Size() {
	f := plotting.Gaps(plotting.ByPass, trace())
	f.Width, f.Height = 400, 300 // points
	fmt.Println(f.Size())
	// Output: 400 300
}

func ExampleMethodKey() {
	f := plotting.Grid(1, plotting.Network(model()))
	f.Key = plotting.MethodKey("CRANK", "Full", "Empty")
	written("key.svg", f)
	// Output: wrote key.svg
}

func ExampleHingePieces() {
	f := plotting.HingePieces("Hinge", []plotting.Piece{{Name: "y = 0", Value: 1, Slope: -1}, {Name: "y = 1", Value: 0, Slope: 0}}, -1, 2)
	written("hinge.svg", f)
	// Output: wrote hinge.svg
}

func ExampleLabelingScores() {
	f := plotting.LabelingScores{
		Title: "One example", Names: []string{"00", "01", "10", "11"},
		Scores: []float64{0, 0.5, -0.2, 0.4}, Losses: []float64{1, 0, 2, 1}, True: 1,
	}.Figure()
	written("scores.svg", f)
	// Output: wrote scores.svg
}

func ExampleSlice() {
	slice := plotting.Slice{XLabel: "$π_{12}$", YLabel: "$π_{13}$", ZLabel: "$f$", F: math.Min}
	written("both.svg", plotting.Grid(2, slice.Contours(), slice.Surface()))
	// Output: wrote both.svg
}

func ExampleSlice_Contours() {
	written("map.svg", plotting.Slice{F: func(x, y float64) float64 { return x * y }, XMax: 2, YMin: -1, YMax: 1}.Contours())
	// Output: wrote map.svg
}

func ExampleSlice_Surface() {
	slice := plotting.Slice{F: func(x, y float64) float64 { return x*x + y*y }, XMin: -1, XMax: 1, YMin: -1, YMax: 1}
	slice.Tangents = []func(x, y float64) float64{func(x, y float64) float64 { return x - 0.25 }}
	written("surface.svg", slice.Surface())
	// Output: wrote surface.svg
}

func ExampleCurves() {
	f := plotting.Curves{
		XLabel: "training examples", YLabel: "zero-one, %", LogX: true,
		Lines: []plotting.Line{
			{Name: "CRANK", XYs: plotter.XYs{{X: 50, Y: 60}, {X: 200, Y: 75}}, Err: []float64{3, 1}},
			{Name: "Empty", XYs: plotter.XYs{{X: 50, Y: 20}, {X: 200, Y: 30}}, Err: []float64{3, 2}},
		},
	}.Figure()
	written("curves.svg", f)
	// Output: wrote curves.svg
}

func ExampleLess() {
	sizes := func(ys ...float64) (points plotter.XYs) {
		for k, y := range ys {
			points = append(points, plotter.XY{X: float64(20 * (k + 1)), Y: y})
		}
		return points
	}
	lines := plotting.Less("Full", []plotting.Line{
		{Name: "CRANK", XYs: sizes(78, 84, 88)}, {Name: "Full", XYs: sizes(79, 84, 86), Err: []float64{1, 0.5, 0.5}},
	})
	for i := range lines[0].XYs.Len() {
		size, points := lines[0].XYs.XY(i)
		fmt.Println(size, points)
	}
	// Output:
	// 20 -1
	// 40 0
	// 60 2
}

func ExampleComparison() {
	f := plotting.Comparison{
		Methods: []string{"CRANK", "Empty"}, Measures: []string{"Hamming, %", "zero-one, %"},
		Mean: [][]float64{{80.1, 17.1}, {80.1, 16.0}}, Err: [][]float64{{0.2, 0.8}, {0.2, 0.8}},
	}.Figure()
	written("comparison.svg", f)
	// Output: wrote comparison.svg
}

// table returns the outcome of a small experiment.
func table() *experiment.Table {
	t := &experiment.Table{Sets: []string{"scene", "yeast"}, Methods: []string{"CRANK", "Empty"}, Measures: metrics.PaperMeasures()}
	for _, set := range t.Sets {
		for k, method := range t.Methods {
			for seed := range uint64(3) {
				s := crankpkg.Scores{HammingAccuracy: 80, SubsetAccuracy: 20 - float64(k) + float64(seed), ExampleF1: 60}
				t.Cells = append(t.Cells, experiment.Cell{Set: set, Method: method, Seed: seed, Scores: s})
			}
		}
	}
	return t
}

func ExampleCompareMethods() {
	written("yeast.svg", plotting.CompareMethods(table(), "yeast"))
	// Output: wrote yeast.svg
}

func ExampleRankMethods() {
	written("ranks.svg", plotting.RankMethods(table(), metrics.SubsetAccuracy))
	// Output: wrote ranks.svg
}

func ExampleRankedTable() {
	t := plotting.RankedTable{
		Title: "Zero-one, %", Rows: []string{"CRANK", "Full", "Empty"}, Columns: []string{"scene", "yeast"},
		Values:   [][]float64{{57.7, 17.1}, {61.0, 18.9}, {50.3, math.NaN()}},
		Decimals: 1,
	}
	written("table.svg", t.Figure())
	// Output: wrote table.svg
}

func ExampleRankedTable_Ranks() {
	t := plotting.RankedTable{
		Rows: []string{"CRANK", "Full", "Empty"}, Columns: []string{"scene", "yeast"},
		Values: [][]float64{{57.7, 17.1}, {61.0, 17.1}, {50.3, 16.0}}, Decimals: 1,
	}
	ranks, mean := t.Ranks()
	fmt.Println(ranks, mean)
	// Output: [[2 1] [1 1] [3 3]] [1.5 1 3]
}

func ExampleValidationCurve() {
	sel := &crossval.Selection{Method: "CRANK", Criterion: metrics.SubsetAccuracy}
	for k, lambda := range []float64{1e-3, 1e-2, 1e-1} {
		folds := []crankpkg.Scores{{SubsetAccuracy: float64(15 - k)}, {SubsetAccuracy: float64(17 - k)}}
		sel.Curve = append(sel.Curve, crossval.Point{Lambda: lambda, Folds: folds})
	}
	written("validation.svg", plotting.ValidationCurve(sel))
	// Output: wrote validation.svg
}

func ExampleValidation() {
	f := plotting.Validation{
		Title: "Validation", YLabel: "loss", SmallerIsBetter: true, Chosen: 0.01,
		Lines: []plotting.Line{{XYs: plotter.XYs{{X: 0.001, Y: 0.3}, {X: 0.01, Y: 0.25}, {X: 0.1, Y: 0.4}}, Err: []float64{0.02, 0.02, 0.03}}},
	}.Figure()
	written("validation.svg", f)
	// Output: wrote validation.svg
}

func ExamplePairConfusion() {
	names := []string{"beach", "sea", "field"}
	truth := []uint8{1, 1, 0, 0, 0, 1, 1, 1, 0}     // three examples
	predicted := []uint8{1, 1, 0, 0, 0, 1, 1, 0, 1} // by three labels
	written("pairs.svg", plotting.PairConfusion(names, truth, predicted))
	// Output: wrote pairs.svg
}

func ExampleMargins() {
	f := plotting.Margins(
		plotting.Sample{Name: "training", Values: []float64{1.2, 0.8, 2.1, -0.1}},
		plotting.Sample{Name: "test", Values: []float64{0.4, -0.7, 1.5}},
	)
	fmt.Println(f.Key[0].Name)
	fmt.Println(f.Key[1].Name)
	// Output:
	// training: 25 % below zero
	// test: 33.3 % below zero
}

func ExampleLiveProgress() {
	full := crankpkg.Full{Lambda: 0.01, Settings: crankpkg.Settings{Progress: plotting.LiveProgress()}}
	fmt.Println(full.Name())
	// Output: Full
}

// Two settings over ten seeds and two sets, lambda chosen anew in each cell: the test, its picture, and every cell as CSV.
func ExampleEffects() {
	table, err := experiment.Sweep{Methods: []crankpkg.Trainer{crankpkg.ChowLiu{}, crankpkg.Empty{}}, Seeds: experiment.Seeds(10),
		Sets: []experiment.Set{
			experiment.PlantedSet("noisy", crankpkg.PlantedTree{N: 5, Noise: 0.1}, 60, 60), experiment.PlantedSet("clear", crankpkg.PlantedTree{N: 5}, 60, 60)},
		Select: &crossval.Search{Lambdas: []float64{0.1, 0.01}, Folds: 2},
	}.Run(context.Background())
	effects := append(table.Effects(metrics.ExampleF1), table.EffectsOn("noisy", metrics.ExampleF1)...)
	f := plotting.Effects(effects, metrics.ExampleF1).Figure()
	fmt.Println(err, table.WriteCSV(io.Discard), effects[0].N, effects[1].N, effects[0].High < 0, len(f.Plots()))
	// Output:
	// <nil> <nil> 20 10 true 1
}

func ExampleLiveCells() {
	s := experiment.Sweep{Methods: []crankpkg.Trainer{crankpkg.Full{}}, Progress: plotting.LiveCells()}
	fmt.Println(len(s.Methods))
	// Output: 1
}

func ExampleAnimation() {
	a := &plotting.Animation{Frames: plotting.PathFrames(trace(), model().LabelNames, 4)}
	w, h := a.Size()
	fmt.Println(w > 0, h > 0)
	// Output: true true
}

func ExampleFigure() {
	// What could not be drawn is said in the notes, which are in the picture too.
	f := plotting.Margins(plotting.Sample{Name: "test", Values: []float64{1, math.NaN()}})
	fmt.Println(f.Notes)
	// Output: [1 value that is not finite is left out.]
}

func ExampleShowSlider() {
	// In GoNB a slider under the picture, until the cell is stopped.
	err := plotting.ShowSlider(1, 9, 3, func(power int) plotting.Drawing {
		return plotting.Slice{F: func(x, y float64) float64 { return math.Pow(x, float64(power)) * y }}.Contours()
	})
	if err != nil {
		fmt.Println(err)
	}
}

func ExampleForest() {
	f := plotting.Forest{
		Title: "CRANK less Empty", XLabel: "subset accuracy, points",
		Labels:      []string{"yeast", "scene"},
		Differences: []metrics.Difference{significance.PairedT([]float64{0.8, 1.3, 0.4}, 0), significance.PairedT([]float64{4.1, 4.9, 4.4}, 0)},
	}
	fmt.Println(f.Table())
	written("forest.png", f.Figure())
	// Output:
	// CRANK less Empty
	//
	//        difference       interval      p  pairs  test
	// -----  ----------  -------------  -----  -----  --------
	// yeast       +0.83  [−0.29, 1.95]  0.085      3  paired t
	// scene       +4.47   [3.46, 5.47]  0.003      3  paired t
	//
	// wrote forest.png
}

func ExampleCriticalDifference() {
	r := significance.Friedman{}.Test([][]float64{{81, 79, 74}, {66, 67, 61}, {92, 90, 90}, {55, 51, 52}, {73, 70, 69}, {88, 85, 84}})
	cd := plotting.CriticalDifference{Methods: []string{"CRANK", "Full", "Empty"}, Ranks: r.Mean, CD: r.CriticalDifference(0.05)}
	written("critical-difference.png", cd.Figure())
	// Output: wrote critical-difference.png
}

func ExampleMainEffects() {
	f := plotting.MainEffects{
		YLabel: "subset accuracy, points",
		Settings: []plotting.SettingEffects{
			{Name: "restarts", Values: []string{"1", "10"}, Effects: []metrics.Difference{{Mean: -1, Low: -2, High: 0.1}, {Mean: 1, Low: -0.1, High: 2}}},
		},
	}.Figure()
	written("effects.png", f)
	// Output: wrote effects.png
}

func ExampleAnytime() {
	f := plotting.Anytime{
		XLabel: "seconds", YLabel: "subset accuracy, %",
		Searches: []plotting.SearchRun{{Name: "random", At: []float64{3, 5, 9}, Values: []float64{55, 58, 57}}},
	}.Figure()
	written("search.png", f)
	// Output: wrote search.png
}

func ExampleScatter() {
	f := plotting.Scatter{
		XLabel: "seconds", YLabel: "subset accuracy, %",
		Groups: []plotting.ScatterGroup{{Name: "CRANK", XYs: plotter.XYs{{X: 1.2, Y: 57}, {X: 2.1, Y: 59}}, Labels: []string{"", "lambda 0.001"}}},
	}.Figure()
	written("cells.png", f)
	// Output: wrote cells.png
}

func ExampleDotPlot() {
	f := plotting.DotPlot{
		XLabel: "time relative to Full", LogX: true, Names: []string{"CRANK", "Full"},
		Groups:    []plotting.DotGroup{{Name: "here", Values: []float64{0.8, 1}}, {Name: "the paper's", Values: []float64{1.8, 1}}},
		Reference: &plotting.Level{Value: 1},
	}.Figure()
	written("times.png", f)
	// Output: wrote times.png
}

func ExampleScoresOf() {
	truth := []uint8{1, 0}
	chart := plotting.ScoresOf("loss-augmented", infer.AllLabelings(2), truth, func(y crankpkg.Labeling) float64 { return float64(y[0]) })
	fmt.Println(chart.Names, chart.Scores, chart.Losses, "the truth is", chart.Names[chart.True])
	// Output: [00 01 10 11] [0 0 2 2] [1 2 0 1] the truth is 10
}

func ExamplePiecesOf() {
	for _, p := range plotting.PiecesOf(infer.HingeLine{Truth: []uint8{1}, Unary: []float64{0}, UnaryStep: []float64{1}}) {
		fmt.Printf("y = %s: %g %+g t\n", p.Name, p.Value, p.Slope)
	}
	// Output:
	// y = 0: 1 -1 t
	// y = 1: 0 +0 t
}

func ExampleNumbered() {
	names, circle := plotting.Numbered(3)
	fmt.Println(names, len(circle.At))
	// Output: [1 2 3] 3
}

func ExampleTable() {
	fmt.Println(plotting.Table{
		Columns: []string{"set", "labels", "cardinality"},
		Rows:    [][]string{{"scene", "6", "1.07"}, {"yeast", "14", "4.24"}},
	})
	// Output:
	// set    labels  cardinality
	// -----  ------  -----------
	// scene       6         1.07
	// yeast      14         4.24
}
