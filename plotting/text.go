package plotting

import (
	"fmt"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// mathText sets text in which letters between dollar signs are set as
// mathematics: letters slanted, _ and ^ before a letter or a group in braces
// lower and raise it. "objective $ℓ(w) + βf(w)$", "$w_{ij}$", "$10^{-3}$".
// It needs no more than the paper's letters do. Names of labels and other text
// that comes from data are set with plainText instead.
type mathText struct{}

// plainText sets text as it stands.
type plainText struct{}

// builtIn sets text that the built-in font has all letters of.
var builtIn = text.Plain{Fonts: font.DefaultCache}

func (plainText) Cache() *font.Cache               { return font.DefaultCache }
func (plainText) Extents(f font.Font) font.Extents { return builtIn.Extents(f) }
func (plainText) Lines(txt string) []string        { return builtIn.Lines(txt) }
func (plainText) Box(txt string, f font.Font) (w, h, d vg.Length) {
	_, h, d = builtIn.Box("", f)
	return runsWidth(plainRuns(txt, f)), h, d
}

func (plainText) Draw(c vg.Canvas, txt string, sty text.Style, pt vg.Point) {
	drawLines(c, txt, sty, pt, plainRuns)
}

// plainRuns returns the runs of one line.
func plainRuns(line string, f font.Font) []run {
	return appendRuns(nil, line, font.DefaultCache.Lookup(f, f.Size), 0)
}

func (mathText) Cache() *font.Cache               { return font.DefaultCache }
func (mathText) Extents(f font.Font) font.Extents { return builtIn.Extents(f) }
func (mathText) Lines(txt string) []string        { return builtIn.Lines(txt) }
func (mathText) Box(txt string, f font.Font) (w, h, d vg.Length) {
	_, h, d = builtIn.Box("", f)
	return runsWidth(mathRuns(txt, f)), h, d
}

func (mathText) Draw(c vg.Canvas, txt string, sty text.Style, pt vg.Point) {
	drawLines(c, txt, sty, pt, mathRuns)
}

// drawLines draws text by the runs of its lines. It follows the conventions of
// text.Plain.
func drawLines(c vg.Canvas, txt string, sty text.Style, pt vg.Point, runsOf func(string, font.Font) []run) {
	txt = strings.TrimRight(txt, "\n")
	if txt == "" {
		return
	}
	c.SetColor(sty.Color)
	c.Push()
	defer c.Pop()
	c.Rotate(sty.Rotation)
	sin, cos := math.Sincos(sty.Rotation)
	x, y := float64(pt.X), float64(pt.Y)
	pt.X = vg.Length(float64(y*sin) + float64(x*cos))
	pt.Y = vg.Length(float64(y*cos) - float64(x*sin))
	lines := builtIn.Lines(txt)
	pt.Y += sty.Height(txt)*vg.Length(sty.YAlign) - builtIn.Extents(sty.Font).Ascent
	for i, line := range lines {
		runs := runsOf(line, sty.Font)
		at := vg.Point{X: pt.X + vg.Length(sty.XAlign)*runsWidth(runs), Y: pt.Y + vg.Length(len(lines)-i)*sty.Font.Size}
		drawRuns(c, runs, at)
	}
}

// mathRuns splits one line into runs.
func mathRuns(line string, f font.Font) []run {
	var runs []run
	for k, part := range strings.Split(line, "$") {
		if k%2 == 0 {
			if part != "" {
				runs = appendRuns(runs, part, font.DefaultCache.Lookup(f, f.Size), 0)
			}
			continue
		}
		for len(part) > 0 {
			var level int
			switch part[0] {
			case '_':
				level, part = -1, part[1:]
			case '^':
				level, part = 1, part[1:]
			}
			var piece string
			piece, part = mathPiece(part, level != 0)
			runs = appendMath(runs, piece, f, level)
		}
	}
	return runs
}

// mathPiece cuts the next piece off s: after _ or ^ a group in braces or one
// letter, elsewhere all up to the next _ or ^.
func mathPiece(s string, shifted bool) (piece, rest string) {
	if shifted {
		if strings.HasPrefix(s, "{") {
			if end := strings.IndexByte(s, '}'); end > 0 {
				return s[1:end], s[end+1:]
			}
		}
		_, size := utf8.DecodeRuneInString(s)
		return s[:size], s[size:]
	}
	if end := strings.IndexAny(s, "_^"); end >= 0 {
		return s[:end], s[end:]
	}
	return s, ""
}

// appendMath appends the runs of a piece: letters slanted, all else upright.
func appendMath(runs []run, piece string, f font.Font, level int) []run {
	var rise vg.Length
	if level != 0 {
		rise = f.Size * 0.36
		if level < 0 {
			rise = -f.Size * 0.18
		}
		f.Size *= 0.72
	}
	slanted := f
	slanted.Style = xfont.StyleItalic
	for len(piece) > 0 {
		first, size := utf8.DecodeRuneInString(piece)
		letter := unicode.IsLetter(first)
		end := size
		for end < len(piece) {
			r, size := utf8.DecodeRuneInString(piece[end:])
			if unicode.IsLetter(r) != letter {
				break
			}
			end += size
		}
		face := f
		if letter {
			face = slanted
		}
		runs = appendRuns(runs, piece[:end], font.DefaultCache.Lookup(face, face.Size), rise)
		piece = piece[end:]
	}
	return runs
}

// longestName is how many letters of a name are shown.
const longestName = 28

// cleanNames makes names fit to be drawn: on one line, at most longestName
// letters, and the label's number for a name that needs a letter which no font
// has. The notes tell what was replaced.
func cleanNames(names []string) (clean, notes []string) { return cutNames(names, longestName) }

// cutNames is cleanNames for names of at most most letters.
func cutNames(names []string, most int) (clean, notes []string) {
	clean = make([]string, len(names))
	var replaced []string
	for i, name := range names {
		name = strings.Join(strings.FieldsFunc(name, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
		switch {
		case name == "" || !drawable(name):
			clean[i] = fmt.Sprintf("#%d", i)
			replaced = append(replaced, clean[i])
		default:
			clean[i] = shorten(name, most)
		}
	}
	if k := len(replaced); k > 0 {
		if k > 5 {
			replaced = append(replaced[:4:4], "…", replaced[k-1])
		}
		notes = []string{fmt.Sprintf("%s: labels by number, from 0, where the fonts lack letters of the name.", strings.Join(replaced, ", "))}
	}
	return clean, notes
}

// shorten cuts letters out of the middle of a name; its end often tells it
// from its neighbors.
func shorten(name string, most int) string {
	letters := []rune(name)
	if len(letters) <= most {
		return name
	}
	tail := most / 3
	return strings.TrimRight(string(letters[:most-1-tail]), " ") + "…" + strings.TrimLeft(string(letters[len(letters)-tail:]), " ")
}

// textRuns returns the runs of one line in the style sty.
func textRuns(sty text.Style, line string) []run {
	if _, math := sty.Handler.(mathText); math {
		return mathRuns(line, sty.Font)
	}
	return plainRuns(line, sty.Font)
}
