package plotting

import (
	"fmt"
	"image/color"
	"math"
	"sort"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// The eyes that figures are made for: all cones, and none of one kind. The
// matrices act on linear RGB (Machado, Oliveira, Fernandes 2009, severity 1).
var eyes = map[string]*mat.Dense{
	"all cones": mat.NewDense(3, 3, []float64{1, 0, 0, 0, 1, 0, 0, 0, 1}),
	"no red": mat.NewDense(3, 3, []float64{
		0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998}),
	"no green": mat.NewDense(3, 3, []float64{
		0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881}),
	"no blue": mat.NewDense(3, 3, []float64{
		1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900}),
}

func linearRGB(c color.Color) *mat.VecDense {
	n := color.NRGBAModel.Convert(c).(color.NRGBA)
	lin := func(v uint8) float64 {
		x := float64(v) / 255
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	return mat.NewVecDense(3, []float64{lin(n.R), lin(n.G), lin(n.B)})
}

func luminance(v *mat.VecDense) float64 {
	return 0.2126*v.AtVec(0) + 0.7152*v.AtVec(1) + 0.0722*v.AtVec(2)
}

// contrast is the ratio of the accessibility guidelines, from 1 to 21.
func contrast(a, b color.Color) float64 {
	x, y := luminance(linearRGB(a)), luminance(linearRGB(b))
	return (math.Max(x, y) + 0.05) / (math.Min(x, y) + 0.05)
}

// lab returns the CIE L*a*b* coordinates of a color as an eye sees it.
func lab(c color.Color, eye *mat.Dense) [3]float64 {
	var v mat.VecDense
	v.MulVec(eye, linearRGB(c))
	var rgb [3]float64
	for k := range rgb {
		rgb[k] = math.Min(1, math.Max(0, v.AtVec(k)))
	}
	f := func(t float64) float64 {
		if t > 0.008856 {
			return math.Cbrt(t)
		}
		return 7.787*t + 16.0/116
	}
	x := f((0.4124*rgb[0] + 0.3576*rgb[1] + 0.1805*rgb[2]) / 0.95047)
	y := f(0.2126*rgb[0] + 0.7152*rgb[1] + 0.0722*rgb[2])
	z := f((0.0193*rgb[0] + 0.1192*rgb[1] + 0.9505*rgb[2]) / 1.08883)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

func distance(a, b color.Color, eye *mat.Dense) float64 {
	p, q := lab(a, eye), lab(b, eye)
	return math.Sqrt(math.Pow(p[0]-q[0], 2) + math.Pow(p[1]-q[1], 2) + math.Pow(p[2]-q[2], 2))
}

func TestColorsCanBeToldApart(t *testing.T) {
	for name, s := range map[string]Style{"light": Light(), "dark": Dark()} {
		// 3:1 is what the guidelines ask of lines, 4.5:1 of small text.
		for what, c := range map[string]color.Color{"positive": s.Positive, "negative": s.Negative} {
			if r := contrast(c, s.Background); r < 3 {
				t.Errorf("%s, %s: contrast %.1f to the page", name, what, r)
			}
		}
		for what, c := range map[string]color.Color{"ink": s.Ink, "faint": s.Faint} {
			if r := contrast(c, s.Background); r < 4.5 {
				t.Errorf("%s, %s: contrast %.1f to the page", name, what, r)
			}
		}
		var methods []string
		for m, look := range s.Methods {
			methods = append(methods, m)
			if r := contrast(look.Color, s.Background); r < 3 {
				t.Errorf("%s, %s: contrast %.1f to the page", name, m, r)
			}
		}
		sort.Strings(methods)
		for eyeName, eye := range eyes {
			// A difference of 2 can just be seen side by side, 20 is plain.
			if d := distance(s.Positive, s.Negative, eye); d < 20 {
				t.Errorf("%s, %s: the signs differ by %.0f", name, eyeName, d)
			}
			for i, a := range methods {
				for _, b := range methods[:i] {
					if d := distance(s.Methods[a].Color, s.Methods[b].Color, eye); d < 20 {
						t.Errorf("%s, %s: %s and %s differ by %.0f", name, eyeName, a, b, d)
					}
				}
			}
		}
	}
}

func TestDashesAndMarkersDiffer(t *testing.T) {
	s := Light()
	for a, x := range s.Methods {
		for b, y := range s.Methods {
			if a == b {
				continue
			}
			if x.Marker == y.Marker {
				t.Errorf("%s and %s have one marker", a, b)
			}
			same := len(x.Dashes) == len(y.Dashes)
			for k := 0; same && k < len(x.Dashes); k++ {
				same = x.Dashes[k] == y.Dashes[k]
			}
			if same {
				t.Errorf("%s and %s have one dash", a, b)
			}
		}
	}
}

func TestManyUnknownNamesDiffer(t *testing.T) {
	s := Light()
	var names []string
	for k := range len(s.Others) * len(s.Others) {
		names = append(names, fmt.Sprint("line ", k))
	}
	looks := s.methodStyles(names)
	for i, a := range looks {
		for j, b := range looks[:i] {
			if a.Color == b.Color && a.Marker == b.Marker {
				t.Errorf("lines %d and %d look the same", j, i)
			}
		}
	}
}

func TestUseIsUndone(t *testing.T) {
	restore := Use(Dark())
	dark := Network(nil).theStyle().Background
	restore()
	if light := Network(nil).theStyle().Background; light == dark || light != color.White {
		t.Errorf("background %v in use, %v after", dark, light)
	}
}
