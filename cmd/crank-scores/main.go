// Command crank-scores prints the README's table of scores: four methods on the
// paper's four sets, at fixed lambdas, to a relative gap of 0.1 %.
//
//	go run github.com/crank-ml/crank/cmd/crank-scores
package main

import (
	"context"
	"fmt"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/internal/command"
)

var rows = []struct {
	set     string
	lambda  float64
	scaling crankpkg.Scaling
}{
	{"scene", 0.003, crankpkg.NoScaling},
	{"emotions", 0.1, crankpkg.ZScore},
	{"medical10", 0.01, crankpkg.NoScaling},
	{"yeast", 0.001, crankpkg.NoScaling},
}

func main() {
	command.Main("crank-scores", run)
}

func run(ctx context.Context) error {
	fmt.Println("| set, lambda | Empty | Full | Project | CRANK |\n|---|---|---|---|---|")
	for _, row := range rows {
		train, test, err := crankpkg.LoadSplit(row.set)
		if err != nil {
			return err
		}
		set := crankpkg.Settings{Gap: 0.001, Scaling: row.scaling}
		fmt.Printf("| %s, %v |", row.set, row.lambda)
		for _, t := range []crankpkg.Trainer{
			crankpkg.Empty{Settings: set}, crankpkg.Full{Settings: set},
			crankpkg.Project{Settings: set}, crankpkg.CRANK{Settings: set},
		} {
			m, _, err := t.WithLambda(row.lambda).Train(ctx, train)
			if err != nil {
				return err
			}
			s := crankpkg.Evaluate(m, test)
			fmt.Printf(" %.1f / %.1f / %.1f |", s.Hamming, s.ZeroOne, s.ExampleF1)
		}
		fmt.Println()
	}
	return nil
}
