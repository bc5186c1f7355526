package plotting

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/crank-ml/crank/plotting/internal/letters"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// TestMain lets no font of the machine into the pictures of the tests. Pictures leave much garbage: collected less often, the tests take
// two thirds of the time.
func TestMain(m *testing.M) {
	moreFonts = noFonts()
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	os.Exit(m.Run())
}

func noFonts() *letters.List { return letters.NewList(func() []string { return nil }) }

// withFonts runs the rest of a test with other fonts.
func withFonts(t *testing.T, l *letters.List) {
	former := moreFonts
	moreFonts = l
	t.Cleanup(func() { moreFonts = former })
}

// fontOf returns a font in which each of the letters, in increasing order, looks
// like an M. All tables begin at a multiple of four bytes plus off.
func fontOf(has string, off int) []byte {
	original, _ := sfnt.Parse(goregular.TTF)
	var buf sfnt.Buffer
	glyph, _ := original.GlyphIndex(&buf, 'M')
	number := binary.BigEndian
	runes := []rune(has)
	// One encoding, of all of Unicode, in format 12: a group for each letter.
	cmap := number.AppendUint32(nil, 1)
	cmap = number.AppendUint32(cmap, 3<<16|10)
	cmap = number.AppendUint32(cmap, 12)
	cmap = number.AppendUint32(cmap, 12<<16)
	for _, v := range []int{16 + 12*len(runes), 0, len(runes)} {
		cmap = number.AppendUint32(cmap, uint32(v))
	}
	for _, r := range runes {
		for _, v := range []uint32{uint32(r), uint32(r), uint32(glyph)} {
			cmap = number.AppendUint32(cmap, v)
		}
	}
	head := bytes.Clone(goregular.TTF[:12])
	n := int(number.Uint16(head[4:]))
	directory := bytes.Clone(goregular.TTF[12 : 12+16*n])
	out := append(head, directory...)
	for k := range n {
		record := out[12+16*k : 28+16*k]
		from, length := number.Uint32(record[8:]), number.Uint32(record[12:])
		table := goregular.TTF[from : from+length]
		if string(record[:4]) == "cmap" {
			table = cmap
		}
		for len(out)%4 != off {
			out = append(out, 0)
		}
		record = out[12+16*k : 28+16*k]
		number.PutUint32(record[8:], uint32(len(out)))
		number.PutUint32(record[12:], uint32(len(table)))
		out = append(out, table...)
	}
	return out
}

// collectionOf returns a collection of two fonts.
func collectionOf(a, b []byte) []byte {
	number := binary.BigEndian
	out := []byte("ttcf\x00\x01\x00\x00\x00\x00\x00\x02")
	out = append(out, make([]byte, 8)...)
	for k, f := range [][]byte{a, b} {
		for len(out)%4 != 0 {
			out = append(out, 0)
		}
		start := uint32(len(out))
		number.PutUint32(out[12+4*k:], start)
		out = append(out, f...)
		for at := int(start) + 12; at < int(start)+12+16*int(number.Uint16(f[4:])); at += 16 {
			number.PutUint32(out[at+8:], number.Uint32(out[at+8:])+start)
		}
	}
	return out
}

func fontFile(t *testing.T, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "letters.ttf")
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

const foreign = "中文مرحب😀"

// sorted returns the letters of s, as they are and as they join, each once.
func sorted(s string) string {
	all := append([]rune(s), letters.Visual(s)...)
	slices.Sort(all)
	return string(slices.Compact(all))
}

// TestLettersWithoutAFont puts letters that no font has into every text of every
// figure: none is drawn as the font's sign for a missing letter, and each figure
// has a note, once.
func TestLettersWithoutAFont(t *testing.T) {
	t.Parallel()
	for name, figure := range everyFigure(foreign, 1, 2) {
		var seen witness
		seen.look(figure())
		slices.Reverse(seen.texts) // notes are drawn from below
		notes := strings.Join(seen.texts, " ")
		if seen.boxes > 0 {
			t.Errorf("%s: %d letters are drawn that the font lacks", name, seen.boxes)
		}
		numbered, boxed := strings.Count(notes, "labels by number"), strings.Count(notes, "boxes with the numbers")
		// The frames of a film have notes on their labels, which differ.
		if numbered+boxed == 0 || boxed > 1 {
			t.Errorf("%s: %d notes on names, %d on letters", name, numbered, boxed)
		}
	}
	for name, figure := range everyFigure("Größe $π_{12}$ музыка", 1, 2) {
		var seen witness
		seen.look(figure())
		if notes := strings.Join(seen.texts, " "); seen.boxes > 0 || strings.Contains(notes, "fonts lack") {
			t.Errorf("%s: the built-in font has these letters, but: %s", name, notes)
		}
	}
}

// TestLettersWithAFont gives a font for these letters: no note is left. One kind of file shows it for every figure, the others for one.
func TestLettersWithAFont(t *testing.T) {
	for name, data := range map[string][]byte{
		"one font":             fontOf(sorted(foreign), 0),
		"a collection":         collectionOf(fontOf("x", 0), fontOf(sorted(foreign), 0)),
		"tables at odd places": fontOf(sorted(foreign), 1),
	} {
		withFonts(t, noFonts())
		if err := UseFont(fontFile(t, data)); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for figure, draw := range everyFigure(foreign, 1, 2) {
			if name != "one font" && figure != "Network" {
				continue
			}
			var seen witness
			seen.look(draw())
			if notes := strings.Join(seen.texts, " "); seen.boxes > 0 || strings.Contains(notes, "fonts lack") || strings.Contains(notes, "#0") {
				t.Errorf("%s, %s: %q", name, figure, notes)
			}
		}
	}
}

// TestNumberBox looks at the box in place of a letter: four bars that make a frame and do not overlap, and its number in two rows
// within, the first half above.
func TestNumberBox(t *testing.T) {
	withFonts(t, noFonts())
	big := sans
	big.Size = 20
	for _, letter := range []string{"\u1188", "\U00011888"} { // ones above eights, 0118 above 88
		box := plainRuns(letter, big)[0]
		if box.kind != missing {
			t.Fatalf("%q is no box", letter)
		}
		at := vg.Point{X: 3, Y: 5}
		left, right := at.X+20*boxSpace, at.X+box.boxWidth()-20*boxSpace
		bottom, top := at.Y+20*boxBottom, at.Y+20*boxTop
		line, middle := vg.Length(20*boxLine), (bottom+top)/2
		shapes := shapesOf(box.numberBox(at))
		digits, bars := shapes[:len(shapes)-4], shapes[len(shapes)-4:]
		var area vg.Length
		frame := bars[0]
		for _, b := range bars {
			area += (b.right - b.left) * (b.top - b.bottom)
			frame = shape{min(frame.left, b.left), max(frame.right, b.right), min(frame.bottom, b.bottom), max(frame.top, b.top), 0}
		}
		want := (right-left)*(top-bottom) - (right-left-2*line)*(top-bottom-2*line)
		if (frame != shape{left, right, bottom, top, 0}) || math.Abs(float64(area-want)) > 1e-9 {
			t.Errorf("%q: bars %v, want a frame from %v to %v and %v to %v", letter, bars, left, right, bottom, top)
		}
		for row, of := range [][]shape{rowOf(digits, func(d shape) bool { return d.bottom >= middle }), rowOf(digits, func(d shape) bool { return d.top <= middle })} {
			if len(of) == 0 {
				t.Fatalf("%q: nothing in row %d", letter, row)
			}
			begin, end := of[0].left, of[0].right
			for _, d := range of {
				begin, end = min(begin, d.left), max(end, d.right)
				if d.left <= left+line || d.right >= right-line || d.bottom <= bottom+line || d.top >= top-line {
					t.Errorf("%q: a digit at %v is not within the frame", letter, d)
				}
			}
			if off := (begin + end - left - right) / 2; !(math.Abs(float64(off)) <= 1) {
				t.Errorf("%q: row %d is %v off the middle", letter, row, off)
			}
			digits = slices.DeleteFunc(digits, func(d shape) bool { return slices.Contains(of, d) })
		}
		if len(digits) > 0 {
			t.Errorf("%q: %v are in no row", letter, digits)
		}
	}
	ones := shapesOf(plainRuns("\u1188", big)[0].numberBox(vg.Point{}))
	if top := slices.MaxFunc(ones[:len(ones)-4], func(a, b shape) int { return cmp.Compare(a.bottom, b.bottom) }); top.curves > 0 {
		t.Error("the upper row has no ones")
	}
}

// shape is the room that a closed line of a path takes, and how many curves it has.
type shape struct {
	left, right, bottom, top vg.Length
	curves                   int
}

func shapesOf(p vg.Path) (shapes []shape) {
	for _, c := range p {
		if c.Type == vg.CloseComp {
			continue
		}
		if c.Type == vg.MoveComp {
			shapes = append(shapes, shape{c.Pos.X, c.Pos.X, c.Pos.Y, c.Pos.Y, 0})
		}
		s := &shapes[len(shapes)-1]
		s.left, s.right, s.bottom, s.top = min(s.left, c.Pos.X), max(s.right, c.Pos.X), min(s.bottom, c.Pos.Y), max(s.top, c.Pos.Y)
		if c.Type == vg.CurveComp {
			s.curves++
		}
	}
	return shapes
}

// rowOf returns the shapes that are in a row.
func rowOf(shapes []shape, in func(shape) bool) (row []shape) {
	for _, s := range shapes {
		if in(s) {
			row = append(row, s)
		}
	}
	return row
}

// TestGivenLettersAreDrawn checks that a letter of a given font is drawn as its
// outline, in all formats and on canvases of the caller's own.
func TestGivenLettersAreDrawn(t *testing.T) {
	withFonts(t, noFonts())
	figure := func(title string) *Figure { return Curves{Title: title}.Figure() }
	without := map[string][]byte{}
	for _, format := range []string{"png", "svg", "pdf"} {
		without[format], _ = encode(figure("中"), format)
	}
	if err := UseFont(fontFile(t, fontOf("中", 0))); err != nil {
		t.Fatal(err)
	}
	for format, before := range without {
		got, err := encode(figure("中"), format)
		if err != nil || bytes.Equal(got, before) {
			t.Errorf("%s: the font changes nothing (%v)", format, err)
		}
		// Neither a name of a font nor the text, but for the description, which is not seen: what is seen needs no font.
		_, got, _ = bytes.Cut(got, []byte("</desc>"))
		if format == "svg" && (len(got) == 0 || bytes.Contains(got, []byte("中")) || bytes.Contains(got, []byte("font-family"))) {
			t.Error("the file needs a font")
		}
	}
	canvas := vgsvg.New(400, 300)
	figure("中 and Latin").Draw(draw.New(canvas))
	var out bytes.Buffer
	if _, err := canvas.WriteTo(&out); err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(out.Bytes(), []byte("中")) || !bytes.Contains(out.Bytes(), []byte("and Latin")) {
		t.Error("a canvas without outlines gets the letter as text")
	}
	// The outline is that of the font, as large as the text.
	m, _ := sfnt.Parse(goregular.TTF)
	face := font.DefaultCache.Lookup(sans, 10)
	at := vg.Point{X: 3, Y: 4}
	want := textPath(nil, font.Face{Font: face.Font, Face: m}, at, "M")
	var spy pathCanvas
	drawRuns(&spy, appendRuns(nil, "中", face, 0), at)
	if len(want) == 0 || !slices.EqualFunc(spy.path, want, func(a, b vg.PathComp) bool { return a.Type == b.Type && a.Pos == b.Pos }) {
		t.Error("the outline is another than the font's")
	}
}

type pathCanvas struct {
	survey
	path vg.Path
}

func (p *pathCanvas) Fill(path vg.Path) { p.path = append(p.path, path...) }

// TestLatinIsNeverTakenFromAnotherFont draws Latin text with a font at hand in
// which all letters look alike.
func TestLatinIsNeverTakenFromAnotherFont(t *testing.T) {
	withFonts(t, noFonts())
	figure := func() *Figure { return Network(treeModel(6, className)) }
	before, err := encode(figure(), "png")
	if err != nil {
		t.Fatal(err)
	}
	all := make([]rune, 0, 1000)
	for r := ' '; r < 1000; r++ {
		all = append(all, r)
	}
	if err := UseFont(fontFile(t, fontOf(string(all), 0))); err != nil {
		t.Fatal(err)
	}
	if after, err := encode(figure(), "png"); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the picture has changed (%v)", err)
	}
}

// TestBoxesTellLettersApart: names of letters that no font has look different.
func TestBoxesTellLettersApart(t *testing.T) {
	seen := map[string]rune{}
	face := font.DefaultCache.Lookup(sans, 10)
	for _, r := range "中文字😀😁" {
		var spy pathCanvas
		drawRuns(&spy, appendRuns(nil, string(r), face, 0), vg.Point{})
		var key strings.Builder
		for _, c := range spy.path {
			fmt.Fprint(&key, c.Pos)
		}
		if other, ok := seen[key.String()]; ok {
			t.Errorf("%c looks like %c", r, other)
		}
		seen[key.String()] = r
	}
}

func TestUseFontErrors(t *testing.T) {
	good := fontOf("中", 0)
	empty := bytes.Clone(good) // of all letters
	record := empty[bytes.Index(empty, []byte("loca")):]
	clear(empty[binary.BigEndian.Uint32(record[8:]):][:binary.BigEndian.Uint32(record[12:])])
	dir := t.TempDir()
	for name, data := range map[string][]byte{"text.ttf": []byte("not a font at all, but a text"), "empty.otf": nil, "cut.ttf": good[:len(good)/3], "bare.ttf": empty} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := UseFont(path); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: error %v does not name the file", name, err)
		}
	}
	for _, path := range []string{dir, filepath.Join(dir, "none.ttf")} {
		if err := UseFont(path); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: error %v does not name it", path, err)
		}
	}
}

// TestSystemFontsAreAskedOnce from many goroutines: the search runs once, broken
// files do no harm, and a font that is given comes before those of the system.
func TestSystemFontsAreAskedOnce(t *testing.T) {
	searches := 0
	system := fontFile(t, fontOf("中文", 0))
	l := letters.NewList(func() []string {
		searches++
		return []string{"/no/such/font.ttf", fontFile(t, []byte("broken")), system}
	})
	withFonts(t, l)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for _, r := range "中文字" {
				if has := l.Find(r) != nil; has != (r != '字') {
					t.Errorf("%c: found %v", r, has)
				}
			}
			var seen witness
			seen.look(Network(treeModel(3, func(int) string { return "中文" })))
		})
	}
	wg.Wait()
	if searches != 1 {
		t.Errorf("%d searches", searches)
	}
	former := l.Find('中')
	if err := UseFont(fontFile(t, fontOf("中字", 0))); err != nil {
		t.Fatal(err)
	}
	if l.Find('中') == former || l.Find('字') == nil || l.Find('文') != former {
		t.Error("the font that was given is not asked first")
	}
	former = l.Find('字')
	if err := UseFont(fontFile(t, fontOf("字", 0))); err != nil {
		t.Fatal(err)
	}
	if l.Find('字') == former {
		t.Error("the font that was given last is not asked first")
	}
}

// FuzzFont reads damaged fonts: an error, or letters that can be drawn.
func FuzzFont(f *testing.F) {
	small := fontOf("中", 0)
	f.Add(uint32(0), uint32(0), byte(0))
	f.Add(uint32(5), uint32(200), byte(255))
	f.Fuzz(func(t *testing.T, at, length uint32, value byte) {
		data := bytes.Clone(small)
		data[int(at)%len(data)] = value
		data = data[:len(data)-int(length)%len(data)]
		fonts, err := letters.Parse(bytes.NewReader(data), int64(len(data)))
		if (err == nil) != (len(fonts) > 0) {
			t.Fatalf("%d fonts and error %v", len(fonts), err)
		}
		l := noFonts()
		l.Give(fonts)
		if g := l.Find('中'); g != nil {
			face := font.Face{Font: font.From(sans, 10), Face: g}
			face.Width("中")
			textPath(nil, face, vg.Point{}, "中")
		}
	})
}
