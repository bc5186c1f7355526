package plotting

import (
	"bytes"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/plot/plotter"
)

func TestSaveFormats(t *testing.T) {
	dir := t.TempDir()
	for name, magic := range map[string]string{"a.png": "\x89PNG", "a.svg": "<?xml", "a.PDF": "%PDF"} {
		path := filepath.Join(dir, name)
		if err := Save(path, Path(crankTrace())); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.HasPrefix(data, []byte(magic)) {
			t.Errorf("%s begins with %q, want %q", name, data[:8], magic)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) > 0 {
		t.Errorf("temporary files are left: %v", left)
	}
}

func TestSaveKeepsTheOldFileWhenItFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "old.bmp")
	if err := os.WriteFile(path, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	err := Save(path, Path(crankTrace()))
	if err == nil || !strings.Contains(err.Error(), "bmp") {
		t.Errorf("error %v does not name the format", err)
	}
	if data, _ := os.ReadFile(path); string(data) != "old" {
		t.Errorf("the old file is gone: %q", data)
	}
	if err := Save(filepath.Join(t.TempDir(), "no", "folder.png"), Path(crankTrace())); err == nil {
		t.Error("no error for a folder that does not exist")
	}
}

func TestShowOutsideOfGoNB(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "figures")
	t.Setenv(FiguresEnv, dir)
	first := shown.Load()
	if err := Show(Network(treeModel(5, className)), Table{Columns: []string{"printed"}}, Convergence(crankTrace())); err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "figure-*.png"))
	if len(files) != 2 || shown.Load() != first+2 {
		t.Fatalf("wrote %v", files)
	}
	f, err := os.Open(files[0])
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	w, h := Network(treeModel(5, className)).Size()
	// 192 dots to the inch of 72 points.
	wantW, wantH := float64(w)*192/72, float64(h)*192/72
	if b := img.Bounds(); float64(b.Dx()) < wantW-1 || float64(b.Dx()) > wantW+1 || float64(b.Dy()) < wantH-1 || float64(b.Dy()) > wantH+1 {
		t.Errorf("picture of %v, want %.0f x %.0f", b, wantW, wantH)
	}
}

func TestScreenReplacesItsPicture(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(FiguresEnv, dir)
	screen := NewScreen()
	var sizes []int64
	for _, n := range []int{3, 12} {
		if err := screen.Show(Network(treeModel(n, className))); err != nil {
			t.Fatal(err)
		}
		files, _ := filepath.Glob(filepath.Join(dir, "*"))
		if len(files) != 1 {
			t.Fatalf("the screen wrote %v", files)
		}
		info, err := os.Stat(files[0])
		if err != nil {
			t.Fatal(err)
		}
		sizes = append(sizes, info.Size())
	}
	if sizes[0] == sizes[1] {
		t.Error("the picture was not replaced")
	}
}

func TestShowSaysWhatFails(t *testing.T) {
	blocked := filepath.Join(t.TempDir(), "a file")
	if err := os.WriteFile(blocked, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv(FiguresEnv, blocked)
	if err := Show(Convergence(nil)); err == nil || !strings.Contains(err.Error(), blocked) {
		t.Errorf("error %v does not name the folder", err)
	}
}

func TestSliderOutsideOfGoNB(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(FiguresEnv, dir)
	var asked []int
	err := ShowSlider(0, 9, 4, func(n int) Drawing {
		asked = append(asked, n)
		return Network(treeModel(n, className))
	})
	if err != nil {
		t.Fatal(err)
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "*.png")); len(files) != 1 || len(asked) != 1 || asked[0] != 4 {
		t.Errorf("pictures of %v in %v, want the one of 4", asked, files)
	}
}

// TestLettersAreOutlines holds what the package says of SVG: no text in the drawing, the title and a description beside it.
func TestLettersAreOutlines(t *testing.T) {
	t.Parallel()
	svg, err := encode(Curves{Title: "Words", XLabel: "steps", Lines: []Line{{Name: "a", XYs: plotter.XYs{{X: 1, Y: 2}, {X: 2, Y: 3}}}}}.Figure(), "svg")
	if err != nil {
		t.Fatal(err)
	}
	drawing := string(svg[bytes.Index(svg, []byte("</desc>")):])
	if !bytes.Contains(svg, []byte("<title>Words</title>")) || !bytes.Contains(svg, []byte("<desc>Words. ")) || strings.Contains(drawing, "<text") || strings.Contains(drawing, "steps") {
		t.Errorf("%.600s", svg)
	}
}
