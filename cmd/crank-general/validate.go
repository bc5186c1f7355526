package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/crank-ml/crank/crankpkg"
)

// validate returns the best lambda and SeenLabelings for the given settings by cross-validation. It
// trains on the Chow-Liu tree: which tree it is matters less than the settings, and
// that one costs next to nothing.
func (mk *maker) validate(train *crankpkg.Dataset, settings crankpkg.Settings, criterion crankpkg.Measure, lambdas []float64) (choice, error) {
	settings.Seen = crankpkg.SeenLabelings{}
	cv := crankpkg.CrossValidation{
		Trainer: crankpkg.ChowLiu{Settings: settings}, Lambdas: lambdas, Seen: seen(),
		Folds: 5, Repeats: repeats(train), Gap: 0.03, MaxPasses: 300, Seed: 7, Workers: mk.workers,
	}
	s, err := mk.selection(train, cv)
	if err != nil {
		return choice{}, err
	}
	best := choice{criterion: criterion, settings: settings, mean: -1}
	for _, p := range s.Curve {
		if mean, stdErr := p.Of(criterion); mean > best.mean {
			best.mean, best.stdErr, best.lambda, best.settings.Seen = mean, stdErr, p.Lambda, p.Seen
		}
	}
	return best, nil
}

// repeats makes chance count less where examples are few.
func repeats(train *crankpkg.Dataset) int {
	if train.Len() < 1000 {
		return 4
	}
	return 1
}

// selection runs a cross-validation, or reads it where it was kept. All criteria
// share it.
func (mk *maker) selection(train *crankpkg.Dataset, cv crankpkg.CrossValidation) (*crankpkg.Selection, error) {
	key := sha256.Sum256(fmt.Appendf(nil, "%s %d %#v %v %d %d %v %d %d", train.Name, train.Len(), cv.Trainer, cv.Lambdas, cv.Folds, cv.Repeats, cv.Gap, cv.MaxPasses, cv.Seed))
	path := filepath.Join(mk.cells, fmt.Sprintf("%x.json", key[:12]))
	if data, err := os.ReadFile(path); err == nil {
		s := new(crankpkg.Selection)
		if json.Unmarshal(data, s) == nil {
			return s, nil
		}
	}
	s, err := cv.Run(mk.ctx, train)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(mk.cells, 0o777); err != nil {
		return nil, err
	}
	return s, crankpkg.WriteFileAtomic(path, func(w io.Writer) error { return json.NewEncoder(w).Encode(s) })
}
