package modelfile

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/crank-ml/crank/crankpkg/internal/jsonlist"
)

// Numbers are written with as many digits as it takes to read back the same bits.
// Version 2 has features on the edges, version 3 Fourier features and labelings,
// version 4 groups of labels, version 5 the coding of raw columns, version 6 a rule of
// decision, version 7 a kernel, version 8 a rule of expectations, version 9 a calibration and the coding of sparse
// rows, version 10 weights without their zeros, version 11 the names of columns that were left out; a model is written in the lowest version that has what it needs, so that older
// programs read what they know.
const (
	format        = "crank model"
	plainVersion  = 1
	edgesVersion  = 2
	mapsVersion   = 3
	groupsVersion = 4
	codingVersion = 5
	ruleVersion   = 6
	kernelVersion = 7
	expectVersion = 8
	sparseVersion = 9
	zerosVersion  = 10
	lastVersion   = 11
)

// File is a model on disk.
type File struct {
	Format   string                `json:"format"`
	Version  int                   `json:"version"`
	Method   string                `json:"method"`
	Lambda   float64               `json:"lambda"`
	Features jsonlist.List[string] `json:"features"`
	Labels   jsonlist.List[string] `json:"labels"`
	// Coding tells what the raw columns are that the features are made of.
	Coding  *Coding  `json:"coding,omitempty"`
	Scaling Scaling  `json:"scaling"`
	Fourier *Fourier `json:"fourier,omitempty"`
	// Kernel has the landmarks that the weights are on.
	Kernel *Kernel `json:"kernel,omitempty"`
	// Unary is one row of weights for each label, the bias last.
	Unary []jsonlist.List[float64] `json:"unary"`
	// Zeros, in the text alone, has a row for each of Unary, which has no zeros then: how many
	// stand before each of its weights. Encode makes it where that is shorter; Decode undoes it.
	Zeros []jsonlist.List[int] `json:"zeros,omitempty"`
	// Pairs are three columns of equal length: i < j and w_ij.
	Pairs Pairs `json:"pairs"`
	// Labelings are those that are predicted, as strings of zeros and ones.
	Labelings *Labelings `json:"labelings,omitempty"`
	// Groups are the sizes of groups of labels of which exactly one is on.
	Groups jsonlist.List[int] `json:"groups,omitempty"`
	// Rule tells how scores become labels.
	Rule *Rule `json:"rule,omitempty"`
}

// Rule is a decision.Rule.
type Rule struct {
	Cut        float64                `json:"cut,omitempty"`
	Cuts       jsonlist.List[float64] `json:"cuts,omitempty"`
	Least      int                    `json:"least,omitempty"`
	Most       int                    `json:"most,omitempty"`
	PairFactor float64                `json:"pair_factor,omitempty"`
	// Expect is a measure, of which Temperature or Calibration makes an expectation.
	Expect      string       `json:"expect,omitempty"`
	Temperature float64      `json:"temperature,omitempty"`
	Calibration *Calibration `json:"calibration,omitempty"`
}

// Coding is what raw columns mean.
type Coding struct {
	Columns      jsonlist.List[Column] `json:"columns,omitempty"`
	Dropped      jsonlist.List[string] `json:"dropped,omitempty"`
	Missing      jsonlist.List[string] `json:"missing,omitempty"`
	DecimalComma bool                  `json:"decimal_comma,omitempty"`
	IgnoreUnseen bool                  `json:"ignore_unseen,omitempty"`
	Sparse       bool                  `json:"sparse,omitempty"`
}

// Column is one raw column.
type Column struct {
	Name   string                 `json:"name"`
	Values jsonlist.List[string]  `json:"values,omitempty"`
	Fill   jsonlist.List[float64] `json:"fill,omitempty"`
}

// Fourier tells which Fourier features there are.
type Fourier struct {
	Count int     `json:"count"`
	Gamma float64 `json:"gamma"`
	Seed  uint64  `json:"seed"`
}

// Labelings are the labelings that are predicted.
type Labelings struct {
	Y     jsonlist.List[string]  `json:"y"`
	Score jsonlist.List[float64] `json:"score"`
}

// Scaling is a feature.Scaler.
type Scaling struct {
	Kind   string                 `json:"kind"`
	Shift  jsonlist.List[float64] `json:"shift,omitempty"`
	Factor jsonlist.List[float64] `json:"factor,omitempty"`
}

// Pairs are the edges and what they weigh.
type Pairs struct {
	I      jsonlist.List[int]     `json:"i"`
	J      jsonlist.List[int]     `json:"j"`
	Weight jsonlist.List[float64] `json:"weight"`
	// Features are the weights on edge features, a row for each pair, and
	// EdgeFeatures tells which features those are.
	EdgeFeatures *EdgeFeatures            `json:"edge_features,omitempty"`
	Features     []jsonlist.List[float64] `json:"features,omitempty"`
}

// EdgeFeatures tells which features pairs have weights on.
type EdgeFeatures struct {
	Columns jsonlist.List[int] `json:"columns"`
	Scale   float64            `json:"scale"`
}

// Encode returns the text of the file, in the lowest version that has all that is in it.
func (f *File) Encode() ([]byte, error) {
	unary := f.Unary
	defer func() { f.Unary, f.Zeros = unary, nil }()
	f.dropZeros()
	f.Format, f.Version = format, plainVersion
	for _, part := range f.parts() {
		if part.there {
			f.Version = max(f.Version, part.since)
		}
	}
	f.Features, f.Labels = nonNil(f.Features), nonNil(f.Labels)
	f.Unary = nonNil(f.Unary)
	f.Pairs.I, f.Pairs.J, f.Pairs.Weight = nonNil(f.Pairs.I), nonNil(f.Pairs.J), nonNil(f.Pairs.Weight)
	data, err := json.Marshal(f)
	return append(data, '\n'), err
}

// part is something that a file may have from a version on.
type part struct {
	what  string
	since int
	there bool
}

func (f *File) parts() []part {
	return []part{
		{"features on edges", edgesVersion, f.Pairs.EdgeFeatures != nil},
		{"Fourier features", mapsVersion, f.Fourier != nil},
		{"labelings", mapsVersion, f.Labelings != nil},
		{"groups", groupsVersion, f.Groups != nil},
		{"a coding", codingVersion, f.Coding != nil},
		{"a rule", ruleVersion, f.Rule != nil},
		{"a kernel", kernelVersion, f.Kernel != nil},
		{"weights without their zeros", zerosVersion, f.Zeros != nil},
		{"a coding of sparse rows", sparseVersion, f.Coding != nil && f.Coding.Sparse},
		{"columns that were left out", lastVersion, f.Coding != nil && len(f.Coding.Dropped) > 0},
		{"a calibration", sparseVersion, f.Rule != nil && f.Rule.Calibration != nil},
		{"a rule that expects", expectVersion, f.Rule != nil && (f.Rule.Expect != "" || f.Rule.Temperature != 0)},
	}
}

// Decode reads a file. It looks at the version first: a later version may have fields that
// this one does not know. What it returns has rows and columns of equal lengths; whether
// they make a model is for the caller to say.
func Decode(data []byte) (*File, error) {
	var head struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, fmt.Errorf("this is no model, or one that is cut short: %w", err)
	}
	if head.Format != format {
		return nil, fmt.Errorf("format %q, want %q", head.Format, format)
	}
	if head.Version < plainVersion || head.Version > lastVersion {
		return nil, fmt.Errorf("version %d, this program reads versions %d to %d", head.Version, plainVersion, lastVersion)
	}
	var f File
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&f); err != nil {
		return nil, err
	}
	if err := f.check(); err != nil {
		return &f, err
	}
	return &f, f.restoreZeros()
}

// check returns an error unless the parts are those of the version and agree in length.
func (f *File) check() error {
	for _, part := range f.parts() {
		if part.there && f.Version < part.since {
			return fmt.Errorf("%s in version %d", part.what, f.Version)
		}
	}
	switch p := &f.Pairs; {
	case len(f.Unary) != len(f.Labels):
		return fmt.Errorf("%d rows of unary weights for %d labels", len(f.Unary), len(f.Labels))
	case len(p.I) != len(p.J):
		return fmt.Errorf("%d first and %d second ends of pairs", len(p.I), len(p.J))
	case p.EdgeFeatures == nil && len(p.Features) > 0:
		return fmt.Errorf("weights on edge features that nothing tells")
	case f.Fourier != nil && f.Fourier.Count <= 0:
		return fmt.Errorf("%d Fourier features", f.Fourier.Count)
	case f.Coding != nil && len(f.Coding.Columns) == 0 && len(f.Coding.Dropped) == 0 && !f.Coding.Sparse:
		return fmt.Errorf("a coding without columns")
	}
	if err := f.Kernel.check(len(f.Features)); err != nil {
		return err
	}
	return f.Labelings.check(len(f.Labels))
}

// check returns an error unless there are labelings of n labels, each with a score.
func (l *Labelings) check(n int) error {
	if l == nil {
		return nil
	}
	if len(l.Y) == 0 || len(l.Y) != len(l.Score) {
		return fmt.Errorf("%d labelings with %d scores", len(l.Y), len(l.Score))
	}
	for k, text := range l.Y {
		if len(text) != n {
			return fmt.Errorf("labeling %d has %d values for %d labels", k, len(text), n)
		}
	}
	return nil
}

// Join returns rows of the given width one after the other; what says of what they are.
func Join(rows []jsonlist.List[float64], width int, what string) ([]float64, error) {
	var all []float64
	for k, row := range rows {
		if len(row) != width {
			return nil, fmt.Errorf("row %d of %s has %d values, not %d", k, what, len(row), width)
		}
		all = append(all, row...)
	}
	return all, nil
}

// nonNil makes an empty list [] in JSON, not null.
func nonNil[L ~[]T, T any](list L) L {
	if list == nil {
		return L{}
	}
	return list
}
