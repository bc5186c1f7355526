package crankpkg

import "context"

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
