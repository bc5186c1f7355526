package experiment

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/crossval"
	"github.com/crank-ml/crank/crankpkg/metrics"
)

// Cell is the outcome of one method on one data set with one seed.
type Cell struct {
	Set, Method string
	Seed        uint64
	// Lambda and Scaling are what the method was trained with.
	Lambda  float64
	Scaling crankpkg.Scaling
	// Train and Test are the numbers of examples.
	Train, Test, NumLabels int
	Scores                 crankpkg.Scores // on the test examples
	// Primal, Dual and Status are those of the training's Trace.
	Primal, Dual float64
	Status       crankpkg.Status
	Edges        []crankpkg.Edge // of the model
	// SelectTime, TrainTime and TestTime tell how long the choice of lambda, the
	// training and the prediction of all test examples took. Cells run several at
	// a time, each as a rule on one processor.
	SelectTime, TrainTime, TestTime time.Duration
	Selection                       *crossval.Selection // nil where lambda was given
	// Predicted are the labels predicted, and Truth those of the test examples,
	// Test x NumLabels. Files do not keep Truth: it comes with the data.
	Predicted PackedLabels
	Truth     []uint8 `json:"-"`
}

// Short reports whether the training stopped short of its gap.
func (c *Cell) Short() bool {
	return (&crankpkg.Trace{Primal: c.Primal, Dual: c.Dual, Status: c.Status}).Short()
}

// Gap returns the relative gap that the training ended with.
func (c *Cell) Gap() float64 { return crankpkg.TracePoint{Primal: c.Primal, Dual: c.Dual}.Gap() }

// Elapsed returns the time that the cell took.
func (c *Cell) Elapsed() time.Duration { return c.SelectTime + c.TrainTime + c.TestTime }

// Examples returns the measures of each test example.
func (c *Cell) Examples() metrics.ExampleScores {
	return metrics.Evaluator{}.Examples(c.Truth, c.Predicted, c.NumLabels)
}

// cellData is the data of one set and seed.
type cellData struct {
	train, test *crankpkg.Dataset
	hash        [sha256.Size]byte
	testHash    string // of the test examples alone
}

func loadCellData(set Set, seed uint64) (*cellData, error) {
	load := set.Load
	if load == nil {
		load = func(uint64) (train, test *crankpkg.Dataset, err error) { return crankpkg.LoadSplit(set.Name) }
	}
	train, test, err := load(seed)
	if err != nil {
		return nil, err
	}
	for _, ds := range []*crankpkg.Dataset{train, test} {
		if err := ds.Validate(); err != nil {
			return nil, err
		}
	}
	if test, err = test.MatchNames(train.FeatureNames, train.LabelNames); err != nil {
		return nil, err
	}
	return newCellData(train, test), nil
}

func newCellData(train, test *crankpkg.Dataset) *cellData {
	d := &cellData{train: train, test: test}
	h, ofTest := sha256.New(), sha256.New()
	hashDataset(h, train)
	hashDataset(io.MultiWriter(h, ofTest), test)
	h.Sum(d.hash[:0])
	d.testHash = hex.EncodeToString(ofTest.Sum(nil))[:16]
	return d
}

// hashDataset adds all that ds holds to h.
func hashDataset(h io.Writer, ds *crankpkg.Dataset) {
	fmt.Fprintf(h, "%q %q %d %d %v\n", ds.FeatureNames, ds.LabelNames, ds.Len(), ds.NumFeatures(), ds.X.IsSparse())
	if ds.Groups != nil {
		fmt.Fprintln(h, ds.Groups)
	}
	var buf []byte
	for m := range ds.Len() {
		row := ds.Row(m)
		buf = binary.AppendUvarint(buf[:0], uint64(len(row.Value)))
		for _, k := range row.Index {
			buf = binary.AppendUvarint(buf, uint64(k))
		}
		for _, v := range row.Value {
			buf = binary.LittleEndian.AppendUint64(buf, math.Float64bits(v))
		}
		h.Write(buf)
	}
	h.Write(ds.Y)
}

// plannedCell is a cell that is wanted; cell is nil until it is there.
type plannedCell struct {
	set       Set
	trainer   crankpkg.Trainer
	selection *crossval.Search // with the trainer to select with; nil: no selection
	seed      uint64
	data      *cellData
	key       string
	cell      *Cell
}

// newCell plans the cell of t on one set and seed.
func (e *Experiment) newCell(set Set, t crankpkg.Trainer, seed uint64, data *cellData) *plannedCell {
	name := t.Name()
	if set.Prepare != nil {
		t = set.Prepare(t)
	}
	t, _ = crankpkg.Adjust(t, func(s *crankpkg.Settings) { s.Seed, s.Workers, s.Progress = seed, 1, nil })
	p := &plannedCell{set: set, trainer: t, seed: seed, data: data}
	if t.Name() != name {
		p.trainer = crankpkg.Named(name, t)
	}
	if e.Select != nil {
		cv := *e.Select
		cv.Trainer, cv.Workers, cv.Progress = t, 0, nil
		if e.SelectWith != nil {
			cv.Trainer = e.SelectWith(t)
		}
		cv.Seed += seed
		p.selection = &cv
	}
	p.key = p.hash()
	return p
}

// cellFormat changes when cells of an earlier form must not be read.
const cellFormat = 1

// hash returns the key: what determines the outcome, hashed. The number of
// workers does not belong to it.
func (p *plannedCell) hash() string {
	h := sha256.New()
	fmt.Fprintf(h, "%d %q %q %d %x\n%#v\n", cellFormat, p.set.Name, p.trainer.Name(), p.seed, p.data.hash, p.trainer)
	if p.selection != nil {
		fmt.Fprintf(h, "%#v\n", *p.selection)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// work tells roughly how long the cell takes.
func (p *plannedCell) work() float64 { return work(p.data.size(), p.trainer, p.selection) }

func (p *plannedCell) describe() string {
	return fmt.Sprintf("%s, %s, seed %d", p.set.Name, p.trainer.Name(), p.seed)
}

// compute selects lambda, trains and tests.
func (p *plannedCell) compute(ctx context.Context, workers int) (*Cell, error) {
	t, _ := crankpkg.Adjust(p.trainer, func(s *crankpkg.Settings) { s.Workers = workers })
	c := &Cell{
		Set: p.set.Name, Method: t.Name(), Seed: p.seed,
		Train: p.data.train.Len(), Test: p.data.test.Len(), NumLabels: p.data.test.NumLabels(), Truth: p.data.test.Y,
	}
	if p.selection != nil {
		begin := time.Now()
		cv := *p.selection
		cv.Workers = workers
		var err error
		if c.Selection, err = cv.Run(ctx, p.data.train); err != nil {
			return nil, err
		}
		t = c.Selection.Apply(t)
		c.SelectTime = time.Since(begin)
	}
	begin := time.Now()
	m, trace, err := crankpkg.Named(t.Name(), t).Train(ctx, p.data.train) // which asks the store for trainers of all packages
	if err != nil && !errors.Is(err, crankpkg.ErrNotConverged) {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err // a training that is cut when its gap is small enough tells no error, but has another model
	}
	c.TrainTime = max(time.Since(begin), trace.Elapsed) // the latter, where it was trained before
	begin = time.Now()
	c.Predicted = make([]uint8, len(c.Truth))
	m.Predictor().PredictAllTo(c.Predicted, p.data.test.X, workers)
	c.TestTime = time.Since(begin)
	c.Scores = metrics.Evaluate(c.Truth, c.Predicted, c.NumLabels)
	c.Lambda, c.Scaling, c.Edges = trace.Lambda, m.Scaler.Kind, m.Edges
	c.Primal, c.Dual, c.Status = trace.Primal, trace.Dual, trace.Status
	return c, nil
}
