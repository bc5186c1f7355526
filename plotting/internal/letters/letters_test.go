package letters

import (
	"bytes"
	"encoding/binary"
	"maps"
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

// fontOf returns a file with the directory of a font and then the bytes of its tables, and each record pointing where it says.
func fontOf(total int, records map[string][2]int) []byte {
	font := make([]byte, total)
	copy(font, "\x00\x01\x00\x00")
	binary.BigEndian.PutUint16(font[4:], uint16(len(records)))
	for k, name := range slices.Sorted(maps.Keys(records)) {
		at := font[12+16*k:]
		copy(at, name)
		binary.BigEndian.PutUint32(at[8:], uint32(records[name][0]))
		binary.BigEndian.PutUint32(at[12:], uint32(records[name][1]))
	}
	for k := 12 + 16*len(records); k < total; k++ {
		font[k] = byte(k)
	}
	return font
}

// TestAlignFont: tables keep their bytes and begin at multiples of four. One may end with the file, and none behind it; together they
// are no longer than the file, whatever a damaged directory says.
func TestAlignFont(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		total   int
		records map[string][2]int
		fine    bool
	}{
		{"two tables up to the end", 60, map[string][2]int{"cmap": {45, 7}, "glyf": {52, 8}}, true},
		{"one behind the end", 60, map[string][2]int{"cmap": {45, 7}, "glyf": {52, 9}}, false},
		{"a table that is left out", 60, map[string][2]int{"cmap": {45, 7}, "kern": {52, 9}}, true},
		{"the whole file as a table", 44, map[string][2]int{"cmap": {0, 44}}, true},
		{"half of the file twice", 60, map[string][2]int{"cmap": {0, 32}, "glyf": {0, 28}}, true},
		{"more than the file", 60, map[string][2]int{"cmap": {0, 32}, "glyf": {0, 29}}, false},
		{"an empty table at the end", 60, map[string][2]int{"cmap": {60, 0}, "glyf": {44, 16}}, true},
	} {
		font := fontOf(c.total, c.records)
		got, err := alignFont(bytes.NewReader(font), int64(len(font)))
		if (err == nil) != c.fine {
			t.Errorf("%s: error %v", c.name, err)
		}
		if err != nil {
			continue
		}
		kept := 0
		for k := range int(binary.BigEndian.Uint16(got[4:])) {
			record := got[12+16*k:]
			at, length := int(binary.BigEndian.Uint32(record[8:])), int(binary.BigEndian.Uint32(record[12:]))
			from := c.records[string(record[:4])]
			if at%4 != 0 || length != from[1] || !bytes.Equal(got[at:at+length], font[from[0]:from[0]+from[1]]) {
				t.Errorf("%s: %s has other bytes, or begins at %d", c.name, record[:4], at)
			}
			kept++
		}
		for name := range c.records {
			if lettersOf[name] {
				kept--
			}
		}
		if kept != 0 {
			t.Errorf("%s: %d tables too many", c.name, kept)
		}
	}
}
