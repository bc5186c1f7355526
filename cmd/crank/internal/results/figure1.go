package results

import (
	"context"
	"fmt"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/experiment"
	"github.com/crank-ml/crank/crankpkg/metrics"
)

// learningPoint is an entry of figure1.json.
type learningPoint struct {
	Method    string          `json:"method"`
	Measure   metrics.Measure `json:"measure"`
	TrainSize int             `json:"train_size"`
	Mean      float64         `json:"mean"`
	StdErr    float64         `json:"stderr"`
}

// figure1 makes figure1.json: planted trees over 10 labels with 4 features, 1000
// test examples, the mean over 10 trees.
func (mk *maker) figure1(ctx context.Context) error {
	// Without noise, little regularization is best.
	grid := pick(mk, lambdas(0.00001, 2)[2:], []float64{0.1, 0.01})
	e := experiment.Experiment{Trainers: mk.methods(meanGap), Select: mk.selection(grid), SelectWith: selectWith, Seeds: seeds(pick(mk, 10, 2))}
	e.Select.Repeats = 1
	for _, size := range pick(mk, []int{10, 20, 50, 100, 200, 500, 1000}, []int{10, 40}) {
		e.Sets = append(e.Sets, experiment.PlantedSet(fmt.Sprintf("planted %d", size), crankpkg.PlantedTree{N: pick(mk, 0, 5)}, size, pick(mk, 1000, 200)))
	}
	table, err := mk.experiment(ctx, "figure1", e)
	if err != nil {
		return err
	}
	var points []learningPoint
	for _, entry := range table.Entries() {
		size := table.Runs(entry.Set, entry.Method)[0].Train
		points = append(points, learningPoint{entry.Method, entry.Measure, size, entry.Value, entry.StdErr})
	}
	return writeRows(mk, "figure1.json", points)
}
