package plotting

import (
	"fmt"
	"image/color"
	"math"
	"strings"
	"testing"
)

// Each cell gets the color of its owner, the key tells it, and what has no
// owner is blank.
func TestRegionsColors(t *testing.T) {
	owner := func(x, y float64) string {
		switch {
		case x < 0.5 && y < 0.5:
			return ""
		case x < 0.5:
			return "left"
		}
		return "right"
	}
	f := Regions{Owner: owner, Cells: 10}.Figure()
	if len(f.Key) != 2 || f.Key[0].Name != "right" || f.Key[1].Name != "left" {
		t.Fatalf("key %+v, want the larger region first", f.Key)
	}
	img := rasterize(f, 96)
	counts := map[color.RGBA]int{}
	for x := range img.Bounds().Dx() {
		for y := range img.Bounds().Dy() {
			counts[color.RGBAModel.Convert(img.At(x, y)).(color.RGBA)]++
		}
	}
	of := func(k int) float64 { return float64(counts[color.RGBAModel.Convert(f.Key[k].Fill).(color.RGBA)]) }
	if ratio := of(0) / of(1); !(math.Abs(ratio-2) <= 0.15) {
		t.Errorf("the right half is %v times the upper left quarter, want about 2", ratio)
	}
}

func TestRegionsNamesFixColors(t *testing.T) {
	names := []string{"a", "b", "c"}
	one := Regions{Owner: func(x, _ float64) string { return names[int(2.999*x)] }, Names: names}.Figure()
	two := Regions{Owner: func(float64, float64) string { return "c" }, Names: names}.Figure()
	if len(two.Key) != 1 || two.Key[0].Fill != one.Key[2].Fill {
		t.Errorf("c is %v alone and %v among others", two.Key, one.Key)
	}
	signed := Regions{Owner: func(float64, float64) string { return "c" }, Names: names, Signed: true}.Figure()
	if len(signed.Key) != 3 {
		t.Fatalf("signed: %d names in the key", len(signed.Key))
	}
	style := theStyle()
	if signed.Key[0].Fill != fade(style.Negative, style.paper(), 0) || signed.Key[2].Fill != fade(style.Positive, style.paper(), 0) {
		t.Error("the ends do not have the colors of the signs")
	}
	if c := signed.Key[1].Fill.(color.NRGBA); c.R < 0xe0 || c.G < 0xe0 || c.B < 0xe0 {
		t.Errorf("zero is not pale: %v", c)
	}
}

func TestRegionsOddData(t *testing.T) {
	many := Regions{Owner: func(x, _ float64) string { return fmt.Sprint(int(40 * x)) }}.Figure()
	if last := many.Key[len(many.Key)-1].Name; !strings.HasSuffix(last, " others") {
		t.Errorf("of 40 owners the key ends with %q", last)
	}
	for name, r := range map[string]Regions{
		"nothing":      {},
		"no owners":    {Owner: func(float64, float64) string { return "" }},
		"one cell":     {Owner: func(float64, float64) string { return "a" }, Cells: 1},
		"turned range": {Owner: func(float64, float64) string { return "a" }, XMin: 1, XMax: -1},
	} {
		checkDrawn(t, name, r.Figure())
	}
}
