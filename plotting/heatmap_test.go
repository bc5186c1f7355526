package plotting

import (
	"bytes"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"testing"

	"gonum.org/v1/plot/cmpimg"
)

func phases() HeatMap {
	return HeatMap{
		Title: "A phase diagram", XLabel: "examples", YLabel: "signal",
		XNames: []string{"10", "100", "1000"}, YNames: []string{"weak", "strong"},
		Values: [][]float64{{10, 20, 60}, {30, 90, math.NaN()}},
	}
}

// TestHeatMapGolden compares with the golden image; -regen writes it.
func TestHeatMapGolden(t *testing.T) {
	got, err := encode(phases().Figure(), "png")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("testdata", "heatmap.png")
	if *cmpimg.GenerateTestData {
		if err := os.WriteFile(path, got, 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(got, want) {
		return
	}
	if same, err := cmpimg.EqualApprox("png", got, want, 0.02); err != nil || !same {
		t.Errorf("the picture differs from %s (%v); look at the new one and, if it is as it should be, run: go test ./plotting -run HeatMapGolden -regen", path, err)
	}
}

// TestHeatMapColors checks that the scale's ends are the colors of the least and
// of the largest value, wherever they stand, and that a missing one is blank.
func TestHeatMapColors(t *testing.T) {
	h := phases()
	h.Decimals = -1
	img := rasterize(h.Figure(), 96)
	count := map[color.RGBA]int{}
	for x := range img.Bounds().Dx() {
		for y := range img.Bounds().Dy() {
			count[color.RGBAModel.Convert(img.At(x, y)).(color.RGBA)]++
		}
	}
	of := func(t float64) int { return count[color.RGBAModel.Convert(sequential.at(t)).(color.RGBA)] }
	cell := of(0)
	for _, v := range []float64{10, 20, 30, 60, 90} {
		if n := of((v - 10) / 80); n < cell*9/10 || n < 1000 {
			t.Errorf("%d pixels in the color of %v, %d in that of the least value", n, v, cell)
		}
	}
	h.Min, h.Max = 0, 45 // 60 and 90 share the brightest color
	img = rasterize(h.Figure(), 96)
	bright := 0
	for x := range img.Bounds().Dx() {
		for y := range img.Bounds().Dy() {
			if color.RGBAModel.Convert(img.At(x, y)) == color.RGBAModel.Convert(sequential.at(1)) {
				bright++
			}
		}
	}
	if bright < cell*3/2 {
		t.Errorf("%d bright pixels for two cells of %d", bright, cell)
	}
}

// TestHeatMapEnds: an end that is not finite is that of the values, and the order
// of the ends does not matter.
func TestHeatMapEnds(t *testing.T) {
	t.Parallel()
	inf, nan := math.Inf(1), math.NaN()
	draw := func(low, high float64) []byte {
		h := phases() // of values from 10 to 90
		h.Min, h.Max = low, high
		return rasterize(h.Figure(), 48).Pix
	}
	for _, c := range []struct{ low, high, wantLow, wantHigh float64 }{
		{-inf, inf, 10, 90}, {inf, -inf, 10, 90}, {inf, inf, 10, 90}, {nan, nan, 10, 90}, {0, 0, 10, 90},
		{-inf, 45, 10, 45}, {nan, 45, 10, 45}, {45, inf, 45, 90}, {45, nan, 45, 90}, {45, 20, 20, 45},
	} {
		if !bytes.Equal(draw(c.low, c.high), draw(c.wantLow, c.wantHigh)) {
			t.Errorf("ends %v and %v are not %v and %v", c.low, c.high, c.wantLow, c.wantHigh)
		}
	}
	// A single end beyond all values still is an end.
	for _, c := range []struct{ low, high, wantLow, wantHigh float64 }{{-inf, 5, 4.5, 5}, {200, inf, 200, 210}} {
		h := phases()
		h.Min, h.Max = c.low, c.high
		if low, high := h.ends(10, 90); low != c.wantLow || high != c.wantHigh {
			t.Errorf("ends %v and %v are %v and %v", c.low, c.high, low, high)
		}
	}
}

// TestHeatMapWithoutValues says so, and does so then alone.
func TestHeatMapWithoutValues(t *testing.T) {
	t.Parallel()
	inf, nan := math.Inf(1), math.NaN()
	for _, ends := range [][2]float64{{0, 0}, {-inf, inf}, {-inf, 1}, {0, 1}, {nan, nan}} {
		for _, v := range []float64{nan, inf, -inf, 3, 0, -1e300} {
			h := HeatMap{XNames: []string{"a"}, YNames: []string{"b"}, Values: [][]float64{{v}}, Min: ends[0], Max: ends[1]}
			_, says := h.Figure().Panels[0].(message)
			if want := math.IsNaN(v) || math.IsInf(v, 0); says != want {
				t.Errorf("value %v, ends %v: a message in place of a picture is %v", v, ends, says)
			}
		}
	}
}

func TestHeatMapOddData(t *testing.T) {
	for name, h := range map[string]HeatMap{
		"nothing":     {},
		"no numbers":  {XNames: []string{"a"}, YNames: []string{"b"}, Values: [][]float64{{math.NaN()}}},
		"one value":   {XNames: []string{"a"}, YNames: []string{"b"}, Values: [][]float64{{3}}},
		"no columns":  {YNames: []string{"b"}, Values: [][]float64{{}}},
		"turned ends": {XNames: []string{"a"}, YNames: []string{"b"}, Values: [][]float64{{3}}, Min: 2, Max: 1},
	} {
		checkDrawn(t, name, h.Figure())
	}
	defer func() {
		if recover() == nil {
			t.Error("no panic for a ragged table")
		}
	}()
	HeatMap{XNames: []string{"a"}, YNames: []string{"b"}, Values: [][]float64{{1, 2}}}.Figure()
}
