package main

import (
	"math"
	"time"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/envelope"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"github.com/crank-ml/crank/plotting"
	"gonum.org/v1/plot/plotter"
)

type figure struct {
	name string
	make func() plotting.Drawing
	file string
}

// figures are in the order of the page. A figure whose file begins with "dark"
// is drawn in the style for dark pages.
var figures = []figure{
	{"network", network, "network.png"},
	{"networkDetails", networkDetails, "network-details.png"},
	{"networkFull", networkFull, "network-full.png"},
	{"networkMany", networkMany, "network-many.png"},
	{"circuits", circuits, "circuits.png"},
	{"convergence", convergence, "convergence.png"},
	{"gaps", gaps, "gaps.png"},
	{"path", path, "path.png"},
	{"filmStrip", filmStrip, "film-strip.png"},
	{"animation", animation, "animation.gif"},
	{"restarts", restarts, "restarts.png"},
	{"hinge", hinge, "hinge.png"},
	{"scores", scores, "scores.png"},
	{"contours", contours, "contours.png"},
	{"surface", surface, "surface.png"},
	{"regions", regions, "regions.png"},
	{"learningCurves", learningCurves, "learning-curves.png"},
	{"lessOne", lessOne, "less-one.png"},
	{"comparison", comparison, "comparison.png"},
	{"rankedTable", rankedTable, "ranked-table.png"},
	{"cellTable", cellTable, "cell-table.png"},
	{"differencesTable", differencesTable, "differences-table.png"},
	{"barChart", barChart, "bars.png"},
	{"dotPlot", dotPlot, "dot-plot.png"},
	{"textTable", textTable, "text-table.png"},
	{"forest", forest, "forest.png"},
	{"mainEffects", mainEffects, "main-effects.png"},
	{"twoSettings", twoSettings, "two-settings.png"},
	{"criticalDifference", criticalDifference, "critical-difference.png"},
	{"anytime", anytime, "anytime.png"},
	{"scatter", scatter, "scatter.png"},
	{"validation", validation, "validation.png"},
	{"pairs", pairs, "pairs.png"},
	{"marginsOfTwo", marginsOfTwo, "margins.png"},
	{"dark", dark, "dark.png"},
	{"nothing", nothing, "nothing.png"},
}

// network draws the label graph of a model: a line is as wide as |w_ij| is
// large, and its color and dash tell the sign. A tree is laid out as one.
func network() plotting.Drawing {
	return plotting.Network(tree())
}

// networkDetails draws a label graph with more said: node size by label
// frequency and the weights at the edges.
func networkDetails() plotting.Drawing {
	m := tree()
	return plotting.LabelGraph{
		Title: "Frequent labels are larger",
		Names: m.LabelNames, Edges: m.Edges, Weights: m.Pair,
		Frequency:   []float64{.5, .3, .25, .2, .15, .3, .2, .1, .25, .05, .1, .05, .1, .02},
		ShowWeights: true,
	}.Figure()
}

// networkFull draws a dense label graph: on a circle, in the order of a walk
// through the strongest edges; weak edges step back.
func networkFull() plotting.Drawing {
	return plotting.Network(full())
}

// networkMany draws a tree of 120 labels: in rings, readable at full size.
func networkMany() plotting.Drawing {
	return plotting.Network(manyLabels(120))
}

// circuits draws the circuit rank: the graphs need as many edges less as F says
// to become forests; the edges to remove are marked.
func circuits() plotting.Drawing {
	names := []string{"1", "2", "3", "4"}
	star := []crankpkg.Edge{{I: 0, J: 1}, {I: 0, J: 2}, {I: 0, J: 3}}
	ring := []crankpkg.Edge{{I: 0, J: 1}, {I: 1, J: 2}, {I: 2, J: 3}, {I: 0, J: 3}}
	all := labelgraph.AllPairs(4)
	places := plotting.LabelGraph{Names: names, Edges: all}.Place()
	return plotting.Grid(3,
		plotting.LabelGraph{Title: "$F$ = 0", Names: names, Edges: star, Layout: places}.Figure(),
		plotting.LabelGraph{Title: "$F$ = 1", Names: names, Edges: ring, Layout: places, Marked: ring[3:]}.Figure(),
		plotting.LabelGraph{Title: "$F$ = 3", Names: names, Edges: all, Layout: places, Marked: []crankpkg.Edge{all[2], all[4], all[5]}}.Figure(),
	)
}

// convergence draws the certified bounds of a training: primal, dual and the
// relative gap, by pass; plotting.BySecond and plotting.ByOracleCall count
// otherwise.
func convergence() plotting.Drawing {
	return plotting.Convergence(crankTrace(), plotting.ByPass)
}

// gaps draws the gaps of several methods: each in the look that it has in
// every figure.
func gaps() plotting.Drawing {
	return plotting.Gaps(plotting.BySecond, crankTrace(), fullTrace(), emptyTrace())
}

// path draws the way to the tree: objective and circuit rank against beta.
func path() plotting.Drawing {
	return plotting.Path(crankTrace())
}

// filmStrip draws the label graph as beta grows: labels keep their places and
// widths their meaning.
func filmStrip() plotting.Drawing {
	frames := plotting.PathFrames(crankTrace(), labelNames(), 4)
	return plotting.FilmStrip(2, frames...)
}

// animation draws the same in motion: a GIF, in a notebook and in a file.
func animation() plotting.Drawing {
	frames := plotting.PathFrames(crankTrace(), labelNames(), 7)
	return plotting.Animate(700*time.Millisecond, frames...)
}

// restarts draws where the starts of CRANK ended: primal and dual bound of each,
// and the winner.
func restarts() plotting.Drawing {
	return plotting.Restarts(crankTrace())
}

// hinge draws the pieces of a hinge: along a line in w-space it is the maximum
// over all labelings, here over those of three labels.
func hinge() plotting.Drawing {
	return plotting.HingePieces("Structured hinge", []plotting.Piece{
		{Name: "000", Value: 0, Slope: 0}, {Name: "001", Value: 0.5, Slope: -0.4},
		{Name: "010", Value: -0.3, Slope: 1}, {Name: "011", Value: -1.5, Slope: 2.1},
		{Name: "100", Value: 0.4, Slope: -1.9}, {Name: "101", Value: -1, Slope: 0.2},
		{Name: "110", Value: 0.2, Slope: 0.1}, {Name: "111", Value: -2, Slope: 0.4},
	}, -1, 2)
}

// scores draws the scores of all labelings of an example: with the loss on top,
// as loss-augmented inference sees them.
func scores() plotting.Drawing {
	return plotting.LabelingScores{
		Title:  "Labelings of one example",
		Names:  []string{"000", "001", "010", "011", "100", "101", "110", "111"},
		Scores: []float64{0, 0.4, -0.5, 1.2, 0.3, 0.9, -0.2, 1.0},
		Losses: []float64{2, 1, 1, 0, 3, 2, 2, 1},
		True:   3,
	}.Figure()
}

// triangle is the slice of the cube of the weights of a triangle's edges at
// pi_23 = 1/2, with the envelope f2 of the graphic rank over it.
func triangle() plotting.Slice {
	edges := []crankpkg.Edge{{I: 0, J: 1}, {I: 0, J: 2}, {I: 1, J: 2}}
	return plotting.Slice{
		Title:  "$f_2(π)$ of a triangle at $π_{23}$ = 0.5",
		XLabel: "$π_{12}$", YLabel: "$π_{13}$", ZLabel: "$f_2$",
		F: func(x, y float64) float64 {
			return envelope.EvaluatePenalty(3, edges, []float64{x, y, 0.5}).Envelope2
		},
	}
}

// contours draws a function on a slice of the cube: colors and lines of equal
// height, with a point marked.
func contours() plotting.Drawing {
	slice := triangle()
	slice.Marks = plotter.XYs{{X: 0.8, Y: 0.7}}
	return slice.Contours()
}

// surface draws a function as a surface: with a subgradient's plane, which
// touches it where the maximum spanning tree is the same.
func surface() plotting.Drawing {
	slice := triangle()
	slice.Tangents = []func(x, y float64) float64{func(x, y float64) float64 { return x + y }}
	return slice.Surface()
}

// regions draws a map of a plane that tells who owns each point: here the
// maximum spanning tree of a triangle, on the same slice.
func regions() plotting.Drawing {
	return plotting.Regions{
		Title: "Maximum spanning tree, $π_{23} = 1/2$", XLabel: "$π_{12}$", YLabel: "$π_{13}$",
		Owner: func(x, y float64) string {
			switch weakest := min(x, y, 0.5); weakest {
			case x:
				return "12 is out"
			case y:
				return "13 is out"
			}
			return "23 is out"
		},
	}.Figure()
}

// learningCurves draws measures against the number of training examples: means
// with error bars, one key for all panels.
func learningCurves() plotting.Drawing {
	var panels []plotting.Drawing
	for k, measure := range measures {
		c := plotting.Curves{Title: measure, XLabel: "training examples", LogX: true}
		mean, stderr := learningCurve(k)
		for i, method := range methods {
			c.Lines = append(c.Lines, plotting.Line{Name: method, XYs: xy{sizes, mean[i]}, Err: stderr[i]})
		}
		panels = append(panels, c.Figure())
	}
	f := plotting.Grid(3, panels...)
	f.ShareY = true
	return f
}

// lessOne draws lines less one of them: those that lie close together are told apart by their differences. The error bars of the one
// are a band around zero; plotting.BandOf draws such a band along the line where it is.
func lessOne() plotting.Drawing {
	c := plotting.Curves{Title: measures[0], XLabel: "training examples", YLabel: "less CRANK", LogX: true}
	mean, stderr := learningCurve(0)
	for i, method := range methods[:6] { // Empty, the last, is far from the others
		c.Lines = append(c.Lines, plotting.Line{Name: method, XYs: xy{sizes, mean[i]}, Err: stderr[i]})
	}
	c.Lines = plotting.Less("CRANK", c.Lines)
	return c.Figure()
}

// comparison draws methods by measures: a panel for each measure, means with
// standard errors. From a experiment.Table it is plotting.CompareMethods(table,
// "yeast").
func comparison() plotting.Drawing {
	mean, stderr := folds()
	return plotting.Comparison{Title: "Ten folds", Methods: methods, Measures: measures, Mean: mean, Err: stderr}.Figure()
}

// rankedTable draws a table with ranks: the best of each column is bold, rows
// are ordered by mean rank, a missing value has no rank. From a experiment.Table
// it is plotting.RankMethods(table, metrics.SubsetAccuracy).
func rankedTable() plotting.Drawing {
	return plotting.RankedTable{
		Title: "Zero-one, %",
		Rows:  methods, Columns: []string{"scene", "emotions", "medical10", "yeast"},
		Values: [][]float64{
			{57.7, 30.2, 75.7, 17.1}, {61.0, 29.2, 75.7, 18.9}, {57.5, math.NaN(), 75.2, 17.3}, {57.3, 30.2, 75.7, 16.9},
			{56.8, 28.7, 74.5, 16.6}, {56.3, 28.2, 74.5, 16.2}, {50.3, 27.2, 74.1, 16.0},
		},
		Decimals: 1,
	}.Figure()
}

// cellTable draws a table of short texts: in shaded cells, with ways through
// them.
func cellTable() plotting.Drawing {
	return plotting.CellTable{
		Title: "Parameters of an edge $ij$", XLabel: "state of $j$", YLabel: "state of $i$",
		Rows: []string{"0", "1", "2"}, Columns: []string{"0", "1", "2"},
		Cells: [][]string{{"0", "−9", "−9"}, {"−9", "1", "−9"}, {"−9", "−9", "1"}},
		Shade: [][]int{{0, -1, -1}, {-1, 1, -1}, {-1, -1, 1}},
		Marks: []plotting.CellMarks{{Name: "agreed", Cells: [][2]int{{0, 0}, {1, 1}, {2, 2}}}},
	}.Figure()
}

// differencesTable draws a table of differences: colored by sign, pale where smaller
// than a standard error.
func differencesTable() plotting.Drawing {
	return plotting.CellTable{
		Title: "Rules less plain prediction, points", Rows: []string{"scene", "emotions", "yeast"}, Columns: []string{"Hamming", "zero-one", "F1"},
		Above: "rules are ahead", Below: "rules are behind",
	}.WithDifferences([][]float64{{0.3, 0.6, 2.2}, {1.1, -3, 0.1}, {0.1, -0.9, 0}}, [][]float64{{0.2, 1, 0.9}, {0.8, 3.4, 1.6}, {0.2, 0.7, 0.7}}, 1).Figure()
}

// barChart draws named values: a bar for each, and levels to compare them with.
func barChart() plotting.Drawing {
	return plotting.Bars{Title: "Degrees of a path", YLabel: "degree", Names: []string{"1", "2", "3", "4"}, Values: []float64{1, 2, 2, 1},
		Levels: []plotting.Level{{Name: "bound $D$", Value: 2}}}.Figure()
}

// dotPlot draws values of named things: a row for each, a marker for each group of values.
func dotPlot() plotting.Drawing {
	return plotting.DotPlot{
		Title: "Training times", XLabel: "relative to Full", LogX: true, Names: []string{"CRANK", "Full", "Project", "Empty"},
		Groups:    []plotting.DotGroup{{Name: "here", Values: []float64{0.8, 1, 1.3, 0.04}}, {Name: "the paper's", Values: []float64{1.8, 1, 0.18, 0.01}}},
		Reference: &plotting.Level{Name: "Full", Value: 1},
	}.Figure()
}

// textTable draws a table of text and numbers: in a notebook it is one of HTML, whose text can
// be copied and whose rows a click on a heading sorts. From an experiment.Table it is
// plotting.TableOf(table).
func textTable() plotting.Drawing {
	labels, differences := pairedDifferences()
	return plotting.Forest{Title: "CRANK less another method", Labels: labels, Differences: differences}.Table()
}

// forest draws paired differences with their intervals: beside zero, with the numbers.
// Package significance makes such differences; with few seeds an interval can have no end.
func forest() plotting.Drawing {
	labels, differences := pairedDifferences()
	return plotting.Forest{
		Title: "CRANK less another method", XLabel: "subset accuracy, points", Labels: labels, Differences: differences,
	}.Figure()
}

// mainEffects draws what each setting does: the difference of each of its values to the mean
// over all of them.
func mainEffects() plotting.Drawing {
	return plotting.MainEffects{
		Title: "Main effects", YLabel: "subset accuracy, points",
		Settings: []plotting.SettingEffects{
			{Name: "restarts", Values: []string{"1", "3", "10"}, Effects: effects(-1.9, 0.3, 1.6)},
			{Name: "first $β$", Values: []string{"0.01", "0.1", "1"}, Effects: effects(-0.4, 0.1, 0.3)},
			{Name: "path", Values: []string{"grow", "shrink"}, Effects: effects(-0.8, 0.8)},
		},
	}.Figure()
}

// twoSettings draws two settings together: a cell for each pair of values.
func twoSettings() plotting.Drawing {
	return plotting.HeatMap{
		XLabel: "restarts", YLabel: "first $β$", ZLabel: "subset accuracy, %",
		XNames: []string{"1", "3", "10"}, YNames: []string{"0.01", "0.1", "1"},
		Values:   [][]float64{{56.1, 57.9, 58.8}, {56.4, 58.6, 59.7}, {55.2, 59.4, 61.3}},
		Decimals: 1,
	}.Figure()
}

// criticalDifference draws methods by their mean ranks over several data sets: bars join those
// that Nemenyi's test does not tell apart. Package significance has ranks and critical
// differences.
func criticalDifference() plotting.Drawing {
	return plotting.CriticalDifference{
		Title:   "Mean ranks on 14 sets",
		Methods: methods,
		Ranks:   []float64{1.9, 2.4, 3.3, 4.6, 4.1, 5.2, 6.5},
		CD:      2.41,
	}.Figure()
}

// anytime draws searches that can be stopped at any time: the best value so far, and each
// training.
func anytime() plotting.Drawing {
	return plotting.Anytime{
		Title: "Search for settings", XLabel: "trainings", YLabel: "subset accuracy, %",
		Searches: []plotting.SearchRun{searchRun("grid", 1, 0.06), searchRun("random", 2, 0.12), searchRun("one at a time", 3, 0.2)},
	}.Figure()
}

// scatter draws trainings by two measures: some with a name.
func scatter() plotting.Drawing {
	return plotting.Scatter{
		Title: "Each training", XLabel: "seconds", YLabel: "subset accuracy, %", LogX: true,
		Groups: cells(),
	}.Figure()
}

// validation draws the choice of lambda: the criterion over the folds, and the
// one-standard-error rule.
func validation() plotting.Drawing {
	return plotting.ValidationCurve(selection())
}

// pairs draws the confusion of label pairs: how often two labels are on
// together in the truth and in the predictions.
func pairs() plotting.Drawing {
	truth, predicted := predictions(600)
	return plotting.PairConfusion(labelNames(), truth, predicted)
}

// marginsOfTwo draws a histogram of margins: what is left of zero is predicted
// wrong.
func marginsOfTwo() plotting.Drawing {
	return plotting.Margins(
		plotting.Sample{Name: "training", Values: margins(1500, 1.2, 1)},
		plotting.Sample{Name: "test", Values: margins(900, 0.6, 1.3)},
	)
}

// dark draws the style for dark pages: plotting.Use(plotting.Dark()) before the
// figure is made.
func dark() plotting.Drawing {
	return plotting.Grid(2,
		plotting.Gaps(plotting.ByPass, crankTrace(), fullTrace(), emptyTrace()),
		plotting.Network(tree()),
	)
}

// nothing draws what cannot be drawn: no error to check and no panic, but a
// picture that says why it is empty.
func nothing() plotting.Drawing {
	return plotting.Convergence(&crankpkg.Trace{})
}
