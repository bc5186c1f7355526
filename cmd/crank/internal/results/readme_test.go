package results

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg/metrics"
)

// TestReadmeTellsThePeers holds the README's table of kernel machines beside their peers, and the
// number of cells in which CRANK keeps up, to the result files.
func TestReadmeTellsThePeers(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	rows, _ := rowsOf[kernelRow](t, committed, "kernels.json")
	peers := readPeers(t)
	level := 0
	for _, set := range tableSets {
		cells := func(values []string) string { return strings.Join(values, " / ") }
		line := "| " + set + " |"
		var crank []float64
		for _, method := range []string{"Empty", "CRANK", "CRANK, Hamming + zero-one"} {
			k := slices.IndexFunc(rows, func(r kernelRow) bool { return r.Set == set && r.Method == method })
			var values []string
			for _, c := range rows[k].Chosen {
				values = append(values, fmt.Sprintf("%.1f", c.Scores.Of(c.Measure)))
				if method == "CRANK" {
					crank = append(crank, c.Scores.Of(c.Measure))
				}
			}
			line += " " + cells(values) + " |"
		}
		var values []string
		for i, m := range metrics.PaperMeasures() {
			k := slices.IndexFunc(peers.Best, func(r peerRow) bool { return r.Set == set && r.Measure == m })
			values = append(values, fmt.Sprintf("%.1f", peers.Best[k].Test))
			if crank[i] >= peers.Best[k].Test {
				level++
			}
		}
		line += " " + cells(values) + " |"
		if !strings.Contains(string(text), line) {
			t.Errorf("README has no line %q", line)
		}
	}
	if claim := fmt.Sprintf("in %d of these 12 cells", level); !strings.Contains(string(text), claim) {
		t.Errorf("README does not say %q", claim)
	}
}
