package results

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/metrics"
)

func readme(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestReadmeTellsTheRules holds the README's table of decision rules, and the numbers of those
// that are significantly better, to rules.json.
func TestReadmeTellsTheRules(t *testing.T) {
	t.Parallel()
	text := strings.Join(strings.Fields(readme(t)), " ")
	rows, _ := rowsOf[rulesRow](t, committed, "rules.json")
	three := func(s crankpkg.Scores) string {
		return fmt.Sprintf("%.1f / %.1f / %.1f", s.HammingAccuracy, s.SubsetAccuracy, s.ExampleF1)
	}
	better := map[metrics.Measure]int{}
	worse, lost := 0, 0
	for _, set := range tableSets {
		least, chosen := "| "+set+", at least one |", "| "+set+", chosen |"
		for _, r := range rows {
			if r.Set != set {
				continue
			}
			var own crankpkg.Scores
			for _, c := range r.Chosen {
				own.Set(c.Measure, c.Scores.Of(c.Measure))
				switch g := c.Gain; {
				case g.P < 0.05 && g.Mean > 0:
					better[c.Measure]++
				case g.P < 0.05:
					worse++
				}
				if c.Scores.Of(c.Measure) < r.Plain.Of(c.Measure) {
					lost++
				}
			}
			least, chosen = least+" "+three(r.AtLeastOne)+" |", chosen+" "+three(own)+" |"
		}
		for _, line := range []string{least, chosen} {
			if !strings.Contains(text, line) {
				t.Errorf("README has no line %q", line)
			}
		}
	}
	words := fmt.Sprintf("of the 16 rules chosen for F1, %d are significantly better than the plain prediction on the test examples (paired bootstrap, 5 %%), "+
		"of those for subset accuracy %d, of those for Hamming accuracy, which the models are trained for, %d. None is significantly worse; six lose up to a point.",
		better[metrics.ExampleF1], better[metrics.SubsetAccuracy], better[metrics.HammingAccuracy])
	if len(rows) != 16 || worse != 0 || lost != 6 || !strings.Contains(text, words) {
		t.Errorf("%d rows, %d significantly worse, %d lose; README does not say %q", len(rows), worse, lost, words)
	}
}

// TestReadmeTellsTheUnits holds what the README says of features as published to units.json.
func TestReadmeTellsTheUnits(t *testing.T) {
	t.Parallel()
	text := strings.Join(strings.Fields(readme(t)), " ")
	rows, _ := rowsOf[unitsRow](t, committed, "units.json")
	most := 0.0
	short := map[string]bool{}
	for _, r := range rows {
		most = max(most, r.Raw.CPU/r.ZScore.CPU)
		if !r.ZScore.Converged {
			t.Errorf("%+v: not even with scaling", r)
		}
		if !r.Raw.Converged {
			short[r.Set+" "+r.Method] = true
		}
	}
	want := map[string]bool{"flags CRANK": true, "emotions CRANK": true, "birds CRANK": true}
	claim := fmt.Sprintf("no training takes more than %.0f times what z-scored features take", math.Ceil(most))
	if len(rows) != 7*4*2 || !maps.Equal(short, want) || !strings.Contains(text, claim) {
		t.Errorf("%d rows, short %v; README does not say %q", len(rows), short, claim)
	}
}

// TestReadmeTellsNumpy holds what the README says of predictions beside numpy to numpy.json.
func TestReadmeTellsNumpy(t *testing.T) {
	t.Parallel()
	text := strings.Join(strings.Fields(readme(t)), " ")
	raw, err := os.ReadFile(filepath.Join(committed, "numpy.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Rows []struct {
			Set    string
			Batch  float64 `json:"batch_ratio"`
			Single float64 `json:"single_ratio"`
		}
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Rows) != 2 || file.Rows[0].Set != "yeast" || file.Rows[1].Set != "scene" {
		t.Fatalf("the rows are %+v", file.Rows)
	}
	yeast, scene := file.Rows[0], file.Rows[1]
	claim := fmt.Sprintf("takes %.2f times as long as numpy's `X @ W > 0` on Yeast in a batch and %.2f one example at a time, %.2f and %.2f on Scene",
		yeast.Batch, yeast.Single, scene.Batch, scene.Single)
	if !strings.Contains(text, claim) {
		t.Errorf("README does not say %q", claim)
	}
}

// TestReadmeTellsThePeers holds the README's table of kernel machines beside their peers, and the
// number of cells in which CRANK keeps up, to the result files.
func TestReadmeTellsThePeers(t *testing.T) {
	t.Parallel()
	text := readme(t)
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
		if !strings.Contains(text, line) {
			t.Errorf("README has no line %q", line)
		}
	}
	if claim := fmt.Sprintf("in %d of these 12 cells", level); !strings.Contains(text, claim) {
		t.Errorf("README does not say %q", claim)
	}
}
