package sparse

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/crank-ml/crank/crankpkg"
)

// Pruner drops the weights of a model that are smallest in absolute value: of features, of pairs
// and biases alike.
type Pruner struct {
	// Rise is by how much the objective may rise, relative to what it was:
	// l(w') <= (1 + Rise) l(w). Zero means 0.01.
	Rise float64
	// Digits, where not zero, is the number of significant decimal digits that weights are
	// rounded to first, from 1 to 17: a file has them all as text. What that costs is part of
	// the Rise.
	Digits int
	// Again trains the weights that are left once more, for each number of them that is tried, so
	// that they make up for what is dropped. Many more can be dropped then, in about ten times the
	// time of the training. It is for models without pairs, trained with the Hamming loss.
	Again bool
	// Gap is the relative gap of these trainings. Zero means 0.01.
	Gap float64
	// Loss is the label loss of the training, as in its Settings.
	Loss crankpkg.Loss
	// Workers bounds the number of goroutines. Zero means all processors. It never changes a
	// result.
	Workers int
}

// Report tells what pruning has done.
type Report struct {
	// Weights counts those that were not zero, and Kept those that still are.
	Weights, Kept int
	// Edges and KeptEdges count the pairs of labels with a weight.
	Edges, KeptEdges int
	// Threshold is the smallest absolute value of a weight that is kept; zero where all are. With
	// Again it is that of the weights after their training.
	Threshold float64
	// Before and After are l(w) and l(w'), and Dual is the lower bound on the minimum.
	Before, After, Dual float64
	// Trials counts the sets of weights for which l was computed.
	Trials int
}

// GapBefore returns the relative gap (primal - dual) / primal of the model as it was.
func (r Report) GapBefore() float64 { return relative(r.Before, r.Dual) }

// GapAfter returns the relative gap of the pruned model. It is certified where Dual is.
func (r Report) GapAfter() float64 { return relative(r.After, r.Dual) }

func relative(primal, dual float64) float64 {
	if primal <= 0 {
		return 0
	}
	return (primal - dual) / primal
}

// fineness is the part of the weights to which the search for their number goes.
const fineness = 1. / 1000

// finenessAgain is the same where each step is a training.
const finenessAgain = 1. / 50

// Prune returns a copy of m, rounded where Digits says so, without its smallest weights: those of largest absolute value are
// kept, as few as bisection finds for which l is within Rise. Since l need not fall with each
// weight that comes back, fewer might do. The examples are those that m was trained on, raw, and
// dual is the lower bound of its training, Trace.Dual; zero, which always is one, where it is not
// known. The bound stays true for fewer pairs: it is on all weights of the model's graph. It is not
// one of an objective with a HingeCap, nor after a Rule has changed the scores; l is without both.
//
// It returns an error that wraps ErrData where m and train do not fit together, ErrSettings for
// settings or a dual that cannot be, Digits too few for the Rise, and labels in groups, and that
// of ctx.
func (p Pruner) Prune(ctx context.Context, train *crankpkg.Dataset, m *crankpkg.Model, dual float64) (*crankpkg.Model, Report, error) {
	train, l, rise, err := p.objective(train, m)
	if err != nil {
		return nil, Report{}, err
	}
	r := Report{Weights: len(magnitudes(m)), Edges: len(m.Edges), Before: l.Loss(m), Dual: dual, Trials: 1}
	if math.IsNaN(dual) || relative(r.Before, dual) < -1e-9 {
		return nil, r, fmt.Errorf("%w: sparse: a dual of %v above the objective %v", crankpkg.ErrSettings, dual, r.Before)
	}
	most := (1 + rise) * r.Before
	trained := m
	m = rounded(m, p.Digits)
	best, value := m, l.Loss(m)
	if r.Trials++; value > most {
		return nil, r, fmt.Errorf("%w: sparse: with Digits %d alone the objective is %v, before %v", crankpkg.ErrSettings, p.Digits, value, r.Before)
	}
	sizes := magnitudes(m)
	// The first hi weights are within the rise; those before lo were not where it was tried.
	fine := fineness
	if p.Again {
		fine = finenessAgain
	}
	for lo, hi := 0, len(sizes); float64(hi-lo) > fine*float64(hi); {
		if err := ctx.Err(); err != nil {
			return nil, r, err
		}
		mid := (lo + hi) / 2
		trial, err := p.trial(ctx, train, trained, m, threshold(sizes, mid))
		if err != nil {
			return nil, r, err
		}
		r.Trials++
		if v := l.Loss(trial); v <= most {
			best, value, hi = trial, v, mid
		} else {
			lo = mid + 1
		}
	}
	r.After, r.KeptEdges = value, len(best.Edges)
	kept := magnitudes(best)
	if r.Kept = len(kept); r.Kept > 0 && r.Kept < r.Weights {
		r.Threshold = kept[len(kept)-1]
	}
	return best, r, nil
}

// trial returns what is tried at a threshold. The weights of full have all digits.
func (p Pruner) trial(ctx context.Context, train *crankpkg.Dataset, full, m *crankpkg.Model, least float64) (*crankpkg.Model, error) {
	if !p.Again {
		return above(m, least), nil
	}
	trial := above(full, least)
	scaled := *train
	scaled.X = m.Scaler.Apply(train.X)
	if err := p.solveAgain(ctx, &scaled, trial); err != nil {
		return nil, err
	}
	return rounded(trial, p.Digits), nil
}

// objective checks everything and returns the examples in the order of m, l(w) and the rise.
func (p Pruner) objective(train *crankpkg.Dataset, m *crankpkg.Model) (*crankpkg.Dataset, *crankpkg.Objective, float64, error) {
	if !(p.Rise >= 0) || math.IsInf(p.Rise, 0) || p.Workers < 0 || p.Digits < 0 || p.Digits > 17 {
		return nil, nil, 0, fmt.Errorf("%w: sparse: Rise %v, Digits %d, Workers %d", crankpkg.ErrSettings, p.Rise, p.Digits, p.Workers)
	}
	if err := errors.Join(m.Validate(), train.Validate()); err != nil {
		return nil, nil, 0, err
	}
	train, err := m.Match(train)
	if err != nil {
		return nil, nil, 0, err
	}
	switch {
	case train.Unlabeled:
		return nil, nil, 0, fmt.Errorf("%w: %s: the examples have no labels", crankpkg.ErrData, train.Name)
	case m.Groups != nil:
		return nil, nil, 0, fmt.Errorf("%w: sparse: a model of labels in groups", crankpkg.ErrSettings)
	}
	if p.Again {
		if err := p.solvable(m); err != nil {
			return nil, nil, 0, err
		}
	}
	loss, err := p.Loss.Resolve(train.Y, train.NumLabels())
	if err != nil {
		return nil, nil, 0, fmt.Errorf("sparse: %w", err)
	}
	l := crankpkg.NewObjective(train, m.Scaler, m.Lambda)
	l.LabelLoss, l.Workers = loss, p.Workers
	rise := p.Rise
	if rise == 0 {
		rise = 0.01
	}
	return train, l, rise, nil
}

// magnitudes returns |w| of all weights that are not zero, the largest first.
func magnitudes(m *crankpkg.Model) []float64 {
	var sizes []float64
	for _, weights := range [][]float64{m.Unary, m.Pair, m.PairFeatures} {
		for _, w := range weights {
			if w != 0 {
				sizes = append(sizes, math.Abs(w))
			}
		}
	}
	slices.Sort(sizes)
	slices.Reverse(sizes)
	return sizes
}

// threshold returns what keeps the first weights in the order of size, and their equals.
func threshold(sizes []float64, keep int) float64 {
	if keep == 0 {
		return math.Inf(1)
	}
	return sizes[keep-1]
}

// rounded returns a copy of m whose weights have so many digits, or all for 0.
func rounded(m *crankpkg.Model, digits int) *crankpkg.Model {
	copied := above(m, 0)
	for _, weights := range [][]float64{copied.Unary, copied.Pair, copied.PairFeatures} {
		for k, w := range weights {
			weights[k] = round(w, digits)
		}
	}
	return copied
}

// round returns the number nearest to w that is written with so many digits.
func round(w float64, digits int) float64 {
	if digits == 0 {
		return w
	}
	v, err := strconv.ParseFloat(strconv.FormatFloat(w, 'e', digits-1, 64), 64)
	if err != nil {
		return w // above the largest number
	}
	return v
}

// above returns a copy of m with zeros for the weights below a threshold, and without the pairs that
// have none left.
func above(m *crankpkg.Model, least float64) *crankpkg.Model {
	pruned := *m
	pruned.Unary = cut(m.Unary, least)
	pair, features := cut(m.Pair, least), cut(m.PairFeatures, least)
	pruned.Edges, pruned.Pair, pruned.PairFeatures = nil, nil, nil
	k := len(m.EdgeFeatures.Columns)
	for e, edge := range m.Edges {
		weights := features[e*k : (e+1)*k]
		if pair[e] == 0 && !slices.ContainsFunc(weights, func(w float64) bool { return w != 0 }) {
			continue
		}
		pruned.Edges, pruned.Pair = append(pruned.Edges, edge), append(pruned.Pair, pair[e])
		pruned.PairFeatures = append(pruned.PairFeatures, weights...)
	}
	return &pruned
}

// cut returns the weights with zeros for those below a threshold.
func cut(weights []float64, least float64) []float64 {
	kept := slices.Clone(weights)
	for k, w := range kept {
		if math.Abs(w) < least {
			kept[k] = 0
		}
	}
	return kept
}
