package experiment

import (
	"cmp"
	"reflect"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/crossval"
)

// The work of a cell tells roughly how long it takes, in no unit, so that long cells can run first:
//
//	rows x labels x (features + 16 labels) x starts x (1 + lambdas x scalings x (folds - 1) x repeats)
//
// Rows are those of training, features those that are not zero in a row, on the average. All labels have a feature's weight, and a
// pair with each other label, which costs as much as some sixteen features: sums over features go by vectors. The choice of
// lambda trains on all folds but one, for each fold. What methods, lambdas and gaps differ in is left out.
const (
	pairCost = 16
	// swapStarts is what CRANK's swaps cost in starts: they take a third of the time of ten.
	swapStarts = 3
)

// size is the work of a pass over the data.
func (d *cellData) size() float64 { return sizeOf(d, float64(d.train.Len())) }

// sizeOf is the size with another number of rows.
func sizeOf(d *cellData, rows float64) float64 {
	labels, features := float64(d.train.NumLabels()), float64(d.train.NumFeatures())
	if x := d.train.X; x.IsSparse() && x.NumRows > 0 {
		features = float64(len(x.Value)) / float64(x.NumRows)
	}
	return rows * labels * (features + pairCost*labels)
}

// work is that of a cell: of training t on the data, and of choosing its lambda where search is not nil.
func work(size float64, t crankpkg.Trainer, search *crossval.Search) float64 {
	trainings := 1.0
	if search != nil {
		folds := max(2, cmp.Or(search.Folds, 5))
		trainings += float64(len(lambdasOf(search)) * max(1, len(search.Scalings)) * (folds - 1) * max(1, search.Repeats))
	}
	return size * starts(t) * trainings
}

// starts is the number of starting points of a trainer, 1 where it has no Restarts.
func starts(t crankpkg.Trainer) float64 {
	for {
		n, ok := t.(interface {
			Within(func(crankpkg.Trainer) (crankpkg.Trainer, error)) (crankpkg.Trainer, error)
		})
		if !ok {
			break
		}
		n.Within(func(inner crankpkg.Trainer) (crankpkg.Trainer, error) {
			t = inner
			return inner, nil
		})
	}
	v := reflect.Indirect(reflect.ValueOf(t))
	if v.Kind() != reflect.Struct {
		return 1
	}
	of, ok := v.Type().FieldByName("Restarts")
	if !ok {
		return 1
	}
	f, err := v.FieldByIndexErr(of.Index) // which fails at an embedded nil
	if err != nil || !f.CanInt() {
		return 1
	}
	if f.Int() == 0 {
		return swapStarts
	}
	return float64(max(1, f.Int()))
}

// work is that of a cell of the sweep.
func (s *Sweep) work(p *point, data *cellData) float64 {
	size := data.size()
	if p.split != 0 && s.TrainShare > 0 {
		size = sizeOf(data, s.TrainShare*float64(data.train.Len()+data.test.Len()))
	}
	return work(size, p.trainer, s.Select)
}
