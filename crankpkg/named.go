package crankpkg

import (
	"context"

	"github.com/crank-ml/crank/crankpkg/trainstore"
)

// Named returns t under another name, so that tables and figures can have
// several versions of a method. Its trainings are kept as those of this package's methods
// are, if t has a version: see trainstore.Versioned.
func Named(name string, t Trainer) Trainer { return named{trainer: t, name: name} }

type named struct {
	name    string
	trainer Trainer
}

func (n named) Name() string { return n.name }

func (n named) WithLambda(lambda float64) Trainer {
	return named{name: n.name, trainer: n.trainer.WithLambda(lambda)}
}

// Adjust returns n with changed settings, or as it is if it has none.
func (n named) Adjust(change func(*Settings)) Trainer {
	t, _ := Adjust(n.trainer, change)
	return named{name: n.name, trainer: t}
}

func (n named) Train(ctx context.Context, train *Dataset) (*Model, *Trace, error) {
	m, trace, err := trainStored(ctx, n.trainer, train)
	n.rename(m, trace)
	return m, trace, err
}

func (n named) rename(m *Model, trace *Trace) {
	if m != nil {
		m.Method = n.name
	}
	if trace != nil {
		trace.Method = n.name
	}
}

// Within returns n with what change makes of the trainer that it names. Package experiment
// varies fields so.
func (n named) Within(change func(Trainer) (Trainer, error)) (Trainer, error) {
	t, err := change(n.trainer)
	return named{name: n.name, trainer: t}, err
}

// StoreKey returns the key that the training on ds is kept under. Package experiment keeps
// what it measures under keys that are made of it.
func (n named) StoreKey(ds *Dataset) (trainstore.Key, error) { return trainingKey(n, ds, nil) }
