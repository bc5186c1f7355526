package letters

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestFindFonts: well-known names in the order of the list, wherever they are,
// and no more entries than are allowed.
func TestFindFonts(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"a/deep/down/wqy-microhei.ttc", "b/notosanscjk-regular.TTC", "b/other.ttf", "c/DejaVuSans.ttf"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var names []string
	for _, path := range findFonts([]string{"", filepath.Join(dir, "none"), dir}, 100) {
		names = append(names, filepath.Base(path))
	}
	if want := []string{"DejaVuSans.ttf", "notosanscjk-regular.TTC", "wqy-microhei.ttc"}; !slices.Equal(names, want) {
		t.Errorf("found %v, want %v", names, want)
	}
	if found := findFonts([]string{dir}, 3); len(found) > 0 {
		t.Errorf("looked at more than three entries: %v", found)
	}
}

// TestVisual checks texts from right to left against the order that readers of
// these scripts see.
func TestVisual(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"plain (1.5)":        "plain (1.5)",
		"שלום":               "םולש",
		"שלום (אבג) 12.5":    "12.5 (גבא) םולש",
		"loss שלום עולם end": "loss םלוע םולש end",
		"שָׁב":               "ב\u05e9\u05b8\u05c1",
		"بيت":                "\ufe96\ufef4\ufe91",
		"دار":                "\ufead\ufe8d\ufea9",
		"سلام":               "\ufee1\ufefc\ufeb3",
		"مرحبا":              "\ufe8e\ufe92\ufea3\ufeae\ufee3",
	} {
		if got := string(Visual(line)); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}
