package plotting

import (
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
)

// TestFiguresWithoutRoom draws figures that are smaller than what stands around their panels.
func TestFiguresWithoutRoom(t *testing.T) {
	t.Parallel()
	for size := 20; size <= 120; size += 20 {
		f := growing(2).Frames[1].(*Figure)
		f.Title = "a title\nof two lines"
		for _, other := range []vg.Length{20, 80, 200} {
			f.Width, f.Height = vg.Length(size), other
			rasterize(f, 72)
			f.Width, f.Height = other, vg.Length(size)
			rasterize(f, 72)
		}
	}
}

// TestScrubberLabels has labels and titles with markup, formulas that are not closed, and none at all: there is one
// script in the piece, and nothing of theirs is markup.
func TestScrubberLabels(t *testing.T) {
	t.Parallel()
	for _, label := range []string{"", "$", "$^$", "cost $5", "</script><script>alert(1)</script>", `"><img src=x onerror=alert(1)>`, "' onload='x", "a\nb", "%s %!", "CLASS", "$x_{", "\x00\xff"} {
		p := growing(2)
		p.Labels = []string{label, label}
		p.Frames[1].(*Figure).Title = label
		piece, _, err := p.encodeHTML()
		if err != nil {
			t.Errorf("%q: %v", label, err)
		}
		for _, count := range []struct {
			text string
			want int
		}{{"<script", 1}, {"</script", 1}, {"<img ", 1}, {"<label ", 2}, {"<style", 1}} {
			if got := strings.Count(piece, count.text); got != count.want {
				t.Errorf("%q: %d of %s", label, got, count.text)
			}
		}
	}
}
