package plotting

import "testing"

func BenchmarkPNG(b *testing.B) {
	for name, d := range map[string]Drawing{
		"Convergence":   Convergence(crankTrace()),
		"Network14":     Network(treeModel(14, className)),
		"NetworkFull14": Network(cliqueModel(14)),
		"Network200":    Network(treeModel(200, className)),
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := encode(d, "png"); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
