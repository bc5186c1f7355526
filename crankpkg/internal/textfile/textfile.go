package textfile

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// headSize is how much of a file is looked at to tell what it is.
const headSize = 1 << 16

// Open returns the text that r holds. Its errors, and those of the reader, do not
// name the file.
func Open(r io.Reader) (*bufio.Reader, error) {
	text, err := Decompress(r)
	if err != nil {
		return nil, err
	}
	head, _ := text.Peek(headSize) // a short or failing stream fails when it is read
	if what := foreign(head); what != "" {
		return nil, fmt.Errorf("this is %s", what)
	}
	switch {
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
		text = bufio.NewReaderSize(newUTF16(text), headSize)
		head, _ = text.Peek(headSize)
	case bytes.HasPrefix(head, []byte("\uFEFF")):
		if _, err := text.Discard(len("\uFEFF")); err != nil {
			return nil, err
		}
		head, _ = text.Peek(headSize - len("\uFEFF"))
	}
	if bytes.IndexByte(head, 0) >= 0 {
		return nil, errors.New("this is no text: it has bytes that are zero (UTF-16 is read with a byte order mark)")
	}
	if endsInCR(head) {
		text = bufio.NewReaderSize(newlines{text}, headSize)
	}
	return text, nil
}

// Decompress returns r, or what r holds if that was compressed by gzip or bzip2.
func Decompress(r io.Reader) (*bufio.Reader, error) {
	packed := bufio.NewReaderSize(r, headSize)
	magic, _ := packed.Peek(4)
	switch {
	case bytes.HasPrefix(magic, []byte("\x1f\x8b")):
		plain, err := gzip.NewReader(packed)
		if err != nil {
			return nil, err
		}
		return bufio.NewReaderSize(plain, headSize), nil
	case len(magic) == 4 && bytes.HasPrefix(magic, []byte("BZh")) && magic[3] >= '1' && magic[3] <= '9':
		return bufio.NewReaderSize(bzip2.NewReader(packed), headSize), nil
	}
	return packed, nil
}

// formats lists how files begin that people take for tables of text.
var formats = []struct{ magic, what string }{
	{"PK\x03\x04", "a zip archive (or a workbook of Excel); unpack it first"},
	{"PK\x05\x06", "an empty zip archive"},
	{"7z\xbc\xaf\x27\x1c", "a 7-Zip archive; unpack it first"},
	{"Rar!", "a RAR archive; unpack it first"},
	{"\xfd7zXZ\x00", "compressed by xz; unpack it first"},
	{"\x28\xb5\x2f\xfd", "compressed by zstd; unpack it first"},
	{"\xd0\xcf\x11\xe0", "a workbook of Excel; save it as CSV"},
	{"PAR1", "a Parquet file; save it as CSV"},
	{"\x89HDF", "an HDF5 file; save it as CSV"},
	{"%PDF-", "a PDF document"},
	{"version https://git-lfs.github.com/", "a Git LFS pointer, not the file itself; git lfs pull gets that"},
}

// foreign tells what a file is that begins like one of formats or like a web page, else "".
func foreign(head []byte) string {
	for _, f := range formats {
		if bytes.HasPrefix(head, []byte(f.magic)) {
			return f.what
		}
	}
	start := bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\uFEFF")))
	start = bytes.ToLower(start[:min(len(start), 20)])
	if bytes.HasPrefix(start, []byte("<!doctype html")) || bytes.HasPrefix(start, []byte("<html")) {
		return "a web page (HTML), perhaps what a server sent in place of the file"
	}
	return ""
}

// endsInCR reports whether the first line ends in a CR that no LF follows.
func endsInCR(head []byte) bool {
	end := bytes.IndexAny(head, "\r\n")
	return end >= 0 && end+1 < len(head) && head[end] == '\r' && head[end+1] != '\n'
}

// newlines reads r with LF for each CR.
type newlines struct{ r io.Reader }

func (n newlines) Read(p []byte) (int, error) {
	size, err := n.r.Read(p)
	for i, c := range p[:size] {
		if c == '\r' {
			p[i] = '\n'
		}
	}
	return size, err
}

// BaseName returns the file name of path without extensions.
func BaseName(path string) string {
	base := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(path), ".gz"), ".bz2")
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// Decode returns text, read as Latin-1 unless it is valid UTF-8.
func Decode(text []byte) string {
	if utf8.Valid(text) {
		return string(text)
	}
	return Latin1(text)
}

// Latin1 returns a text in Latin-1 as a string.
func Latin1(text []byte) string {
	runes := make([]rune, len(text))
	for i, c := range text {
		runes[i] = rune(c)
	}
	return string(runes)
}
