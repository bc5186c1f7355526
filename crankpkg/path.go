package crankpkg

import (
	"context"
	"fmt"
	"reflect"

	"github.com/crank-ml/crank/crankpkg/internal/errs"
)

// TrainPath trains t at each lambda in turn, which decrease as a rule: from easy to
// hard. With a method of this package (see WarmPath) each solve starts from where
// that of the lambda before has ended, so that a path costs little more than its
// hardest point; the models are those of the same gap, though not of the same bits,
// as without a path. Where it fails, it returns what it has and the error; where gaps
// are not reached, it goes on, and the error at the end wraps ErrNotConverged.
func TrainPath(ctx context.Context, t Trainer, ds *Dataset, lambdas []float64) ([]*Model, []*Trace, error) {
	method, ok := learnerOf(t)
	if !ok {
		return eachLambda(lambdas, func(lambda float64) (*Model, *Trace, error) {
			at, err := atLambda(t, lambda)
			if err != nil {
				return nil, nil, err
			}
			return trainStored(ctx, at, ds)
		})
	}
	return stored(ctx, t, ds, append([]float64{}, lambdas...), func() ([]*Model, []*Trace, error) {
		under, err := newTraining(ctx, method, ds)
		if err != nil {
			return nil, nil, err
		}
		return eachLambda(lambdas, func(lambda float64) (*Model, *Trace, error) {
			if err := checkLambda(lambda); err != nil {
				return nil, nil, err
			}
			under.restart(t.Name(), lambda)
			return learn(method, under)
		})
	})
}

// eachLambda calls next with each lambda until one fails.
func eachLambda(lambdas []float64, next func(lambda float64) (*Model, *Trace, error)) ([]*Model, []*Trace, error) {
	var models []*Model
	var traces []*Trace
	var short error
	for _, lambda := range lambdas {
		m, trace, err := next(lambda)
		if errs.OrNotConverged(err) != nil {
			return models, traces, err
		}
		if short == nil && err != nil {
			short = fmt.Errorf("lambda %.3g: %w", lambda, err)
		}
		models, traces = append(models, m), append(traces, trace)
	}
	return models, traces, short
}

// WarmPath reports whether TrainPath takes t less time than training at each lambda
// by itself: whether t is a method of this package, or one of them under another
// name.
func WarmPath(t Trainer) bool {
	_, ok := learnerOf(t)
	return ok
}

// learnerOf returns t, or what Named was given, if it is a method of this package.
func learnerOf(t Trainer) (learner, bool) {
	if n, ok := t.(named); ok {
		return learnerOf(n.trainer)
	}
	return methodOf(t)
}

// methodOf returns t if it is a method of this package: one that embeds it has its promoted
// methods, and a Train of its own.
func methodOf(t Trainer) (learner, bool) {
	method, ok := t.(learner)
	return method, ok && baseType(t).PkgPath() == reflect.TypeFor[CRANK]().PkgPath()
}

// baseType returns the type of t, or what it points at.
func baseType(t Trainer) reflect.Type {
	of := reflect.TypeOf(t)
	if of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	return of
}

// atLambda returns t with another lambda. It refuses what embeds a method and has no WithLambda of
// its own: it would become that method.
func atLambda(t Trainer, lambda float64) (Trainer, error) {
	if n, ok := t.(named); ok {
		inner, err := atLambda(n.trainer, lambda)
		return named{name: n.name, trainer: inner}, err
	}
	at := t.WithLambda(lambda)
	if _, embeds := t.(learner); embeds && baseType(at) != baseType(t) {
		return nil, fmt.Errorf("%w: WithLambda of %T returns a %T: it needs one of its own", ErrSettings, t, at)
	}
	return at, nil
}
