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
