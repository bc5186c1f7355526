package letters

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
)

// misaligned returns Go's font with its tables behind so many bytes more, which are no multiple of four.
func misaligned(shift int) []byte {
	font := goregular.TTF
	count := int(binary.BigEndian.Uint16(font[4:]))
	end := 12 + 16*count
	moved := append(append(bytes.Clone(font[:end]), make([]byte, shift)...), font[end:]...)
	for k := range count {
		at := moved[12+16*k+8:]
		binary.BigEndian.PutUint32(at, binary.BigEndian.Uint32(at)+uint32(shift))
	}
	return moved
}

// collectionOf returns a collection of a font alone, whose tables count from its beginning.
func collectionOf(font []byte) []byte {
	const head = 16
	c := append([]byte("ttcf\x00\x01\x00\x00\x00\x00\x00\x01\x00\x00\x00\x10"), font...)
	for k := range int(binary.BigEndian.Uint16(font[4:])) {
		at := c[head+12+16*k+8:]
		binary.BigEndian.PutUint32(at, binary.BigEndian.Uint32(at)+head)
	}
	return c
}

func outlineOf(t *testing.T, f *sfnt.Font, r rune) sfnt.Segments {
	t.Helper()
	var buf sfnt.Buffer
	g, err := f.GlyphIndex(&buf, r)
	if err != nil {
		t.Fatal(err)
	}
	return append(sfnt.Segments(nil), Outline(f, &buf, g)...)
}

// TestParse reads a font as it is, in a collection, and with tables that begin anywhere: its letters have the same outlines. What is no
// font, or is cut short, is an error.
func TestParse(t *testing.T) {
	t.Parallel()
	want := map[rune]sfnt.Segments{}
	for name, data := range map[string][]byte{
		"plain": goregular.TTF, "collection": collectionOf(goregular.TTF), "by one": misaligned(1), "by two": misaligned(2), "in a collection, by three": collectionOf(misaligned(3)),
	} {
		fonts, err := Parse(bytes.NewReader(data), int64(len(data)))
		if err != nil || len(fonts) != 1 {
			t.Errorf("%s: %d fonts, error %v", name, len(fonts), err)
			continue
		}
		for _, r := range "Ag(ö" {
			got := outlineOf(t, fonts[0], r)
			if want[r] == nil {
				want[r] = got
			}
			if len(got) == 0 || len(got) != len(want[r]) {
				t.Errorf("%s: %c has %d lines, want %d", name, r, len(got), len(want[r]))
				continue
			}
			for k := range got {
				if got[k] != want[r][k] {
					t.Errorf("%s: %c has another line %d", name, r, k)
				}
			}
		}
	}
	for name, data := range map[string][]byte{"empty": nil, "text": []byte(strings.Repeat("no font at all ", 9)), "cut": goregular.TTF[:3000], "head alone": misaligned(1)[:12]} {
		if fonts, err := Parse(bytes.NewReader(data), int64(len(data))); err == nil || fonts != nil {
			t.Errorf("%s: %d fonts, error %v", name, len(fonts), err)
		}
	}
}

// TestRead names the file in its errors.
func TestRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	good, bad, none := filepath.Join(dir, "good.ttf"), filepath.Join(dir, "bad.ttf"), filepath.Join(dir, "none.ttf")
	if err := errors.Join(os.WriteFile(good, goregular.TTF, 0o644), os.WriteFile(bad, []byte("bad"), 0o644)); err != nil {
		t.Fatal(err)
	}
	if fonts, err := Read(good); err != nil || len(fonts) != 1 {
		t.Errorf("%d fonts, error %v", len(fonts), err)
	}
	for _, path := range []string{bad, none, dir} {
		if fonts, err := Read(path); err == nil || fonts != nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %d fonts, error %v", path, len(fonts), err)
		}
		if fonts := openFonts(path); fonts != nil {
			t.Errorf("%s: opened as %d fonts", path, len(fonts))
		}
	}
}

// TestHasLetter tells what Go's font draws: letters and blanks, no Chinese.
func TestHasLetter(t *testing.T) {
	t.Parallel()
	fonts, err := Parse(bytes.NewReader(goregular.TTF), int64(len(goregular.TTF)))
	if err != nil {
		t.Fatal(err)
	}
	for r, want := range map[rune]bool{'A': true, 'ß': true, ' ': true, '\u00a0': true, '漢': false, 'א': false} {
		if hasLetter(fonts[0], r) != want {
			t.Errorf("%q: has it is not %v", r, want)
		}
	}
}

// TestList asks for the files once, when a letter is first needed, opens them one after the other and no further than needed, and looks
// in what was given first.
func TestList(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	bad, good, rest := filepath.Join(dir, "bad.ttf"), filepath.Join(dir, "good.ttf"), filepath.Join(dir, "rest.ttf")
	if err := errors.Join(os.WriteFile(bad, nil, 0o644), os.WriteFile(good, goregular.TTF, 0o644), os.WriteFile(rest, goregular.TTF, 0o644)); err != nil {
		t.Fatal(err)
	}
	asked := 0
	l := NewList(func() []string { asked++; return []string{bad, good, rest} })
	if asked != 0 {
		t.Error("the files are asked for before any letter is")
	}
	found := l.Find('A')
	if found == nil || l.Find('B') != found || l.Find('A') != found || asked != 1 || len(l.rest) != 1 || len(l.found) != 1 {
		t.Errorf("%v, asked %d times, %d files left", found, asked, len(l.rest))
	}
	for range 2 {
		if l.Find('漢') != nil || len(l.rest) != 0 || len(l.found) != 2 {
			t.Errorf("a letter that no font has is found, or %d files are left", len(l.rest))
		}
	}
	given, err := Read(good)
	if err != nil {
		t.Fatal(err)
	}
	l.Give(given)
	if l.Find('A') != given[0] || asked != 1 {
		t.Error("what was given is not first")
	}
	later, err := Read(rest)
	if err != nil {
		t.Fatal(err)
	}
	l.Give(later)
	if l.Find('A') != later[0] || len(l.given) != 2 {
		t.Error("what was given last is not first")
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if l.Find('C') != later[0] || l.Find('字') != nil {
				t.Error("another font at the same time")
			}
		})
	}
	all.Wait()
}
