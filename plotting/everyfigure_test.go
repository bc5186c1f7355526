package plotting

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"path/filepath"
	"testing"
	"time"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/crossval"
	"github.com/crank-ml/crank/crankpkg/experiment"
	"github.com/crank-ml/crank/crankpkg/metrics"
	"golang.org/x/image/font/sfnt"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// everyFigure returns all kinds of figures, with txt wherever text goes into them
// and a and b wherever numbers do. The names are those of the functions.
func everyFigure(txt string, a, b float64) map[string]func() Drawing {
	two := []string{txt, txt + " 2"}
	edge := []crankpkg.Edge{{I: 0, J: 1}}
	points := plotter.XYs{{X: a, Y: b}, {X: b, Y: a}, {X: 1, Y: 2}}
	table := [][]float64{{a, b}, {b, 1}}
	f := func(x, y float64) float64 {
		switch {
		case x < 0.3:
			return a
		case y < 0.3:
			return b
		}
		return x
	}
	slice := Slice{Title: txt, XLabel: txt, YLabel: txt, ZLabel: txt, F: f, XMin: a, XMax: b, Levels: []float64{a, 0.5, b}, Marks: points,
		Tangents: []func(x, y float64) float64{f}, Azimuth: a, Elevation: b}
	trace := &crankpkg.Trace{
		Method: txt,
		Points: []crankpkg.TracePoint{{Pass: 1, Primal: a, Dual: b}, {Pass: 2, Primal: b, Dual: a, Elapsed: time.Second}, {Pass: 3, Primal: 2, Dual: 1}},
		Steps: []crankpkg.Step{{Beta: a, Loss: b, Objective: a, Edges: edge, Weights: []float64{b}}, {Beta: b, Loss: a, Edges: edge, Weights: []float64{a}},
			{Beta: 1, Loss: 1, Objective: 2, Edges: edge, Weights: []float64{1}}},
		Restarts: []crankpkg.Restart{{Primal: a, Dual: b}, {Primal: 2, Dual: 1}},
	}
	graph := LabelGraph{Title: txt, Names: two, Edges: edge, Weights: []float64{a}, Frequency: []float64{a, b}, Widest: b, ShowWeights: true}
	tangent := Tangent{Title: txt, XLabel: txt, YLabel: txt, Name: txt, XMin: a, XMax: b, F: math.Sqrt, Slope: func(x float64) float64 { return 0.5 / math.Sqrt(x) }}
	curves := Curves{Title: txt, XLabel: txt, YLabel: txt, Lines: []Line{{Name: txt, XYs: points, Err: []float64{1, a, b}, Area: true, Ringed: []bool{true, false, true}}}, Ring: txt}
	scores := func(x float64) crankpkg.Scores {
		return crankpkg.Scores{HammingAccuracy: x, SubsetAccuracy: x, ExampleF1: x}
	}
	seeds := func(x float64, method string) (cells []experiment.Cell) {
		for seed := range uint64(2) {
			cells = append(cells, experiment.Cell{Set: txt, Method: method, Seed: seed, Scores: scores(x)})
		}
		return cells
	}
	results := &experiment.Table{Sets: []string{txt}, Methods: two, Measures: metrics.PaperMeasures(),
		Cells: append(seeds(a, two[0]), seeds(b, two[1])...)}
	heat := HeatMap{Title: txt, XLabel: txt, YLabel: txt, XNames: two, YNames: two, Values: table, Decimals: 1}
	return map[string]func() Drawing{
		"LabelGraph.Figure": func() Drawing { return graph.Figure() },
		"Network": func() Drawing {
			return Network(&crankpkg.Model{Method: txt, LabelNames: two, Edges: edge, Pair: []float64{a}})
		},
		"Convergence":      func() Drawing { return Convergence(trace, BySecond) },
		"Gaps":             func() Drawing { return Gaps(ByPass, trace) },
		"Path":             func() Drawing { return Path(trace) },
		"Restarts":         func() Drawing { return Restarts(trace) },
		"FilmStrip":        func() Drawing { return FilmStrip(2, PathFrames(trace, two, 3)...) },
		"Scrubber":         func() Drawing { return Scrubber([]Drawing{curves.Figure(), heat.Figure()}, two) },
		"PathScrubber":     func() Drawing { return PathScrubber(trace, two) },
		"Curves.Scrubber":  func() Drawing { return curves.Scrubber() },
		"Cuts":             func() Drawing { return Cuts(2, slice) },
		"Tangent.Figure":   func() Drawing { return tangent.Figure((a + b) / 2) },
		"Tangent.Scrubber": func() Drawing { return tangent.Scrubber(3) },
		"Animate":          func() Drawing { return Animate(0, PathFrames(trace, two, 3)...) },
		"HingePieces":      func() Drawing { return HingePieces(txt, []Piece{{txt, a, b}, {txt, b, a}, {txt, 0, 1}}, -1, 1) },
		"HingePieces, far": func() Drawing { return HingePieces(txt, []Piece{{txt, 0, 1}}, a, b) },
		"LabelingScores.Figure": func() Drawing {
			return LabelingScores{Title: txt, Names: two, Scores: []float64{a, 1}, Losses: []float64{b, 1}}.Figure()
		},
		"Slice.Contours": func() Drawing { return slice.Contours() },
		"Slice.Surface":  func() Drawing { return slice.Surface() },
		"Regions.Figure": func() Drawing {
			return Regions{Title: txt, XLabel: txt, YLabel: txt, XMin: a, XMax: b, Cells: 8, Owner: func(x, y float64) string { return txt }, Marks: points}.Figure()
		},
		"CellTable.Figure": func() Drawing {
			cells := [][]string{{txt, ""}, {"", txt}}
			return CellTable{Title: txt, XLabel: txt, YLabel: txt, Rows: two, Columns: two, Cells: cells, Shade: [][]int{{-1, 0}, {1, 0}},
				Marks: []CellMarks{{Name: txt, Cells: [][2]int{{0, 1}}}}}.Figure()
		},
		"Bars.Figure": func() Drawing {
			return Bars{Title: txt, XLabel: txt, YLabel: txt, Names: two, Values: []float64{a, b}, Levels: []Level{{txt, a}}}.Figure()
		},
		"Curves.Figure": func() Drawing { return curves.Figure() },
		"Curves.Figure, logarithmic": func() Drawing {
			c := curves
			c.LogX, c.LogY = true, true
			return c.Figure()
		},
		"Curves.Figure, band": func() Drawing {
			return Curves{Title: txt, Lines: append(Less(txt, curves.Lines), BandOf(txt, curves.Lines)...)}.Figure()
		},
		"Comparison.Figure": func() Drawing {
			return Comparison{Title: txt, Methods: two, Measures: two, Mean: table, Err: table}.Figure()
		},
		"CompareMethods":     func() Drawing { return CompareMethods(results, txt) },
		"RankMethods":        func() Drawing { return RankMethods(results, metrics.HammingAccuracy) },
		"RankedTable.Figure": func() Drawing { return RankedTable{Title: txt, Rows: two, Columns: two, Values: table}.Figure() },
		"ValidationCurve": func() Drawing {
			return ValidationCurve(&crossval.Selection{Method: txt, Criterion: metrics.HammingAccuracy, Curve: []crossval.Point{{Lambda: a}, {Lambda: b}, {Lambda: 1}}})
		},
		"Validation.Figure": func() Drawing { return Validation{Title: txt, YLabel: txt, Lines: curves.Lines, Chosen: a}.Figure() },
		"PairConfusion":     func() Drawing { return PairConfusion(two, []uint8{1, 1, 0, 1}, []uint8{1, 0, 0, 1}) },
		"Margins":           func() Drawing { return Margins(Sample{txt, []float64{a, b, 1}}, Sample{txt, []float64{b}}) },
		"HeatMap.Figure":    func() Drawing { return heat.Figure() },
		"HeatMap.Figure, ends": func() Drawing {
			h := heat
			h.Min, h.Max = a, b
			return h.Figure()
		},
		"Forest.Figure": func() Drawing {
			return Forest{Title: txt, XLabel: txt, Labels: two, Differences: []metrics.Difference{{Mean: a, Low: b, High: a, P: b, Test: txt}, {Mean: 1, Low: a, High: b, P: a}}}.Figure()
		},
		"MainEffects.Figure": func() Drawing {
			return MainEffects{Title: txt, YLabel: txt, Settings: []SettingEffects{{Name: txt, Values: two, Effects: []metrics.Difference{{Mean: a, Low: b, High: a}, {Mean: 1, Low: a, High: b}}}}}.Figure()
		},
		"CriticalDifference.Figure": func() Drawing {
			return CriticalDifference{Title: txt, Methods: two, Ranks: []float64{a, 1}, CD: b}.Figure()
		},
		"Anytime.Figure": func() Drawing {
			return Anytime{Title: txt, XLabel: txt, YLabel: txt, Searches: []SearchRun{{txt, []float64{a, 1}, []float64{b, 2}}}}.Figure()
		},
		"Anytime.Figure, logarithmic": func() Drawing {
			return Anytime{Title: txt, SmallerIsBetter: true, LogX: true, Searches: []SearchRun{{txt, []float64{a, 1}, []float64{b, 2}}, {txt, []float64{b}, []float64{a}}}}.Figure()
		},
		"DotPlot.Figure": func() Drawing {
			return DotPlot{Title: txt, XLabel: txt, Names: two, Groups: []DotGroup{{txt, []float64{a, b}}, {"other", []float64{b, a}}}, Reference: &Level{txt, a}}.Figure()
		},
		"DotPlot.Figure, logarithmic": func() Drawing {
			return DotPlot{Title: txt, LogX: true, Names: two, Groups: []DotGroup{{txt, []float64{a, b}}}, Reference: &Level{txt, a}}.Figure()
		},
		"Scatter.Figure": func() Drawing {
			return Scatter{Title: txt, XLabel: txt, YLabel: txt, Groups: []ScatterGroup{{Name: txt, XYs: points, Labels: []string{txt, txt, txt}}}}.Figure()
		},
		"Scatter.Figure, logarithmic": func() Drawing {
			return Scatter{Title: txt, LogX: true, LogY: true, Groups: []ScatterGroup{{Name: txt, XYs: points}}, Diagonal: txt}.Figure()
		},
		"a table": func() Drawing { return Table{Title: txt, Columns: two, Rows: [][]string{two, {"1", txt}}, Note: txt} },
		"Grid": func() Drawing {
			return Grid(2, curves.Figure(), Grid(2, graph.Figure(), heat.Figure()), tangent.Figure((a+b)/2))
		},
		"a plot of the caller's": func() Drawing {
			p := plot.New()
			p.Title.Text, p.X.Label.Text, p.Y.Label.Text = txt, txt, txt
			p.Legend.Add(txt)
			p.X.Tick.Marker = plot.ConstantTicks{{Value: 0, Label: txt}}
			labels, err := plotter.NewLabels(plotter.XYLabels{XYs: plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: 1}}, Labels: two})
			if err != nil {
				panic(err)
			}
			p.Add(labels)
			return p
		},
	}
}

// TestEveryFigureIsComplete holds everyFigure to the package: each exported
// function that returns a figure is in it.
func TestEveryFigureIsComplete(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	have := everyFigure("", 0, 1)
	found := 0
	for _, path := range paths {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || !fn.Name.IsExported() || fn.Type.Results == nil {
				continue
			}
			star, ok := fn.Type.Results.List[0].Type.(*ast.StarExpr)
			if !ok {
				continue
			}
			if result, ok := star.X.(*ast.Ident); !ok || result.Name != "Figure" && result.Name != "Animation" && result.Name != "Positions" {
				continue
			}
			name := fn.Name.Name
			if fn.Recv != nil {
				name = fn.Recv.List[0].Type.(*ast.Ident).Name + "." + name
			}
			found++
			if have[name] == nil {
				t.Errorf("%s is not among the figures that are tested", name)
			}
		}
	}
	if found < 20 {
		t.Errorf("found only %d functions", found)
	}
}

// TestOddRanges draws every figure with numbers that no axis and no scale of
// colors can begin or end at, and with those between which it can hardly reach.
func TestOddRanges(t *testing.T) {
	t.Parallel()
	inf, nan, most := math.Inf(1), math.NaN(), math.MaxFloat64
	for _, pair := range [][2]float64{
		{-inf, inf}, {-inf, 1}, {2, inf}, {nan, nan}, {nan, 2}, {-most, most}, {most, most}, {1e300, 1e300},
		{0, math.SmallestNonzeroFloat64}, {0, 0}, {1, -1}, {1, math.Nextafter(1, 2)},
	} {
		t.Run(fmt.Sprint(pair), func(t *testing.T) {
			t.Parallel()
			for name, figure := range everyFigure("a", pair[0], pair[1]) {
				checkSound(t, name, pair, figure)
			}
		})
	}
}

func checkSound(t *testing.T, name string, pair [2]float64, figure func() Drawing) {
	t.Helper()
	defer func() {
		if p := recover(); p != nil {
			t.Errorf("%s of %v: panic: %v", name, pair, p)
		}
	}()
	var seen witness
	framed(figure()).Draw(draw.NewCanvas(within{&seen}, 500, 400)) // within: without a search for letters
	if seen.broken {
		t.Errorf("%s of %v: a coordinate is not finite", name, pair)
	}
	if seen.paths < 2 && len(seen.texts) == 0 { // the first is the page
		t.Errorf("%s of %v: the picture is empty", name, pair)
	}
}

// witness is a canvas that sees what is drawn on it.
type witness struct {
	survey // for all that does not matter
	texts  []string
	boxes  int // in place of letters that a font lacks
	paths  int
	broken bool // a coordinate is not finite
}

func (w *witness) look(d Drawing) {
	width, height := sizeOf(d)
	framed(d).Draw(draw.NewCanvas(w, width, height))
}

func (w *witness) point(at vg.Point) {
	for _, v := range []vg.Length{at.X, at.Y} {
		w.broken = w.broken || math.IsNaN(float64(v)) || math.IsInf(float64(v), 0)
	}
}

func (w *witness) path(p vg.Path) {
	w.paths++
	for _, c := range p {
		w.point(c.Pos)
		for _, control := range c.Control {
			w.point(control)
		}
	}
}

func (w *witness) Fill(p vg.Path)           { w.path(p) }
func (w *witness) Stroke(p vg.Path)         { w.path(p) }
func (w *witness) Translate(at vg.Point)    { w.point(at) }
func (w *witness) Rotate(angle float64)     { w.point(vg.Point{X: vg.Length(angle)}) }
func (w *witness) Scale(x, y float64)       { w.point(vg.Point{X: vg.Length(x), Y: vg.Length(y)}) }
func (w *witness) SetLineWidth(v vg.Length) { w.point(vg.Point{X: v}) }

// FillString implements vg.Canvas: it knows no other font than the one given.
func (w *witness) FillString(face font.Face, at vg.Point, txt string) {
	w.point(at)
	w.texts = append(w.texts, txt)
	var buf sfnt.Buffer
	for _, r := range txt {
		if !has(face, &buf, r) {
			w.boxes++
		}
	}
}
