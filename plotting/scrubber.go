package plotting

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html"
	"image"
	"image/png"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/crank-ml/crank/crankpkg"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Positions is a sequence of pictures that a reader moves through. Show puts a
// range control and the label of the picture beneath it; arrow keys, Home and
// End move it. No kernel is needed for that, so that it goes on in saved
// notebooks and in pages. Where scripts do not run a button for each picture
// takes the place of the control, and where nothing can be moved the picture at
// Start stands alone. Save writes a page (HTML), a GIF that plays them or, in
// other formats, the picture at Start.
type Positions struct {
	Frames []Drawing
	// Labels say where a reader is, a text for each of Frames; what stands between
	// dollar signs is mathematics.
	Labels []string
	// Start is the position to begin at.
	Start int
}

// Scrubber returns Positions that begin in the middle. Frames are best of one
// size; smaller ones are drawn at the size of the largest. There must be as many
// labels as frames. A picture whose title does not have its label gets it, so that
// it says where the reader is also where nothing moves.
func Scrubber(frames []Drawing, labels []string) *Positions {
	p := &Positions{Frames: slices.Clone(frames), Labels: labels, Start: len(frames) / 2}
	p.check()
	for k, f := range frames {
		p.Frames[k] = labeled(f, labels[k])
	}
	return p
}

// labeled returns d with a text in its title, if it has titles.
func labeled(d Drawing, label string) Drawing {
	f, ok := framed(d).(*Figure)
	if !ok || contains(plainMath(f.Title), plainMath(label)) {
		return d
	}
	with := *f
	with.Title = strings.TrimSuffix(label+", "+f.Title, ", ")
	return &with
}

// contains reports whether a title has a label in it that is not a part of a longer word or number, as x = 1 is of x = 10 and of x = 1.5.
func contains(title, label string) bool {
	inWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	for rest := title; ; {
		before, after, found := strings.Cut(rest, label)
		if !found || label == "" {
			return found
		}
		last, _ := utf8.DecodeLastRuneInString(title[:len(title)-len(rest)+len(before)])
		next, size := utf8.DecodeRuneInString(after)
		beyond, _ := utf8.DecodeRuneInString(after[size:])
		if !inWord(last) && !inWord(next) && !(next == '.' && unicode.IsDigit(beyond)) {
			return true
		}
		_, size = utf8.DecodeRuneInString(label)
		rest = rest[len(before)+size:]
	}
}

func (p *Positions) check() {
	if len(p.Labels) != len(p.Frames) {
		panic(fmt.Sprintf("plotting: %d labels for %d pictures", len(p.Labels), len(p.Frames)))
	}
}

// Size implements sizer: the largest frame.
func (p *Positions) Size() (width, height vg.Length) { return p.moving().Size() }

// Draw draws the picture at Start.
func (p *Positions) Draw(c draw.Canvas) { framed(p.moving().drawings()[p.start()]).Draw(c) }

// moving returns the pictures as an animation; one says that there are none.
func (p *Positions) moving() *Animation {
	if len(p.Frames) == 0 {
		return Animate(0, theStyle().say("", "There are no positions to move between."))
	}
	return Animate(0, p.Frames...)
}

func (p *Positions) start() int { return max(0, min(p.Start, len(p.Frames)-1)) }

// alternative says in words what the picture at position k is.
func (p *Positions) alternative(k int) string {
	words := plainMath(p.Labels[k])
	if f, ok := p.Frames[k].(*Figure); ok && f.Title != "" {
		if title := plainMath(f.Title); contains(title, words) {
			words = title
		} else {
			words += ": " + title
		}
	}
	return fmt.Sprintf("%s (picture %d of %d)", words, k+1, len(p.Frames))
}

// plainMath returns a text without the signs that set mathematics; what they raise
// or lower becomes such letters, where Unicode has them.
func plainMath(txt string) string {
	var plain strings.Builder
	for k, part := range strings.Split(txt, "$") {
		for k%2 == 1 && part != "" {
			shift := part[:1]
			letters := shiftedLetters[shift]
			if letters == nil {
				shift = ""
			}
			var piece string
			piece, part = mathPiece(part[len(shift):], letters != nil)
			if letters != nil && letters.Replace(piece) != piece {
				shift, piece = "", letters.Replace(piece)
			}
			plain.WriteString(shift + piece)
		}
		plain.WriteString(part)
	}
	return plain.String()
}

// shiftedLetters are small letters above and below the line, by the sign that
// shifts them.
var shiftedLetters = map[string]*strings.Replacer{
	"^": strings.NewReplacer("0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹", "-", "⁻", "−", "⁻"),
	"_": strings.NewReplacer("0", "₀", "1", "₁", "2", "₂", "3", "₃", "4", "₄", "5", "₅", "6", "₆", "7", "₇", "8", "₈", "9", "₉", "i", "ᵢ", "j", "ⱼ"),
}

// scrubberBytes is about how large an output with all of its pictures may be.
const scrubberBytes = 190_000

// scrubberQualities are what pictures are tried at, until they are small enough.
var scrubberQualities = []struct{ dpi, colors int }{{dpi, 255}, {dpi, 64}, {dpi, 32}, {dpi, 16}, {144, 16}, {96, 16}}

// layered are pictures as a page holds them: what they share, and what has to be laid over that for each; with the one at Start as a whole.
type layered struct {
	ground, still []byte
	over          [][]byte
}

// size returns the bytes of the pictures in an output, where the one at Start is as what is shown first and as the PNG beside the HTML.
func (l layered) size() int {
	return encodedLen(append([][]byte{l.ground, l.still, l.still}, l.over...))
}

// layered returns the pictures at the best quality that keeps the output below a
// number of bytes, or at the lowest there is.
func (p *Positions) layered(most int) (pictures layered, err error) {
	frames := p.moving()
	var first *image.RGBA   // the one at Start
	var drawn []*image.RGBA // all, once they are asked for
	for k, quality := range scrubberQualities {
		if k == 0 || quality.dpi != scrubberQualities[k-1].dpi {
			first, drawn = rasterize(frameOf{frames.drawings()[p.start()], frames}, quality.dpi), nil
		}
		// One picture may tell that all of them would be too large: so many are never held at a high resolution.
		last := k == len(scrubberQualities)-1
		if one, err := encodeAll(png.DefaultCompression, quantize(quality.colors, first)...); err != nil {
			return layered{}, err
		} else if !last && 3*encodedLen(one) > most {
			continue
		}
		if drawn == nil {
			drawn = p.rasterize(quality.dpi)
		}
		whole := quantize(quality.colors, drawn...)
		ground, over := layers(whole)
		parts := append([]*image.Paletted{ground, whole[p.start()]}, over...)
		for _, level := range []png.CompressionLevel{png.DefaultCompression, png.BestCompression} { // the best one takes long, for up to a fifth less
			all, err := encodeAll(level, parts...)
			if err != nil {
				return layered{}, err
			}
			if pictures = (layered{all[0], all[1], all[2:]}); !last && pictures.size() > most*5/4 {
				break
			}
		}
		if pictures.size() < most {
			break
		}
	}
	return pictures, nil
}

// encodeAll returns the pictures as PNG.
func encodeAll(level png.CompressionLevel, all ...*image.Paletted) (pictures [][]byte, err error) {
	for _, img := range all {
		var buf bytes.Buffer
		if err := (&png.Encoder{CompressionLevel: level}).Encode(&buf, img); err != nil {
			return nil, fmt.Errorf("plotting: png: %w", err)
		}
		pictures = append(pictures, buf.Bytes())
	}
	return pictures, nil
}

// encodedLen returns the bytes that the pictures take up in a page.
func encodedLen(pictures [][]byte) (sum int) {
	for _, data := range pictures {
		sum += base64.StdEncoding.EncodedLen(len(data))
	}
	return sum
}

func (p *Positions) rasterize(dpi int) (pictures []*image.RGBA) {
	a := p.moving()
	for _, f := range a.drawings() {
		pictures = append(pictures, rasterize(frameOf{f, a}, dpi))
	}
	return pictures
}

var (
	//go:embed scrubber.css
	scrubberCSS string
	//go:embed scrubber.js
	scrubberJS string
)

// encodeHTML returns the positions as a piece of a page, and the PNG that stands
// in for it. Each layer is in the piece once, as a property of its style; the
// class is named by what it holds, so that pieces do not get into each other's way.
func (p *Positions) encodeHTML() (piece string, still []byte, err error) {
	p.check()
	pictures, err := p.layered(scrubberBytes)
	if err != nil {
		return "", nil, err
	}
	still = pictures.still
	w, h := p.Size()
	alone := fmt.Sprintf(`<img src="%s" width="%d" height="%d" alt="%%s">`, dataURL(still), pixels(w), pixels(h))
	if len(p.Frames) == 0 {
		return fmt.Sprintf(alone, "There are no positions to move between."), still, nil
	}
	class := p.class(pictures)
	within := func(txt string) string { return strings.ReplaceAll(txt, "CLASS", class) }
	var style, buttons strings.Builder
	fmt.Fprintf(&style, ".%s { --ground: url(\"%s\") }\n", class, dataURL(pictures.ground))
	for k, data := range pictures.over {
		fmt.Fprintf(&style, ".%s { --picture-%d: url(\"%s\") }\n", class, k, dataURL(data))
		fmt.Fprintf(&style, ".%s:has(label:nth-of-type(%d) input:checked) .stage { background-image: var(--picture-%d), var(--ground) }\n", class, k+1, k)
		fmt.Fprintf(&buttons, "<label title=\"%s\"><input type=\"radio\" name=\"%s\" value=\"%d\" aria-label=\"%s\"></label>\n",
			html.EscapeString(plainMath(p.Labels[k])), class, k, html.EscapeString(p.alternative(k)))
	}
	return fmt.Sprintf("<div class=\"crank-scrubber %s\" data-start=\"%d\">\n<style>\n%s%s</style>\n"+
		"<div class=\"stage\">%s</div>\n<div class=\"positions\" style=\"display:none\">\n%s</div>\n<script>\n%s</script>\n</div>\n",
		class, p.start(), within(scrubberCSS), style.String(), fmt.Sprintf(alone, html.EscapeString(p.alternative(p.start()))),
		buttons.String(), within(scrubberJS)), still, nil
}

// class returns the class of the piece with these pictures.
func (p *Positions) class(pictures layered) string {
	sum := sha256.New()
	fmt.Fprintf(sum, "%q %d %q %q", p.Labels, p.Start, pictures.ground, pictures.over)
	return fmt.Sprintf("crank-scrubber-%x", sum.Sum(nil)[:5])
}

// encodePage returns the positions as a page of its own.
func (p *Positions) encodePage() ([]byte, error) {
	piece, _, err := p.encodeHTML()
	if err != nil {
		return nil, err
	}
	return []byte("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n" +
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Figure</title>\n" +
		"<style>body { font-family: sans-serif; margin: 1em }</style>\n</head>\n<body>\n" + piece + "</body>\n</html>\n"), nil
}

func dataURL(png []byte) string {
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString(png)
}

// pixels returns a length in pixels of a notebook, which has 96 to the inch.
func pixels(l vg.Length) int { return int(float64(l)*96/72 + 0.5) }

// PathScrubber returns a position for each beta of a training, at most 16 of
// them: the label graph there, as PathFrames draws it.
func PathScrubber(trace *crankpkg.Trace, names []string) *Positions {
	const most = 16
	frames := PathFrames(trace, names, most)
	if trace == nil || len(trace.Steps) == 0 {
		return Scrubber(frames, []string{"no path"})
	}
	var labels []string
	for _, st := range spread(lastOfEachBeta(trace.Steps), most)[:len(frames)] {
		labels = append(labels, fmt.Sprintf("$β$ = %s", shortNumber(st.Beta)))
	}
	return Scrubber(frames, labels)
}
