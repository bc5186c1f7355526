package crankpkg

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/crank-ml/crank/crankpkg/internal/jsonlist"
	"github.com/crank-ml/crank/internal/atomicfile"
)

// A model file is one JSON object, see modelFile. Numbers are written with as
// many digits as it takes to read back the same bits. Version 2 has features on
// the edges, version 3 Fourier features and labelings, version 4 groups of labels;
// a model is written in the lowest version that has what it needs, so that older
// programs read what they know.
const (
	modelFormat  = "crank model"
	plainVersion = 1
	edgesVersion = 2
	mapsVersion  = 3
	modelVersion = 4
)

type modelFile struct {
	Format   string                `json:"format"`
	Version  int                   `json:"version"`
	Method   string                `json:"method"`
	Lambda   float64               `json:"lambda"`
	Features jsonlist.List[string] `json:"features"`
	Labels   jsonlist.List[string] `json:"labels"`
	Scaling  fileScaling           `json:"scaling"`
	Fourier  *fileFourier          `json:"fourier,omitempty"`
	// Unary is one row of weights for each label, the bias last.
	Unary []jsonlist.List[float64] `json:"unary"`
	// Pairs are three columns of equal length: i < j and w_ij.
	Pairs filePairs `json:"pairs"`
	// Labelings are those that are predicted, as strings of zeros and ones.
	Labelings *fileLabelings `json:"labelings,omitempty"`
	// Groups are the sizes of groups of labels of which exactly one is on.
	Groups jsonlist.List[int] `json:"groups,omitempty"`
}

type fileFourier struct {
	Count int     `json:"count"`
	Gamma float64 `json:"gamma"`
	Seed  uint64  `json:"seed"`
}

type fileLabelings struct {
	Y     jsonlist.List[string]  `json:"y"`
	Score jsonlist.List[float64] `json:"score"`
}

type fileScaling struct {
	Kind   Scaling                `json:"kind"`
	Shift  jsonlist.List[float64] `json:"shift,omitempty"`
	Factor jsonlist.List[float64] `json:"factor,omitempty"`
}

type filePairs struct {
	I      jsonlist.List[int]     `json:"i"`
	J      jsonlist.List[int]     `json:"j"`
	Weight jsonlist.List[float64] `json:"weight"`
	// Features are the weights on edge features, a row for each pair, and
	// EdgeFeatures tells which features those are.
	EdgeFeatures *fileEdgeFeatures        `json:"edge_features,omitempty"`
	Features     []jsonlist.List[float64] `json:"features,omitempty"`
}

type fileEdgeFeatures struct {
	Columns jsonlist.List[int] `json:"columns"`
	Scale   float64            `json:"scale"`
}

// Save writes m to a file that LoadModel reads back with the same bits. The file
// is there whole or, after an error, as it was before.
func (m *Model) Save(path string) error {
	return atomicfile.Save(path, m)
}

// LoadModel reads a model that Save has written. It returns an error that wraps
// ErrFormat when the file is not one, is cut short, is of another version, or
// does not hold together.
func LoadModel(path string) (*Model, error) {
	m := new(Model)
	if err := atomicfile.Load(path, m); err != nil {
		return nil, err
	}
	return m, nil
}

// WriteTo writes m in the format of Save. A model that could not be read back
// is refused: see Validate; besides, JSON carries names in UTF-8 only.
func (m *Model) WriteTo(w io.Writer) (int64, error) {
	if err := m.Validate(); err != nil {
		return 0, err
	}
	for _, names := range [][]string{{m.Method}, m.FeatureNames, m.LabelNames} {
		for _, name := range names {
			if !utf8.ValidString(name) {
				return 0, fmt.Errorf("%w: model: name %q is not UTF-8", ErrData, name)
			}
		}
	}
	data, err := json.Marshal(m.toFile())
	if err != nil {
		return 0, err
	}
	written, err := w.Write(append(data, '\n'))
	return int64(written), err
}

// ReadFrom replaces m by the model in r, in the format of Save. It reads r to
// its end, and leaves m alone when it returns an error.
func (m *Model) ReadFrom(r io.Reader) (int64, error) {
	data, err := io.ReadAll(r)
	read := int64(len(data))
	if err != nil {
		return read, err
	}
	file, err := decodeModel(data)
	if err != nil {
		return read, fmt.Errorf("%w: model: %w", ErrFormat, err)
	}
	loaded, err := file.toModel()
	if err != nil {
		return read, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	*m = *loaded
	return read, nil
}

// decodeModel looks at the version first: a later version may have fields that
// this one does not know.
func decodeModel(data []byte) (*modelFile, error) {
	var head struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, err
	}
	if head.Format != modelFormat {
		return nil, fmt.Errorf("format %q, want %q", head.Format, modelFormat)
	}
	if head.Version < plainVersion || head.Version > modelVersion {
		return nil, fmt.Errorf("version %d, this program reads versions %d to %d", head.Version, plainVersion, modelVersion)
	}
	var file modelFile
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&file); err != nil {
		return nil, err
	}
	return &file, nil
}

func (m *Model) toFile() *modelFile {
	file := &modelFile{
		Format: modelFormat, Version: plainVersion,
		Method: m.Method, Lambda: m.Lambda,
		Features: nonNil(m.FeatureNames), Labels: nonNil(m.LabelNames),
		Scaling: fileScaling{Kind: m.Scaler.Kind, Shift: m.Scaler.Shift, Factor: m.Scaler.Factor},
		Unary:   make([]jsonlist.List[float64], m.NumLabels()),
		Pairs:   filePairs{I: make([]int, len(m.Edges)), J: make([]int, len(m.Edges)), Weight: nonNil(m.Pair)},
	}
	for i := range file.Unary {
		file.Unary[i] = m.UnaryWeights(i)
	}
	for k, e := range m.Edges {
		file.Pairs.I[k], file.Pairs.J[k] = e.I, e.J
	}
	if len(m.EdgeFeatures.Columns) > 0 {
		file.Version = edgesVersion
		file.Pairs.EdgeFeatures = &fileEdgeFeatures{Columns: m.EdgeFeatures.Columns, Scale: m.EdgeFeatures.Scale}
		for k := range m.Edges {
			file.Pairs.Features = append(file.Pairs.Features, m.pairFeatures(k))
		}
	}
	if f := m.Fourier; f.Count > 0 {
		file.Version = mapsVersion
		file.Fourier = &fileFourier{f.Count, f.Gamma, f.Seed}
	}
	if n := m.NumLabels(); len(m.LabelingScores) > 0 {
		file.Version = mapsVersion
		file.Labelings = &fileLabelings{Score: m.LabelingScores}
		for k := range m.LabelingScores {
			text := make([]byte, n)
			for i, v := range m.Labelings[k*n : (k+1)*n] {
				text[i] = '0' + v
			}
			file.Labelings.Y = append(file.Labelings.Y, string(text))
		}
	}
	if m.Groups != nil {
		file.Version, file.Groups = modelVersion, m.Groups
	}
	return file
}

func (file *modelFile) toModel() (*Model, error) {
	m := &Model{
		Method: file.Method, Lambda: file.Lambda,
		FeatureNames: file.Features, LabelNames: file.Labels,
		Scaler: Scaler{Kind: file.Scaling.Kind, Shift: file.Scaling.Shift, Factor: file.Scaling.Factor},
		Pair:   file.Pairs.Weight, Groups: file.Groups,
	}
	if file.Version < mapsVersion && (file.Fourier != nil || file.Labelings != nil) || file.Version < modelVersion && file.Groups != nil {
		return nil, fmt.Errorf("model: Fourier features, labelings or groups in version %d", file.Version)
	}
	if f := file.Fourier; f != nil {
		m.Fourier = FourierFeatures{Count: f.Count, Gamma: f.Gamma, Seed: f.Seed}
		if f.Count <= 0 {
			return nil, fmt.Errorf("model: %d Fourier features", f.Count)
		}
	}
	if len(file.Unary) != len(file.Labels) {
		return nil, fmt.Errorf("model: %d rows of unary weights for %d labels", len(file.Unary), len(file.Labels))
	}
	for i, w := range file.Unary {
		if len(w) != m.numInputs()+1 {
			return nil, fmt.Errorf("model: label %d: %d unary weights for %d features", i, len(w), m.numInputs())
		}
		m.Unary = append(m.Unary, w...)
	}
	if len(file.Pairs.I) != len(file.Pairs.J) {
		return nil, fmt.Errorf("model: %d first and %d second ends of pairs", len(file.Pairs.I), len(file.Pairs.J))
	}
	for k, i := range file.Pairs.I {
		m.Edges = append(m.Edges, Edge{I: i, J: file.Pairs.J[k]})
	}
	if err := file.Pairs.featuresTo(m, file.Version); err != nil {
		return nil, err
	}
	if err := file.Labelings.to(m); err != nil {
		return nil, err
	}
	return m, m.Validate()
}

// featuresTo reads the features on the edges into m.
func (p *filePairs) featuresTo(m *Model, version int) error {
	switch f := p.EdgeFeatures; {
	case f != nil && version == plainVersion, f == nil && len(p.Features) > 0:
		return fmt.Errorf("model: features on edges in version %d", version)
	case f != nil:
		m.EdgeFeatures = EdgeFeatures{Columns: f.Columns, Scale: f.Scale}
	}
	for k, w := range p.Features {
		if len(w) != len(m.EdgeFeatures.Columns) {
			return fmt.Errorf("model: pair %d: %d weights for %d edge features", k, len(w), len(m.EdgeFeatures.Columns))
		}
		m.PairFeatures = append(m.PairFeatures, w...)
	}
	return nil
}

// to reads the labelings into m.
func (f *fileLabelings) to(m *Model) error {
	if f == nil {
		return nil
	}
	if len(f.Y) == 0 || len(f.Y) != len(f.Score) {
		return fmt.Errorf("model: %d labelings with %d scores", len(f.Y), len(f.Score))
	}
	m.LabelingScores = f.Score
	for k, text := range f.Y {
		if len(text) != m.NumLabels() {
			return fmt.Errorf("model: labeling %d has %d values for %d labels", k, len(text), m.NumLabels())
		}
		for _, digit := range []byte(text) {
			m.Labelings = append(m.Labelings, digit-'0') // Validate looks at the values
		}
	}
	return nil
}

// nonNil makes an empty list [] in JSON, not null.
func nonNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
