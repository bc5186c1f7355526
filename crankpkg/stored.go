package crankpkg

import (
	"context"
	"crypto/sha256"
	"embed"
	"errors"
	"io/fs"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/internal/sources"
	"github.com/crank-ml/crank/crankpkg/internal/values"
	"github.com/crank-ml/crank/crankpkg/trainstore"
)

// kept is what a training, or several of a path, came to, as a store keeps it.
type kept struct {
	Models []*Model
	Traces []*Trace
	// Error is the text of an error that wraps ErrNotConverged; empty: nil.
	Error string
}

// keptError is such an error, read back.
type keptError struct{ text string }

func (e *keptError) Error() string { return e.text }
func (e *keptError) Unwrap() error { return ErrNotConverged }

// stored lets t train unless the store of ctx has what it would come to. Path has the
// lambdas of a path; nil means a training at the lambda of t.
func stored(ctx context.Context, t Trainer, ds *Dataset, path []float64, train func() ([]*Model, []*Trace, error)) ([]*Model, []*Trace, error) {
	store, err := trainstore.Of(ctx)
	if err != nil {
		return nil, nil, err
	}
	if store == nil {
		return train()
	}
	key, err := trainingKey(t, ds, path)
	if err != nil {
		return train()
	}
	set := settingsOf(t)
	tell := func(phase string, p Progress) {
		if set.Progress != nil {
			p.Method, p.Phase = t.Name(), phase
			set.Progress(p)
		}
	}
	inTime := func(k kept) bool {
		return set.MaxTime <= 0 || !slices.ContainsFunc(k.Traces, func(trace *Trace) bool { return trace.Elapsed >= set.MaxTime })
	}
	var out kept
	k, made := trainstore.Do(ctx, store, key, inTime, func() { tell("waits for another program that trains it", Progress{}) }, func() (kept, bool) {
		begin := time.Now()
		out.Models, out.Traces, err = train()
		if errors.Is(err, ErrNotConverged) {
			out.Error = err.Error()
		}
		inTime := set.MaxTime == 0 || time.Since(begin) < set.MaxTime
		return out, inTime && ctx.Err() == nil && errs.OrNotConverged(err) == nil && out.whole()
	})
	if made {
		return out.Models, out.Traces, err
	}
	if n := len(k.Traces); n > 0 {
		last := k.Traces[n-1]
		tell("was trained before", Progress{Pass: last.Passes, Primal: last.Primal, Dual: last.Dual, Elapsed: last.Elapsed})
	}
	if k.Error != "" {
		return k.Models, k.Traces, &keptError{k.Error}
	}
	return k.Models, k.Traces, nil
}

// storedOne is stored for one training.
func storedOne(ctx context.Context, t Trainer, ds *Dataset, train func() (*Model, *Trace, error)) (*Model, *Trace, error) {
	models, traces, err := stored(ctx, t, ds, nil, func() ([]*Model, []*Trace, error) {
		m, trace, err := train()
		return []*Model{m}, []*Trace{trace}, err
	})
	if len(models) > 0 {
		return models[0], traces[0], err
	}
	return nil, nil, err
}

// whole reports whether there is nothing that a trainer did not return, or that the clock cut.
func (k *kept) whole() bool {
	for i, m := range k.Models {
		if m == nil || k.Traces[i] == nil || k.Traces[i].Status == TimeLimit {
			return false
		}
	}
	return true
}

// trainStored trains a trainer that may be of another package.
func trainStored(ctx context.Context, t Trainer, ds *Dataset) (*Model, *Trace, error) {
	_, isMethod := methodOf(t)
	if _, isNamed := t.(named); isNamed || isMethod { // they ask the store themselves
		return t.Train(ctx, ds)
	}
	return storedOne(ctx, t, ds, func() (*Model, *Trace, error) { return t.Train(ctx, ds) })
}

func settingsOf(t Trainer) (set Settings) {
	if l, ok := methodOf(t); ok {
		_, set = l.common()
	} else {
		Adjust(t, func(s *Settings) { set = *s })
	}
	return set
}

// trainingKey hashes what determines the result of a training; see package trainstore. It
// returns an error for a trainer of another package without a version.
func trainingKey(t Trainer, ds *Dataset, path []float64) (trainstore.Key, error) {
	h := sha256.New()
	d := &values.Digest{W: h, Skip: changesNothing, Special: addInner}
	if err := d.Add(resultsVersion()); err != nil {
		return trainstore.Key{}, err
	}
	if _, err := addTrainer(t, d); err != nil {
		return trainstore.Key{}, err
	}
	err := d.Add(path, ds)
	return trainstore.Key(h.Sum(nil)), err
}

// addInner adds a trainer that another one holds. It refuses one that the clock may cut: only
// the MaxTime of the whole training tells whether what is kept was.
func addInner(v any, d *values.Digest) (done bool, err error) {
	if t, ok := v.(Trainer); ok && settingsOf(t).MaxTime > 0 {
		return true, values.ErrKind
	}
	return addTrainer(v, d)
}

// addTrainer adds a trainer of another package with its version, and refuses one without.
func addTrainer(v any, d *values.Digest) (done bool, err error) {
	if t, ok := v.(Trainer); ok {
		if method, ok := methodOf(t); ok {
			return true, d.Add(method)
		}
	}
	switch t := v.(type) {
	case named:
		if err := d.Add(t.name); err != nil {
			return true, err
		}
		return addTrainer(t.trainer, d)
	case trainstore.Versioned:
		if version := t.StoreVersion(); version != "" {
			// What it does with Settings that it holds is its own affair, a MaxTime included.
			skip := d.Skip
			d.Skip = func(of reflect.Type, field string) bool { return field != "MaxTime" && changesNothing(of, field) }
			defer func() { d.Skip = skip }()
			return true, d.Add(version, reflect.TypeOf(t).String(), t)
		}
	case Trainer:
	default:
		return false, nil
	}
	return true, values.ErrKind
}

// changesNothing lists the fields that do not change what is kept: MaxTime changes what is
// not kept.
func changesNothing(of reflect.Type, field string) bool {
	switch of {
	case reflect.TypeFor[Settings]():
		return field == "Workers" || field == "Progress" || field == "MaxTime"
	case reflect.TypeFor[Dataset]():
		return field == "Name"
	}
	return false
}

// program is the text of all that trains, chooses and measures, but for tests, and the pinned hashes.
//
//go:embed testdata/pins_*.txt experiment/cell.go experiment/sweep_cell.go *[^t].go *[^s]t.go adjust.go mst.go training_best.go crossval/*[^t].go
//go:embed decision/*[^t].go decision/*[^s]t.go decision/seenbest.go envelope/*[^t].go feature/*[^t].go infer/*[^t].go infer/*[^s]t.go labelgraph/*[^t].go metrics/*[^t].go
//go:embed metrics/*[^s]t.go mrf/*[^t].go internal/among/*[^t].go internal/among/*[^s]t.go internal/division/*[^t].go internal/draw/*[^t].go
//go:embed internal/even/*[^t].go internal/forest/*[^t].go internal/forest/forest.go internal/groups/*[^t].go internal/information/*[^t].go internal/interior/*[^t].go internal/labeling/*[^t].go
//go:embed internal/linear/*[^t].go internal/maxflow/*[^t].go internal/parallel/*[^t].go internal/polytope/*[^t].go internal/polytope/cost.go internal/shuffle/*[^t].go internal/solver/*[^t].go internal/solver/*[^s]t.go
//go:embed internal/treeset/*[^t].go internal/treesearch/*[^t].go internal/unionfind/*[^t].go internal/vec/*[^t].go internal/vec/*.s
var program embed.FS

// resultsVersion tells apart what gives other bits: programs, versions of Go, and classes of
// processors. The latter by trainings so small that they take a few milliseconds.
var resultsVersion = sync.OnceValue(func() trainstore.Key { return newResultsVersion(program) })

func newResultsVersion(program fs.FS) trainstore.Key {
	h := sha256.New()
	_ = sources.Add(h, program) // what is in memory can be read
	train, _, _ := PlantedTree{N: 4, D: 37, Seed: 1}.Generate(40, 1)
	for _, method := range []learner{Empty{}, CRANK{Restarts: 2}, Empty{Settings: Settings{Scaling: ZScore}}} {
		if t, err := newTraining(context.Background(), method, train); err == nil {
			if m, _, _ := learn(method, t); m != nil {
				_ = (&values.Digest{W: h}).Add(m.Unary, m.Pair)
			}
		}
	}
	return trainstore.Key(h.Sum(nil))
}
