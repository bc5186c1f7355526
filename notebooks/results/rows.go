package results

import (
	"cmp"
	"encoding/json"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/metrics"
)

// Entry is one measure of one method on the test examples of a set, in percent: table1.json, extra.json.
type Entry struct {
	Set, Method   string
	Measure       metrics.Measure
	Value, StdErr float64
	Lambda        float64
	Scaling       string
	Paper         *float64 // what the paper has, if anything
}

// Learning is a point of the paper's Figure 1: figure1.json.
type Learning struct {
	Method       string
	Measure      metrics.Measure
	TrainSize    int `json:"train_size"`
	Mean, StdErr float64
}

// Curve is a point of a validation curve, the mean of the three measures over folds: curves.json, table1_scalings.json.
type Curve struct {
	Set, Method          string
	Scaling              crankpkg.Scaling
	Lambda, Mean, StdErr float64
	Chosen               bool
}

// Test compares CRANK with another method on the same test examples: significance.json, extra_significance.json.
type Test struct {
	Set, Against       string
	Measure            metrics.Measure
	Mean, Low, High, P float64
}

// Objective has the bounds of a method's objective at one lambda: objectives.json.
type Objective struct {
	Set, Method          string
	Lambda, Primal, Dual float64
}

// PathPoint has test scores at one lambda: path.json.
type PathPoint struct {
	Set, Scaling, Method string
	Lambda, Gap          float64
	Scores               crankpkg.Scores
}

// Early has test scores of a model that plain Frank-Wolfe was stopped at: early.json.
type Early struct {
	Set, Method string
	Passes      int
	Seed        uint64
	Gap         float64
	Scores      crankpkg.Scores
}

// Loose is a tree that was chosen by problems solved to a gap, with weights solved closely: loose.json.
type Loose struct {
	Set, Method string
	Seed        uint64
	Gap, Primal float64
	Scores      crankpkg.Scores
}

// Timing is a time relative to that of Full: table2.json.
type Timing struct {
	Method, Phase, Solver string
	Relative, Seconds     float64
	Paper                 *float64
}

// GLPK has times of predictions beside GLPK's simplex method: glpk.json.
type GLPK struct {
	Prediction []struct {
		Set, Method, Solver string
		Seconds, Relative   float64
	}
}

// Level says how often a test rejects a true null, and what else it notices, at five per cent: level.json.
type Level struct {
	Design, Of, Test string
	Count            int
	Exact, Naive     bool
	Runs             int
	Null, Power      float64
}

// General is one measure of a model from raw data, chosen by a criterion on the training examples: general.json.
type General struct {
	Set, Method        string
	Criterion, Measure metrics.Measure
	Value, StdErr      float64
	Settings           string
	// Mark is the test value of the peer that cross-validation chooses for the measure.
	Mark   float64
	Source string `json:"mark_source"`
	// Scalar is linear CRANK without a rule; Value has more by Difference.
	Scalar, Difference float64
	P                  float64 `json:"p_value"`
	Candidates, Rules  int
	CPU                float64
}

// Halves is a measure by five times two-fold cross-validation: halves.json. Test has the ten values.
type Halves struct {
	Set      string
	Measure  metrics.Measure
	Test     []float64
	Mean     float64
	Peer     string
	PeerMean float64
	P, Holm  float64
}

// Peers are what others' tuned models have, by the protocol of Halves: peers.json.
type Peers struct {
	FiveByTwo []PeerHalves `json:"5x2"`
}

// PeerHalves is a measure of one of them. Test has the ten values.
type PeerHalves struct {
	Set, Peer string
	Measure   metrics.Measure
	Test      []float64
}

// Ruled is a linear model with and without decision rules: rules.json.
type Ruled struct {
	Set, Method       string
	Plain, AtLeastOne crankpkg.Scores
	Chosen            []struct {
		Measure metrics.Measure
		Scores  crankpkg.Scores
		Gain    metrics.Difference
	}
}

// Gains is what CRANK has more than Empty on random splits of a set, both with the plain prediction or both with a rule chosen for each:
// question_gains.json.
type Gains struct {
	Set     string
	Scaling crankpkg.Scaling
	Rule    bool
	Lambdas []float64 // chosen from
	Splits  []struct {
		Split  uint64
		Method string
		Lambda float64
		Scores crankpkg.Scores
	}
	ZeroOne, MeanOfThree metrics.Difference
}

// Company is one measure of an average of trees beside one tree: company.json.
type Company struct {
	Set, Members, Averaged   string
	Halves                   bool
	Count                    int
	Measure                  metrics.Measure
	Mean, OneMean            float64
	Difference, Low, High, P float64
	Holm                     float64
}

// ManyLabels is one measure of a label graph, or of a peer, on a set with hundreds of labels: many_labels.json. Over is what a graph has
// more than Empty.
type ManyLabels struct {
	Set, Graph string
	Peer       bool
	Measure    metrics.Measure
	Test       float64
	Over       *struct{ Difference, Low, High, Holm float64 }
}

// Units is a training to 1 % on features as published, and on z-scored ones: units.json, and for sets with many labels
// units_large.json, where z-scored features are given no longer than the others took.
type Units struct {
	Set, Method string
	Lambda      float64
	Raw, ZScore Ending
}

// Ending is how a training ended, and after how many seconds of the processor.
type Ending struct {
	CPU, Gap, Primal float64
	Converged        bool
	Status           crankpkg.Status
}

// Ratio returns the time of features as published in that of z-scored ones. Where below, the latter have not
// come to the gap, and the ratio is less.
func (u Units) Ratio() (ratio float64, below bool) {
	return u.Raw.CPU / u.ZScore.CPU, !u.ZScore.Converged
}

// UnmarshalJSON reads a test; an end of its interval that is null is infinite.
func (t *Test) UnmarshalJSON(data []byte) error {
	var d metrics.Difference
	var of struct {
		Set, Against string
		Measure      metrics.Measure
	}
	if err := cmp.Or(json.Unmarshal(data, &of), json.Unmarshal(data, &d)); err != nil {
		return err
	}
	*t = Test{of.Set, of.Against, of.Measure, d.Mean, d.Low, d.High, d.P}
	return nil
}

// Difference returns the test's outcome.
func (t Test) Difference() metrics.Difference {
	return metrics.Difference{Mean: t.Mean, Low: t.Low, High: t.High, P: t.P, Test: "paired bootstrap over test examples"}
}
