package plotting

import (
	"bytes"
	"image"
	"image/color"
	imagedraw "image/draw"
	"image/gif"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/experiment"
	"github.com/crank-ml/crank/crankpkg/metrics"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
	"gonum.org/v1/plot/vg/vgimg"
)

// TestUpperEnvelope compares the spans with the maximum over all pieces.
func TestUpperEnvelope(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		pieces := make([]Piece, 1+rng.IntN(8))
		for k := range pieces {
			pieces[k] = Piece{Value: rng.NormFloat64(), Slope: float64(rng.IntN(5) - 2)} // parallels too
		}
		spans := upperEnvelope(pieces, -2, 3)
		at := -2.0
		for k, sp := range spans {
			if sp.from != at || sp.to <= sp.from {
				t.Fatalf("span %d from %v to %v, after %v", k, sp.from, sp.to, at)
			}
			at = sp.to
			for _, u := range []float64{0.01, 0.5, 0.99} {
				x := sp.from + u*(sp.to-sp.from)
				for _, p := range pieces {
					if p.at(x) > pieces[sp.piece].at(x)+1e-9 {
						t.Fatalf("at %v piece %v is above %v", x, p, pieces[sp.piece])
					}
				}
			}
		}
		if at != 3 {
			t.Fatalf("the spans end at %v", at)
		}
	}
}

func TestRanks(t *testing.T) {
	nan := math.NaN()
	table := RankedTable{
		Rows: []string{"a", "b", "c", "d"}, Columns: []string{"x", "y", "z", "w", "equal"},
		Values:   [][]float64{{3, 1.01, nan, 0, 7}, {2, 1.04, nan, 1, 7.04}, {2, 0.9, 1, 2, 7}, {1, nan, nan, 3, 6.96}},
		Decimals: 1,
	}
	want := [][]float64{{1, 1, nan, 4, nan}, {2, 1, nan, 3, nan}, {2, 3, nan, 2, nan}, {4, nan, nan, 1, nan}}
	ranks, mean := table.Ranks()
	for i := range want {
		for j, w := range want[i] {
			if r := ranks[i][j]; r != w && !(math.IsNaN(r) && math.IsNaN(w)) {
				t.Errorf("rank of %s in %s is %v, want %v", table.Rows[i], table.Columns[j], r, w)
			}
		}
	}
	for i, w := range []float64{2.5, 2.5, 2, 2.5} { // of x and w alone
		if !(math.Abs(mean[i]-w) <= 1e-12) {
			t.Errorf("mean rank of %s is %v, want %v", table.Rows[i], mean[i], w)
		}
	}
	table.SmallerIsBetter = true
	if ranks, _ := table.Ranks(); ranks[3][0] != 1 || ranks[0][0] != 4 {
		t.Errorf("smaller is better, but the ranks are %v", ranks)
	}
}

// TestRankMethodsAgrees checks that the picture's ranks are those of the table's
// entries, but where all values are equal.
func TestRankMethodsAgrees(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	table := &experiment.Table{Sets: []string{"s", "t"}, Methods: []string{"CRANK", "Full", "Empty"}, Measures: metrics.PaperMeasures()}
	for _, set := range table.Sets {
		for _, method := range table.Methods {
			for seed := range uint64(2) {
				table.Cells = append(table.Cells, experiment.Cell{Set: set, Method: method, Seed: seed, Scores: crankpkg.Scores{
					HammingAccuracy: 80, SubsetAccuracy: 20 + 5*rng.Float64(), ExampleF1: float64(60 + rng.IntN(2)),
				}})
			}
		}
	}
	for _, m := range table.Measures {
		p := RankMethods(table, m).Panels[0].(*tablePanel)
		for _, e := range table.Entries() {
			if e.Measure != m {
				continue
			}
			i, j := slices.Index(table.Methods, e.Method), slices.Index(table.Sets, e.Set)
			if alike := m == metrics.HammingAccuracy; alike != math.IsNaN(p.ranks[i][j]) || !alike && p.ranks[i][j] != float64(e.Rank) || math.Abs(p.t.Values[i][j]-e.Value) > 1e-9 {
				t.Errorf("%s of %s on %s: %v, rank %v; the table has %v, rank %d", m, e.Method, e.Set, p.t.Values[i][j], p.ranks[i][j], e.Value, e.Rank)
			}
		}
	}
	if n := len(CompareMethods(table, "s").Plots()); n != 3 {
		t.Errorf("%d panels for three measures", n)
	}
}

// parseTick reads a tick's label back.
func parseTick(t *testing.T, label string) float64 {
	t.Helper()
	label = strings.ReplaceAll(label, "−", "-")
	exponent := 0
	if mantissa, power, ok := strings.Cut(label, "$10^{"); ok {
		label = strings.TrimSuffix(mantissa, "·")
		e, err := strconv.Atoi(strings.TrimSuffix(power, "}$"))
		if err != nil {
			t.Fatal(err)
		}
		exponent = e
		switch label {
		case "":
			label = "1"
		case "-":
			label = "-1"
		}
	}
	v, err := strconv.ParseFloat(label, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v * math.Pow(10, float64(exponent))
}

// TestTicksEnd: numbers that are too close together to be told apart have no ticks.
func TestTicksEnd(t *testing.T) {
	t.Parallel()
	for _, lo := range []float64{1, 1e17, -1e300, 5e-324, math.MaxFloat64} {
		if n := len(linearTicks{}.Ticks(lo, math.Nextafter(lo, math.Inf(1)))); n > 8 {
			t.Errorf("%d ticks on an axis without a length at %v", n, lo)
		}
	}
}

// TestTicks checks on random axes that labels say where their ticks are, that
// ticks are within the axis, and that there are enough and not too many.
func TestTicks(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for range 2000 {
		lo := rng.NormFloat64() * math.Pow(10, float64(rng.IntN(24)-12))
		hi := lo + math.Abs(lo)*math.Pow(10, float64(rng.IntN(8)-4))*(0.1+rng.Float64())
		checkTicks(t, linearTicks{}, lo, hi, hi-lo, 3, 8)
		low := math.Pow(10, float64(rng.IntN(20)-10)) * (1 + rng.Float64())
		high := low * math.Pow(10, 0.3+6*rng.Float64())
		checkTicks(t, logTicks{}, low, high, low/10, 2, 10)
		checkTicks(t, logTicks{}, low, low*(1.001+rng.Float64()), low/10, 3, 10)
	}
}

func checkTicks(t *testing.T, ticker plot.Ticker, lo, hi, scale float64, least, most int) {
	t.Helper()
	labels := 0
	for _, tick := range ticker.Ticks(lo, hi) {
		if tick.Value < lo || tick.Value > hi {
			t.Fatalf("%T(%g, %g): a tick at %g", ticker, lo, hi, tick.Value)
		}
		if tick.Label == "" {
			continue
		}
		labels++
		if v := parseTick(t, tick.Label); !(math.Abs(v-tick.Value) <= 1e-6*scale) {
			t.Fatalf("%T(%g, %g): the tick at %g says %s", ticker, lo, hi, tick.Value, tick.Label)
		}
	}
	if labels < least || labels > most {
		t.Fatalf("%T(%g, %g): %d labels", ticker, lo, hi, labels)
	}
}

func TestShortNumber(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", 1: "1", -1.2345: "−1.23", 123456: "1.2·$10^{5}$", 1e-4: "$10^{−4}$", -1e-4: "−$10^{−4}$", 12345: "12345", 0.00156: "0.00156",
	} {
		if got := shortNumber(v); got != want {
			t.Errorf("%v is written %s, want %s", v, got, want)
		}
	}
}

func TestMathText(t *testing.T) {
	f := font.From(sans, 10)
	runs := mathRuns("loss $ℓ(w_{ij}) + 10^{−3}w_i$, $5", f)
	var all strings.Builder
	for _, r := range runs {
		all.WriteString(r.text)
	}
	if got := all.String(); got != "loss ℓ(wij) + 10−3wi, 5" {
		t.Errorf("set as %q", got)
	}
	for _, r := range runs {
		low, high := r.text == "ij" || r.text == "i", r.text == "−3"
		if low && r.rise >= 0 || high && r.rise <= 0 || !low && !high && r.rise != 0 {
			t.Errorf("%q is raised by %v", r.text, r.rise)
		}
	}
	w, _, _ := mathText{}.Box("a$b_c$", f)
	if plain, _, _ := (mathText{}).Box("abc", f); w >= plain {
		t.Errorf("a subscript takes no less room: %v and %v", w, plain)
	}
}

// TestPaperLetters checks that the font has what the figures write.
func TestPaperLetters(t *testing.T) {
	for _, s := range []string{"λβℓπΔφμ", "w_ij ≥ ≤ ≈ ∞ ∑ √ − · × ± ½ …", "→"} {
		if !drawable(s) {
			t.Errorf("the font lacks a letter of %s", s)
		}
	}
}

// TestOutlines checks that arcs become curves on the circle.
func TestOutlines(t *testing.T) {
	for _, sweep := range []float64{math.Pi, -math.Pi, 2 * math.Pi, 0.3} {
		var p vg.Path
		center := vg.Point{X: 3, Y: -2}
		p.Arc(center, 5, 0.7, sweep)
		out := withoutArcs(p)
		at := out[0].Pos
		for _, comp := range out[1:] {
			for _, u := range []vg.Length{0, 0.25, 0.5, 0.8, 1} {
				v := 1 - u
				q := at.Scale(v * v * v).Add(comp.Control[0].Scale(3 * u * v * v)).Add(comp.Control[1].Scale(3 * u * u * v)).Add(comp.Pos.Scale(u * u * u))
				if r := distanceTo(q, center); !(math.Abs(r-5) <= 0.002) {
					t.Errorf("sweep %v: a point %v from the center, want 5", sweep, r)
				}
			}
			at = comp.Pos
		}
		end := vg.Point{X: 3 + vg.Length(5*math.Cos(0.7+sweep)), Y: -2 + vg.Length(5*math.Sin(0.7+sweep))}
		if distanceTo(at, end) > 1e-9 {
			t.Errorf("sweep %v ends at %v, want %v", sweep, at, end)
		}
	}
}

// TestImagesKeepTheirPlace checks that an image is drawn as large as it appears,
// and turned where a canvas turns it back.
func TestImagesKeepTheirPlace(t *testing.T) {
	img := image.NewRGBA(image.Rect(0, 0, 2, 2))
	red := color.RGBA{R: 255, A: 255}
	img.Set(1, 0, red) // at the top right
	for _, upsideDown := range []bool{false, true} {
		var rec recorder.Canvas
		outlined{Canvas: &rec, upsideDown: upsideDown}.DrawImage(vg.Rectangle{Max: vg.Point{X: 40, Y: 20}}, img)
		drawn := rec.Actions[0].(*recorder.DrawImage).Image
		if b := drawn.Bounds(); b.Dx() != 2*b.Dy() {
			t.Errorf("an image of %v for a place of 40 x 20", b)
		}
		y := 0
		if upsideDown {
			y = drawn.Bounds().Max.Y - 1
		}
		if drawn.At(drawn.Bounds().Max.X-1, y) != red || drawn.At(0, y) == red {
			t.Errorf("upside down %t: the corner is elsewhere", upsideDown)
		}
	}
}

// TestFilmStripFitsThePage: a strip has the size of its pictures, unless they are wider than a page together. Then it is as wide as
// one, and lower by as much.
func TestFilmStripFitsThePage(t *testing.T) {
	t.Parallel()
	for frames := 1; frames <= 5; frames++ {
		var pictures []Drawing
		for range frames {
			pictures = append(pictures, Curves{}.Figure())
		}
		width, height := Grid(frames, pictures...).Size()
		gotWidth, gotHeight := FilmStrip(frames, pictures...).Size()
		switch {
		case width <= 10*vg.Inch:
			if gotWidth != width || gotHeight != height {
				t.Errorf("%d pictures: %v x %v, want %v x %v", frames, gotWidth, gotHeight, width, height)
			}
		case gotWidth != 10*vg.Inch || math.Abs(float64(gotHeight-height*gotWidth/width)) > 0.1*float64(height):
			t.Errorf("%d pictures: %v x %v, of %v x %v", frames, gotWidth, gotHeight, width, height)
		}
	}
}

func TestAnimation(t *testing.T) {
	t.Parallel()
	frames := PathFrames(crankTrace(), treeModel(14, className).LabelNames, 5)
	if len(frames) != 5 {
		t.Fatalf("%d frames, want 5", len(frames))
	}
	data, err := encode(Animate(200*time.Millisecond, frames...), "gif")
	if err != nil {
		t.Fatal(err)
	}
	g, err := gif.DecodeAll(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if len(g.Image) != 5 || g.LoopCount != 0 || g.Delay[0] != 20 || g.Delay[4] != 60 {
		t.Errorf("%d frames, delays %v, loop count %d", len(g.Image), g.Delay, g.LoopCount)
	}
	// Drawn over one another, the frames give the pictures.
	canvas := image.NewRGBA(image.Rect(0, 0, g.Config.Width, g.Config.Height))
	for k, frame := range g.Image {
		imagedraw.Draw(canvas, frame.Rect, frame, frame.Rect.Min, imagedraw.Over)
		want := rasterize(frames[k], gifDPI)
		if canvas.Rect != want.Rect {
			t.Fatalf("pictures of %v and %v", canvas.Rect, want.Rect)
		}
		for i := range want.Pix {
			if d := int(canvas.Pix[i]) - int(want.Pix[i]); d > 24 || d < -24 { // shades that the palette lacks
				t.Fatalf("picture %d: a value of %d where %d was drawn", k, canvas.Pix[i], want.Pix[i])
			}
		}
	}
}

func TestEmptyAnimation(t *testing.T) {
	if _, err := encode(&Animation{}, "gif"); err != nil {
		t.Error(err)
	}
	if _, err := encode(&Animation{}, "png"); err != nil {
		t.Error(err)
	}
}

// TestFrames checks that labels do not move, that widths compare, and that the
// last frame is the last step.
func TestFrames(t *testing.T) {
	t.Parallel()
	trace := crankTrace()
	var layouts []*Layout
	var widest []float64
	for _, d := range PathFrames(trace, treeModel(14, className).LabelNames, 4) {
		p := d.(*Figure).Panels[0].(*graphPanel)
		layouts, widest = append(layouts, p.layout), append(widest, p.largest)
	}
	for k := range layouts {
		if layouts[k] != layouts[0] || widest[k] != widest[0] {
			t.Errorf("frame %d has another layout or scale than frame 0", k)
		}
	}
	steps := lastOfEachBeta(trace.Steps)
	if steps[0].Beta != trace.Steps[1].Beta || len(steps) != 7 {
		t.Errorf("%d betas, the first %v", len(steps), steps[0].Beta)
	}
	for n := 1; n <= 9; n++ {
		chosen := spread(steps, n)
		if len(chosen) != min(n, 7) || chosen[len(chosen)-1].Beta != steps[6].Beta || n > 1 && chosen[0].Beta != steps[0].Beta {
			t.Errorf("%d of 7 steps: %d, from %v", n, len(chosen), chosen[0].Beta)
		}
	}
}

func TestEvenColumns(t *testing.T) {
	for n, want := range []int{1, 1, 2, 3, 2, 3, 3, 4, 4, 3, 2} {
		if got := evenColumns(n); got != want {
			t.Errorf("%d pictures in %d columns, want %d", n, got, want)
		}
	}
}

// TestTogether compares with counting pairs one by one.
func TestTogether(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	const n, rows = 5, 40
	y := make([]uint8, n*rows)
	for k := range y {
		y[k] = uint8(rng.IntN(2))
	}
	share := together(n, y)
	for i := range n {
		for j := range n {
			count := 0
			for m := range rows {
				count += int(y[m*n+i] & y[m*n+j])
			}
			if share[i*n+j] != float64(count)/rows {
				t.Errorf("labels %d and %d: %v, want %v", i, j, share[i*n+j], float64(count)/rows)
			}
		}
	}
}

// TestBinning checks that all values fall into bins, and that zero is an edge.
func TestBinning(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for range 500 {
		lo := 10 * rng.NormFloat64()
		hi := lo + math.Abs(rng.NormFloat64())
		width, first, bins := binning(lo, hi, 1+rng.IntN(3000))
		if first > lo || first+float64(bins)*width < hi || bins > 45 {
			t.Fatalf("[%v, %v]: %d bins of %v from %v", lo, hi, bins, width, first)
		}
		if r := math.Mod(math.Abs(first), width) / width; r > 1e-6 && r < 1-1e-6 {
			t.Fatalf("zero is no edge of bins of %v from %v", width, first)
		}
	}
}

// TestGridSharesAxesAndKey checks the composition of figures.
func TestGridSharesAxesAndKey(t *testing.T) {
	panel := func(title string, top float64) *Figure {
		return Curves{Title: title, XLabel: "x", YLabel: "y", Lines: []Line{
			{Name: "CRANK", XYs: plotter.XYs{{X: 1, Y: 0}, {X: top, Y: top}}, NoMarkers: true}, {Name: "Empty", XYs: plotter.XYs{{X: 1, Y: 1}, {X: 2, Y: 1}}, NoMarkers: true},
		}}.Figure()
	}
	f := Grid(2, panel("a", 2), panel("b", 4), panel("c", 8))
	f.ShareX, f.ShareY = true, true
	if len(f.Key) != 2 {
		t.Errorf("%d key entries, want 2", len(f.Key))
	}
	plots := f.grid()
	if plots[1][1] != nil {
		t.Error("the grid has a panel too many")
	}
	a, b, c := plots[0][0], plots[0][1], plots[1][0]
	if a.Title.Text != "a" || c.Title.Text != "c" {
		t.Errorf("titles %q, %q", a.Title.Text, c.Title.Text)
	}
	if a.Y.Max != 4 || b.Y.Max != 4 || c.Y.Max != 8 || a.X.Max != 8 || c.X.Max != 8 || b.X.Max != 4 {
		t.Errorf("ranges: x to %v %v %v, y to %v %v %v", a.X.Max, b.X.Max, c.X.Max, a.Y.Max, b.Y.Max, c.Y.Max)
	}
	for _, s := range []struct {
		name   string
		axis   plot.Axis
		labels bool
	}{{"x of a", a.X, false}, {"x of b", b.X, true}, {"x of c", c.X, true}, {"y of a", a.Y, true}, {"y of b", b.Y, false}, {"y of c", c.Y, true}} {
		has := false
		for _, tick := range s.axis.Tick.Marker.Ticks(s.axis.Min, s.axis.Max) {
			has = has || tick.Label != ""
		}
		if has != s.labels {
			t.Errorf("%s has labels: %t", s.name, has)
		}
	}
	if p := f.Plots()[0]; p.X.Max != 2 {
		t.Errorf("the panel itself was changed: x to %v", p.X.Max)
	}
}

// TestOneLookPerMethod checks that a method looks the same wherever it stands,
// and that names that are no methods differ.
func TestOneLookPerMethod(t *testing.T) {
	key := MethodKey("Full", "mine", "CRANK", "yours", "mine")
	other := MethodKey("CRANK")
	if key[2].Line.Color != other[0].Line.Color || key[2].Marker.Shape != other[0].Marker.Shape {
		t.Error("CRANK has two looks")
	}
	if key[1].Line.Color == key[3].Line.Color || key[1].Line.Color != key[4].Line.Color {
		t.Error("other names are not told apart")
	}
}

// TestTitlesOfARowAreLevel sets a plot with a tick at its upper end, which
// needs room above, beside one without.
func TestTitlesOfARowAreLevel(t *testing.T) {
	curve := func(top float64) Drawing {
		return Curves{Title: "title", Lines: []Line{{XYs: plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: top}}}}}.Figure()
	}
	f := Grid(2, curve(4), curve(4.4))
	plots := f.grid()
	w, h := f.Size()
	page := draw.NewCanvas(vgimg.New(w, h), w, h)
	canvases := plot.Align(plots, draw.Tiles{Cols: 2, Rows: 1, PadX: gutter}, page)
	a, b := canvases[0][0].Max.Y, canvases[0][1].Max.Y
	if a == b {
		t.Fatal("the plots are alike, and nothing is tested")
	}
	alignTitles(plots, canvases)
	if canvases[0][0].Max.Y != canvases[0][1].Max.Y {
		t.Errorf("titles at %v and %v", canvases[0][0].Max.Y, canvases[0][1].Max.Y)
	}
	left, right := plots[0][0].DataCanvas(canvases[0][0]), plots[0][1].DataCanvas(canvases[0][1])
	if math.Abs(float64(left.Max.Y-right.Max.Y)) > 1e-9 || left.Min.Y != right.Min.Y {
		t.Errorf("data from %v to %v and from %v to %v", left.Min.Y, left.Max.Y, right.Min.Y, right.Max.Y)
	}
}

func TestCrowdedCountsLoseTheirLabels(t *testing.T) {
	xys := make(plotter.XYs, 0, 8)
	for _, x := range []float64{1000, 2000, 4000, 8000, 16000, 32000, 64000, 100000} {
		xys = append(xys, plotter.XY{X: x, Y: 1})
	}
	var labels []string
	for _, tick := range (Curves{LogX: true, Lines: []Line{{XYs: xys}}}).dataTicks().Ticks(1000, 100000) {
		labels = append(labels, tick.Label)
	}
	if want := []string{"1000", "2000", "4000", "8000", "16000", "32000", "", "100000"}; !slices.Equal(labels, want) {
		t.Errorf("labels %q, want %q", labels, want)
	}
}

// TestTicksStandAtData has ticks at x values that are few and short, and at none that are corners of a function, many or long.
func TestTicksStandAtData(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		xs       []float64
		log, nom bool
		want     string
	}{
		{[]float64{0.5, 1, 2, 4, 8, 16}, true, false, "0.5 1 2 4 8 16"},
		{[]float64{0, 32, 64, 96, 127}, false, false, "0 32 64 96 127"},
		{[]float64{-2, 0, 3}, false, false, "−2 0 3"},
		{[]float64{0, 32, 64}, false, true, ""},
		{[]float64{0.5, 1, 1.5}, false, false, ""},
		{[]float64{0.0001, 0.001, 0.01}, true, false, ""},
		{[]float64{0.1, 0.17783, 0.31623}, true, false, ""},
		{[]float64{1, 2}, true, false, ""},
		{[]float64{1, 2, 3, 4, 5, 6, 7, 8, 9}, false, false, ""},
		{[]float64{0, 1, 100, 101}, false, false, " 1  101"},
	} {
		xys := plotter.XYs{}
		for _, x := range c.xs {
			xys = append(xys, plotter.XY{X: x, Y: 1})
		}
		var labels []string
		if ticks := (Curves{LogX: c.log, Lines: []Line{{XYs: xys, NoMarkers: c.nom}}}).dataTicks(); ticks != nil {
			for _, tick := range ticks.Ticks(0, 1) {
				labels = append(labels, tick.Label)
			}
		}
		if got := strings.Join(labels, " "); got != c.want {
			t.Errorf("%v: ticks %q, want %q", c.xs, got, c.want)
		}
	}
}

// TestCrowdedTicksCountLetters writes numbers with either mark of the minus: as many of them have room.
func TestCrowdedTicksCountLetters(t *testing.T) {
	t.Parallel()
	for _, apart := range []float64{1, 3, 4, 5, 6, 8, 10} { // percent of the axis between the first two
		var kept [2]int
		for k, mark := range []string{"-", "−"} {
			ticks := plot.ConstantTicks{{Value: 0, Label: mark + "2"}, {Value: apart, Label: mark + "1"}, {Value: 100, Label: "0"}}
			dropCrowded(ticks, false)
			for _, tick := range ticks {
				if tick.Label != "" {
					kept[k]++
				}
			}
		}
		if kept[0] != kept[1] {
			t.Errorf("%v %% apart: %d labels with a hyphen, %d with a minus", apart, kept[0], kept[1])
		}
	}
}
