package crankpkg_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// method is a way to train with a name of its own.
type method struct {
	name    string
	trainer crankpkg.Trainer
}

// setting is a change of the settings that all methods share.
type setting struct {
	name   string
	change func(*crankpkg.Settings)
}

func methods() []method {
	cycle := []crankpkg.Edge{{I: 0, J: 1}, {I: 0, J: 2}, {I: 1, J: 2}, {I: 2, J: 3}}
	return []method{
		{"empty", crankpkg.Empty{}}, {"full", crankpkg.Full{}}, {"greedy", crankpkg.Greedy{}}, {"project", crankpkg.Project{}},
		{"mst", crankpkg.MST{}}, {"chow-liu", crankpkg.ChowLiu{}}, {"fixed", crankpkg.FixedGraph{Edges: cycle}},
		{"crank-grow", crankpkg.CRANK{Restarts: 3}}, {"crank-shrink", crankpkg.CRANK{Restarts: 2, Path: crankpkg.ShrinkBeta}},
		{"best", crankpkg.BestTree{}}, {"swap", crankpkg.SwapSearch{Start: crankpkg.ChowLiu{}}},
		{"step", crankpkg.CCCPStep{Beta: 0.03}},
	}
}

func settings() []setting {
	type S = crankpkg.Settings
	list := []setting{{"default", func(*S) {}}, {"seed", func(s *S) { s.Seed = 7 }}, {"every-pass", func(s *S) { s.EveryPass = true }}}
	for _, gap := range []float64{1e-4, 1e-6} {
		list = append(list, setting{fmt.Sprintf("gap-%g", gap), func(s *S) { s.Gap = gap }})
	}
	for _, passes := range []int{1, 4, 12} {
		list = append(list, setting{fmt.Sprintf("passes-%d", passes), func(s *S) { s.MaxPasses, s.Gap = passes, 1e-9 }})
	}
	for shards := 1; shards <= 3; shards++ {
		list = append(list, setting{fmt.Sprintf("shards-%d", shards), func(s *S) { s.Shards = shards }})
	}
	for _, scaling := range []crankpkg.Scaling{crankpkg.ZScore, crankpkg.MinMax, crankpkg.UnitRows} {
		list = append(list, setting{string(scaling), func(s *S) { s.Scaling = scaling }})
	}
	features := crankpkg.EdgeFeatures{Columns: []int{0, 2}, Scale: 0.5}
	mixed := crankpkg.Loss{Hamming: 0.5, ZeroOne: 1}
	return append(list,
		setting{"loss-twice-hamming", func(s *S) { s.Loss.Hamming = 2 }},
		setting{"loss-zero-one", func(s *S) { s.Loss.ZeroOne = 1 }},
		setting{"loss-mixed", func(s *S) { s.Loss = mixed }},
		setting{"cap", func(s *S) { s.HingeCap = 0.8 }},
		setting{"edge-features", func(s *S) { s.EdgeFeatures.All = true }},
		setting{"edge-features-columns", func(s *S) { s.EdgeFeatures = features }},
		setting{"edge-features-shards", func(s *S) { s.EdgeFeatures, s.Shards = features, 2 }},
		setting{"edge-features-loss-cap", func(s *S) { s.EdgeFeatures, s.Loss, s.HingeCap = features, mixed, 0.8 }},
		setting{"fourier", func(s *S) { s.Fourier = crankpkg.FourierFeatures{Count: 8, Seed: 3} }},
		setting{"fourier-edge-features", func(s *S) { s.Fourier.Count, s.Fourier.Gamma, s.EdgeFeatures = 8, 0.1, features }},
	)
}

// binarySettings are those that only variables of two states have.
func binarySettings() []setting {
	type S = crankpkg.Settings
	return []setting{
		{"loss-f1", func(s *S) { s.Loss.ExampleF1 = 1 }},
		{"loss-all", func(s *S) { s.Loss = crankpkg.Loss{Hamming: 0.5, ZeroOne: 1, ExampleF1: 2} }},
		{"seen", func(s *S) { s.Powerset.Only = true }},
		{"seen-prior", func(s *S) { s.Powerset = crankpkg.LabelPowerset{Only: true, Prior: 0.3} }},
	}
}

// planted returns data with four features. Their number, as that of Fourier features here, is a multiple of four: gonum adds up
// single precision in an order that follows the alignment of memory, which Go leaves open for a few bytes.
func planted(n, size int) *crankpkg.Dataset {
	train, _, _ := crankpkg.PlantedTree{N: n, Noise: 0.05, Seed: uint64(n)}.Generate(size, 0)
	return train
}

// thinned returns ds with small values left out of sparse rows.
func thinned(ds *crankpkg.Dataset) *crankpkg.Dataset {
	x := feature.NewSparse(ds.NumFeatures())
	for m := range ds.Len() {
		var index []int32
		var value []float64
		for k, v := range ds.Row(m).Value {
			if v < -0.5 || v > 0.5 {
				index, value = append(index, int32(k)), append(value, v)
			}
		}
		x.AppendSparse(index, value)
	}
	sparse := *ds
	sparse.X = x
	return &sparse
}

// trainPin pins all that a training returns but its times.
func trainPin(name string, trainer crankpkg.Trainer, ds *crankpkg.Dataset) pin {
	return pin{"train/" + name, func(d digest) error {
		m, trace, err := trainer.Train(context.Background(), ds)
		if err != nil && !errors.Is(err, crankpkg.ErrNotConverged) {
			return err
		}
		d.model(m)
		d.trace(trace)
		return nil
	}}
}

func (d digest) model(m *crankpkg.Model) {
	d.add(m.Method, m.Lambda, m.Scaler, m.Fourier, m.Unary, m.Edges, m.Pair)
	d.add(m.EdgeFeatures, m.PairFeatures, m.Labelings, m.LabelingScores)
}

func (d digest) trace(t *crankpkg.Trace) {
	d.add(t.Method, t.Lambda, t.Seed, string(t.Status), t.Primal, t.Dual, t.Steps, t.Restarts, t.Winner, t.Solves, t.Passes, t.OracleCalls)
	for _, p := range t.Points {
		d.add(p.Solve, p.Pass, p.OracleCalls, p.Primal, p.Dual, p.Support)
	}
}

func adjusted(t crankpkg.Trainer, change func(*crankpkg.Settings)) crankpkg.Trainer {
	return t.(crankpkg.Adjustable).Adjust(change)
}

func trainingPins() []pin {
	return slices.Concat(settingPins(), crankPins(), searchPins(), baselinePins(), limitPins())
}

// settingPins are all methods with all settings.
func settingPins() []pin {
	dense, small := planted(5, 40), planted(4, 24)
	onSparse := []string{"default", "zscore", "minmax", "unitrows", "shards-2", "edge-features", "fourier"}
	var pins []pin
	for _, m := range methods() {
		ds := dense
		if slices.Contains([]string{"best", "swap", "greedy", "mst"}, m.name) {
			ds = small // they train many times
		}
		for _, s := range slices.Concat(settings(), binarySettings()) {
			if m.name == "best" && (s.name == "cap" || s.name == "edge-features-loss-cap") {
				continue // it certifies the hinge without a cap
			}
			trainer := adjusted(m.trainer, s.change)
			pins = append(pins, trainPin(m.name+"/"+s.name, trainer, ds))
			if slices.Contains(onSparse, s.name) {
				pins = append(pins, trainPin(m.name+"/sparse-"+s.name, trainer, thinned(ds)))
			}
		}
	}
	return pins
}

// crankPins are CRANK's own settings.
func crankPins() []pin {
	type C = crankpkg.CRANK
	ds, wide := planted(6, 36), planted(66, 24)
	var pins []pin
	for _, path := range []crankpkg.BetaPath{crankpkg.GrowBeta, crankpkg.ShrinkBeta} {
		for _, c := range []struct {
			name string
			C
		}{
			{"plain", C{}},
			{"small", C{Lambda: 3e-3}},
			{"beta", C{Beta: []float64{0.05, 0.02, 0}}},
			{"fixed-beta", C{Beta: []float64{0.01, 0.005}, FixedBeta: true}},
			{"beta-start", C{BetaStart: 0.4}},
			{"growth", C{Growth: 1.3}},
			{"inner-gap", C{InnerGap: 0.01}},
			{"max-steps", C{MaxSteps: 2}},
			{"many-steps", C{InnerGap: 3e-3, MaxSteps: 30}},
			{"shards", C{Settings: crankpkg.Settings{Shards: 2}}},
			{"vectors", C{Settings: crankpkg.Settings{EdgeFeatures: crankpkg.EdgeFeatures{Columns: []int{1}}}}},
			{"loss", C{Settings: crankpkg.Settings{Loss: crankpkg.Loss{ZeroOne: 1, ExampleF1: 1}}}},
		} {
			c.Path, c.Restarts, c.Seed = path, 2, 1
			pins = append(pins, trainPin("crank/"+string(path)+"-"+c.name, c.C, ds))
		}
	}
	return append(pins,
		trainPin("crank/restarts-1", C{Restarts: 1}, ds),
		trainPin("crank/restarts-10", C{Restarts: 10}, ds),
		trainPin("crank/default", C{Lambda: 3e-3}, ds),
		trainPin("crank/default-shrink", C{Lambda: 3e-3, Path: crankpkg.ShrinkBeta}, ds),
		trainPin("crank/default-vectors", C{Settings: crankpkg.Settings{EdgeFeatures: crankpkg.EdgeFeatures{Columns: []int{1}}}}, ds),
		trainPin("crank/default-loss", C{Settings: crankpkg.Settings{Loss: crankpkg.Loss{ZeroOne: 1, ExampleF1: 1}}}, ds),
		trainPin("crank/64-labels", C{Restarts: 1, InnerGap: 0.3}, planted(64, 10)),
		trainPin("crank/65-labels", C{Restarts: 1, InnerGap: 0.3}, planted(65, 10)),
		trainPin("crank/wide", C{Restarts: 2}, wide),
		trainPin("crank/wide-sparse", C{Restarts: 1}, thinned(wide)),
		trainPin("crank/one-label", C{Restarts: 10}, planted(1, 30)),
		trainPin("crank/default-one-label", C{}, planted(1, 30)),
	)
}

// searchPins are the settings of BestTree and SwapSearch, on problems that take some nodes and some swaps.
func searchPins() []pin {
	type B = crankpkg.BestTree
	type S = crankpkg.SwapSearch
	ds, small := planted(6, 25), planted(5, 20)
	other := crankpkg.Named("other", crankpkg.MST{})
	f1 := crankpkg.Settings{Loss: crankpkg.Loss{ExampleF1: 1}}
	return []pin{
		trainPin("best/deep", B{Lambda: 0.01}, ds),
		trainPin("best/max-edges", B{MaxEdges: 3}, ds),
		trainPin("best/matching", B{MaxDegree: 1}, ds),
		trainPin("best/chain", B{MaxDegree: 2}, ds),
		trainPin("best/both", B{MaxEdges: 4, MaxDegree: 2}, ds),
		trainPin("best/split", B{}, planted(5, 25)),
		trainPin("best/enumerate", B{Enumerate: true}, small),
		trainPin("best/enumerate-family", B{Enumerate: true, MaxEdges: 3, MaxDegree: 2}, small),
		trainPin("best/vectors", B{Settings: crankpkg.Settings{EdgeFeatures: crankpkg.EdgeFeatures{All: true}}}, small),
		trainPin("best/enumerate-more", B{Enumerate: true}, planted(4, 100)),
		trainPin("best/f1", B{Settings: f1}, small),
		trainPin("swap/crank", S{}, ds),
		trainPin("swap/empty", S{Start: crankpkg.Empty{}}, ds),
		trainPin("swap/other", S{Start: other}, ds),
		trainPin("swap/f1", S{Start: crankpkg.ChowLiu{}, Settings: f1}, ds),
		trainPin("swap/fine", S{Start: crankpkg.Empty{}, Settings: crankpkg.Settings{Gap: 1e-5}}, ds),
	}
}

// baselinePins are the own settings of the other methods.
func baselinePins() []pin {
	ds := planted(8, 60)
	v := make([]float64, labelgraph.NumPairs(8))
	for k := range v {
		v[k] = float64(k%3 - 1)
	}
	// Data on which an edge is chosen whose bound is close above the gain of the second best.
	closeMST, _, _ := crankpkg.PlantedTree{N: 6, Noise: 0.1, Seed: 72}.Generate(16, 0)
	closeGreedy, _, _ := crankpkg.PlantedTree{N: 6, Noise: 0.1, Seed: 22}.Generate(16, 0)
	tree := []crankpkg.Edge{{I: 0, J: 3}, {I: 1, J: 3}, {I: 2, J: 7}, {I: 4, J: 7}}
	return []pin{
		trainPin("project/full-gap", crankpkg.Project{FullGap: 0.3}, ds),
		trainPin("greedy/gain-gap", crankpkg.Greedy{GainGap: 0.05}, ds),
		trainPin("greedy/close", crankpkg.Greedy{GainGap: 0.05}, closeGreedy),
		trainPin("mst/close", crankpkg.MST{GainGap: 0.05}, closeMST),
		trainPin("greedy/more-labels", crankpkg.Greedy{}, ds),
		trainPin("mst/gain-gap", crankpkg.MST{GainGap: 0.05}, ds),
		trainPin("mst/more-labels", crankpkg.MST{}, ds),
		trainPin("fixed/forest", crankpkg.FixedGraph{Edges: tree}, ds),
		trainPin("fixed/all", crankpkg.FixedGraph{Edges: labelgraph.AllPairs(8)}, ds),
		trainPin("fixed/none", crankpkg.FixedGraph{}, ds),
		trainPin("step/no-penalty", crankpkg.CCCPStep{}, ds),
		trainPin("step/v", crankpkg.CCCPStep{Beta: 0.05, V: v}, ds),
		trainPin("step/large", crankpkg.CCCPStep{Beta: 10}, ds),
	}
}

// limitPins take training to its limits: many passes, examples, steps and rounds, rounding errors, a single precision that is
// too small, shards that get in each other's way.
func limitPins() []pin {
	type S = crankpkg.Settings
	many, few, huge := planted(4, 300), planted(3, 10), planted(4, 40)
	for k := range huge.X.Value {
		huge.X.Value[k] *= 1e16
	}
	rows := make([]int, 48)
	for k := range rows {
		rows[k] = k % 3
	}
	alike := planted(4, 3).Subset(rows)
	shrink := crankpkg.CRANK{Restarts: 1, Path: crankpkg.ShrinkBeta, BetaStart: 0.02}
	steps := crankpkg.CRANK{Lambda: 0.01, Restarts: 1, InnerGap: 1e-5, Path: crankpkg.ShrinkBeta, Settings: S{MaxPasses: 100}}
	var pins []pin
	for _, gap := range []float64{0.001, 1e-7} {
		apart := crankpkg.Empty{Lambda: 1e-4, Settings: S{Gap: gap, MaxPasses: 3000}}
		tree := crankpkg.ChowLiu{Settings: S{Gap: gap, MaxPasses: 200}}
		pins = append(pins, trainPin(fmt.Sprintf("limit/labels-apart-%g", gap), apart, many))
		pins = append(pins, trainPin(fmt.Sprintf("limit/tree-%g", gap), tree, many))
	}
	return append(pins,
		trainPin("limit/passes", crankpkg.ChowLiu{Settings: S{Gap: 1e-9, MaxPasses: 3}}, many),
		trainPin("limit/shards", crankpkg.ChowLiu{Settings: S{Gap: 1e-5, Shards: 3}}, many),
		trainPin("limit/shards-alike", crankpkg.ChowLiu{Lambda: 0.003, Settings: S{Gap: 1e-4, Shards: 8}}, alike),
		trainPin("limit/cap", crankpkg.ChowLiu{Settings: S{HingeCap: 0.3}}, many),
		trainPin("limit/cap-rounds", crankpkg.ChowLiu{Lambda: 0.1, Settings: S{HingeCap: 2}}, planted(5, 150)),
		trainPin("limit/steps", steps, planted(4, 10)),
		trainPin("limit/beta", shrink, rareLabel()),
		trainPin("limit/rounding", crankpkg.ChowLiu{Settings: S{Gap: 1e-16}}, few),
		trainPin("limit/rounding-apart", crankpkg.Empty{Settings: S{Gap: 1e-16}}, few),
		trainPin("limit/single", crankpkg.Empty{Settings: S{Gap: 1e-6}}, planted(30, 40)),
		trainPin("limit/huge", crankpkg.Empty{Lambda: 1e11, Settings: S{MaxPasses: 50}}, huge),
	)
}

// rareLabel returns data with a label that is seldom on, at random: its pairs open at a small beta only.
func rareLabel() *crankpkg.Dataset {
	ds := planted(3, 40)
	rng := rand.New(rand.NewPCG(143, 0))
	for m := range ds.Len() {
		ds.Labels(m)[2] = 0
		if rng.Float64() < 0.1 {
			ds.Labels(m)[2] = uint8(rng.IntN(2))
		}
	}
	return ds
}
