package sparse_test

import (
	"context"
	"fmt"
	"log"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/planted"
	"github.com/crank-ml/crank/crankpkg/sparse"
)

// Most words tell nothing of most tags.
func Example() {
	train, _ := planted.Tags{}.Generate(1000, 1)
	m, trace, err := crankpkg.Empty{Lambda: 0.001}.Train(context.Background(), train)
	if err != nil {
		log.Fatal(err)
	}
	pruned, r, err := sparse.Pruner{Rise: 0.01}.Prune(context.Background(), train, m, trace.Dual)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("less than half of the weights are kept:", 2*r.Kept < r.Weights)
	fmt.Println("the objective rises by 1 % at most:", r.After <= 1.01*r.Before)
	fmt.Println("certified to be within 3 % of the optimum:", r.GapAfter() < 0.03)
	fmt.Println("labels of the first text:", len(pruned.PredictLabels(train.Row(0))))
}
