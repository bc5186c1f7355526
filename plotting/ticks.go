package plotting

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
)

// linearTicks marks about five round numbers.
type linearTicks struct{}

func (linearTicks) Ticks(lo, hi float64) []plot.Tick {
	if !(hi > lo) || math.IsInf(hi-lo, 0) {
		return nil
	}
	step := roundStep((hi - lo) / 6)
	scale := exponentFor(math.Max(math.Abs(lo), math.Abs(hi)))
	// Beyond 2^53 steps from zero, a number and the next are one.
	first := math.Ceil(lo/step - 1e-9)
	if !(math.Abs(first) < 1<<53) {
		return nil
	}
	var ticks []plot.Tick
	for k := first; float64(k*step) <= hi+step*1e-9; k++ {
		v := float64(k * step)
		// A tick that rounding puts outside would get no room for its label.
		ticks = append(ticks, plot.Tick{Value: math.Min(hi, math.Max(lo, v)), Label: tickLabel(v, step, scale)})
	}
	return ticks
}

// integerTicks marks whole numbers only.
type integerTicks struct{}

func (integerTicks) Ticks(lo, hi float64) []plot.Tick {
	var ticks []plot.Tick
	for _, t := range (linearTicks{}).Ticks(lo, hi) {
		if math.Abs(t.Value-math.Round(t.Value)) < 1e-9 {
			if strings.Contains(t.Label, ".") { // there were halves between
				t.Label = minus(strconv.FormatFloat(t.Value, 'f', 0, 64))
			}
			ticks = append(ticks, t)
		}
	}
	return ticks
}

// roundStep returns the least of 1, 2, 2.5 and 5 times a power of ten that is
// not below x.
func roundStep(x float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(x)))
	for _, m := range []float64{1, 2, 2.5, 5} {
		if float64(m*power) >= x*(1-1e-9) {
			return float64(m * power)
		}
	}
	return float64(10 * power)
}

// exponentFor returns the power of ten to set apart in the labels of an axis
// with values up to x, zero for none.
func exponentFor(x float64) int {
	if x == 0 {
		return 0
	}
	e := int(math.Floor(math.Log10(x)))
	if e >= 6 || e <= -5 {
		return e
	}
	return 0
}

func tickLabel(v, step float64, exponent int) string {
	if v == 0 {
		return "0"
	}
	scale := math.Pow(10, float64(exponent))
	power := math.Floor(math.Log10(step/scale) + 1e-9)
	decimals := max(0, -int(power))
	if math.Abs(step/scale/math.Pow(10, power)-2.5) < 1e-6 {
		decimals = max(0, 1-int(power))
	}
	s := minus(strconv.FormatFloat(v/scale, 'f', min(decimals, 12), 64))
	if exponent != 0 {
		s += fmt.Sprintf("·$10^{%s}$", minus(strconv.Itoa(exponent)))
	}
	return s
}

// minus replaces the hyphen of a negative number by a minus sign.
func minus(s string) string { return strings.Replace(s, "-", "−", 1) }

// logTicks marks powers of ten, with 2 and 5 between them where the axis spans
// less than two decades and round numbers where that leaves less than three, and
// the number zero at zeroAt if that is positive. Labels are plain numbers from 0.001
// to 1000, and powers of ten all along an axis that goes beyond.
type logTicks struct{ zeroAt float64 }

func (l logTicks) Ticks(lo, hi float64) []plot.Tick {
	if !(lo > 0) || !(hi > lo) {
		return nil
	}
	var ticks []plot.Tick
	if l.zeroAt > 0 {
		ticks = append(ticks, plot.Tick{Value: l.zeroAt, Label: "0"})
	}
	first, last := math.Floor(math.Log10(lo)), math.Ceil(math.Log10(hi))
	decades := math.Log10(hi / lo)
	every := math.Max(1, math.Ceil(decades/7))
	minor := 10.0 // ticks in a decade; where labels leave decades out, powers of ten are enough
	if every > 1 {
		minor = 2
	}
	var labels []powerLabel
	for e := first; e <= last; e++ {
		power := math.Pow(10, e)
		for m := 1.0; m < minor; m++ {
			v := float64(m * power)
			if v < lo*(1-1e-9) || v > hi*(1+1e-9) || (l.zeroAt > 0 && v <= l.zeroAt*1.5) {
				continue
			}
			if m == 1 && math.Mod(e, every) == 0 || (m == 2 || m == 5) && decades < 2 {
				labels = append(labels, powerLabel{len(ticks), m, e})
			}
			ticks = append(ticks, plot.Tick{Value: math.Min(hi, math.Max(lo, v))})
		}
	}
	if len(labels) < 3 && decades < 1 && l.zeroAt <= 0 {
		return linearTicks{}.Ticks(lo, hi)
	}
	powers := slices.ContainsFunc(labels, powerLabel.far)
	for _, at := range labels {
		ticks[at.tick].Label = at.text(powers)
	}
	return ticks
}

// powerLabel is a label for m times ten to the power of e.
type powerLabel struct {
	tick int
	m, e float64
}

// far tells whether the number is hard to read with all its digits. Where one of an axis is, all are written as powers.
func (l powerLabel) far() bool { return l.e < -3 || l.e > 3 }

func (l powerLabel) text(power bool) string {
	if !power {
		return strconv.FormatFloat(float64(l.m*math.Pow(10, l.e)), 'f', max(0, -int(l.e)), 64)
	}
	exponent := minus(strconv.Itoa(int(l.e)))
	if l.m == 1 {
		return "$10^{" + exponent + "}$"
	}
	return fmt.Sprintf("%g·$10^{%s}$", l.m, exponent)
}

// shortNumber writes v with three digits.
func shortNumber(v float64) string {
	switch a := math.Abs(v); {
	case v == 0:
		return "0"
	case a >= 1e5 || a < 1e-3:
		mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(v, 'e', 1, 64), "e")
		e, _ := strconv.Atoi(exponent)
		power := "$10^{" + minus(strconv.Itoa(e)) + "}$"
		switch mantissa = strings.TrimSuffix(mantissa, ".0"); mantissa {
		case "1":
			return power
		case "-1":
			return "−" + power
		}
		return minus(mantissa) + "·" + power
	case a >= 100:
		return minus(strconv.FormatFloat(v, 'f', 0, 64))
	default:
		return minus(strconv.FormatFloat(v, 'g', 3, 64))
	}
}
