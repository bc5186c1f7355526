package experiment

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
	"strconv"
	"strings"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/internal/atomicfile"
)

// Store keeps finished work in the files of a folder, so that a run that was cut
// goes on where it stopped. A file holds a value as JSON, its checksum, and a key
// of what it was made from; see StoreKey. An Experiment keeps its cells so.
type Store struct{ Folder string }

// storeFile is what a file of a Store holds.
type storeFile struct {
	Key  string          // hash of what determines the value
	Sum  string          // SHA-256 of Cell without white space
	Cell json.RawMessage // the value
}

// Get reads into value what Put kept under the name with this key, and reports
// whether it did. The note says why a file that is there is not used: it is of
// another key, or damaged; value may then hold a part of it.
func (s Store) Get(value any, key string, name ...string) (found bool, note string, err error) {
	path := s.path(name)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, "", nil
	}
	if err != nil {
		return false, "", fmt.Errorf("crankpkg: %w", err)
	}
	var file storeFile
	bad := json.Unmarshal(text, &file)
	switch {
	case bad != nil:
	case file.Sum != sumOf(file.Cell):
		bad = errors.New("its checksum is wrong")
	case file.Key != key:
		return false, path + " is of other data or settings", nil
	default:
		bad = json.Unmarshal(file.Cell, value)
	}
	if bad != nil {
		return false, damaged(path, bad), nil
	}
	return true, "", nil
}

func damaged(path string, why error) string { return fmt.Sprintf("%s is damaged: %v", path, why) }

// Put keeps a value under the name in place of what was there, whole or not at
// all.
func (s Store) Put(value any, key string, name ...string) error {
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("crankpkg: %w", err)
	}
	if err := os.MkdirAll(s.Folder, 0o777); err != nil {
		return fmt.Errorf("crankpkg: %w", err)
	}
	return atomicfile.Write(s.path(name), func(w io.Writer) error {
		return json.NewEncoder(w).Encode(storeFile{Key: key, Sum: sumOf(text), Cell: text})
	})
}

// path returns the file of a name. Escaping keeps names apart that differ.
func (s Store) path(name []string) string {
	escaped := make([]string, len(name))
	for k, part := range name {
		escaped[k] = url.PathEscape(part)
	}
	return filepath.Join(s.Folder, strings.Join(escaped, ",")+".json")
}

// StoreKey hashes what determines a value: a Dataset by all that it holds, all
// else as the verb %#v prints it, which for pointers is their address and so of
// no use.
func StoreKey(inputs ...any) string {
	h := sha256.New()
	for _, input := range inputs {
		if ds, ok := input.(*crankpkg.Dataset); ok {
			hashDataset(h, ds)
		} else {
			fmt.Fprintf(h, "%#v\n", input)
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// name is what the cell is kept under.
func (p *plannedCell) name() []string {
	return []string{p.set.Name, p.trainer.Name(), strconv.FormatUint(p.seed, 10)}
}

// load fills in the cell if its file is there and good. The note says why one
// that is there is not used.
func (p *plannedCell) load(s Store) (note string, err error) {
	var cell Cell
	found, note, err := s.Get(&cell, p.key, p.name()...)
	if err != nil {
		return "", err
	}
	if values := len(p.data.test.Y); found && len(cell.Predicted) < values {
		found, note = false, damaged(s.path(p.name()), fmt.Errorf("it has %d label values and not %d", len(cell.Predicted), values))
	}
	if note != "" {
		return fmt.Sprintf("%s: computed again: %s", p.describe(), note), nil
	}
	if found {
		cell.Truth = p.data.test.Y
		cell.Predicted = cell.Predicted[:len(cell.Truth)]
		p.cell = &cell
	}
	return "", nil
}

func sumOf(cell json.RawMessage) string {
	var compact bytes.Buffer
	if err := json.Compact(&compact, cell); err != nil {
		return "not JSON"
	}
	sum := sha256.Sum256(compact.Bytes())
	return hex.EncodeToString(sum[:])
}

// PackedLabels are zeros and ones that text keeps as bits in base64. Zeros fill
// the last byte, so what is read back can be up to 7 values longer.
type PackedLabels []uint8

// MarshalText packs the labels.
func (l PackedLabels) MarshalText() ([]byte, error) {
	packed := make([]byte, (len(l)+7)/8)
	for k, v := range l {
		packed[k/8] |= v << (k % 8)
	}
	return base64.StdEncoding.AppendEncode(nil, packed), nil
}

// UnmarshalText is the inverse of MarshalText.
func (l *PackedLabels) UnmarshalText(text []byte) error {
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
