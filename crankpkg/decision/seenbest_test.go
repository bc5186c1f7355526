package decision

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/metrics"
)

// pickingPoints are rules that predict the labeling of the largest score.
func pickingPoints() []seenPoint { return seenFine.grid(metrics.Measures(), true) }

// TestBestSeen holds the labelings that are found by groups, of which most are passed over, to those of the scores of all
// labelings: with pairs or not, of scores with ties, and for labelings of any size.
func TestBestSeen(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(31, 1))
	points := pickingPoints()
	y := make([]uint8, 9)
	for round := range 12 {
		s := shape{parts: 2, rows: 30, n: 9, truth: Rule{Cut: 0.3 * float64(round%4)}, noise: 1, seen: true, perRow: round%3 == 2}
		if round%3 > 0 {
			s.edges = tree(9)
		}
		p := s.draw(rng)[0]
		if round%2 == 1 { // ties
			for k, v := range p.Scores {
				p.Scores[k] = math.Round(2*v) / 2
			}
			for k, v := range p.Pair {
				p.Pair[k] = math.Round(2*v) / 2
			}
		}
		b, all := newBestSeen(p, points), p.newSeen()
		for m := range p.Len() {
			b.find(m)
			all.score(m)
			for r, point := range points {
				all.labelTo(y, point, all.added(point))
				if got := p.Seen[int(b.best[r])*9 : int(b.best[r]+1)*9]; !slices.Equal(got, y) {
					t.Fatalf("round %d, example %d, %+v: %v, not %v", round, m, point, got, y)
				}
			}
		}
	}
}

// TestBestSeenPassesOver has one label with a large score: of the labelings with many labels, none may win.
func TestBestSeenPassesOver(t *testing.T) {
	t.Parallel()
	p := Part{NumLabels: 4, Scores: []float64{2, -3, -3, -3}, Y: make([]uint8, 4), Seen: []uint8{1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1}, Counts: []int{5, 1, 1}}
	b := newBestSeen(p, []seenPoint{{prior: 1}})
	b.find(0)
	margin := b.bound(p.Scores, nil)
	var passed []int
	for _, g := range b.groups {
		if !b.mayWin(g, margin) {
			passed = append(passed, g.size)
		}
	}
	if b.best[0] != 1 || !slices.Equal(passed, []int{3, 4}) {
		t.Errorf("labeling %d, sizes %v passed over", b.best[0], passed)
	}
}

// manyParts have more than mostSeen scores of labelings, of labels that come by the numbers from 0 to 2047.
func manyParts(rng *rand.Rand) []Part {
	parts := make([]Part, 2)
	for k := range parts {
		p := Part{NumLabels: 11}
		for range 1100 {
			code := rng.IntN(2048)
			if rng.IntN(2) == 0 {
				code %= 8
			}
			for i := range 11 {
				v := uint8(code >> i & 1)
				p.Y = append(p.Y, v)
				p.Scores = append(p.Scores, 0.7*float64(v)-0.5+0.5*rng.NormFloat64())
			}
		}
		for code := range 2048 {
			for i := range 11 {
				p.Seen = append(p.Seen, uint8(code>>i&1))
			}
			p.Counts = append(p.Counts, 1+300*max(0, 8-code))
		}
		parts[k] = p
	}
	return parts
}

// TestManySeenLabelings searches above mostSeen: there are rules by seen labelings for subset accuracy, measured by their
// definition, and for no other measure, also where measures come together and whatever the number of workers.
func TestManySeenLabelings(t *testing.T) {
	t.Parallel()
	parts := manyParts(rand.New(rand.NewPCG(31, 2)))
	choices, err := Search{Coarse: true, Workers: 2}.RunEach(context.Background(), parts, metrics.HammingAccuracy, metrics.SubsetAccuracy)
	if err != nil {
		t.Fatal(err)
	}
	if last := choices[0].Candidates[len(choices[0].Candidates)-1]; last.Seen {
		t.Errorf("%+v for Hamming accuracy", last)
	}
	own := choices[1].Candidates[len(choices[1].Candidates)-1]
	want := measured(parts, own)
	if !own.Seen || own.Rule.Expect != "" || !testkit.Near(own.HeldOut, want.SubsetAccuracy, 1e-12) || !testkit.Near(own.Scores.MacroF1, want.MacroF1, 1e-12) {
		t.Errorf("%+v, measured %+v", own, want)
	}
	if !(own.Nested > choices[1].Candidates[0].Nested) || !(own.Prior > 0) {
		t.Errorf("frequent labelings do not pay: %+v beside %+v", own, choices[1].Candidates[0])
	}
	alone, err := Search{Coarse: true, Measure: metrics.SubsetAccuracy, Workers: 1}.Run(context.Background(), parts)
	if err != nil || !reflect.DeepEqual(alone, choices[1]) {
		t.Errorf("%v, %+v, with others %+v", err, alone, choices[1])
	}
	if f := newFitter(Search{Coarse: true}, parts, []metrics.Measure{metrics.ExampleF1}); len(f.seenPoints) > 0 {
		t.Errorf("%d rules for F1", len(f.seenPoints))
	}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	if c, err := (Search{Coarse: true, Measure: metrics.SubsetAccuracy}).Run(cancelled, parts); err == nil {
		t.Errorf("%v after the end", c)
	}
}

// asked is a context that has ended when it is asked for the last time.
type asked struct {
	context.Context
	left atomic.Int32
}

func (a *asked) Err() error {
	if a.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// TestPickingEndsEarly ends a search in the midst of a part: neither does it go on to the part's last example, nor does it
// take what was found for all.
func TestPickingEndsEarly(t *testing.T) {
	t.Parallel()
	f := newFitter(Search{Coarse: true, Workers: 1}, manyParts(rand.New(rand.NewPCG(31, 3))), []metrics.Measure{metrics.SubsetAccuracy})
	ctx := &asked{Context: context.Background()}
	ctx.left.Store(8)
	if err := f.pickSeen(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}

// TestTooManySeenLabelings has more than mostPicked scores.
func TestTooManySeenLabelings(t *testing.T) {
	t.Parallel()
	parts := manyParts(rand.New(rand.NewPCG(31, 3)))
	for k, p := range parts {
		for range 7 { // each labeling 128 times
			p.Seen, p.Counts = slices.Concat(p.Seen, p.Seen), slices.Concat(p.Counts, p.Counts)
		}
		parts[k] = p
	}
	f := newFitter(Search{Coarse: true, Workers: 1}, parts, []metrics.Measure{metrics.SubsetAccuracy})
	if len(f.seenPoints) > 0 {
		t.Errorf("%d rules for %d scores", len(f.seenPoints), 2200*len(parts[0].Counts))
	}
}
