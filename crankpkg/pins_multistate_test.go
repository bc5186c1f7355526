package crankpkg_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/multistate"
)

// multiStatePins are the trainings, predictions and data of variables of several states.
func multiStatePins() []pin {
	train, test, truth := multistate.Planted{N: 4, D: 3, Noise: 0.1, Seed: 1}.Generate(12, 20)
	pins := []pin{{"states/planted", func(d digest) error {
		d.states(train)
		d.states(test)
		d.model(truth.Indicators)
		return nil
	}}}
	for _, m := range methods() {
		if m.name == "crank-shrink" || m.name == "best" || m.name == "swap" || m.name == "step" {
			continue // they train two states only
		}
		for _, s := range settings() {
			pins = append(pins, statesPin(m.name+"/"+s.name, adjusted(m.trainer, s.change), train, test))
		}
	}
	more, rows, _ := multistate.Planted{N: 5, States: 4, Noise: 0.3, Seed: 5}.Generate(12, 10)
	binary := multistate.FromBinary(planted(5, 40))
	sparse := *train
	sparse.X = train.X.Sparse()
	return append(pins,
		statesPin("more/full", crankpkg.Full{Lambda: 0.01}, more, rows),
		statesPin("more/crank", crankpkg.CRANK{Restarts: 2}, more, rows),
		statesPin("more/gain-gap", crankpkg.Greedy{GainGap: 0.05}, train, test),
		statesPin("more/sparse", crankpkg.Full{}, &sparse, test),
		statesPin("more/binary", crankpkg.Full{}, binary, binary),
		statesPin("more/named", crankpkg.Named("other", crankpkg.Project{FullGap: 0.1}), train, test),
	)
}

// statesPin pins a training, what the model predicts and its file.
func statesPin(name string, trainer crankpkg.Trainer, train, test *multistate.Dataset) pin {
	return pin{"states/" + name, func(d digest) error {
		m, trace, err := multistate.Train(context.Background(), trainer, train)
		if err != nil && !errors.Is(err, crankpkg.ErrNotConverged) {
			return err
		}
		d.model(m.Indicators)
		d.trace(trace)
		d.add(m.Edges(), m.Norms(), m.PredictAll(test.X), multistate.Evaluate(m, test), m.Tables(test.Row(0)))
		p, y := m.Predictor(), make([]uint8, m.NumLabels())
		for k := range test.Len() {
			d.add(p.PredictTo(y, test.Row(k)), m.Score(test.Row(k), y))
		}
		var file bytes.Buffer
		if _, err := m.WriteTo(&file); err != nil {
			return fmt.Errorf("writing the model: %w", err)
		}
		d.add(file.Bytes())
		return nil
	}}
}

func (d digest) states(ds *multistate.Dataset) {
	d.add(ds.Name, ds.FeatureNames, ds.LabelNames, ds.StateNames, ds.X.Value, ds.Y)
}
