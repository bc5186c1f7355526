package results

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/metrics"
)

func readPeers(t *testing.T) *peersFile {
	t.Helper()
	file, err := readPeersFile(committed)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// TestPeers checks that each set and measure has the peer that cross-validation
// chooses, and that each peer has been tuned on each set by each measure.
func TestPeers(t *testing.T) {
	t.Parallel()
	file := readPeers(t)
	if file.Versions["python"] == "" || file.Versions["scikit-learn"] == "" {
		t.Errorf("versions %v", file.Versions)
	}
	peers := distinct(file.Rows, func(r peerRow) string { return r.Peer })
	best := file.Best
	for _, set := range tableSets {
		for _, m := range metrics.PaperMeasures() {
			of := func(r peerRow) bool { return r.Set == set && r.Measure == m }
			if len(best) == 0 || !of(best[0]) {
				t.Fatalf("%s, %s has no peer of its own", set, m)
			}
			chosen, found := best[0], 0
			best = best[1:]
			for _, r := range file.Rows {
				if !of(r) {
					continue
				}
				found++
				if r.Peer == chosen.Peer && (r.HeldOut != chosen.HeldOut || r.Test != chosen.Test) || r.HeldOut > chosen.HeldOut {
					t.Errorf("%s, %s: %s with %v held out is not the best: %s has %v", set, m, chosen.Peer, chosen.HeldOut, r.Peer, r.HeldOut)
				}
				r.check(t)
			}
			if found != len(peers) {
				t.Errorf("%s, %s: %d of %d peers", set, m, found, len(peers))
			}
		}
	}
	if len(best) != 0 {
		t.Errorf("%d more", len(best))
	}
}

func (r peerRow) check(t *testing.T) {
	t.Helper()
	for _, v := range []float64{r.HeldOut, r.Test} {
		if !(v > 0 && v <= 100) {
			t.Errorf("%s, %s, %s: %v percent", r.Set, r.Peer, r.Measure, v)
		}
	}
	if !(r.TestStdErr > 0 && r.TestStdErr < 5) || r.Candidates < 1 || len(r.Setting) == 0 || !(r.CPUSeconds >= 0) {
		t.Errorf("%+v", r)
	}
	if (r.EmptyIs0 != nil) != (r.Measure == metrics.ExampleF1) || r.EmptyIs0 != nil && !(*r.EmptyIs0 > 0 && *r.EmptyIs0 <= r.Test) {
		t.Errorf("%s, %s, %s: the other convention of F1 gives %v", r.Set, r.Peer, r.Measure, r.EmptyIs0)
	}
}

// TestPeersScores holds what the script says of the best peers to the measures of
// package metrics, on our own copy of the test examples.
func TestPeersScores(t *testing.T) {
	t.Parallel()
	extra, err := readPeersFileNamed(committed, extraPeersFile)
	if err != nil {
		t.Fatal(err)
	}
	var test *crankpkg.Dataset
	for _, r := range append(readPeers(t).Best, extra.Best...) {
		if test == nil || test.Name != r.Set {
			if _, test, err = crankpkg.LoadSplit(r.Set); err != nil && slices.Contains(generalExtraSets, r.Set) {
				continue // not built in, nor fetched
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		said := []byte(r.Labels)
		for k := range said {
			said[k] -= '0'
		}
		if len(said) != len(test.Y) || slices.Max(said) > 1 {
			t.Fatalf("%s, %s: %d labels for %d", r.Set, r.Measure, len(said), len(test.Y))
		}
		if got := metrics.Evaluate(test.Y, said, test.NumLabels()).Of(r.Measure); !(math.Abs(got-r.Test) <= 1e-9) {
			t.Errorf("%s, %s: %v, and the script says %v", r.Set, r.Measure, got, r.Test)
		}
		other := metrics.Evaluator{EmptyF1: metrics.EmptyIsZero}.Scores(test.Y, said, test.NumLabels()).ExampleF1
		if r.EmptyIs0 != nil && math.Abs(other-*r.EmptyIs0) > 1e-9 {
			t.Errorf("%s: %v by the other convention of F1, and the script says %v", r.Set, other, *r.EmptyIs0)
		}
	}
}

// TestPeersHalved checks the scores of the second protocol: ten splits for each
// peer that is best by some measure.
func TestPeersHalved(t *testing.T) {
	t.Parallel()
	file := readPeers(t)
	want := map[string]bool{}
	for _, r := range file.Best {
		for _, m := range metrics.PaperMeasures() {
			want[fmt.Sprintf("%s, %s, %s", r.Set, r.Peer, m)] = true
		}
	}
	for _, r := range file.Halved {
		key := fmt.Sprintf("%s, %s, %s", r.Set, r.Peer, r.Measure)
		if len(r.Test) != 10 || len(r.EmptyIs0) != 10 && r.Measure == metrics.ExampleF1 {
			t.Errorf("%s, %s, %s: %d scores", r.Set, r.Peer, r.Measure, len(r.Test))
		}
		delete(want, key)
		var sum float64
		for _, v := range r.Test {
			sum += v
		}
		if !(math.Abs(sum/10-r.Mean) < 1e-9) || slices.Min(r.Test) <= 0 || slices.Max(r.Test) > 100 {
			t.Errorf("%s, %s, %s: mean %v of %v", r.Set, r.Peer, r.Measure, r.Mean, r.Test)
		}
	}
	for key := range want {
		t.Errorf("no halves for %s", key)
	}
}

// manyPeerNames are the peers on sets with many labels, in the order of the file, as README names them.
var manyPeerNames = map[string]string{linearSVC: "LinearSVC", "Omikuji": "Omikuji", "napkinXC": "napkinXC", "PECOS": "PECOS"}

// TestManyPeers checks that each peer has been tuned on each set with many labels by each measure, that the one with the best held-out
// value is named, here and in general_large.json, and that a common cut alone is among the choices, for the linear SVC that of many_labels.json.
func TestManyPeers(t *testing.T) {
	t.Parallel()
	file, err := readPeersFileNamed(committed, manyPeersFile)
	if err != nil {
		t.Fatal(err)
	}
	own, _ := rowsOf[manyLabelsRow](t, committed, "general_large.json")
	if len(file.Rows) != len(own)*len(manyPeerNames) || len(file.Best) != len(own) {
		t.Fatalf("%d rows and %d best", len(file.Rows), len(file.Best))
	}
	for _, r := range file.Rows {
		name, version, _ := strings.Cut(r.Version, " ")
		if manyPeerNames[r.Peer] == "" || name == "" || file.Versions[name] != version {
			t.Errorf("%s, %s: version %q, and the file has %q", r.Set, r.Peer, r.Version, file.Versions)
		}
		if !(r.CPUSeconds > 0) || len(r.Setting) == 0 || r.Rule.By == "" || !(r.TestStdErr > 0) || r.Candidates < 100 || !(r.Test > 0 && r.Test < 100) {
			t.Errorf("%+v", r)
		}
		if cut := r.CutAlone; cut == nil || cut.Rule.By != "cut" || cut.Rule.Calibrated || cut.HeldOut > r.HeldOut+1e-9 || !(cut.Test > 0 && cut.Test < 100) {
			t.Errorf("%s, %s, %s: a cut alone has %+v", r.Set, r.Peer, r.Measure, cut)
		}
	}
	beside, _ := rowsOf[manyRow](t, committed, "many_labels.json")
	for _, r := range manyPeers(file) {
		if !slices.ContainsFunc(beside, func(o manyRow) bool {
			return o.Peer && o.Set == r.Set && o.Measure == r.Measure && near(o.Test, r.Test) && o.Rule == r.Rule
		}) {
			t.Errorf("%s, %s: many_labels.json does not have %s with %v by %s", r.Set, r.Measure, r.Graph, r.Test, r.Rule)
		}
	}
	for k, o := range own {
		best := file.Best[k]
		found := 0
		for _, r := range file.Rows {
			if r.Set != o.Set || r.Measure != o.Measure {
				continue
			}
			found++
			if r.HeldOut > best.HeldOut || r.Peer == best.Peer && r.Test != best.Test {
				t.Errorf("%s, %s: %s has %v held out, and %s as the best %v", r.Set, r.Measure, r.Peer, r.HeldOut, best.Peer, best.HeldOut)
			}
		}
		if found != len(manyPeerNames) || best.Set != o.Set || best.Measure != o.Measure || o.Peer != best.Peer || o.PeerTest != best.Test || o.PeerCPU != best.CPUSeconds {
			t.Errorf("%d peers; %s, %s is beside %s with %v in %v s, and the best is %+v", found, o.Set, o.Measure, o.Peer, o.PeerTest, o.PeerCPU, best)
		}
	}
}
