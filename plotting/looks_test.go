package plotting

import (
	"testing"

	"gonum.org/v1/plot/plotter"
)

// TestLinesLikeAMethod checks that such lines have its color, dashes that tell them apart and are those of the same place for another
// method, and leave the looks of other lines as they are.
func TestLinesLikeAMethod(t *testing.T) {
	t.Parallel()
	xys := plotter.XYs{{X: 1, Y: 1}, {X: 2, Y: 2}}
	line := func(name, like string) Line { return Line{Name: name, Like: like, XYs: xys} }
	s := theStyle()
	looks := Curves{Lines: []Line{line("CRANK, scene", "CRANK"), line("Greedy, scene", "Greedy"), line("CRANK, yeast", "CRANK"), line("Greedy, yeast", "Greedy"), line("mine", ""), line("Full", ""), line("paper", "Full")}}.looks(s)
	for k, method := range []string{"CRANK", "Greedy", "CRANK", "Greedy", "", "Full", "Full"} {
		if method != "" && looks[k].Color != s.Methods[method].Color {
			t.Errorf("line %d has not the color of %s", k, method)
		}
	}
	dashes := func(k int) int { return len(looks[k].Dashes) }
	if dashes(0) != dashes(1) || dashes(2) != dashes(3) || dashes(0) == dashes(2) || looks[0].Marker == looks[2].Marker || looks[5].Marker != s.Methods["Full"].Marker || looks[6].Marker == looks[5].Marker {
		t.Errorf("looks %v", looks)
	}
	if looks[4].Color != s.other(0).Color {
		t.Error("a line of its own has not the first of the other looks")
	}
}

// TestMarksOfLongLines checks that a line of some points has no marks beside one of many, and one of few keeps them.
func TestMarksOfLongLines(t *testing.T) {
	t.Parallel()
	line := func(n int) Line {
		var xys plotter.XYs
		for k := range n {
			xys = append(xys, plotter.XY{X: float64(k), Y: 1})
		}
		return Line{XYs: xys}
	}
	for _, c := range []struct {
		lines []Line
		want  bool // marks of the first
	}{{[]Line{line(30)}, true}, {[]Line{line(30), line(50)}, true}, {[]Line{line(30), line(90)}, false}, {[]Line{line(9), line(90)}, true}, {[]Line{line(90)}, false}} {
		drawn, _ := Curves{Lines: c.lines}.line(c.lines[0], theStyle().other(0))
		if got := drawn.marker.Shape != nil; got != c.want {
			t.Errorf("%d points beside others of %d lines: marks %v", c.lines[0].XYs.Len(), len(c.lines), got)
		}
	}
}
