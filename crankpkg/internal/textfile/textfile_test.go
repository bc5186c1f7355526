package textfile_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"

	"github.com/crank-ml/crank/crankpkg/internal/textfile"
)

// wide returns text in UTF-16 with a byte order mark.
func wide(text string, bigEndian bool) string {
	var b []byte
	for _, c := range append([]uint16{0xfeff}, utf16.Encode([]rune(text))...) {
		low, high := byte(c), byte(c>>8)
		if bigEndian {
			low, high = high, low
		}
		b = append(b, low, high)
	}
	return string(b)
}

func zipped(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(text))
	w.Close()
	return b.String()
}

// The text "a,b\n1,2\n" by the command bzip2, which compress/bzip2 cannot write.
var bzipped, _ = base64.StdEncoding.DecodeString("QlpoOTFBWSZTWb+HQH8AAANZAAAQAAQwADAAIAAwwAhpsogjJ4u5IpwoSF/DoD+A")

func TestOpen(t *testing.T) {
	const text = "a,é,\U0001F600\n1,2,3\n"
	for _, test := range []struct{ name, file, want string }{
		{"plain", text, text},
		{"empty", "", ""},
		{"one byte", "a", "a"},
		{"gzip", zipped(text), text},
		{"bzip2", string(bzipped), "a,b\n1,2\n"},
		{"bzip2 of the smallest blocks", "BZh1" + string(bzipped[4:]), "a,b\n1,2\n"},
		{"before all sizes of bzip2", "BZh0,a\n", "BZh0,a\n"},
		{"after all sizes of bzip2", "BZh:,a\n", "BZh:,a\n"},
		{"byte order mark", "\uFEFF" + text, text},
		{"byte order mark in gzip", zipped("\uFEFF" + text), text},
		{"UTF-16, low byte first", wide(text, false), text},
		{"UTF-16, high byte first", wide(text, true), text},
		{"UTF-16 without text", wide("", true), ""},
		{"UTF-16, half a pair", "\xff\xfe\x00\xd8a\x00", "\uFFFDa"},
		{"UTF-16, half a pair at the end", "\xff\xfea\x00\x00\xd8", "a\uFFFD"},
		{"CR", "a,b\r1,2\r", "a,b\n1,2\n"},
		{"UTF-16 with CR", wide("a\rb\r", false), "a\nb\n"},
		{"CRLF stays", "a\r\nb\rc\r\n", "a\r\nb\rc\r\n"},
		{"LF first", "a\nb\rc\n", "a\nb\rc\n"},
		{"CR at the very end", "a\r", "a\r"},
		{"begins like bzip2", "BZhello", "BZhello"},
		{"longer than what is looked at", strings.Repeat("x\r", 1<<17), strings.Repeat("x\n", 1<<17)},
	} {
		for _, r := range []io.Reader{strings.NewReader(test.file), iotest.OneByteReader(strings.NewReader(test.file))} {
			opened, err := textfile.Open(r)
			if err != nil {
				t.Errorf("%s: %v", test.name, err)
				continue
			}
			if got, err := io.ReadAll(iotest.OneByteReader(opened)); err != nil || string(got) != test.want {
				t.Errorf("%s: %.60q, error %v; want %.60q", test.name, got, err, test.want)
			}
		}
	}
}

// TestEndsOfLines reads all short files of letters, CR and LF: a CR becomes an LF where the first end of a line is a CR with something else behind it.
func TestEndsOfLines(t *testing.T) {
	files := []string{""}
	for k := 0; len(files[k]) < 5; k++ {
		files = append(files, files[k]+"a", files[k]+"\r", files[k]+"\n")
	}
	for _, file := range files {
		want := file
		if end := strings.IndexAny(file, "\r\n"); end >= 0 && file[end] == '\r' && len(file) > end+1 && file[end+1] != '\n' {
			want = strings.ReplaceAll(file, "\r", "\n")
		}
		opened, err := textfile.Open(strings.NewReader(file))
		if err != nil {
			t.Fatalf("%q: %v", file, err)
		}
		if got, err := io.ReadAll(opened); err != nil || string(got) != want {
			t.Errorf("%q: %q, error %v; want %q", file, got, err, want)
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	for file, what := range map[string]string{
		"PK\x03\x04\x14\x00":                                "zip",
		"\xd0\xcf\x11\xe0\xa1":                              "Excel",
		"\xfd7zXZ\x00\x00":                                  "xz",
		" \n<!DOCTYPE html>\n<html>":                        "HTML",
		"\uFEFF<HTML lang='en'>":                            "HTML",
		"version https://git-lfs.github.com/spec/v1\noid":   "Git LFS",
		zipped("PK\x03\x04"):                                "zip",
		"\x1f\x8bno gzip at all":                            "gzip",
		"\x00a,b\n":                                         "this is no text",
		"a,b\n\x00":                                         "this is no text",
		"a,b\n1,2\n" + strings.Repeat("3,4\n", 99) + "\x00": "this is no text",
	} {
		if _, err := textfile.Open(strings.NewReader(file)); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%q: error %v, want one that says %s", file, err, what)
		}
	}
	opened, err := textfile.Open(strings.NewReader("\xff\xfea\x00b"))
	if err == nil {
		_, err = io.ReadAll(opened)
	}
	if err == nil || !strings.Contains(err.Error(), "odd") {
		t.Errorf("an odd number of bytes: error %v", err)
	}
}

func TestBaseName(t *testing.T) {
	for path, want := range map[string]string{"x": "x", "d/e.arff": "e", "d/e.f.csv.gz": "e.f", "e.arff.bz2": "e", ".csv": ""} {
		if got := textfile.BaseName(path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

// What is not UTF-8 is Latin-1, byte by byte.
func TestDecode(t *testing.T) {
	for text, want := range map[string]string{"café": "café", "caf\xe9": "café", "\xff\xfe": "ÿþ"} {
		if got := textfile.Decode([]byte(text)); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

func FuzzOpen(f *testing.F) {
	for _, seed := range []string{"a\rb", wide("a😀\r", true), "\xff\xfe\x00", string(bzipped), zipped("x"), "\uFEFF"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		whole, err := textfile.Open(bytes.NewReader(file))
		if err != nil {
			return
		}
		first, err := io.ReadAll(io.LimitReader(whole, 1<<20))
		parts, _ := textfile.Open(iotest.HalfReader(bytes.NewReader(file)))
		second, err2 := io.ReadAll(io.LimitReader(parts, 1<<20))
		if (err == nil) != (err2 == nil) || !bytes.Equal(first, second) {
			t.Errorf("%q, error %v; in parts %q, error %v", first, err, second, err2)
		}
	})
}

func TestReadFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "some text")
	if err := os.WriteFile(path, []byte("abc"), 0o600); err != nil {
		t.Fatal(err)
	}
	both := func(r io.Reader, name string) (string, error) {
		text, err := io.ReadAll(r)
		return name + ": " + string(text), err
	}
	if got, err := textfile.ReadFile(path, both); got != path+": abc" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := textfile.ReadFile(path+" that is not there", both); got != "" || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%q, %v", got, err)
	}
}
