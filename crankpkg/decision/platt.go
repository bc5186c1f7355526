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
	pull := prior{at: common, info: all.information(common)}
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
	value := s.loss(at, p, targets)
	for range plattSteps {
		gradient, h := s.slopes(at, p, targets)
		var step line
		if flat {
			step.offset = -gradient.offset / h[2]
		} else {
			ridge := 1e-10*(h[0]+h[2]) + math.SmallestNonzeroFloat64
			a, b, c := h[0]+ridge, h[1], h[2]+ridge
			det := a*c - b*b
			step.slope = -(c*gradient.slope - b*gradient.offset) / det
			step.offset = -(a*gradient.offset - b*gradient.slope) / det
		}
		promise := -(step.slope*gradient.slope + step.offset*gradient.offset)
		if !(promise > 1e-14*(1+math.Abs(value))) {
			break
		}
		length := 1.0
		for ; length > 1e-10; length /= 2 {
			next := line{at.slope + length*step.slope, at.offset + length*step.offset}
			if v := s.loss(next, p, targets); v <= value-1e-4*length*promise {
				at, value = next, v
				break
			}
		}
		if length <= 1e-10 {
			break // rounding leaves nothing to gain
		}
	}
	return at
}

// loss returns what fit minimizes.
func (s samples) loss(at line, p prior, targets [2]float64) float64 {
	d := line{at.slope - p.at.slope, at.offset - p.at.offset}
	sum := (p.info[0]*d.slope*d.slope + 2*p.info[1]*d.slope*d.offset + p.info[2]*d.offset*d.offset) / 2
	for k, m := range s.margin {
		z := at.slope*m + at.offset
		sum += math.Log1p(math.Exp(-math.Abs(z))) + max(z, 0) - targets[s.y[k]]*z
	}
	return sum
}

// slopes returns the first and second derivatives of loss, slope by slope, slope by offset
// and offset by offset.
func (s samples) slopes(at line, p prior, targets [2]float64) (line, [3]float64) {
	d := line{at.slope - p.at.slope, at.offset - p.at.offset}
	gradient := line{p.info[0]*d.slope + p.info[1]*d.offset, p.info[1]*d.slope + p.info[2]*d.offset}
	for k, m := range s.margin {
		off := sigmoid(at.slope*m+at.offset) - targets[s.y[k]]
		gradient.slope += off * m
		gradient.offset += off
	}
	h := s.information(at)
	for k := range h {
		h[k] += p.info[k]
	}
	return gradient, h
}

// information returns the second derivatives of the likelihood alone.
func (s samples) information(at line) (h [3]float64) {
	for _, m := range s.margin {
		q := sigmoid(at.slope*m + at.offset)
		q *= 1 - q
		h[0] += q * m * m
		h[1] += q * m
		h[2] += q
	}
	return h
}
