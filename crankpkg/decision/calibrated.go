package decision

import (
	"context"
	"math"
	"slices"

	"github.com/crank-ml/crank/crankpkg/internal/parallel"
	"github.com/crank-ml/crank/crankpkg/metrics"
)

// calibrationShrinkage is that of the calibrations of a Search. On the built-in sets, the
// log-loss of test examples is the least for less than five, and hardly depends on it there.
const calibrationShrinkage = 2

// marginsOf returns the margins under a rule, by part.
func (f *fitter) marginsOf(r Rule) [][]float64 {
	margins := make([][]float64, len(f.parts))
	parallel.ForEach(context.Background(), f.Workers, len(f.parts), func(_, k int) { margins[k] = f.parts[k].margins(r) })
	return margins
}

// calibrated fits rules by calibrated probabilities, to all parts and to all but one: what to
// expect and the limits are those that do best on the parts that the probabilities are
// fitted to. It returns the number of rules that were measured on all parts.
func (f *fitter) calibrated() (rules fitted, tried int) {
	f.calibratePlain()
	options := f.calibratedOptions()
	best := make([]setting, len(f.parts)+1) // the first of all parts
	parallel.ForEach(context.Background(), f.Workers, len(best), func(_, k int) {
		best[k].Rule = f.bestCalibrated(options, k-1)
	})
	return fitted{all: best[0], rest: best[1:]}, len(options)
}

// calibratedOptions returns what rules may expect, with all limits.
func (f *fitter) calibratedOptions() (options []Rule) {
	for _, expect := range []metrics.Measure{metrics.HammingAccuracy, metrics.ExampleF1} {
		for _, l := range f.limits() {
			options = append(options, Rule{Expect: expect, Least: l.least, Most: l.most})
		}
	}
	return options
}

// calibratePlain fits to the margins of the plain rule, once: to those of all parts, then to those of all but each.
func (f *fitter) calibratePlain() {
	if f.margins != nil {
		return
	}
	f.margins = f.marginsOf(Rule{})
	f.calibrations = f.calibrateEach(f.margins)
}

// calibrateEach fits to the margins of all parts, then to those of all but each.
func (f *fitter) calibrateEach(margins [][]float64) []*Calibration {
	c := make([]*Calibration, len(f.parts)+1)
	parallel.ForEach(context.Background(), f.Workers, len(c), func(_, k int) { c[k] = calibrate(f.parts, margins, k-1, calibrationShrinkage) })
	return c
}

// bestCalibrated returns the best of the options by all parts but one, with probabilities that
// are fitted to these, too.
func (f *fitter) bestCalibrated(options []Rule, skip int) Rule {
	options = slices.Clone(options)
	tallies := make([][]tally, len(options))
	for o := range options {
		options[o].Calibration = f.calibrations[skip+1]
		tallies[o] = make([]tally, len(f.parts))
	}
	for q, p := range f.parts {
		if !f.fits(q, skip) {
			continue
		}
		for o, t := range p.calibratedTallies(options, f.margins[q], f.perLabel) {
			tallies[o][q] = t
		}
	}
	best, value := 0, 0.0
	for o := range options {
		if v := f.of(tallies[o], skip); o == 0 || better(v, value) {
			best, value = o, v
		}
	}
	return options[best].Clone()
}

// calibratedTallies counts how rules by the same calibrated probabilities do on the part. What they share is done once for each
// example.
func (p Part) calibratedTallies(rules []Rule, margins []float64, perLabel bool) []tally {
	n := p.NumLabels
	d, y, tallies := NewDecider(rules[0], n), make([]uint8, n), make([]tally, len(rules))
	for k := range tallies {
		tallies[k] = newTally(n, perLabel)
	}
	for m := range p.Len() {
		copy(d.Margins, margins[m*n:(m+1)*n])
		d.rank()
		for k, r := range rules {
			d.expecting(r)
			d.labelRanked(y)
			tallies[k].add(p.Y[m*n:(m+1)*n], y, 1)
		}
	}
	return tallies
}

// logLosses returns the log-loss of calibrated probabilities, and that of the frequencies of the
// labels, on all parts together: each part has those that are fitted to the others. The calibrations are those of calibrateEach.
func (f *fitter) logLosses(margins [][]float64, calibrations []*Calibration) (own, base float64) {
	n := f.parts[0].NumLabels
	var values int
	each := make([][2]float64, len(f.parts))
	parallel.ForEach(context.Background(), f.Workers, len(f.parts), func(_, k int) {
		p := f.parts[k]
		c := calibrations[k+1]
		size := float64(len(p.Y))
		each[k][0] = size * LogLoss(c.Probabilities(margins[k]), p.Y)
		each[k][1] = size * LogLoss(f.frequencies(k).Probabilities(make([]float64, len(p.Y))), p.Y)
	})
	for k := range each {
		own, base, values = own+each[k][0], base+each[k][1], values+f.parts[k].Len()*n
	}
	return own / float64(values), base / float64(values)
}

// frequencies returns how frequent the labels are in all parts but one, as a Calibration without
// slopes. A label that none has, or all have, keeps a share of (k+1)/(m+2) of m examples.
func (f *fitter) frequencies(skip int) *Calibration {
	n := f.parts[0].NumLabels
	on, rows := make([]int, n), 0
	for k, p := range f.parts {
		if f.fits(k, skip) {
			rows += p.Len()
			for q, y := range p.Y {
				on[q%n] += int(y)
			}
		}
	}
	c := &Calibration{Slope: make([]float64, n), Offset: make([]float64, n)}
	for i, k := range on {
		c.Offset[i] = math.Log(float64(k+1) / float64(rows-k+1))
	}
	return c
}
