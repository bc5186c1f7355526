package main

import (
	"fmt"

	"github.com/crank-ml/crank/crankpkg"
)

// learningPoint is an entry of figure1.json.
type learningPoint struct {
	Method    string           `json:"method"`
	Measure   crankpkg.Measure `json:"measure"`
	TrainSize int              `json:"train_size"`
	Mean      float64          `json:"mean"`
	StdErr    float64          `json:"stderr"`
}

// figure1 makes figure1.json: planted trees over 10 labels with 4 features, 1000
// test examples, the mean over 10 trees.
func (mk *maker) figure1() error {
	sizes, seeds := []int{10, 20, 50, 100, 200, 500, 1000}, 10
	if mk.quick {
		sizes, seeds = []int{10, 30, 100, 300}, 3
	}
	e := crankpkg.Experiment{Trainers: methods(meanGap), Select: mk.selection(lambdas(0.00001, 2)[2:]), SelectWith: selectWith} // without noise, little regularization is best
	e.Select.Repeats = 1
	for seed := range seeds {
		e.Seeds = append(e.Seeds, uint64(seed+1))
	}
	for _, size := range sizes {
		e.Sets = append(e.Sets, crankpkg.PlantedSet(fmt.Sprintf("planted %d", size), crankpkg.PlantedTree{}, size, 1000))
	}
	table, err := mk.experiment("figure1", e)
	if err != nil {
		return err
	}
	var points []learningPoint
	for _, entry := range table.Entries() {
		size := table.Runs(entry.Set, entry.Method)[0].Train
		points = append(points, learningPoint{entry.Method, entry.Measure, size, entry.Value, entry.StdErr})
	}
	return write(mk, "figure1.json", points)
}
