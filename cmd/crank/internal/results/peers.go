package results

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/crank-ml/crank/crankpkg/metrics"
)

// peersFile is peers.json, which bench/peers writes.
type peersFile struct {
	Versions map[string]string
	Rows     []peerRow
	Best     []peerRow // for each set and measure the row with the best held-out value
	Halved   []struct {
		Set, Peer string
		Measure   metrics.Measure
		HeldOut   []float64 `json:"held_out"`
		Test      []float64
		Mean      float64
		EmptyIs0  []float64 `json:"test_empty_is_0"`
	} `json:"5x2"`
}

// peerRow is one measure of one peer on Mulan's split.
type peerRow struct {
	Set, Peer  string
	Measure    metrics.Measure
	Setting    map[string]any
	Rule       peerRule
	Candidates int
	HeldOut    float64 `json:"held_out"`
	Test       float64
	TestStdErr float64  `json:"test_stderr"`
	EmptyIs0   *float64 `json:"test_empty_is_0"` // of F1
	CPUSeconds float64  `json:"cpu_seconds"`
	Labels     string   // predicted for the test examples, a digit each; of the best
	Version    string   // of the library, with its name; of many_labels_peers.json
	// CutAlone is, in many_labels_peers.json, what the best setting with a common cut of its scores has.
	CutAlone *struct {
		Setting map[string]any
		Rule    peerRule
		HeldOut float64 `json:"held_out"`
		Test    float64
	} `json:"cut_alone"`
}

// peerRule says how scores become labels. By and what follows it are of many_labels_peers.json.
type peerRule struct {
	Cut        float64
	AtLeastOne bool   `json:"at_least_one"`
	By         string // cut, top, expected F1 or seen
	Calibrated bool
	K          int // of top
}

// readPeersFile reads peers.json in a folder, empty where there is none.
func readPeersFile(folder string) (*peersFile, error) {
	return readPeersFileNamed(folder, "peers.json")
}

// readPeersFileNamed reads such a file of another name.
func readPeersFileNamed(folder, name string) (*peersFile, error) {
	file := new(peersFile)
	text, err := os.ReadFile(filepath.Join(folder, name))
	if errors.Is(err, fs.ErrNotExist) {
		return file, nil
	}
	if err == nil {
		err = json.Unmarshal(text, file)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return file, nil
}
