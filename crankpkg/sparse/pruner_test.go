package sparse_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/planted"
	"github.com/crank-ml/crank/crankpkg/sparse"
)

var ctx = context.Background()

// training is done once.
var training = sync.OnceValues(train)

// trained returns what the tests share. They change nothing of it.
func trained(t *testing.T) (*crankpkg.Dataset, map[string]*crankpkg.Model, map[string]float64) {
	t.Helper()
	set, err := training()
	if err != nil {
		t.Fatal(err)
	}
	return set.ds, set.models, set.duals
}

type trainedSet struct {
	ds     *crankpkg.Dataset
	models map[string]*crankpkg.Model
	duals  map[string]float64
}

// train returns models with and without pairs, with edge features and on scaled rows, and
// what they were trained on.
func train() (trainedSet, error) {
	ds, _ := planted.Tags{}.Generate(200, 1)
	ds = ds.SelectLabels([]int{0, 1, 2, 3, 4, 5})
	set := trainedSet{ds, map[string]*crankpkg.Model{}, map[string]float64{}}
	for name, method := range map[string]crankpkg.Trainer{
		"empty":         crankpkg.Empty{Lambda: 0.003},
		"crank":         crankpkg.CRANK{Lambda: 0.003, Restarts: 1},
		"squared":       crankpkg.Empty{Lambda: 0.003, Settings: crankpkg.Settings{Loss: crankpkg.Loss{Squared: true}}},
		"unit rows":     crankpkg.Empty{Lambda: 0.003, Settings: crankpkg.Settings{Scaling: crankpkg.UnitRows}},
		"edge features": crankpkg.FixedGraph{Lambda: 0.003, Edges: []crankpkg.Edge{{I: 0, J: 1}, {I: 1, J: 2}}, Settings: crankpkg.Settings{EdgeFeatures: crankpkg.EdgeFeatures{Columns: []int{0, 3}}}},
	} {
		m, trace, err := method.Train(ctx, ds)
		if err != nil {
			return set, fmt.Errorf("%s: %w", name, err)
		}
		set.models[name], set.duals[name] = m, trace.Dual
	}
	return set, nil
}

func lossOf(name string) crankpkg.Loss { return crankpkg.Loss{Squared: name == "squared"} }

// What is left is the largest weights, as they were; the objective is that of the definitions, and
// within the rise; the dual is below it; a smaller part would be too few somewhere.
func TestPrune(t *testing.T) {
	t.Parallel()
	ds, models, duals := trained(t)
	for name, m := range models {
		before := *m
		before.Unary, before.Pair = slices.Clone(m.Unary), slices.Clone(m.Pair)
		last := math.MaxInt
		for _, rise := range []float64{1e-9, 0.001, 0.01, 0.1, 100} {
			pruned, r, err := sparse.Pruner{Rise: rise, Loss: lossOf(name)}.Prune(ctx, ds, m, duals[name])
			if err != nil {
				t.Fatal(name, err)
			}
			l := crankpkg.NewObjective(ds, m.Scaler, m.Lambda)
			l.LabelLoss = lossOf(name)
			if l.Loss(pruned) != r.After || l.Loss(m) != r.Before || !(r.After <= (1+rise)*r.Before) {
				t.Errorf("%s, %v: objective %v, told %+v", name, rise, l.Loss(pruned), r)
			}
			if r.After < r.Dual || math.Abs(r.GapAfter()-(1-duals[name]/r.After)) > 1e-12 || r.GapBefore() > 0.011 {
				t.Errorf("%s, %v: gaps %v and %v of %+v", name, rise, r.GapBefore(), r.GapAfter(), r)
			}
			if err := pruned.Validate(); err != nil {
				t.Errorf("%s, %v: %v", name, rise, err)
			}
			checkLargest(t, name, m, pruned, r)
			if r.Kept > last {
				t.Errorf("%s: %d weights at a rise of %v, %d at a smaller one", name, r.Kept, rise, last)
			}
			last = r.Kept
		}
		if last != 0 {
			t.Errorf("%s: %d weights are kept where none are needed", name, last)
		}
		if !slices.Equal(before.Unary, m.Unary) || !slices.Equal(before.Pair, m.Pair) {
			t.Errorf("%s: the model itself has changed", name)
		}
	}
}

// checkLargest looks at each weight.
func checkLargest(t *testing.T, name string, m, pruned *crankpkg.Model, r sparse.Report) {
	t.Helper()
	kept, all := 0, 0
	look := func(was, is float64) {
		switch {
		case is != 0 && (is != was || math.Abs(is) < r.Threshold):
			t.Errorf("%s: a weight of %v was %v, threshold %v", name, is, was, r.Threshold)
		case is == 0 && was != 0 && r.Kept > 0 && math.Abs(was) >= r.Threshold:
			t.Errorf("%s: a weight of %v is dropped, threshold %v", name, was, r.Threshold)
		}
		if is != 0 {
			kept++
		}
		if was != 0 {
			all++
		}
	}
	for k, w := range m.Unary {
		look(w, pruned.Unary[k])
	}
	width := len(m.EdgeFeatures.Columns)
	at := 0
	for e, edge := range m.Edges {
		if at == len(pruned.Edges) || pruned.Edges[at] != edge {
			look(m.Pair[e], 0)
			for q := range width {
				look(m.PairFeatures[e*width+q], 0)
			}
			continue
		}
		look(m.Pair[e], pruned.Pair[at])
		for q := range width {
			look(m.PairFeatures[e*width+q], pruned.PairFeatures[at*width+q])
		}
		at++
	}
	if at != len(pruned.Edges) || kept != r.Kept || all != r.Weights || at != r.KeptEdges || len(m.Edges) != r.Edges {
		t.Errorf("%s: %d of %d weights, %d edges: %+v", name, kept, all, at, r)
	}
}

// The file of a pruned model is shorter and gives back the same model, and its Predictor finds
// the best labelings.
func TestPrunedPredictsAndIsKept(t *testing.T) {
	t.Parallel()
	ds, models, _ := trained(t)
	for name, m := range models {
		pruned, _, err := sparse.Pruner{Rise: 2.5, Loss: lossOf(name)}.Prune(ctx, ds, m, 0)
		if err != nil {
			t.Fatal(name, err)
		}
		var file, whole bytes.Buffer
		for to, m := range map[*bytes.Buffer]*crankpkg.Model{&file: pruned, &whole: m} {
			if _, err := m.WriteTo(to); err != nil {
				t.Fatal(name, err)
			}
		}
		if 10*file.Len() > 7*whole.Len() {
			t.Errorf("%s: a file of %d bytes, before %d", name, file.Len(), whole.Len())
		}
		var again crankpkg.Model
		if _, err := again.ReadFrom(&file); err != nil {
			t.Fatal(name, err)
		}
		if !slices.Equal(again.Unary, pruned.Unary) || !slices.Equal(again.Edges, pruned.Edges) || !slices.Equal(again.Pair, pruned.Pair) {
			t.Errorf("%s: the file has another model", name)
		}
		p := again.Predictor()
		for k := range 20 {
			x := ds.Row(k)
			y := p.Predict(x)
			value, best := pruned.Score(x, y), 0.0
			for code := range 1 << len(y) {
				labels := make([]uint8, len(y))
				for i := range labels {
					labels[i] = uint8(code >> i & 1)
				}
				if s := pruned.Score(x, labels); s > best {
					best = s
				}
			}
			if !(math.Abs(value-best) <= 1e-9) {
				t.Fatalf("%s, row %d: %v scores %v, the best %v", name, k, y, value, best)
			}
		}
	}
}

// Rounded weights have the digits that were asked for, and are near.
func TestDigits(t *testing.T) {
	t.Parallel()
	ds, models, _ := trained(t)
	m := models["crank"]
	pruned, r, err := sparse.Pruner{Rise: 0.01, Digits: 3}.Prune(ctx, ds, m, 0)
	if err != nil || r.After > 1.01*r.Before || r.Kept == 0 {
		t.Fatalf("%+v, error %v", r, err)
	}
	for k, w := range pruned.Unary {
		if w == 0 {
			continue
		}
		if !(math.Abs(w-m.Unary[k]) <= 0.0051*math.Abs(w)) {
			t.Fatalf("%v is rounded to %v", m.Unary[k], w)
		}
		if v, err := strconv.ParseFloat(strconv.FormatFloat(w, 'e', 2, 64), 64); v != w || err != nil {
			t.Fatalf("%v has more than three digits", w)
		}
	}
	if _, _, err := (sparse.Pruner{Rise: 1e-6, Digits: 1}).Prune(ctx, ds, m, 0); !errors.Is(err, crankpkg.ErrSettings) {
		t.Errorf("one digit for a rise of 1e-6: error %v", err)
	}
}

// With Again fewer weights do, within the same rise, and none is on a feature that had none.
func TestAgain(t *testing.T) {
	t.Parallel()
	ds, models, duals := trained(t)
	for _, name := range []string{"empty", "unit rows"} {
		m := models[name]
		_, plain, err := sparse.Pruner{Rise: 0.02}.Prune(ctx, ds, m, duals[name])
		if err != nil {
			t.Fatal(err)
		}
		pruned, r, err := sparse.Pruner{Rise: 0.02, Again: true}.Prune(ctx, ds, m, duals[name])
		if err != nil {
			t.Fatal(err)
		}
		if v := crankpkg.Primal(ds, pruned, m.Lambda); v != r.After || v > 1.02*r.Before || v < r.Dual || 10*r.Kept > 9*plain.Kept {
			t.Errorf("%s: objective %v, %+v, without Again %+v", name, v, r, plain)
		}
		for k, w := range pruned.Unary {
			if (k+1)%(m.NumFeatures()+1) != 0 && w != 0 && m.Unary[k] == 0 {
				t.Errorf("%s: weight %d was zero and is %v", name, k, w)
			}
		}
	}
	for _, name := range []string{"crank", "squared"} {
		if _, _, err := (sparse.Pruner{Again: true, Loss: lossOf(name)}).Prune(ctx, ds, models[name], 0); !errors.Is(err, crankpkg.ErrSettings) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestPruneRefuses(t *testing.T) {
	t.Parallel()
	ds, models, _ := trained(t)
	m := models["empty"]
	grouped := *m
	grouped.Groups = []int{2, 4}
	other := ds.SelectLabels([]int{0, 1})
	broken := *m
	broken.Unary = broken.Unary[1:]
	unlabeled := *ds
	unlabeled.Unlabeled, unlabeled.Y, unlabeled.LabelNames = true, nil, nil
	for what, c := range map[string]struct {
		p    sparse.Pruner
		ds   *crankpkg.Dataset
		m    *crankpkg.Model
		dual float64
		want error
	}{
		"a negative rise":   {sparse.Pruner{Rise: -1}, ds, m, 0, crankpkg.ErrSettings},
		"no rise":           {sparse.Pruner{Rise: math.NaN()}, ds, m, 0, crankpkg.ErrSettings},
		"negative workers":  {sparse.Pruner{Workers: -1}, ds, m, 0, crankpkg.ErrSettings},
		"18 digits":         {sparse.Pruner{Digits: 18}, ds, m, 0, crankpkg.ErrSettings},
		"a dual above":      {sparse.Pruner{}, ds, m, 1e6, crankpkg.ErrSettings},
		"a dual that is no": {sparse.Pruner{}, ds, m, math.NaN(), crankpkg.ErrSettings},
		"groups":            {sparse.Pruner{}, ds, &grouped, 0, crankpkg.ErrSettings},
		"other labels":      {sparse.Pruner{}, other, m, 0, crankpkg.ErrData},
		"a broken model":    {sparse.Pruner{}, ds, &broken, 0, crankpkg.ErrData},
		"no labels":         {sparse.Pruner{}, &unlabeled, m, 0, crankpkg.ErrData},
	} {
		if _, _, err := c.p.Prune(ctx, c.ds, c.m, c.dual); !errors.Is(err, c.want) {
			t.Errorf("%s: error %v", what, err)
		}
	}
	done, cancel := context.WithCancel(ctx)
	cancel()
	if _, _, err := (sparse.Pruner{}).Prune(done, ds, m, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: error %v", err)
	}
}
