package feature

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/crank-ml/crank/crankpkg/internal/errs"
)

// Scaling names a way to scale the features.
type Scaling string

// The scalings. Each is fitted on the training rows only. On sparse rows ZScore
// does not center and MinMax does not shift, so that zeros stay zeros: ZScore
// divides by the standard deviation, MinMax by the largest absolute value. A
// feature that is constant in training becomes 0 on dense rows, and on sparse
// rows under ZScore, since it tells nothing; so nothing is divided by zero.
const (
	NoScaling Scaling = ""         // rows as they are
	ZScore    Scaling = "zscore"   // mean 0 and standard deviation 1 for each feature
	MinMax    Scaling = "minmax"   // each feature in [0, 1], in training
	UnitRows  Scaling = "unitrows" // each row divided by its Euclidean length; zero rows stay
	// Relevance weighs each feature by the labels: inner products of rows count it as much as it
	// correlates with them. It multiplies the feature, of dense rows its z-scores, by the square root of a
	// correlation, the root of the mean square of those with each label. Words that tell nothing then
	// hardly matter to a kernel.
	Relevance Scaling = "relevance"
)

// Scalings returns all of them.
func Scalings() []Scaling { return []Scaling{NoScaling, ZScore, MinMax, UnitRows, Relevance} }

// Scaler is a fitted Scaling. The zero Scaler leaves rows as they are.
type Scaler struct {
	Kind   Scaling
	Shift  []float64 // subtracted from each feature first; nil: none
	Factor []float64 // then each feature is multiplied by it; nil: none
}

// FitScaler fits a scaling to the rows of x. It returns an error that wraps
// ErrSettings if there is no such scaling, or if it is Relevance, which takes labels, too
// (see FitScalerTo); or ErrData if x has no rows, or if a feature is a SpanError.
func FitScaler(kind Scaling, x *Matrix) (Scaler, error) {
	s := Scaler{Kind: kind}
	switch kind {
	case NoScaling, UnitRows:
		return s, nil
	case ZScore, MinMax:
	case Relevance:
		return Scaler{}, fmt.Errorf("%w: the scaling %q without labels", errs.ErrSettings, kind)
	default:
		return Scaler{}, fmt.Errorf("%w: no scaling is called %q", errs.ErrSettings, kind)
	}
	if x.NumRows == 0 {
		return Scaler{}, fmt.Errorf("%w: no rows to fit a scaling to", errs.ErrData)
	}
	s.Factor = make([]float64, x.NumCols)
	if !x.IsSparse() {
		s.Shift = make([]float64, x.NumCols)
	}
	for k, c := range summarize(x) {
		var shift, spread float64
		centers := kind == ZScore || !x.IsSparse()
		switch {
		case centers && math.IsInf(c.high-c.low, 0):
			return Scaler{}, &SpanError{Feature: k, Low: c.low, High: c.high}
		case kind == ZScore:
			shift, spread = c.mean, c.deviation
		case x.IsSparse():
			spread = max(-c.low, c.high)
		default:
			shift, spread = c.low, c.high-c.low
		}
		if !x.IsSparse() {
			s.Shift[k] = shift
		}
		if f := 1 / spread; !c.constant(kind, x.IsSparse()) && !math.IsInf(f, 0) {
			s.Factor[k] = f
		}
	}
	return s, nil
}

// SpanError tells of a feature whose values are further apart than any number: no
// mean or least value can be subtracted from them. It wraps ErrData.
type SpanError struct {
	Feature   int
	Name      string // where it is known
	Low, High float64
}

func (e *SpanError) Error() string {
	name := strconv.Itoa(e.Feature)
	if e.Name != "" {
		name = strconv.Quote(e.Name)
	}
	return fmt.Sprintf("%v: feature %s: values from %.3g to %.3g are too far apart to be scaled", errs.ErrData, name, e.Low, e.High)
}

// Unwrap returns ErrData.
func (e *SpanError) Unwrap() error { return errs.ErrData }

// columnSummary describes the values of one feature, zeros included.
type columnSummary struct {
	low, high       float64
	mean, deviation float64
}

// constant reports whether the feature tells nothing: rounding can leave a
// constant one with a tiny deviation.
func (c *columnSummary) constant(kind Scaling, sparse bool) bool {
	if sparse && kind == MinMax {
		return c.low == 0 && c.high == 0
	}
	return c.low == c.high
}

// summarize describes each column of x. It divides by the largest absolute
// value before it squares, so that no size of values overflows.
func summarize(x *Matrix) []columnSummary {
	columns := make([]columnSummary, x.NumCols)
	stored := make([]int, x.NumCols)
	for m := range x.NumRows {
		eachValue(x.Row(m), func(k int, v float64) {
			c := &columns[k]
			if stored[k] == 0 {
				c.low, c.high = v, v
			}
			stored[k]++
			c.low, c.high = min(c.low, v), max(c.high, v)
			c.mean += v / float64(x.NumRows)
		})
	}
	for k := range columns {
		if c := &columns[k]; stored[k] < x.NumRows {
			c.low, c.high = min(c.low, 0), max(c.high, 0)
		}
	}
	squares := make([]float64, x.NumCols)
	for m := range x.NumRows {
		eachValue(x.Row(m), func(k int, v float64) {
			d := (v - columns[k].mean) / columns[k].size()
			squares[k] += d * d
		})
	}
	for k := range columns {
		c := &columns[k]
		d := c.mean / c.size()
		squares[k] += d * d * float64(x.NumRows-stored[k])
		c.deviation = c.size() * math.Sqrt(squares[k]/float64(x.NumRows))
	}
	return columns
}

// size returns the largest absolute value, 1 if all are 0.
func (c *columnSummary) size() float64 {
	if size := max(-c.low, c.high); size > 0 {
		return size
	}
	return 1
}

func eachValue(r Row, visit func(k int, v float64)) {
	for p, v := range r.Value {
		k := p
		if r.Index != nil {
			k = int(r.Index[p])
		}
		visit(k, v)
	}
}

// Apply returns the scaled rows of x; x itself stays as it is, and is returned
// where nothing changes. Sparse rows stay sparse unless the scaler was fitted
// to dense rows and shifts them. It panics when the numbers of features differ.
func (s Scaler) Apply(x *Matrix) *Matrix {
	s.check(x.NumCols)
	if s.Kind == NoScaling {
		return x
	}
	if s.Shift != nil {
		x = x.Dense()
	}
	scaled := *x
	scaled.Value = make([]float64, len(x.Value))
	copy(scaled.Value, x.Value)
	for m := range scaled.NumRows {
		row := scaled.Row(m)
		if s.Kind == UnitRows {
			f := s.RowFactor(row)
			for p := range row.Value {
				row.Value[p] *= f
			}
			continue
		}
		for p := range row.Value {
			k := p
			if row.Index != nil {
				k = int(row.Index[p])
			}
			if s.Shift != nil {
				row.Value[p] -= s.Shift[k]
			}
			row.Value[p] *= s.Factor[k]
		}
	}
	return &scaled
}

// RowFactor returns what the scaling multiplies the whole raw row r by: one over
// its length for UnitRows, and 1 for the others and for a zero row.
func (s Scaler) RowFactor(r Row) float64 {
	if s.Kind != UnitRows {
		return 1
	}
	if norm := r.Norm(); norm > 0 {
		return 1 / norm
	}
	return 1
}

// Fold turns weights on scaled features into weights on raw ones: it changes w,
// d weights and the bias, so that for every raw row x and its scaled row z
//
//	w_before . (z, 1) = RowFactor(x) * (w_after . (x, 0)) + bias_after.
//
// It panics when the number of features differs.
func (s Scaler) Fold(w []float64) {
	d := len(w) - 1
	s.check(d)
	if s.Factor == nil {
		return
	}
	for k := range d {
		w[k] *= s.Factor[k]
		if s.Shift != nil {
			w[d] -= w[k] * s.Shift[k]
		}
	}
}

func (s Scaler) check(d int) {
	if s.Factor != nil && len(s.Factor) != d || s.Shift != nil && len(s.Shift) != d {
		panic("feature: a scaling for another number of features")
	}
}

// Spread tells how far the sizes of the features differ: the decimal logarithm of the
// largest over the smallest of their largest absolute values. Features of zeros are left
// out, and the constant 1 of the bias is one of them.
func (a *Matrix) Spread() float64 {
	low, high := 1.0, 1.0
	for _, c := range summarize(a) {
		if size := max(-c.low, c.high); size > 0 {
			low, high = min(low, size), max(high, size)
		}
	}
	return math.Log10(high) - math.Log10(low)
}

// Validate returns an error unless s is what FitScaler makes of d features.
func (s Scaler) Validate(d int) error {
	if !slices.Contains(Scalings(), s.Kind) {
		return fmt.Errorf("unknown scaling %q", s.Kind)
	}
	perFeature := s.Kind != NoScaling && s.Kind != UnitRows
	if perFeature && len(s.Factor) != d || perFeature && s.Shift != nil && len(s.Shift) != d || !perFeature && len(s.Factor)+len(s.Shift) > 0 {
		return fmt.Errorf("scaling %q of %d features with %d shifts and %d factors", s.Kind, d, len(s.Shift), len(s.Factor))
	}
	for part, values := range [][]float64{s.Shift, s.Factor} {
		for k, v := range values {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("%s %d is %v", []string{"shift", "factor"}[part], k, v)
			}
		}
	}
	return nil
}
