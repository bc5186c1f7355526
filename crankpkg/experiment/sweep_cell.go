package experiment

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/crossval"
	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/metrics"
	"github.com/crank-ml/crank/crankpkg/trainstore"
)

// Outcome is what a cell has measured.
type Outcome struct {
	Train, Test, NumLabels int            // numbers of examples and labels
	Scores                 metrics.Scores // on the test examples, in percent
	Lambda                 float64
	Scaling                crankpkg.Scaling
	// Rule is the rule of decision that was chosen, in words; empty: the plain prediction.
	Rule string
	// Primal, Dual and Status are those of the training's Trace.
	Primal, Dual  float64
	Status        crankpkg.Status
	Passes, Edges int
	// TrainSeconds is the time of the training when it was done, and SelectSeconds that of
	// the choice of lambda, which is short where its trainings were kept.
	TrainSeconds, SelectSeconds float64
	// AtEdge says that the lambda chosen is the least ("low") or the greatest ("high") of those
	// tried: another one beyond may be better.
	AtEdge string
	// TestSet tells test sets apart. Predicted has the labels predicted on one that other seeds
	// may have, too: eight to a byte, row after row. Differences between seeds on one test set
	// are tested by example.
	TestSet   string
	Predicted []byte `json:",omitempty"`
}

// Gap returns the relative gap that the training ended with.
func (o *Outcome) Gap() float64 { return crankpkg.TracePoint{Primal: o.Primal, Dual: o.Dual}.Gap() }

// Short reports whether the training stopped short of its gap.
func (o *Outcome) Short() bool {
	return (&crankpkg.Trace{Primal: o.Primal, Dual: o.Dual, Status: o.Status}).Short()
}

// errNotKept says that the store does not have a cell.
var errNotKept = errors.New("crankpkg: not kept")

// cell returns the row of a cell, from the store or computed now.
func (s *Sweep) cell(ctx context.Context, p *point, cache *dataCache, workers int) (*Row, bool, error) {
	defer cache.release(p)
	data, err := cache.get(p)
	if err != nil {
		return nil, false, err
	}
	t, _ := crankpkg.Adjust(p.trainer, func(set *crankpkg.Settings) { set.Seed, set.Workers, set.Progress = p.seed, workers, nil })
	if name := s.Methods[p.method].Name(); t.Name() != name {
		t = crankpkg.Named(name, t)
	}
	var search *crossval.Search
	if s.Select != nil {
		cv := *s.Select
		cv.Trainer, cv.Workers, cv.Progress = t, workers, nil
		cv.Seed += p.seed
		search = &cv
	}
	store := s.Store
	byExample := p.split == 0 && !p.set.Draws
	if byExample {
		cache.keepTruth(data)
	}
	key, err := s.outcomeKey(t, data, search, byExample)
	if err != nil {
		store = nil // a trainer that nothing is kept of
	}
	if s.KeptOnly {
		row := s.newRow(p)
		found := false
		if row.Outcome, found = trainstore.Look[Outcome](store, key); !found {
			return nil, false, errNotKept
		}
		return row, false, nil
	}
	var failed error
	outcome, made := trainstore.Do(ctx, store, key, nil, nil, func() (Outcome, bool) {
		var o Outcome
		o, failed = s.measure(ctx, t, data, search, workers)
		if !byExample {
			o.Predicted = nil
		}
		return o, failed == nil && ctx.Err() == nil && maxTimeOf(t) == 0
	})
	if failed != nil {
		return nil, made, failed
	}
	row := s.newRow(p)
	row.Outcome = outcome
	return row, made, nil
}

// maxTimeOf returns the bound on the time of a training; where there is one, the clock may have a say.
func maxTimeOf(t crankpkg.Trainer) (limit time.Duration) {
	crankpkg.Adjust(t, func(set *crankpkg.Settings) { limit = set.MaxTime })
	return limit
}

// outcomeKey hashes what determines the outcome of a cell.
func (s *Sweep) outcomeKey(t crankpkg.Trainer, data *cellData, search *crossval.Search, byExample bool) (trainstore.Key, error) {
	keyed, ok := crankpkg.Named(t.Name(), t).(interface {
		StoreKey(*crankpkg.Dataset) (trainstore.Key, error)
	})
	if !ok {
		return trainstore.Key{}, errors.ErrUnsupported
	}
	training, err := keyed.StoreKey(data.train)
	if err != nil {
		return trainstore.Key{}, err
	}
	inputs := []any{"cell of a sweep", training, data.hash, byExample}
	if search != nil {
		cv := *search
		cv.Trainer, cv.Workers = nil, 0
		inputs = append(inputs, cv, s.ChooseRule)
	}
	return trainstore.KeyOf(inputs...)
}

// measure chooses lambda, trains and tests.
func (s *Sweep) measure(ctx context.Context, t crankpkg.Trainer, data *cellData, search *crossval.Search, workers int) (o Outcome, err error) {
	begin := time.Now()
	var m *crankpkg.Model
	var trace *crankpkg.Trace
	switch {
	case search == nil:
		m, trace, err = crankpkg.Named(t.Name(), t).Train(ctx, data.train)
	case s.ChooseRule:
		var chosen *crossval.RuleSelection
		if chosen, err = search.ChooseRule(ctx, data.train); err != nil {
			return o, err
		}
		o.SelectSeconds = time.Since(begin).Seconds()
		o.Rule, o.AtEdge = chosen.Rule().String(), edgeOf(chosen.Best().Lambda, lambdasOf(search))
		m, trace, err = chosen.Train(ctx, t, data.train)
	default:
		var chosen *crossval.Selection
		if chosen, err = search.Run(ctx, data.train); err != nil {
			return o, err
		}
		o.SelectSeconds = time.Since(begin).Seconds()
		o.AtEdge = edgeOf(chosen.Lambda(), lambdasOf(search))
		m, trace, err = crankpkg.Named(t.Name(), chosen.Apply(t)).Train(ctx, data.train)
	}
	if errs.OrNotConverged(err) != nil {
		return o, err
	}
	if m == nil || trace == nil {
		return o, fmt.Errorf("%w: %s returns no model", crankpkg.ErrInternal, t.Name())
	}
	predicted := make([]uint8, len(data.test.Y))
	m.Predictor().PredictAllTo(predicted, data.test.X, workers)
	o.Train, o.Test, o.NumLabels = data.train.Len(), data.test.Len(), data.test.NumLabels()
	o.Scores = metrics.Evaluate(data.test.Y, predicted, o.NumLabels)
	o.Lambda, o.Scaling, o.Edges = trace.Lambda, m.Scaler.Kind, len(m.Edges)
	o.Primal, o.Dual, o.Status, o.Passes = trace.Primal, trace.Dual, trace.Status, trace.Passes
	o.TrainSeconds = trace.Elapsed.Seconds()
	o.TestSet, o.Predicted = data.testHash, packBits(predicted)
	return o, nil
}

func lambdasOf(search *crossval.Search) []float64 {
	if len(search.Lambdas) > 0 {
		return search.Lambdas
	}
	return crossval.DefaultLambdas()
}

// edgeOf says at which end of those tried a value is, if at any.
func edgeOf(chosen float64, tried []float64) string {
	low, high := false, false // whether there are others on this side
	for _, v := range tried {
		low, high = low || v < chosen, high || v > chosen
	}
	switch {
	case low && !high:
		return "high"
	case high && !low:
		return "low"
	}
	return ""
}

// dataCache has the data of cells that are under way.
type dataCache struct {
	sweep *Sweep
	mu    sync.Mutex
	parts map[dataName]*dataPart
	truth map[string][]byte // labels of test sets, by their hash
}

type dataName struct {
	set         string
	seed, split uint64
}

type dataPart struct {
	once  sync.Once
	users int // cells that are still to come
	data  *cellData
	err   error
}

func newDataCache(s *Sweep, todo []*point) *dataCache {
	c := &dataCache{sweep: s, parts: map[dataName]*dataPart{}, truth: map[string][]byte{}}
	for _, p := range todo {
		if c.parts[nameOf(p)] == nil {
			c.parts[nameOf(p)] = &dataPart{}
		}
		c.parts[nameOf(p)].users++
	}
	return c
}

func nameOf(p *point) dataName {
	if p.set.Load == nil {
		return dataName{p.set.Name, 0, p.split} // the same for each seed
	}
	return dataName{p.set.Name, p.seed, p.split}
}

func (c *dataCache) get(p *point) (*cellData, error) {
	c.mu.Lock()
	part := c.parts[nameOf(p)]
	c.mu.Unlock()
	part.once.Do(func() { part.data, part.err = c.sweep.load(p) })
	return part.data, part.err
}

// keepTruth keeps the labels of a test set.
func (c *dataCache) keepTruth(data *cellData) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.truth[data.testHash] == nil {
		c.truth[data.testHash] = packBits(data.test.Y)
	}
}

// release forgets the data once no cell needs them any more.
func (c *dataCache) release(p *point) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if part := c.parts[nameOf(p)]; part != nil {
		if part.users--; part.users == 0 {
			delete(c.parts, nameOf(p))
		}
	}
}

// load returns the data of a cell, those of the last cell where they are the same.
func (s *Sweep) load(p *point) (*cellData, error) {
	if s.last == nil {
		return s.divide(p)
	}
	at := nameOf(p)
	name := fmt.Sprintf("%s %d %d %v", s.lastName, at.seed, at.split, s.TrainShare)
	if s.last.data != nil && s.last.name == name {
		return s.last.data, nil
	}
	data, err := s.divide(p)
	if err == nil {
		*s.last = lastData{name, data}
	}
	return data, err
}

// divide loads the data of a cell, and divides them anew where it says so.
func (s *Sweep) divide(p *point) (*cellData, error) {
	data, err := loadCellData(p.set, p.seed)
	if err != nil || p.split == 0 {
		return data, err
	}
	all, err := data.train.Append(data.test)
	if err != nil {
		return nil, err
	}
	share := s.TrainShare
	if share == 0 {
		share = float64(data.train.Len()) / float64(all.Len())
	}
	train, test := all.Split(share, p.split)
	return newCellData(train, test), nil
}
