package arff

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"

	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/internal/table"
	"github.com/crank-ml/crank/crankpkg/internal/textfile"
)

// reader hands out the lines of an ARFF file, scans them and knows where
// it is.
type reader struct {
	arffScanner
	source *bufio.Reader
	file   string
	lineNo int
	read   int    // bytes read so far
	long   []byte // a line longer than the buffer of source
}

func newReader(r *bufio.Reader, file string) *reader {
	return &reader{source: r, file: file}
}

// nextLine moves to the next line that has a token and returns false at the
// end of the file.
func (in *reader) nextLine() (bool, error) {
	for {
		line, err := in.rawLine()
		if err == io.EOF && len(line) == 0 {
			return false, nil
		}
		if err != nil && err != io.EOF {
			in.lineNo++
			return false, in.errorf(errs.ErrFormat, "%w", err)
		}
		in.lineNo++
		in.start(line)
		if !in.atEnd() {
			return true, nil
		}
	}
}

// rawLine returns the next line, which stays valid until the next call. The
// last line comes with io.EOF.
func (in *reader) rawLine() ([]byte, error) {
	line, err := in.source.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		in.long = in.long[:0]
		for errors.Is(err, bufio.ErrBufferFull) {
			in.long = append(in.long, line...)
			line, err = in.source.ReadSlice('\n')
		}
		in.long = append(in.long, line...)
		line = in.long
	}
	in.read += len(line)
	return line, err
}

// errorf returns an error that wraps kind and names the file and the line.
func (in *reader) errorf(kind error, format string, args ...any) error {
	return fmt.Errorf("%w: %s:%d: %w", kind, in.file, in.lineNo, fmt.Errorf(format, args...))
}

// affords reports whether the file read so far justifies so many bytes of memory.
func (in *reader) affords(memory int) bool { return table.Affordable(int64(memory), in.read) }

type arffTokenKind uint8

const (
	endToken    arffTokenKind = iota // the end of the line, or a comment
	wordToken                        // a text without quotes
	quotedToken                      // a text between quotes, unescaped
	commaToken
	openToken  // {
	closeToken // }
)

// arffToken is a token; its text is valid until the next line.
type arffToken struct {
	kind arffTokenKind
	text []byte
}

func (t arffToken) isText() bool { return t.kind == wordToken || t.kind == quotedToken }

func (t arffToken) String() string {
	switch t.kind {
	case endToken:
		return "the end of the line"
	case commaToken:
		return "a comma"
	case openToken:
		return `"{"`
	case closeToken:
		return `"}"`
	}
	return table.Clip(textfile.Decode(t.text))
}

// arffScanner splits one line into tokens. Blanks separate tokens, and "%"
// outside quotes starts a comment.
type arffScanner struct {
	line []byte
	pos  int
}

func (s *arffScanner) start(line []byte) { s.line, s.pos = line, 0 }

// atEnd skips blanks and reports whether nothing but a comment is left.
func (s *arffScanner) atEnd() bool {
	for s.pos < len(s.line) && s.line[s.pos] <= ' ' {
		s.pos++
	}
	return s.pos == len(s.line) || s.line[s.pos] == '%'
}

// rest returns what is left of the line.
func (s *arffScanner) rest() []byte { return s.line[s.pos:] }

var errOpenQuote = errors.New("a quote is not closed on its line")

func (s *arffScanner) next() (arffToken, error) {
	if s.atEnd() {
		return arffToken{}, nil
	}
	start := s.pos
	s.pos++
	switch c := s.line[start]; c {
	case ',':
		return arffToken{kind: commaToken}, nil
	case '{':
		return arffToken{kind: openToken}, nil
	case '}':
		return arffToken{kind: closeToken}, nil
	case '\'', '"':
		return s.quoted(c)
	}
	for s.pos < len(s.line) && !endsWord(s.line[s.pos]) {
		s.pos++
	}
	return arffToken{wordToken, s.line[start:s.pos]}, nil
}

func endsWord(c byte) bool {
	return c <= ' ' || c == ',' || c == '{' || c == '}' || c == '%'
}

// quoted scans the rest of a text that the quote c opened.
func (s *arffScanner) quoted(c byte) (arffToken, error) {
	start := s.pos
	for ; s.pos < len(s.line); s.pos++ {
		switch s.line[s.pos] {
		case c:
			text := s.line[start:s.pos]
			s.pos++
			return arffToken{quotedToken, unescape(text)}, nil
		case '\\':
			s.pos++
		}
	}
	s.pos = len(s.line)
	return arffToken{}, errOpenQuote
}

// unescape undoes Weka's backslashes: \n, \r and \t, \uXXXX, and any other
// character standing for itself.
func unescape(text []byte) []byte {
	if bytes.IndexByte(text, '\\') < 0 {
		return text
	}
	plain := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			plain = append(plain, text[i])
			continue
		}
		i++
		switch c := text[i]; c {
		case 'n':
			plain = append(plain, '\n')
		case 'r':
			plain = append(plain, '\r')
		case 't':
			plain = append(plain, '\t')
		case 'u':
			code, err := strconv.ParseUint(string(text[i+1:min(i+5, len(text))]), 16, 16)
			if err != nil || i+5 > len(text) {
				plain = append(plain, c)
				continue
			}
			plain = utf8.AppendRune(plain, rune(code))
			i += 4
		default:
			plain = append(plain, c)
		}
	}
	return plain
}
