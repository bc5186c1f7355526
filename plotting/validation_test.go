package plotting

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/plot/plotter"
)

// randomValidation returns a picture of several lines, in one of which a point
// is left out since it is not finite.
func randomValidation(rng *rand.Rand) Validation {
	v := Validation{Lines: make([]Line, 1+rng.IntN(3))}
	for k := range v.Lines {
		var xys plotter.XYs
		for p := range 2 + rng.IntN(5) {
			xys = append(xys, plotter.XY{X: math.Pow(10, -float64(p)), Y: 60 + 5*rng.NormFloat64()})
			v.Lines[k].Err = append(v.Lines[k].Err, rng.Float64())
		}
		v.Lines[k].XYs = xys
	}
	v.Lines[0].XYs.(plotter.XYs)[0].Y = math.NaN()
	return v
}

// TestValidationLevel finds the level by a look at all points: worse than the best
// mean by its standard error, whichever way the measure is good.
func TestValidationLevel(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(7, 6))
	for range 100 {
		v := randomValidation(rng)
		for _, v.SmallerIsBetter = range []bool{false, true} {
			var best plotter.XY
			want, found := 0.0, false
			for _, l := range v.Lines {
				for p, xy := range l.XYs.(plotter.XYs) {
					better := xy.Y > best.Y
					if v.SmallerIsBetter {
						better = xy.Y < best.Y
					}
					if math.IsNaN(xy.Y) || found && !better {
						continue
					}
					best, found = xy, true
					if want = xy.Y - l.Err[p]; v.SmallerIsBetter {
						want = xy.Y + l.Err[p]
					}
				}
			}
			got, name, ok := v.level()
			if !ok || got != want {
				t.Fatalf("smaller is better %v: level %v, %v, want %v", v.SmallerIsBetter, got, ok, want)
			}
			if sign := map[bool]string{false: "−", true: "+"}[v.SmallerIsBetter]; name != "best mean "+sign+" one standard error" {
				t.Errorf("smaller is better %v: named %q", v.SmallerIsBetter, name)
			}
		}
	}
}

// TestValidationIsAMirror turns a measure around: the level is that of the other
// picture, upside down.
func TestValidationIsAMirror(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(8, 6))
	for range 100 {
		v := randomValidation(rng)
		level, _, _ := v.level()
		for _, l := range v.Lines {
			for p := range l.XYs.(plotter.XYs) {
				l.XYs.(plotter.XYs)[p].Y *= -1
			}
		}
		v.SmallerIsBetter = true
		if mirrored, _, ok := v.level(); !ok || mirrored != -level {
			t.Fatalf("level %v, upside down %v", level, mirrored)
		}
	}
}
