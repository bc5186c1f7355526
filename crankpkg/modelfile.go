package crankpkg

import (
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/crank-ml/crank/crankpkg/internal/modelfile"
	"github.com/crank-ml/crank/internal/atomicfile"
)

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
	names := [][]string{{m.Method}, m.FeatureNames, m.LabelNames, m.Coding.Missing, m.Coding.Dropped}
	for _, c := range m.Coding.Columns {
		names = append(names, []string{c.Name}, c.Values)
	}
	for _, names := range names {
		for _, name := range names {
			if !utf8.ValidString(name) {
				return 0, fmt.Errorf("%w: model: name %q is not UTF-8", ErrData, name)
			}
		}
	}
	data, err := m.toFile().Encode()
	if err != nil {
		return 0, err
	}
	written, err := w.Write(data)
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
	file, err := modelfile.Decode(data)
	if err != nil {
		return read, fmt.Errorf("%w: model: %w", ErrFormat, err)
	}
	loaded, err := modelOf(file)
	if err != nil {
		return read, fmt.Errorf("%w: model: %w", ErrFormat, err)
	}
	*m = *loaded
	return read, nil
}

func (m *Model) toFile() *modelfile.File {
	file := &modelfile.File{
		Method: m.Method, Lambda: m.Lambda, Features: m.FeatureNames, Labels: m.LabelNames,
		Scaling: modelfile.Scaling{Kind: string(m.Scaler.Kind), Shift: m.Scaler.Shift, Factor: m.Scaler.Factor},
		Pairs:   modelfile.Pairs{Weight: m.Pair}, Groups: m.Groups, Rule: modelfile.RuleOf(m.Rule), Coding: modelfile.CodingOf(m.Coding),
	}
	for i := range m.NumLabels() {
		file.Unary = append(file.Unary, m.UnaryWeights(i))
	}
	for _, e := range m.Edges {
		file.Pairs.I, file.Pairs.J = append(file.Pairs.I, e.I), append(file.Pairs.J, e.J)
	}
	if len(m.EdgeFeatures.Columns) > 0 {
		file.Pairs.EdgeFeatures = &modelfile.EdgeFeatures{Columns: m.EdgeFeatures.Columns, Scale: m.EdgeFeatures.Scale}
		for k := range m.Edges {
			file.Pairs.Features = append(file.Pairs.Features, m.pairFeatures(k))
		}
	}
	if f := m.Fourier; f.Count > 0 {
		file.Fourier = &modelfile.Fourier{Count: f.Count, Gamma: f.Gamma, Seed: f.Seed}
	}
	file.Kernel = modelfile.KernelOf(m.Kernel)
	if n := m.NumLabels(); len(m.LabelingScores) > 0 {
		file.Labelings = &modelfile.Labelings{Score: m.LabelingScores}
		for k := range m.LabelingScores {
			text := make([]byte, n)
			for i, v := range m.Labelings[k*n : (k+1)*n] {
				text[i] = '0' + v
			}
			file.Labelings.Y = append(file.Labelings.Y, string(text))
		}
	}
	return file
}

// modelOf returns the model in a file, checked.
func modelOf(file *modelfile.File) (*Model, error) {
	m := &Model{
		Method: file.Method, Lambda: file.Lambda,
		FeatureNames: file.Features, LabelNames: file.Labels,
		Scaler: Scaler{Kind: Scaling(file.Scaling.Kind), Shift: file.Scaling.Shift, Factor: file.Scaling.Factor},
		Pair:   file.Pairs.Weight, Groups: file.Groups, Kernel: file.Kernel.Kernel(len(file.Features)),
		Rule: file.Rule.Rule(), Coding: file.Coding.Coding(),
	}
	if f := file.Fourier; f != nil {
		m.Fourier = FourierFeatures{Count: f.Count, Gamma: f.Gamma, Seed: f.Seed}
	}
	if f := file.Pairs.EdgeFeatures; f != nil {
		m.EdgeFeatures = EdgeFeatures{Columns: f.Columns, Scale: f.Scale}
	}
	var err error
	if m.Unary, err = modelfile.Join(file.Unary, m.numInputs()+1, "unary weights"); err != nil {
		return nil, err
	}
	if m.PairFeatures, err = modelfile.Join(file.Pairs.Features, len(m.EdgeFeatures.Columns), "weights on edge features"); err != nil {
		return nil, err
	}
	for k, i := range file.Pairs.I {
		m.Edges = append(m.Edges, Edge{I: i, J: file.Pairs.J[k]})
	}
	if l := file.Labelings; l != nil {
		m.LabelingScores = l.Score
		for _, text := range l.Y {
			for _, digit := range []byte(text) {
				m.Labelings = append(m.Labelings, digit-'0') // Validate looks at the values
			}
		}
	}
	return m, m.Validate()
}
