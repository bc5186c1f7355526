package trainstore

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"sync/atomic"
	"time"

	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/internal/values"
	"github.com/crank-ml/crank/internal/atomicfile"
)

// Store keeps values in the files of a folder, each under the key of what it was made from.
// It is safe for concurrent use, also by several processes. Make it with Open.
type Store struct {
	folder string
	most   int64 // bytes; 0: no bound
	size   sizeOf
	hits   atomic.Int64
	misses atomic.Int64
}

// Key is the hash of what determines a value.
type Key [sha256.Size]byte

// KeyOf hashes all that the values hold: their types, and all of their fields. It returns an
// error where one holds a function or a channel.
func KeyOf(inputs ...any) (Key, error) {
	h := sha256.New()
	if err := (&values.Digest{W: h}).Add(inputs...); err != nil {
		return Key{}, fmt.Errorf("%w: %w", errs.ErrSettings, err)
	}
	return Key(h.Sum(nil)), nil
}

// String returns the key in hexadecimal digits.
func (k Key) String() string { return hex.EncodeToString(k[:]) }

// Open returns the store of a folder, which it creates. Where most is above zero, the
// files that were not used for longest are removed once all together take more bytes.
func Open(folder string, most int64) (*Store, error) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return nil, fmt.Errorf("crankpkg: store of trainings: %w", err)
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, fmt.Errorf("crankpkg: store of trainings: %w", err)
	}
	s, _ := opened.LoadOrStore(place{folder, most}, &Store{folder: folder, most: most})
	return s.(*Store), nil
}

// opened has a Store for each folder that this process has opened.
var opened sync.Map

type place struct {
	folder string
	most   int64
}

// Folder returns the folder's path.
func (s *Store) Folder() string { return s.folder }

// Counts returns how often, in this process, a value was there and how often it was made.
func (s *Store) Counts() (hits, misses int) { return int(s.hits.Load()), int(s.misses.Load()) }

// magic begins every file. Another form of files gets another number.
const magic = "crank store 1\n"

// path returns the file of a key, with an extension.
func (s *Store) path(key Key, ext string) string {
	name := key.String()
	return filepath.Join(s.folder, name[:2], name+ext)
}

// get reads the value of a key. It reports false where there is none, or none that is whole.
func (s *Store) get(key Key, to any) bool {
	path := s.path(key, "")
	data, err := os.ReadFile(path)
	if err != nil {
		return false
	}
	head := len(magic) + sha256.Size
	if len(data) < head || string(data[:len(magic)]) != magic {
		return false
	}
	sum := sumOf(key, data[head:])
	if !bytes.Equal(sum[:], data[len(magic):head]) || values.Decode(data[head:], to) != nil {
		return false
	}
	now := time.Now()
	os.Chtimes(path, now, now) // so that it counts as used; where that fails, it is removed sooner
	return true
}

func sumOf(key Key, data []byte) Key {
	h := sha256.New()
	h.Write(key[:])
	h.Write(data)
	return Key(h.Sum(nil))
}

// put keeps the value of a key.
func (s *Store) put(key Key, v any) error {
	data, err := values.Encode(v)
	if err != nil {
		return err
	}
	if s.most > 0 && int64(len(data)) > s.most/4 {
		return nil // it would drive out too much
	}
	path, sum := s.path(key, ""), sumOf(key, data)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	err = atomicfile.Write(path, func(w io.Writer) error {
		for _, part := range [][]byte{[]byte(magic), sum[:], data} {
			if _, err := w.Write(part); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		s.makeRoom(int64(len(magic) + sha256.Size + len(data)))
	}
	return err
}

// Do returns the value of a key: the one that s keeps, or else that of make, which s then
// keeps if make says so. Where another goroutine or process is making it, Do waits for that;
// waiting, if not nil, is told once. T is of structs with exported fields, pointers, lists,
// numbers and texts. Where ok is not nil, a kept value counts only if it says so. What the
// store cannot keep or read is made, and no error: made tells whether it was. A nil store
// keeps nothing.
func Do[T any](ctx context.Context, s *Store, key Key, ok func(T) bool, waiting func(), make func() (v T, keep bool)) (v T, made bool) {
	if s == nil || ctx.Err() != nil {
		v, _ = make()
		return v, true
	}
	key = key.of(reflect.TypeFor[T]())
	there := func() (v T, found bool) {
		if s.get(key, &v) && (ok == nil || ok(v)) {
			s.hits.Add(1)
			return v, true
		}
		return *new(T), false
	}
	if v, found := there(); found {
		return v, false
	}
	release, err := s.claim(ctx, key, waiting)
	if err == nil {
		defer release()
		if v, found := there(); found {
			return v, false
		}
	}
	s.misses.Add(1)
	v, keep := make()
	if keep && err == nil {
		_ = s.put(key, v) // a full disk is no reason to lose what was made
	}
	return v, true
}

// Look returns the value of a key if s keeps it. It makes nothing and waits for nobody.
func Look[T any](s *Store, key Key) (v T, found bool) {
	if s == nil || !s.get(key.of(reflect.TypeFor[T]()), &v) {
		return *new(T), false
	}
	s.hits.Add(1)
	return v, true
}

// of returns the key of a value of type t: another layout of it is another key.
func (k Key) of(t reflect.Type) Key {
	h := sha256.New()
	h.Write(k[:])
	io.WriteString(h, values.Layout(t))
	return Key(h.Sum(nil))
}

// gone reports whether an error says that a file is not there.
func gone(err error) bool { return errors.Is(err, fs.ErrNotExist) }
