package schema

import (
	"slices"
	"testing"
)

func TestMatch(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		want, have []string
		order      []int
		err        string
	}{
		{[]string{"a", "b"}, []string{"a", "b"}, nil, ""},
		{[]string{"a", "a"}, []string{"a", "a"}, nil, ""}, // what is in order needs no names
		{[]string{"a", "b", "c"}, []string{"c", "a", "b"}, []int{1, 2, 0}, ""},
		{[]string{"a", "b"}, []string{"b"}, nil, `column "a" missing`},
		{[]string{"a"}, []string{"b", "a"}, nil, `column "b" unknown`},
		{[]string{"a", "b"}, []string{"c", "d"}, nil, `column "a" "b" missing, column "c" "d" unknown`},
		{[]string{"p", "q", "r", "s"}, nil, nil, `column "p" "q" "r" and 1 more missing`},
		{[]string{"p", "q", "r"}, nil, nil, `column "p" "q" "r" missing`},
		{[]string{"heigth"}, []string{"u", "v", "w", "height"}, nil, `column "heigth" missing; the nearest: "height", column "u" "v" "w" and 1 more unknown`},
		{[]string{"age", "b"}, []string{"b", "u", "v", "w", "x y z"}, nil, `column "age" missing, column "u" "v" "w" and 1 more unknown`},
		{[]string{"a", "a"}, []string{"a", "b"}, nil, `column "a" is there twice, so that names do not tell which is which`},
		{[]string{"a", "b"}, []string{"b", "b"}, nil, `column "b" is there twice, so that names do not tell which is which`},
	} {
		order, err := Match("column", test.want, test.have)
		text := ""
		if err != nil {
			text = err.Error()
		}
		if !slices.Equal(order, test.order) || text != test.err {
			t.Errorf("%q in %q: %v, error %q", test.want, test.have, order, text)
		}
	}
}
