package multistate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/internal/jsonlist"
	"github.com/crank-ml/crank/internal/atomicfile"
)

// The file of a Model is one JSON object: the variables with their
// states, and the weights of the states as a model of binary labels.
const (
	multiStateFormat  = "crank multi-state model"
	multiStateVersion = 1
)

type multiStateFile struct {
	Format     string                      `json:"format"`
	Version    int                         `json:"version"`
	Variables  jsonlist.List[fileVariable] `json:"variables"`
	Indicators json.RawMessage             `json:"indicators"`
}

type fileVariable struct {
	Name   string                `json:"name"`
	States jsonlist.List[string] `json:"states"`
}

// Save writes m to a file that LoadModel reads back with the same bits. The
// file is there whole or, after an error, as it was before.
func (m *Model) Save(path string) error {
	return atomicfile.Save(path, m)
}

// LoadModel reads a model that Model.Save has written. It returns
// an error that wraps ErrFormat when the file is not one, is cut short, is of
// another version, or does not hold together.
func LoadModel(path string) (*Model, error) {
	m := new(Model)
	if err := atomicfile.Load(path, m); err != nil {
		return nil, err
	}
	return m, nil
}

// WriteTo writes m in the format of Save. A model that could not be read back
// is refused.
func (m *Model) WriteTo(w io.Writer) (int64, error) {
	if err := m.Validate(); err != nil {
		return 0, err
	}
	var indicators bytes.Buffer
	free := *m.Indicators
	free.Groups = nil // they follow from the variables
	if _, err := free.WriteTo(&indicators); err != nil {
		return 0, err
	}
	file := multiStateFile{Format: multiStateFormat, Version: multiStateVersion, Indicators: indicators.Bytes()}
	for i, name := range m.LabelNames {
		file.Variables = append(file.Variables, fileVariable{name, m.StateNames[i]})
	}
	data, err := json.Marshal(file)
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
	loaded, err := decodeMultiState(data)
	if err != nil {
		return read, fmt.Errorf("%w: multi-state model: %w", crankpkg.ErrFormat, err)
	}
	*m = *loaded
	return read, nil
}

func decodeMultiState(data []byte) (*Model, error) {
	var file multiStateFile
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, err
	}
	if file.Format != multiStateFormat || file.Version != multiStateVersion {
		return nil, fmt.Errorf("format %q of version %d, want %q of version %d", file.Format, file.Version, multiStateFormat, multiStateVersion)
	}
	m := &Model{Indicators: new(crankpkg.Model)}
	for _, v := range file.Variables {
		m.LabelNames, m.StateNames = append(m.LabelNames, v.Name), append(m.StateNames, v.States)
	}
	if _, err := m.Indicators.ReadFrom(bytes.NewReader(file.Indicators)); err != nil {
		return nil, err
	}
	m.Indicators.Groups = m.States()
	return m, m.Validate()
}
