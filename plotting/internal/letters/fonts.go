package letters

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"unicode"

	xfont "golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// Read reads the fonts of a file: TTF, OTF or a collection of these. The error
// names the file.
func Read(path string) ([]*sfnt.Font, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("font: %w", err)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("font %s: not a file", path)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("font: %w", err)
	}
	fonts, err := Parse(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, fmt.Errorf("font %s: %w", path, err)
	}
	return fonts, nil
}

// List finds letters in the fonts that were given and then, when these lack
// one, in files. Each letter is looked for once. It is safe for concurrent use.
type List struct {
	files func() []string // asked once

	mu    sync.Mutex
	given []*sfnt.Font
	// rest are the files that have not been opened yet; found are the fonts of
	// those that have.
	rest   []string
	found  []*sfnt.Font
	looked bool
	known  map[rune]*sfnt.Font
}

// NewList returns a list of the fonts in files, which is asked for them when a
// letter is first needed.
func NewList(files func() []string) *List { return &List{files: files} }

// Give puts fonts before all others.
func (l *List) Give(fonts []*sfnt.Font) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.given = append(append([]*sfnt.Font(nil), fonts...), l.given...)
	l.known = nil
}

// Find returns a font that has r, nil if there is none.
func (l *List) Find(r rune) *sfnt.Font {
	l.mu.Lock()
	defer l.mu.Unlock()
	if f, ok := l.known[r]; ok {
		return f
	}
	f := l.search(r)
	if l.known == nil {
		l.known = map[rune]*sfnt.Font{}
	}
	l.known[r] = f
	return f
}

func (l *List) search(r rune) *sfnt.Font {
	for _, fonts := range [][]*sfnt.Font{l.given, l.found} {
		if f := whichHas(fonts, r); f != nil {
			return f
		}
	}
	if !l.looked {
		l.rest, l.looked = l.files(), true
	}
	for len(l.rest) > 0 {
		fonts := openFonts(l.rest[0])
		l.rest, l.found = l.rest[1:], append(l.found, fonts...)
		if f := whichHas(fonts, r); f != nil {
			return f
		}
	}
	return nil
}

// openFonts returns the fonts of a file that stays open: of a large font only
// the letters that are drawn are read. A file that is not readable has none.
func openFonts(path string) []*sfnt.Font {
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
		if fonts, err := Parse(file, info.Size()); err == nil {
			return fonts
		}
	}
	file.Close()
	return nil
}

var errNoOutlines = errors.New("the font has no letters as outlines")

// Parse reads a font or a collection. It drops fonts without outlines, such
// as those of colored pictures.
func Parse(src io.ReaderAt, size int64) (fonts []*sfnt.Font, err error) {
	// The parser is meant to return errors, but files may come from anywhere.
	defer func() {
		if p := recover(); p != nil {
			fonts, err = nil, fmt.Errorf("%w: %v", errDamaged, p)
		}
	}()
	all, err := readCollection(src)
	if err != nil {
		if all = readAligned(src, size); all == nil {
			return nil, fmt.Errorf("no TTF, OTF or TTC font that can be read: %w", err)
		}
	}
	for _, f := range all {
		if hasOutlines(f) {
			fonts = append(fonts, f)
		}
	}
	if len(fonts) == 0 {
		return nil, errNoOutlines
	}
	return fonts, nil
}

func readCollection(src io.ReaderAt) ([]*sfnt.Font, error) {
	all, err := sfnt.ParseCollectionReaderAt(src)
	if err != nil {
		return nil, err
	}
	var fonts []*sfnt.Font
	for k := range all.NumFonts() {
		f, err := all.Font(k)
		if err != nil {
			return nil, err
		}
		fonts = append(fonts, f)
	}
	return fonts, nil
}

// readAligned reads the font that alignFont makes; nothing if it cannot be read
// either.
func readAligned(src io.ReaderAt, size int64) []*sfnt.Font {
	data, err := alignFont(src, size)
	if err != nil {
		return nil
	}
	f, err := sfnt.Parse(data)
	if err != nil {
		return nil
	}
	return []*sfnt.Font{f}
}

func hasOutlines(f *sfnt.Font) bool {
	var buf sfnt.Buffer
	for g := range f.NumGlyphs() {
		// The first glyph stands for what is missing.
		if g > 0 && len(Outline(f, &buf, sfnt.GlyphIndex(g))) > 0 {
			return true
		}
	}
	return false
}

// Outline returns the outline of a glyph in the units of the font, nothing if
// there is none.
func Outline(f *sfnt.Font, buf *sfnt.Buffer, g sfnt.GlyphIndex) (segments sfnt.Segments) {
	defer func() {
		if recover() != nil {
			segments = nil
		}
	}()
	segments, err := f.LoadGlyph(buf, g, fixed.Int26_6(f.UnitsPerEm()), nil)
	if err != nil {
		return nil
	}
	return segments
}

func whichHas(fonts []*sfnt.Font, r rune) *sfnt.Font {
	for _, f := range fonts {
		if hasLetter(f, r) {
			return f
		}
	}
	return nil
}

// hasLetter reports whether f can draw r.
func hasLetter(f *sfnt.Font, r rune) (has bool) {
	defer func() {
		if recover() != nil {
			has = false
		}
	}()
	var buf sfnt.Buffer
	g, err := f.GlyphIndex(&buf, r)
	if err != nil || g == 0 {
		return false
	}
	if _, err := f.GlyphAdvance(&buf, g, fixed.Int26_6(f.UnitsPerEm()), xfont.HintingNone); err != nil {
		return false
	}
	return unicode.IsSpace(r) || len(Outline(f, &buf, g)) > 0
}
