package textfile

import (
	"bufio"
	"errors"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// utf16Reader reads UTF-16 with a byte order mark as UTF-8.
type utf16Reader struct {
	r         *bufio.Reader
	bigEndian bool
	ahead     []uint16 // a unit that was read after an unpaired half
	pending   []byte   // what of a character did not fit
	err       error
}

// newUTF16 reads the byte order mark, which must be there.
func newUTF16(r *bufio.Reader) *utf16Reader {
	u := &utf16Reader{r: r}
	mark, err := u.unit() // low byte first
	u.bigEndian, u.err = mark == 0xfffe, err
	return u
}

var errHalf = errors.New("UTF-16 text of an odd number of bytes")

// unit returns the next 16 bits.
func (u *utf16Reader) unit() (uint16, error) {
	if len(u.ahead) > 0 {
		c := u.ahead[0]
		u.ahead = u.ahead[:0]
		return c, nil
	}
	var b [2]byte
	_, err := io.ReadFull(u.r, b[:])
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = errHalf
	}
	if u.bigEndian {
		return uint16(b[0])<<8 | uint16(b[1]), err
	}
	return uint16(b[1])<<8 | uint16(b[0]), err
}

// char returns the next character; an unpaired half of one is U+FFFD.
func (u *utf16Reader) char() (rune, error) {
	first, err := u.unit()
	if err != nil || !utf16.IsSurrogate(rune(first)) {
		return rune(first), err
	}
	second, err := u.unit()
	if err != nil {
		if errors.Is(err, io.EOF) {
			return utf8.RuneError, nil
		}
		return 0, err
	}
	c := utf16.DecodeRune(rune(first), rune(second))
	if c == utf8.RuneError {
		u.ahead = append(u.ahead, second)
	}
	return c, nil
}

func (u *utf16Reader) Read(p []byte) (int, error) {
	size := 0
	for size < len(p) {
		if len(u.pending) == 0 {
			if u.err != nil {
				break
			}
			var c rune
			if c, u.err = u.char(); u.err != nil {
				break
			}
			u.pending = utf8.AppendRune(u.pending[:0], c)
		}
		k := copy(p[size:], u.pending)
		u.pending = u.pending[k:]
		size += k
	}
	if size > 0 {
		return size, nil
	}
	return 0, u.err
}
