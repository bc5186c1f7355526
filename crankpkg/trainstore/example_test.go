package trainstore_test

import (
	"context"
	"fmt"
	"os"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/trainstore"
)

// The second training is there already: it comes with the trace of the first.
func Example() {
	folder, err := os.MkdirTemp("", "trainings")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	store, err := trainstore.Open(folder, 0)
	if err != nil {
		panic(err)
	}
	ctx := trainstore.In(context.Background(), store)
	train, _, _ := crankpkg.PlantedTree{Seed: 1}.Generate(100, 1)
	for range 2 {
		m, trace, err := crankpkg.CRANK{Lambda: 0.01}.Train(ctx, train)
		hits, misses := store.Counts()
		fmt.Println(len(m.Edges), trace.Short(), err, "- there:", hits, "- trained:", misses)
	}
	// Output:
	// 9 false <nil> - there: 0 - trained: 1
	// 9 false <nil> - there: 1 - trained: 1
}

// halved is a trainer of one's own: Empty on every other example.
type halved struct{ Lambda float64 }

func (h halved) Name() string                          { return "halved" }
func (h halved) WithLambda(l float64) crankpkg.Trainer { h.Lambda = l; return h }

// StoreVersion changes whenever Train does.
func (h halved) StoreVersion() string { return "1" }

func (h halved) Train(ctx context.Context, train *crankpkg.Dataset) (*crankpkg.Model, *crankpkg.Trace, error) {
	fmt.Println("trains")
	var rows []int
	for m := 0; m < train.Len(); m += 2 {
		rows = append(rows, m)
	}
	return crankpkg.Empty{Lambda: h.Lambda}.Train(ctx, train.Subset(rows))
}

// A trainer of one's own takes part by its version: Named, cross-validation, experiments and sweeps then ask the store for it.
func ExampleVersioned() {
	folder, err := os.MkdirTemp("", "trainings")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	store, err := trainstore.Open(folder, 0)
	if err != nil {
		panic(err)
	}
	ctx := trainstore.In(context.Background(), store)
	train, _, _ := crankpkg.PlantedTree{Seed: 1}.Generate(100, 1)
	for range 3 {
		_, trace, err := crankpkg.Named("half", halved{Lambda: 0.01}).Train(ctx, train)
		fmt.Println(trace.Method, err)
	}
	// Output:
	// trains
	// half <nil>
	// half <nil>
	// half <nil>
}
