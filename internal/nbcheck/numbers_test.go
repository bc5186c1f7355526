package nbcheck

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestClaimed(t *testing.T) {
	t.Parallel()
	cases := []struct{ text, want string }{
		{"It is 17.5 % at 300 examples, and never −3.", "17.5 300 3"},
		{"1,417 genes, 1e-9, 0.0 and 3-fold", "1417 1e-9 0.0 3"},
		{"0, 1 and 2 are everywhere", ""},
		{"`y := 17`, $w_{23} = 0.5$ and $$\\sum_{i=3}^7$$", ""},
		{"```go\nx := 17\n```", ""},
		{"# 3. Training\n\n## 4. More\n\n7. Try it", ""},
		{"eqs. 3, 4 and 10, (eq. 11), Figures 5 and 6, section 4.1, theorem 3.1, notebook 7, Algorithm 1, Table 12", ""},
		{"Figure 12 has 45 points", "45"},
		{"F1, y_12, w34, UAI 2013, [7 scaling](07_scaling.ipynb), [UAI](https://example.org/1309.6847)", ""},
		{"n = 20, M = 2000, but F = 33", "33"},
		{"Full has 31.2 (the paper: 33.7) and 28 (the paper has 29)", "31.2 28"},
		{"Expected run time: 3 minutes. After 3 passes", "3"},
		{"(3) what? 95 % intervals; 95 examples", "95"},
		{`<img width="300"> 301`, "301"},
	}
	for _, c := range cases {
		if got := strings.Join(Claimed(c.text), " "); got != c.want {
			t.Errorf("%q claims %q, want %q", c.text, got, c.want)
		}
	}
}

// prose is a text cell.
func prose(text string) Cell { return Cell{Type: "markdown", Source: Text(text)} }

// printing is a code cell with an output.
func printing(o Output) Cell {
	c := codeCell()
	c.Outputs = []Output{o}
	return c
}

func TestNumbersComeFromCells(t *testing.T) {
	t.Parallel()
	setting := codeCell()
	setting.Source = "const size = 250"
	cases := []struct {
		name  string
		cells []Cell
		ok    bool
	}{
		{"printed", []Cell{printing(stdout("edges: 17.5\n")), prose("There are 17.5.")}, true},
		{"not printed", []Cell{printing(stdout("edges: 17.5\n")), prose("There are 17.6.")}, false},
		{"before the cell", []Cell{prose("There will be 17."), printing(stdout("17"))}, true},
		{"with more decimals", []Cell{printing(stdout("17.4561")), prose("About 17.5.")}, true},
		{"rounded to none", []Cell{printing(stdout("17.4561")), prose("About 17.")}, false},
		{"part of a number", []Cell{printing(stdout("117.5 175")), prose("About 17.5.")}, false},
		{"written otherwise", []Cell{printing(stdout("1250 0.50")), prose("Of 1,250 half, 0.5.")}, true},
		{"Markdown", []Cell{printing(output("display_data", "text/markdown", "It is **17.5**.")), prose("As said, 17.5.")}, true},
		{"table", []Cell{printing(output("display_data", "text/html", `<td class="x">17.5</td>`)), prose("17.5")}, true},
		{"alternative text", []Cell{printing(Output{Type: "display_data", Data: map[string]json.RawMessage{
			"image/png": json.RawMessage(`""`), "text/plain": json.RawMessage(`"x from 0 to 17.5"`)}}), prose("17.5")}, false},
		{"after a picture", []Cell{{Type: "code", Outputs: []Output{output("display_data", "image/png", ""), stdout("17.5")}}, prose("17.5")}, true},
		{"inside a tag", []Cell{printing(output("display_data", "text/html", `<td width="17.5">`)), prose("17.5")}, false},
		{"in a style", []Cell{printing(output("display_data", "text/html", `<style>td {width: 17.5 px}</style>`)), prose("17.5")}, false},
		{"on standard error", []Cell{printing(stderr("17.5")), prose("17.5")}, true},
		{"setting", []Cell{setting, prose("250 examples")}, true},
		{"another section", []Cell{printing(stdout("17.5")), prose("## Next"), setting, prose("17.5")}, false},
		{"caption before a heading", []Cell{printing(stdout("17.5")), prose("17.5\n\n## Next\n\n250"), setting}, true},
		{"after a heading", []Cell{printing(stdout("17.5")), prose("250\n\n## Next\n\n17.5"), setting}, false},
		{"lesser heading", []Cell{printing(stdout("17.5")), prose("### Next"), setting, prose("17.5")}, true},
		{"summary", []Cell{printing(stdout("17.5")), prose("## A"), setting, prose("## Summary\n\n17.5 and 250, of 3.5"), prose("250")}, false},
		{"summary of all", []Cell{printing(stdout("17.5")), prose("## A"), setting, prose("## Summary\n\n17.5 and 250")}, true},
	}
	for _, c := range cases {
		if problems := checkNumbers(&Notebook{Cells: c.cells}); (len(problems) == 0) != c.ok {
			t.Errorf("%s: %v, want none: %v", c.name, problems, c.ok)
		}
	}
}

// TestChangedByHand changes each number in the captions of the real notebooks: to one that is nowhere, which has to be found, and by
// its last digit alone, as a slip or a stale text would. Some of these are other numbers of the section; most have to be found.
func TestChangedByHand(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("../../notebooks/*.ipynb")
	if err != nil || len(paths) == 0 {
		t.Fatal("no notebooks", err)
	}
	changed, found := 0, 0
	for _, path := range paths {
		nb, err := Read(path)
		if err != nil {
			t.Fatal(err)
		}
		if problems := checkNumbers(nb); len(problems) > 0 {
			t.Errorf("%s, unchanged: %v", filepath.Base(path), problems)
		}
		bare := withoutTexts(nb)
		for i := range nb.Cells {
			cell := &bare.Cells[i]
			if cell.Type != "markdown" {
				continue
			}
			source, emptied := string(nb.Cells[i].Source), cell.Source
			for _, n := range slices.Compact(Claimed(source)) {
				passes := func(other string) bool {
					cell.Source = Text(strings.ReplaceAll(source, n, other))
					return len(checkNumbers(bare)) == 0
				}
				if passes(n + "7391") {
					t.Errorf("%s, cell %d: %s may be %s7391", filepath.Base(path), i+1, n, n)
				}
				if changed++; !passes(lastDigitChanged(n)) {
					found++
				}
			}
			cell.Source = emptied
		}
	}
	t.Logf("%d of %d changed last digits are found", found, changed)
	if found*2 < changed {
		t.Errorf("only %d of %d changed last digits are found", found, changed)
	}
}

// withoutTexts returns a copy of a notebook whose text cells keep their headings only, and so its sections: those texts claim no number.
func withoutTexts(nb *Notebook) *Notebook {
	bare := *nb
	bare.Cells = slices.Clone(nb.Cells)
	for i, c := range bare.Cells {
		if c.Type == "markdown" {
			bare.Cells[i].Source = Text(strings.Repeat("# \n", len(heading.FindAllString(string(c.Source), -1))))
		}
	}
	return &bare
}

// lastDigitChanged returns n with another last digit.
func lastDigitChanged(n string) string {
	last := n[len(n)-1]
	return n[:len(n)-1] + string('0'+(last-'0'+4)%10)
}
