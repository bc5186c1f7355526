package decision

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/internal/parallel"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"github.com/crank-ml/crank/crankpkg/metrics"
)

// Search chooses a Rule by a measure on held-out scores. Its zero fields mean the
// documented defaults. The same fields and parts give the same Choice, whatever the number
// of workers.
//
// It fits rules of several kinds, from the plain prediction to cuts for each label, to all
// parts together. What tells the kinds apart is their nested measure: for each part, the
// rule of a kind is fitted to the other parts (of the same Repeat), and all parts are measured with the rules
// that have not seen them. So a richer kind wins only by what holds elsewhere, too.
type Search struct {
	// Measure is what the choice maximizes. Empty means MeanOfThree.
	Measure metrics.Measure
	// Least and Most are the limits on offer, each of which is taken where it helps: what
	// Limits tells of a training set, say. Zero means none.
	Least, Most int
	// Shrinkage is how many examples of a label weigh as much as none at all: the cut of
	// a label that k examples have moves from the common cut by k / (k + Shrinkage) of
	// what would be best for it. Zero means 20.
	Shrinkage float64
	// Coarse takes a tenth of the time, to tell which of many models deserve a whole search:
	// there are few cuts, no factors on the pairs and no cuts for each label, and little is
	// tried on seen labelings.
	Coarse bool
	// Calibrate puts rules on offer that go by calibrated probabilities of the single labels, and
	// gives the chosen rule a Calibration unless it is one for seen labelings. On graphs with
	// cycles that takes max-marginals of all held-out examples.
	Calibrate bool
	// AllLabelings leaves out the rules for seen labelings, so that with Calibrate the chosen rule
	// has a Calibration for certain.
	AllLabelings bool
	// LabelCuts adds cuts for each label to a Coarse search where neither pairs nor the limits of
	// the best common cut join labels: they take little time there.
	LabelCuts bool
	// Workers bounds the number of goroutines. Zero means all processors.
	Workers int
}

// Choice is the outcome of a Search. All fields are exported so that gob, GoNB's cache and
// JSON carry it whole.
type Choice struct {
	Measure metrics.Measure
	// Candidates has the best rule of each kind, simpler kinds first: the plain
	// prediction, limits, a cut, a factor on the pairs, cuts for each label, each with
	// what those before have. Where asked for, what is expected by calibrated labels follows.
	// Last, where the parts have them, come seen labelings, with a
	// prior, a cut and what is expected of them: one of few such rules, then one of many. Where these
	// have more than four million scores, the labeling of the largest score is predicted, for subset
	// accuracy alone; above 400 million there are no such rules.
	Candidates []Candidate
	// Chosen is the position of the best Nested measure; among equals the simpler kind.
	Chosen int
	// Tried is the number of rules that were measured on all parts.
	Tried int
	// LogLoss is that of the probabilities of the chosen rule's Calibration, where it has one: on
	// all parts together, of calibrations that are fitted to the other parts. BaseLogLoss is that
	// of the frequencies of the labels, likewise.
	LogLoss, BaseLogLoss float64 `json:",omitzero"`
}

// Candidate is the best rule of one kind.
type Candidate struct {
	Kind string
	Rule Rule
	// Seen says that the rule is one for the labelings of the training examples alone, to
	// whose scores Prior times the logarithm of the number of these examples is added.
	Seen  bool
	Prior float64
	// HeldOut is the measure of the rule on all parts together, StdErr its standard error
	// by the parts.
	HeldOut, StdErr float64
	// Nested is the measure on all parts together of the rules of this kind that are
	// fitted to the other parts.
	Nested float64
	// Scores are all measures of the rule, on all parts together.
	Scores metrics.Scores
}

// Best returns the chosen candidate.
func (c Choice) Best() Candidate { return c.Candidates[c.Chosen] }

// Rule returns the chosen rule.
func (c Choice) Rule() Rule { return c.Best().Rule.Clone() }

// String returns the choice in one line.
func (c Choice) String() string {
	best, plain := c.Best(), c.Candidates[0]
	text := best.Rule.String()
	if best.Seen {
		text = fmt.Sprintf("%s, seen labelings with prior %.3g", text, best.Prior)
	}
	text = fmt.Sprintf("%s (%s %.2f +- %.2f held out, plain %.2f)", text, c.Measure.Label(), best.Nested, best.StdErr, plain.Nested)
	if c.LogLoss > 0 {
		text += fmt.Sprintf(", probabilities of labels with log-loss %.3f held out, frequencies %.3f", c.LogLoss, c.BaseLogLoss)
	}
	return text
}

// Run fits rules to the parts, of which there have to be two. It returns an error that
// wraps ErrSettings or ErrData when it cannot, and one that wraps ctx.Err() when ctx ends
// the work early.
func (s Search) Run(ctx context.Context, parts []Part) (*Choice, error) {
	choices, err := s.RunEach(ctx, parts, s.Measure)
	if err != nil {
		return nil, err
	}
	return choices[0], nil
}

// RunEach is Run for each of some measures in place of Measure, at less than the time of as
// many runs: what rules predict does not depend on the measure.
func (s Search) RunEach(ctx context.Context, parts []Part, measures ...metrics.Measure) ([]*Choice, error) {
	if err := s.complete(parts); err != nil {
		return nil, err
	}
	measures = slices.Clone(measures)
	for k, m := range measures {
		measures[k] = cmp.Or(m, metrics.MeanOfThree)
		if !measures[k].Valid() {
			return nil, fmt.Errorf("%w: no measure is called %q", errs.ErrSettings, string(m))
		}
	}
	f := newFitter(s, parts, measures)
	if err := errors.Join(f.measureGrid(ctx), f.measureSeen(ctx)); err != nil {
		return nil, err
	}
	var choices []*Choice
	for _, f.Measure = range measures {
		choice, err := f.choose(ctx)
		if err != nil {
			return nil, err
		}
		choices = append(choices, choice)
	}
	return choices, nil
}

// choose fits the rules of all kinds by one measure.
func (f *fitter) choose(ctx context.Context) (*Choice, error) {
	choice := &Choice{Measure: f.Measure, Tried: len(f.points)}
	var best fitted
	for _, kind := range f.kinds() {
		best = f.onGrid(kind.has)
		choice.Candidates = append(choice.Candidates, f.candidate(kind.name, best))
	}
	if !f.Coarse || f.LabelCuts && f.single(best) {
		rules, tried, err := f.labelCuts(ctx, best)
		if err != nil {
			return nil, err
		}
		choice.Tried += tried
		choice.Candidates = append(choice.Candidates, f.candidate("label cuts", rules))
	}
	if f.Calibrate {
		rules, tried := f.calibrated()
		choice.Tried += tried
		choice.Candidates = append(choice.Candidates, f.candidate("calibrated labels", rules))
	}
	if len(f.seenPoints) > 0 && (!f.manySeen || f.Measure == metrics.SubsetAccuracy) {
		rules, tried := f.onSeen(true)
		choice.Candidates = append(choice.Candidates, f.candidate("seen labelings", rules))
		if !f.Coarse {
			rules, tried = f.onSeen(false)
			choice.Candidates = append(choice.Candidates, f.candidate("seen labelings, fine", rules))
		}
		choice.Tried += tried
	}
	for k, c := range choice.Candidates {
		if better(c.Nested, choice.Best().Nested) {
			choice.Chosen = k
		}
	}
	if best := &choice.Candidates[choice.Chosen]; f.Calibrate && !best.Seen {
		margins, calibrations := f.margins, f.calibrations // of the plain rule, whose margins are those of rules by probabilities
		if best.Rule.Calibration == nil {
			margins = f.marginsOf(best.Rule)
			calibrations = f.calibrateEach(margins)
			best.Rule.Calibration = calibrations[0]
		}
		choice.LogLoss, choice.BaseLogLoss = f.logLosses(margins, calibrations)
	}
	return choice, nil
}

// single reports whether no label depends on others under the rules.
func (f *fitter) single(rules fitted) bool {
	for _, r := range append(rules.rest, rules.all) {
		if !f.singleUnder(r.Rule) {
			return false
		}
	}
	return true
}

// singleUnder is single for one rule.
func (f *fitter) singleUnder(r Rule) bool {
	_, _, limited := r.Bounds(f.parts[0].NumLabels)
	return !f.pairs && !limited && !f.perLabel
}

// better reports whether a measure is larger by more than rounding can make it.
func better(a, b float64) bool { return a > b+1e-9 }

// complete checks the fields and fills in the defaults.
func (s *Search) complete(parts []Part) error {
	if len(parts) < 2 {
		return fmt.Errorf("%w: a choice of rules by %d parts", errs.ErrSettings, len(parts))
	}
	if !(s.Shrinkage >= 0) || math.IsInf(s.Shrinkage, 0) {
		return fmt.Errorf("%w: Shrinkage is %v", errs.ErrSettings, s.Shrinkage)
	}
	s.Shrinkage = cmp.Or(s.Shrinkage, 20)
	for k, p := range parts {
		if err := p.validate(); err != nil {
			return fmt.Errorf("part %d: %w", k+1, err)
		}
		if p.NumLabels != parts[0].NumLabels {
			return fmt.Errorf("%w: part %d has %d labels, part 1 %d", errs.ErrData, k+1, p.NumLabels, parts[0].NumLabels)
		}
		if p.limits() != parts[0].limits() {
			return fmt.Errorf("%w: part %d has the limits %d and %d, part 1 %d and %d", errs.ErrData, k+1, p.Least, p.Most, parts[0].Least, parts[0].Most)
		}
	}
	for repeat, count := range partsByRepeat(parts) {
		if count < 2 {
			return fmt.Errorf("%w: repeat %d has one part: nothing is left without it", errs.ErrSettings, repeat)
		}
	}
	return Rule{Least: s.Least, Most: s.Most}.Validate(parts[0].NumLabels)
}

// partsByRepeat counts the parts of each repeat.
func partsByRepeat(parts []Part) map[int]int {
	counts := make(map[int]int)
	for _, p := range parts {
		counts[p.Repeat]++
	}
	return counts
}

// fitter fits rules to all parts, and to all but one.
type fitter struct {
	Search
	parts    []Part
	repeats  int         // of the division into parts
	perLabel bool        // whether the measure needs each label's counts
	margins  [][]float64 // of the plain rule, by part, once they are needed
	// calibrations are fitted to these margins: of all parts, then of all but each.
	calibrations []*Calibration
	// Whether there are pairs at all, and any that form a cycle.
	pairs, cycles bool

	points  []point
	tallies [][]tally // by point and part
	// Likewise, of the rules by seen labelings, and what they predict where there are more than mostSeen
	// scores. Then they are for subset accuracy alone.
	seenPoints  []seenPoint
	seenTallies [][]tally
	manySeen    bool
	picks       seenPicks
	// ranks are of the examples of all parts, by label and its score, once they are needed.
	ranks [][]int32
}

func newFitter(s Search, parts []Part, measures []metrics.Measure) *fitter {
	f := &fitter{Search: s, parts: parts, repeats: len(partsByRepeat(parts)), perLabel: slices.Contains(measures, metrics.MacroF1)}
	f.Measure = measures[0]
	for _, p := range parts {
		f.pairs = f.pairs || len(p.Edges) > 0
		f.cycles = f.cycles || !labelgraph.IsForest(p.NumLabels, p.Edges)
	}
	f.points = f.grid()
	f.tallies = makeTallies(len(f.points), len(parts))
	if !s.AllLabelings {
		f.seenPoints = f.seenGrid(measures)
	}
	f.seenTallies = makeTallies(len(f.seenPoints), len(parts))
	return f
}

func makeTallies(points, parts int) [][]tally {
	tallies := make([][]tally, points)
	for k := range tallies {
		tallies[k] = make([]tally, parts)
	}
	return tallies
}

// of returns the measure of the sum of tallies.
func (f *fitter) of(tallies []tally, skip int) float64 {
	sum := newTally(f.parts[0].NumLabels, f.perLabel)
	for k, t := range tallies {
		if f.fits(k, skip) {
			sum.merge(t)
		}
	}
	return sum.scores().Of(f.Measure)
}

// fits reports whether rules are fitted to part k where another is left out.
func (f *fitter) fits(k, skip int) bool { return fitsTo(f.parts, k, skip) }

func fitsTo(parts []Part, k, skip int) bool {
	return skip == none || k != skip && parts[k].Repeat == parts[skip].Repeat
}

// none is no part, where one is left out.
const none = -1

// fitted are rules of one kind: that of all parts, and those of all parts but one, by the
// part left out.
type fitted struct {
	all  setting
	rest []setting
}

// setting is a rule with the labelings that it is for.
type setting struct {
	Rule
	seen  bool // those of the training examples; else all
	prior float64
}

// candidate measures the rules of one kind.
func (f *fitter) candidate(kind string, rules fitted) Candidate {
	own, unseen := make([]tally, len(f.parts)), make([]tally, len(f.parts))
	parallel.ForEach(context.Background(), f.Workers, len(f.parts), func(_, k int) {
		own[k] = f.tallyOf(k, rules.all, true)
		unseen[k] = f.tallyOf(k, rules.rest[k], f.perLabel)
	})
	values, sum := make([]float64, len(own)), newTally(f.parts[0].NumLabels, true)
	for k := range own {
		values[k] = own[k].ofMeasure(f.Measure)
		sum.merge(own[k])
	}
	_, stdErr := metrics.MeanStdErr(values)
	stdErr *= math.Sqrt(float64(f.repeats)) // which do not lower it: they are of the same examples
	scores := sum.scores()
	return Candidate{
		Kind: kind, Rule: rules.all.Rule, Seen: rules.all.seen, Prior: rules.all.prior,
		HeldOut: scores.Of(f.Measure), StdErr: stdErr, Nested: f.of(unseen, none), Scores: scores,
	}
}

func (t *tally) ofMeasure(m metrics.Measure) float64 {
	s := t.scores()
	return s.Of(m)
}
