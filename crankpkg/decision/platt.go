package decision

import (
	"context"
	"fmt"
	"math"

	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/internal/parallel"
)

// Calibrate fits a Calibration to the margins that the labels of held-out examples have under
// a rule, by their likelihood, with Platt's targets in place of 0 and 1: the shares
// (k+1)/(k+2) and 1/(k+2) for the k examples that have a label or do not.
//
// First one sigmoid is fitted to all labels together. That of each label is pulled towards it,
// as if that many examples that have the label said so: shrinkage, zero for none. A label that no
// example has, or all have, is safe. It returns an error that wraps ErrSettings or ErrData
// where the parts, the rule or the shrinkage make no sense.
func Calibrate(parts []Part, r Rule, shrinkage float64) (*Calibration, error) {
	if len(parts) == 0 {
		return nil, fmt.Errorf("%w: a calibration by no parts", errs.ErrData)
	}
	if !(shrinkage >= 0) || math.IsInf(shrinkage, 0) {
		return nil, fmt.Errorf("%w: shrinkage is %v", errs.ErrSettings, shrinkage)
	}
	n := parts[0].NumLabels
	for k, p := range parts {
		if err := p.validate(); err != nil {
			return nil, fmt.Errorf("part %d: %w", k+1, err)
		}
		if p.NumLabels != n {
			return nil, fmt.Errorf("%w: part %d has %d labels, part 1 %d", errs.ErrData, k+1, p.NumLabels, n)
		}
	}
	if err := r.Validate(n); err != nil {
		return nil, err
	}
	margins := make([][]float64, len(parts))
	parallel.ForEach(context.Background(), 0, len(parts), func(_, k int) { margins[k] = parts[k].margins(r) })
	return calibrate(parts, margins, none, shrinkage), nil
}

// calibrate fits to the margins of all parts but one.
func calibrate(parts []Part, margins [][]float64, skip int, shrinkage float64) *Calibration {
	n := parts[0].NumLabels
	of := make([]samples, n)
	var all samples
	for k, p := range parts {
		if !fitsTo(parts, k, skip) {
			continue
		}
		for q, margin := range margins[k] {
			i := q % n
			of[i].margin, of[i].y = append(of[i].margin, margin), append(of[i].y, p.Y[q])
		}
		all.margin, all.y = append(all.margin, margins[k]...), append(all.y, p.Y...)
	}
	common := all.fit(prior{})
	pull := prior{at: common, info: all.likelihood(common, all.targets()).info}
	on := max(1, float64(countOn(all.y)))
	for k := range pull.info {
		pull.info[k] *= shrinkage / on
	}
	c := &Calibration{Slope: make([]float64, n), Offset: make([]float64, n)}
	for i := range of {
		own := of[i].fit(pull)
		c.Slope[i], c.Offset[i] = own.slope, own.offset
	}
	return c
}

// margins returns the margins of the labels of all examples under the rule, row after row.
func (p Part) margins(r Rule) []float64 {
	n := p.NumLabels
	weights := r.Weights(p.Pair)
	ones := make([]float64, len(p.Edges))
	for k := range ones {
		ones[k] = 1 // so that all edges are there, whatever the weights are later
	}
	g := infer.NewPairGraph(n, p.Edges, ones)
	o, cuts, c := infer.NewMaxMarginals(g), r.LabelCuts(n), make([]float64, n)
	margins := make([]float64, len(p.Scores))
	for m := range p.Len() {
		copy(c, p.Scores[m*n:(m+1)*n])
		for i := range cuts {
			c[i] -= cuts[i]
		}
		own := weights
		if e := len(p.Edges); len(weights) > e {
			own = weights[m*e : (m+1)*e]
		}
		if m == 0 || len(weights) > len(p.Edges) {
			g.SetAll(p.Edges, own)
		}
		o.MarginsTo(margins[m*n:(m+1)*n], c)
	}
	return margins
}

// line is what a sigmoid is of.
type line struct{ slope, offset float64 }

// prior pulls a line towards another: it adds half the square of the distance, as the
// information, slope by slope, slope by offset and offset by offset, measures it.
type prior struct {
	at   line
	info [3]float64
}

// samples are margins, with what the labels were.
type samples struct {
	margin []float64
	y      []uint8
}

// targets returns Platt's targets of labels that are off and on.
func (s samples) targets() [2]float64 {
	on := float64(countOn(s.y))
	return [2]float64{1 / (float64(len(s.y)) - on + 2), (on + 1) / (on + 2)}
}

// plattSteps bounds the Newton steps of a fit; ten are the rule.
const plattSteps = 100

// fit returns the line of the largest likelihood under the prior, by Newton's method with steps
// that are halved until they gain. Where its slope would be negative, it is zero.
func (s samples) fit(p prior) line {
	targets := s.targets()
	on := float64(countOn(s.y))
	start := line{offset: math.Log((on + 1) / (float64(len(s.y)) - on + 1))}
	best := s.descend(start, p, targets, false)
	if !(best.slope > 0) {
		best = s.descend(start, p, targets, true)
	}
	return best
}

// descend minimizes from a line on, with its slope as it is where flat says so.
func (s samples) descend(at line, p prior, targets [2]float64, flat bool) line {
	here := s.look(at, p, targets)
	for range plattSteps {
		step := here.step(flat)
		promise := -(step.slope*here.gradient.slope + step.offset*here.gradient.offset)
		if !(promise > 1e-14*(1+math.Abs(here.loss))) {
			break
		}
		length := 1.0
		for ; length > 1e-10; length /= 2 {
			next := line{at.slope + length*step.slope, at.offset + length*step.offset}
			if v := s.look(next, p, targets); v.loss <= here.loss-1e-4*length*promise {
				at, here = next, v
				break
			}
		}
		if length <= 1e-10 {
			break // rounding leaves nothing to gain
		}
	}
	return at
}

// view is what fit minimizes at one line: the value, its first and its second derivatives, slope by slope, slope by offset and
// offset by offset.
type view struct {
	loss     float64
	gradient line
	info     [3]float64
}

// step returns Newton's.
func (v *view) step(flat bool) line {
	if flat {
		return line{offset: -v.gradient.offset / v.info[2]}
	}
	ridge := 1e-10*(v.info[0]+v.info[2]) + math.SmallestNonzeroFloat64
	a, b, c := v.info[0]+ridge, v.info[1], v.info[2]+ridge
	det := a*c - b*b
	return line{slope: -(c*v.gradient.slope - b*v.gradient.offset) / det, offset: -(a*v.gradient.offset - b*v.gradient.slope) / det}
}

// look returns all of that at a line, in one pass with one exponential for each margin: most steps are taken as they are, and
// then their slopes are needed next.
func (s samples) look(at line, p prior, targets [2]float64) view {
	v := s.likelihood(at, targets)
	d := line{at.slope - p.at.slope, at.offset - p.at.offset}
	v.loss += (p.info[0]*d.slope*d.slope + 2*p.info[1]*d.slope*d.offset + p.info[2]*d.offset*d.offset) / 2
	v.gradient.slope += p.info[0]*d.slope + p.info[1]*d.offset
	v.gradient.offset += p.info[1]*d.slope + p.info[2]*d.offset
	for k := range v.info {
		v.info[k] += p.info[k]
	}
	return v
}

// together is how many numbers up to two have a product that is one, too.
const together = 512

// likelihood is look without a prior. One logarithm of a product is that of so many factors.
func (s samples) likelihood(at line, targets [2]float64) (v view) {
	product := 1.0
	for k, m := range s.margin {
		z := at.slope*m + at.offset
		e := math.Exp(-math.Abs(z))
		q := 1 / (1 + e)
		if z < 0 {
			q = e / (1 + e)
		}
		target := targets[s.y[k]]
		v.loss += max(z, 0) - target*z
		if product *= 1 + e; k%together == together-1 {
			v.loss += math.Log(product)
			product = 1
		}
		off := q - target
		v.gradient.slope += off * m
		v.gradient.offset += off
		q *= 1 - q
		v.info[0] += q * m * m
		v.info[1] += q * m
		v.info[2] += q
	}
	v.loss += math.Log(product)
	return v
}
