package results

import (
	"math"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/crossval"
	"github.com/crank-ml/crank/crankpkg/feature"
)

// tableSets are the sets of the paper's Table 1.
var tableSets = []string{"scene", "emotions", "medical10", "yeast"}

// setting is how a data set is trained where nothing else is looked for.
type setting struct {
	scaling crankpkg.Scaling
	lambda  float64 // zero: chosen in each use
	raw     float64 // lambda without scaling, where that is another
	// certified is the lambda of searches for the best forest, where these would not
	// end within minutes at the other.
	certified float64
}

// standing are the settings of all sets: z-scores where features are measurements
// of different units, none for words, motifs and colors; about the lambda that
// cross-validation chooses.
var standing = map[string]setting{
	"scene":       {lambda: 0.003},
	"emotions":    {scaling: crankpkg.ZScore, lambda: 0.1, raw: 0.01},
	"medical10":   {lambda: 0.01},
	"yeast":       {lambda: 0.001, certified: 0.01},
	"planted 200": {lambda: 0.0003},
	"birds":       {scaling: crankpkg.ZScore},
	"flags":       {scaling: crankpkg.ZScore},
	"cal500":      {scaling: crankpkg.ZScore},
	"enron":       {}, "genbase": {}, "bibtex": {}, "corel5k": {}, "delicious": {},
}

// fit returns the trainer with these settings.
func (s setting) fit(t crankpkg.Trainer) crankpkg.Trainer {
	return scaled(t, s.scaling).WithLambda(s.lambda)
}

// scaled returns t with another scaling.
func scaled(t crankpkg.Trainer, scaling crankpkg.Scaling) crankpkg.Trainer {
	return adjust(t, func(s *crankpkg.Settings) { s.Scaling = scaling })
}

// Gaps: a choice of lambda needs less than a mean over repetitions, and that less
// than scores that are printed with one decimal or objectives that differ in the
// third digit.
const (
	choiceGap = 0.01
	meanGap   = 0.002
	scoreGap  = 0.0005
)

// gap returns the relative gap of a full run, or a wider one.
func (mk *maker) gap(full float64) float64 { return pick(mk, full, 0.02) }

// choicePasses bounds the passes of a training during cross-validation. Features
// of very different sizes (Emotions, unscaled) need more at small lambdas; the
// scores then tell that such a lambda is no good.
const choicePasses = 300

// methods returns the six methods of the paper, solved to the relative gap.
func (mk *maker) methods(gap float64) []crankpkg.Trainer {
	s := crankpkg.Settings{Gap: mk.gap(gap)}
	return []crankpkg.Trainer{
		paperCRANK(s), crankpkg.Full{Settings: s}, crankpkg.Greedy{Settings: s},
		crankpkg.Project{Settings: s}, crankpkg.MST{Settings: s}, crankpkg.Empty{Settings: s},
	}
}

// paperCRANK returns CRANK with the paper's ten plain starts.
func paperCRANK(s crankpkg.Settings) crankpkg.CRANK { return crankpkg.CRANK{Restarts: 10, Settings: s} }

// lambdas returns a grid from 1 down to low with the given number of values to a
// decade.
func lambdas(low float64, perDecade int) []float64 {
	var grid []float64
	for k := 0; ; k++ {
		lambda := math.Pow(10, -float64(k)/float64(perDecade))
		if lambda < low*0.999 {
			return grid
		}
		grid = append(grid, lambda)
	}
}

// seeds returns 1, ..., count.
func seeds(count int) []uint64 {
	list := make([]uint64, count)
	for k := range list {
		list[k] = uint64(k + 1)
	}
	return list
}

// selection returns the cross-validation of all methods over the grid.
func (mk *maker) selection(grid []float64) *crossval.Search {
	return &crossval.Search{
		Lambdas: grid, Folds: pick(mk, 10, 3), Repeats: pick(mk, 3, 1), Gap: mk.gap(choiceGap), MaxPasses: choicePasses,
	}
}

// gaussianAlone is for a study of what else matters, which was made with this kernel.
var gaussianAlone = []feature.KernelKind{feature.Gaussian}

// chooser returns the procedure that goes from raw data to models; a trial has fewer folds.
func (mk *maker) chooser(g crossval.General) crossval.General {
	g.Folds, g.Repeats, g.Workers = pick(mk, 0, 2), pick(mk, 0, 1), mk.Workers
	return g
}

// selectWith returns what cross-validation trains: CRANK from one start, for
// itself and for Greedy, whose own search would take most of the time.
func selectWith(t crankpkg.Trainer) crankpkg.Trainer {
	switch t := t.(type) {
	case crankpkg.CRANK:
		t.Restarts = 1
		return t
	case crankpkg.Greedy:
		return crankpkg.CRANK{Restarts: 1, Settings: t.Settings}
	}
	return t
}
