package trainstore

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// sizeOf is what a process knows of how much its store holds: what it has seen last, and
// what it has added since. Others add, too, so that it looks again from time to time.
type sizeOf struct {
	mu    sync.Mutex
	known bool
	bytes int64
	added int64
}

// makeRoom counts what was added, and removes what was not used for longest once there is
// more than the bound.
func (s *Store) makeRoom(added int64) {
	if s.most <= 0 {
		return
	}
	s.size.mu.Lock()
	defer s.size.mu.Unlock()
	s.size.bytes += added
	s.size.added += added
	if s.size.known && s.size.bytes <= s.most && s.size.added < s.most/16 {
		return
	}
	_, s.size.bytes = s.trim(s.most)
	s.size.known, s.size.added = true, 0
}

// Trim removes what was not used for longest until all files together take at most so many
// bytes; zero removes all. It returns how many values are left, and the bytes that they take.
func (s *Store) Trim(most int64) (count int, size int64) {
	s.size.mu.Lock()
	defer s.size.mu.Unlock()
	s.size.known = false
	return s.trim(most)
}

// Usage returns how many values there are, and the bytes that they take.
func (s *Store) Usage() (count int, size int64) {
	files := s.files()
	for _, f := range files {
		size += f.size
	}
	return len(files), size
}

func (s *Store) trim(most int64) (count int, size int64) {
	files := s.files()
	for _, f := range files {
		size += f.size
	}
	if size <= most {
		return len(files), size
	}
	slices.SortFunc(files, func(a, b file) int { return a.used.Compare(b.used) })
	goal := most - most/10 // so that the next one finds room
	for len(files) > 0 && size > goal {
		if err := os.Remove(files[0].path); err == nil || gone(err) {
			size -= files[0].size
		}
		files = files[1:]
	}
	return len(files), size
}

type file struct {
	path string
	size int64
	used time.Time
}

// leftover is how old a file of somebody who was stopped while writing must be to be
// removed.
const leftover = time.Hour

// files lists the values. On its way it removes what runs that were killed have left behind.
func (s *Store) files() []file {
	var all []file
	_ = filepath.WalkDir(s.folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil // what cannot be listed takes no part
		}
		info, err := d.Info()
		isValue, isOurs := owned(s.folder, path)
		switch {
		case err != nil:
		case isValue:
			all = append(all, file{path, info.Size(), info.ModTime()})
		case isOurs && time.Since(info.ModTime()) > leftover:
			os.Remove(path)
		}
		return nil
	})
	slices.SortFunc(all, func(a, b file) int { return cmp.Compare(a.path, b.path) })
	return all
}

// owned reports whether the file of a folder is one that a store keeps a value in, and
// whether it is at least one that it has written: nothing else is ever counted or removed.
func owned(folder, path string) (isValue, isOurs bool) {
	dir, name := filepath.Split(path)
	const digits = 2 * len(Key{})
	if len(name) < digits || strings.Trim(name[:digits], "0123456789abcdef") != "" || filepath.Clean(dir) != filepath.Join(folder, name[:2]) {
		return false, false
	}
	return len(name) == digits, strings.HasSuffix(name, ".tmp") || strings.HasSuffix(name, claimed)
}
