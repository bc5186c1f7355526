package plotting

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gonum.org/v1/plot/plotter"
)

// growing returns the positions of a line that gets longer, and what is drawn.
func growing(n int) *Positions {
	var frames []Drawing
	var labels []string
	var line plotter.XYs
	for k := range n {
		line = append(line, plotter.XY{X: float64(k), Y: float64(k * k)})
		f := Curves{XLabel: "$x$", YLabel: "$y$", Lines: []Line{{XYs: append(plotter.XYs{}, line...)}}}.Figure()
		f.Width, f.Height = 80, 50 // small for speed
		f.Title = fmt.Sprintf("$w_{ij}$ = %d, \"so & so\"", k)
		frames, labels = append(frames, f), append(labels, fmt.Sprintf("$w_{ij}$ = %d", k))
	}
	return Scrubber(frames, labels)
}

var (
	pictureInStyle = regexp.MustCompile(`--picture-(\d+): url\("data:image/png;base64,([A-Za-z0-9+/=]+)"\)`)
	elsewhere      = regexp.MustCompile(`https?:|//\w|@import|<link|src="[^d]`)
)

// TestScrubberHoldsItsPictures checks that each picture is in the piece, in its
// place and nowhere else, with a label, and that nothing else is needed.
func TestScrubberHoldsItsPictures(t *testing.T) {
	t.Parallel()
	p := growing(7)
	piece, still, err := p.encodeHTML()
	if err != nil {
		t.Fatal(err)
	}
	want, err := p.layered(scrubberBytes)
	if err != nil {
		t.Fatal(err)
	}
	// What moves is transparent but for what differs: the ground is behind it, with scripts and without.
	if with, without := ".live .stage { background-image: var(--ground) }", "), var(--ground) }"; strings.Count(piece, with) != 1 || strings.Count(piece, without) != 7 {
		t.Errorf("the ground is %d times behind the picture and %d times behind the pictures", strings.Count(piece, with), strings.Count(piece, without))
	}
	found := pictureInStyle.FindAllStringSubmatch(piece, -1)
	if len(found) != 7 {
		t.Fatalf("%d pictures", len(found))
	}
	for k, m := range found {
		data, err := base64.StdEncoding.DecodeString(m[2])
		if err != nil || m[1] != fmt.Sprint(k) || !bytes.Equal(data, want.over[k]) {
			t.Errorf("picture %d is %s (%v)", k, m[1], err)
		}
		if k > 0 && bytes.Equal(want.over[k], want.over[k-1]) {
			t.Errorf("pictures %d and %d are the same", k-1, k)
		}
		label := fmt.Sprintf(`<label title="wᵢⱼ = %d"><input type="radio" name="%s" value="%d" aria-label="wᵢⱼ = %d, &#34;so &amp; so&#34; (picture %d of 7)">`,
			k, p.class(want), k, k, k+1)
		if strings.Count(piece, label) != 1 {
			t.Errorf("no %s", label)
		}
	}
	if !bytes.Equal(still, want.still) || strings.Count(piece, "<img ") != 1 || strings.Count(piece, `--ground: url("`+dataURL(want.ground)+`")`) != 1 ||
		!strings.Contains(piece, `<img src="`+dataURL(still)+`" width="`) || !strings.Contains(piece, `alt="wᵢⱼ = 3, &#34;so &amp; so&#34; (picture 4 of 7)"></div>`) {
		t.Error("the picture in the middle is not what stands first")
	}
	rest := pictureInStyle.ReplaceAllString(strings.NewReplacer(dataURL(still), "data:", dataURL(want.ground), "data:").Replace(piece), "")
	if len(rest) > 8000 || elsewhere.MatchString(rest) || strings.Contains(rest, "CLASS") || strings.Contains(rest, "%!") {
		t.Errorf("%d bytes besides the pictures:\n%s", len(rest), rest)
	}
}

// TestScrubberIsSmall checks that quality gives way to size, as far as it may.
func TestScrubberIsSmall(t *testing.T) {
	t.Parallel()
	p := growing(2)
	best, err := p.layered(1 << 30)
	if err != nil {
		t.Fatal(err)
	}
	least := 0
	for most := best.size(); most > 1000; most /= 2 {
		pictures, err := p.layered(most)
		if err != nil {
			t.Fatal(err)
		}
		size := pictures.size()
		if least > 0 && size > least {
			t.Errorf("%d bytes for at most %d, and %d where more were allowed", size, most, least)
		}
		least = size
		img, err := png.Decode(bytes.NewReader(pictures.still))
		if err != nil {
			t.Fatal(err)
		}
		if w, _ := p.Size(); img.Bounds().Dx() < pixels(w) {
			t.Errorf("%d pixels wide, shown at %d", img.Bounds().Dx(), pixels(w))
		}
	}
	if least >= best.size()*2/3 {
		t.Errorf("%d bytes at the least, %d at the best quality", least, best.size())
	}
	piece, still, err := p.encodeHTML()
	if size := len(piece) + encodedLen([][]byte{still}); err != nil || size > 300_000 {
		t.Errorf("%d bytes (%v)", size, err)
	}
}

// TestScrubberOfDifferentSizes checks that what is shown does not jump.
func TestScrubberOfDifferentSizes(t *testing.T) {
	t.Parallel()
	pictures, err := Scrubber([]Drawing{growing(1).Frames[0], Network(treeModel(3, className))}, []string{"a", "b"}).layered(scrubberBytes)
	if err != nil {
		t.Fatal(err)
	}
	a, errA := png.DecodeConfig(bytes.NewReader(pictures.over[0]))
	b, errB := png.DecodeConfig(bytes.NewReader(pictures.over[1]))
	if errA != nil || errB != nil || a.Width != b.Width || a.Height != b.Height {
		t.Errorf("%d x %d and %d x %d: %v %v", a.Width, a.Height, b.Width, b.Height, errA, errB)
	}
}

func TestScrubberClasses(t *testing.T) {
	t.Parallel()
	class := func(p *Positions) string {
		pictures, err := p.layered(scrubberBytes)
		if err != nil {
			t.Fatal(err)
		}
		return p.class(pictures)
	}
	relabeled := growing(2)
	relabeled.Labels[1] = "other"
	two := class(growing(2))
	if again := class(growing(2)); again != two {
		t.Errorf("the same positions are %s and %s", two, again)
	}
	if two == class(growing(3)) || two == class(relabeled) {
		t.Error("different positions have one name")
	}
}

func TestDegenerateScrubbers(t *testing.T) {
	t.Parallel()
	for _, p := range []*Positions{{}, Scrubber(nil, nil), growing(1), {Frames: growing(2).Frames, Labels: []string{"", ""}, Start: 9}, {Frames: growing(2).Frames, Labels: []string{"", ""}, Start: -1}} {
		checkDrawn(t, fmt.Sprint(p.Labels), p)
		for _, format := range []string{"html", "gif", "svg"} {
			data, err := encode(p, format)
			if err != nil || len(data) < 500 {
				t.Errorf("%v as %s: %d bytes, %v", p.Labels, format, len(data), err)
			}
			if page := string(data); format == "html" && (strings.Count(page, "<img ") != 1 || strings.Count(page, "<label ") != len(p.Frames)) {
				t.Errorf("%v: %.300s", p.Labels, page)
			}
		}
	}
}

// TestScrubberMistakes checks that texts which do not belong to the pictures are a mistake of the caller.
func TestScrubberMistakes(t *testing.T) {
	t.Parallel()
	for _, f := range []func(){
		func() { Scrubber(growing(2).Frames, []string{"one"}) },
		func() { _, _, _ = (&Positions{Labels: []string{"one"}}).encodeHTML() },
	} {
		func() {
			defer func() {
				if s, ok := recover().(string); !ok || !strings.HasPrefix(s, "plotting: 1 labels for ") {
					t.Errorf("panic %q", s)
				}
			}()
			f()
		}()
	}
}

func TestShowWritesScrubbersAsPages(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(FiguresEnv, dir)
	if err := Show(growing(2)); err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	if len(files) != 1 || filepath.Ext(files[0]) != ".html" {
		t.Fatalf("wrote %v", files)
	}
	page, err := os.ReadFile(files[0])
	if err != nil || !bytes.HasPrefix(page, []byte("<!DOCTYPE html>")) || !bytes.Contains(page, []byte("--picture-1: url")) {
		t.Errorf("%v %.200s", err, page)
	}
}

func TestPlainMath(t *testing.T) {
	t.Parallel()
	for txt, want := range map[string]string{"$β$ = 3": "β = 3", "{a} $w_{ij}$ {b}": "{a} wᵢⱼ {b}", "plain": "plain", "": "", "$10^{-3}$": "10⁻³", "$x^a_ky$": "x^a_ky", "a^b_c": "a^b_c", "$x$ and $y": "x and y"} {
		if got := plainMath(txt); got != want {
			t.Errorf("%q is %q, want %q", txt, got, want)
		}
	}
}
