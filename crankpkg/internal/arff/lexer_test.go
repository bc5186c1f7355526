package arff

import "testing"

func TestUnescape(t *testing.T) {
	for text, want := range map[string]string{
		``:              ``,
		`plain`:         `plain`,
		`a\nb\rc\td`:    "a\nb\rc\td",
		`\'\"\\\%\x`:    `'"\%x`,
		`\u00e9\u4e2d!`: "é中!",
		`\u00`:          `u00`,
		`\u00zz`:        `u00zz`,
		`end\`:          `end\`,
	} {
		if got := string(unescape([]byte(text))); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

// What is not UTF-8 is Latin-1, byte by byte.
func TestDecodeText(t *testing.T) {
	for text, want := range map[string]string{"café": "café", "caf\xe9": "café", "\xff\xfe": "ÿþ"} {
		if got := decodeText([]byte(text)); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}
