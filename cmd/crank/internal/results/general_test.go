package results

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/crossval"
	"github.com/crank-ml/crank/crankpkg/metrics"
)

func TestAround(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		middle float64
		count  int
		want   []float64
	}{{0.001, 3, []float64{-3.5, -3, -2.5}}, {0.0029, 1, []float64{-2.5}}, {0.1, 7, []float64{-2.5, -2, -1.5, -1, -0.5, 0, 0.5}}} {
		if got := around(c.middle, c.count); !slices.EqualFunc(got, c.want, func(l, log float64) bool { return near(math.Log10(l), log) }) {
			t.Errorf("around %v: %v", c.middle, got)
		}
	}
}

// TestVariants checks what the search varies, and that it leaves all else alone.
func TestVariants(t *testing.T) {
	t.Parallel()
	ds, _, _ := crankpkg.PlantedTree{N: 3, D: 10}.Generate(10, 0)
	s := &search{mk: new(maker), train: ds}
	from := crankpkg.Settings{Seed: 5, HingeCap: 2}
	tell := func(list []crankpkg.Settings) (all []string) {
		for _, v := range list {
			if v.Seed != 5 {
				t.Errorf("%+v", v)
			}
			all = append(all, describe(v))
		}
		return all
	}
	fourier := from
	fourier.Scaling, fourier.Fourier = crankpkg.ZScore, crankpkg.FourierFeatures{Count: 1000, Gamma: 0.02}
	onEdges := fourier
	onEdges.EdgeFeatures.Columns = []int{1}
	for name, c := range map[string]struct{ got, want []string }{
		"inputs": {tell(s.inputs(from)), []string{
			"loss Hamming, cap 2", "loss Hamming, zscore, cap 2", "loss Hamming, unitrows, cap 2",
			"loss Hamming, 1000 Fourier features of gamma 0.01, cap 2", "loss Hamming, 1000 Fourier features of gamma 0.02, cap 2",
			"loss Hamming, 1000 Fourier features of gamma 0.04, cap 2", "loss Hamming, 1000 Fourier features of gamma 0.08, cap 2",
		}},
		"losses": {tell(losses(from)), []string{
			"loss zero-one, cap 2", "loss Hamming + 2 zero-one, cap 2", "loss Hamming + 2 F1, cap 2", "loss Hamming + 4 F1, cap 2",
			"loss Hamming + 2 zero-one + 4 F1, cap 2",
		}},
		"caps": {tell(caps(from)), []string{"loss Hamming, cap 4", "loss Hamming, cap 6", "loss Hamming, cap 9"}},
		"neighbors": {tell(neighbors(fourier)), []string{
			"loss Hamming, 2000 Fourier features of gamma 0.014, cap 2", "loss Hamming, 2000 Fourier features of gamma 0.02, cap 2",
			"loss Hamming, 2000 Fourier features of gamma 0.028, cap 2",
		}},
		"none to neighbor":  {tell(neighbors(from)), nil},
		"features on edges": {tell(neighbors(onEdges)), nil},
		"edge features":     {tell(s.edgeFeatures(from)), []string{"loss Hamming, cap 2, all features on the edges"}},
		"Fourier edges":     {tell(s.edgeFeatures(fourier)), []string{"loss Hamming, 1000 Fourier features of gamma 0.02, cap 2, 100 features on the edges"}},
		"what seen ones say": {[]string{describe(crankpkg.Settings{Powerset: crankpkg.LabelPowerset{Only: true, Prior: 0.25}})},
			[]string{"loss Hamming, seen labelings with prior 0.25"}},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("%s: %q, and not %q", name, c.got, c.want)
		}
	}
	// Pairs of a cosine and a sine: column k and k + 500.
	columns := s.edgeFeatures(fourier)[0].EdgeFeatures.Columns
	for k, c := range columns[:50] {
		if c != k || columns[50+k] != 500+k || s.edgeFeatures(fourier)[0].EdgeFeatures.Scale != 0.5 {
			t.Errorf("columns %v", columns)
		}
	}
	s.train, _, _ = crankpkg.PlantedTree{N: 3, D: 301}.Generate(2, 0)
	if got := s.edgeFeatures(from); got != nil {
		t.Errorf("301 features on the edges: %v", got)
	}
	s.train, _, _ = crankpkg.PlantedTree{N: 3, D: 300}.Generate(2, 0)
	if got := s.edgeFeatures(from); len(got) != 1 {
		t.Errorf("300 features on the edges: %v", got)
	}
	if list := seen(); len(list) != 8 || list[0].Only || !list[1].Only || list[1].Prior != 0 || list[7].Prior != 2 ||
		!slices.IsSortedFunc(list[1:], func(a, b crankpkg.LabelPowerset) int { return int(8 * (a.Prior - b.Prior)) }) {
		t.Errorf("seen %v", list)
	}
}

// TestValidate compares with the cross-validation called directly, by two criteria,
// the second of which has to find it done.
func TestValidate(t *testing.T) {
	t.Parallel()
	train, _, _ := crankpkg.PlantedTree{N: 3, D: 2, Noise: 0.1, Seed: 1}.Generate(30, 0)
	mk := &maker{Options: Options{Cells: t.TempDir(), Log: io.Discard}, part: Part{Name: "general"}}
	s := &search{mk, "set", train}
	cv := crossval.Search{
		Trainer: crankpkg.ChowLiu{Settings: crankpkg.Settings{HingeCap: 4}}, Lambdas: []float64{0.1, 0.01}, Powersets: seen(),
		Folds: 5, Repeats: 4, Gap: 0.03, MaxPasses: 300, Seed: 7,
	}
	selection, err := cv.Run(context.Background(), train)
	if err != nil {
		t.Fatal(err)
	}
	for _, criterion := range []metrics.Measure{metrics.SubsetAccuracy, metrics.HammingAccuracy} {
		from := crankpkg.Settings{HingeCap: 4, Powerset: crankpkg.LabelPowerset{Only: true, Prior: 3}}
		got, err := s.validate(context.Background(), from, criterion, cv.Lambdas)
		if err != nil {
			t.Fatal(err)
		}
		best := selection.Curve[0]
		for _, p := range selection.Curve {
			if a, _ := p.Of(criterion); a > must(best.Of(criterion)) {
				best = p
			}
		}
		mean, stdErr := best.Of(criterion)
		want := found{criterion: criterion, settings: crankpkg.Settings{HingeCap: 4, Powerset: best.Powerset}, lambda: best.Lambda, mean: mean,
			stdErr: stdErr}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%v, directly %v", got, want)
		}
	}
	if cells := filesOf(t, mk.cellFolder("general")); len(cells) != 1 {
		t.Errorf("%d cross-validations for one", len(cells))
	}
	cv.Trainer = crankpkg.ChowLiu{}
	big, _, _ := crankpkg.PlantedTree{N: 3, D: 2, Noise: 0.1, Seed: 1}.Generate(1000, 0)
	s = &search{mk, "big", big}
	f, err := s.validate(context.Background(), crankpkg.Settings{}, metrics.HammingAccuracy, []float64{0.1})
	cv.Lambdas, cv.Repeats = []float64{0.1}, 1
	if selection, e := cv.Run(context.Background(), big); err != nil || e != nil ||
		f.mean != must(selection.Curve[slices.IndexFunc(selection.Curve,
			func(p crossval.Point) bool { return p.Powerset == f.settings.Powerset })].Of(metrics.HammingAccuracy)) {
		t.Errorf("%+v, %v, %v", f, err, e)
	}
}

func must(mean, _ float64) float64 { return mean }

// TestSearch checks that a search never ends below what one of its first variants
// has, and that a stage starts from the best of those before it.
func TestSearch(t *testing.T) {
	t.Parallel()
	train, _, _ := crankpkg.PlantedTree{N: 3, D: 2, Noise: 0.1, Seed: 3}.Generate(24, 0)
	mk := &maker{Options: Options{Cells: t.TempDir(), Log: io.Discard, Quick: true}, part: Part{Name: "general"}}
	s := &search{mk, "set", train}
	best, err := s.run(context.Background(), metrics.ExampleF1)
	if err != nil {
		t.Fatal(err)
	}
	if best.criterion != metrics.ExampleF1 || best.stdErr <= 0 {
		t.Errorf("%+v", best)
	}
	top := -1.0
	for _, from := range s.inputs(crankpkg.Settings{}) {
		f, err := s.validate(context.Background(), from, metrics.ExampleF1, around(0.001, 3))
		if err != nil {
			t.Fatal(err)
		}
		top = max(top, f.mean)
	}
	again, err := s.validate(context.Background(), best.settings, metrics.ExampleF1, []float64{best.lambda})
	if err != nil || best.mean < top || !near(again.mean, best.mean) {
		t.Errorf("found %+v; the inputs alone reach %v; validated again %+v, %v", best, top, again, err)
	}
}
