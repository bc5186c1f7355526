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
