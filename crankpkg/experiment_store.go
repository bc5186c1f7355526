package crankpkg

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
)

// cellFile is what a file of an experiment's folder holds.
type cellFile struct {
	Key  string          // hash of what determines the cell
	Sum  string          // SHA-256 of Cell without white space
	Cell json.RawMessage // a Cell
}

// path returns the file of the cell. Escaping keeps names apart that differ.
func (p *plannedCell) path(folder string) string {
	return filepath.Join(folder, fmt.Sprintf("%s,%s,%d.json", url.PathEscape(p.set.Name), url.PathEscape(p.trainer.Name()), p.seed))
}

// load fills in the cell if its file is there and good. The note says why one
// that is there is not used.
func (p *plannedCell) load(folder string) (note string, err error) {
	path := p.path(folder)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("crankpkg: %w", err)
	}
	var file cellFile
	var cell Cell
	bad := json.Unmarshal(text, &file)
	switch {
	case bad != nil:
	case file.Sum != sumOf(file.Cell):
		bad = errors.New("its checksum is wrong")
	case file.Key != p.key:
		return fmt.Sprintf("%s: computed again: %s is of other data or settings", p.describe(), path), nil
	default:
		bad = json.Unmarshal(file.Cell, &cell)
	}
	if values := len(p.data.test.Y); bad == nil && len(cell.Predicted) < values {
		bad = fmt.Errorf("it has %d label values and not %d", len(cell.Predicted), values)
	}
	if bad != nil {
		return fmt.Sprintf("%s: computed again: %s is damaged: %v", p.describe(), path, bad), nil
	}
	cell.Truth = p.data.test.Y
	cell.Predicted = cell.Predicted[:len(cell.Truth)]
	p.cell = &cell
	return "", nil
}

// save writes the cell's file.
func (p *plannedCell) save(folder string, cell *Cell) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return fmt.Errorf("crankpkg: %w", err)
	}
	text, err := json.Marshal(cell)
	if err != nil {
		return fmt.Errorf("crankpkg: %w", err)
	}
	return WriteFileAtomic(p.path(folder), func(w io.Writer) error {
		return json.NewEncoder(w).Encode(cellFile{Key: p.key, Sum: sumOf(text), Cell: text})
	})
}

func sumOf(cell json.RawMessage) string {
	var compact bytes.Buffer
	if err := json.Compact(&compact, cell); err != nil {
		return "not JSON"
	}
	sum := sha256.Sum256(compact.Bytes())
	return hex.EncodeToString(sum[:])
}

// packedLabels are zeros and ones that text keeps as bits in base64. Zeros fill
// the last byte, so what is read back can be up to 7 values longer.
type packedLabels []uint8

// MarshalText packs the labels.
func (l packedLabels) MarshalText() ([]byte, error) {
	packed := make([]byte, (len(l)+7)/8)
	for k, v := range l {
		packed[k/8] |= v << (k % 8)
	}
	return base64.StdEncoding.AppendEncode(nil, packed), nil
}

// UnmarshalText is the inverse of MarshalText.
func (l *packedLabels) UnmarshalText(text []byte) error {
	packed, err := base64.StdEncoding.AppendDecode(nil, text)
	if err != nil {
		return err
	}
	*l = make([]uint8, 8*len(packed))
	for k := range *l {
		(*l)[k] = packed[k/8] >> (k % 8) & 1
	}
	return nil
}
