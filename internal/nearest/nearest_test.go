package nearest

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestEdits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"abc", "abc", 0}, {"abc", "axc", 1}, {"kitten", "sitting", 3}, {"ab", "ba", 1},
		{"flaw", "lawn", 2}, {"größe", "grosse", 3}, {"é", "e", 1}, {"fecth", "fetch", 1}, {"abcd", "badc", 2}} {
		if got := edits(c.a, c.b); got != c.want {
			t.Errorf("%q to %q: %d edits, not %d", c.a, c.b, got, c.want)
		}
	}
}

// What people mistype is found; what is far is not, however few names there are.
func TestNames(t *testing.T) {
	t.Parallel()
	names := []string{"yeast", "scene", "east", "best", "income", "Größe", "buys_tea", "age", ""}
	for _, c := range []struct {
		word string
		want []string
	}{
		{"yest", []string{"yeast", "best", "east"}}, {"incme", []string{"income"}}, {"INCOME", []string{"income"}}, {"grösse", []string{"Größe"}},
		{"buys tea", []string{"buys_tea"}}, {"customer", nil}, {"x", nil}, {"", nil}, {"zzz", nil}, {"Age", []string{"age"}}, {"buys_milk", nil},
		{strings.Repeat("y", 1000), nil},
	} {
		if got := Names(c.word, names); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.word, got, c.want)
		}
	}
	if got := Hint("incme", names); got != `; the nearest: "income"` {
		t.Error(got)
	}
	if got := Hint("customer", names); got != "" {
		t.Error(got)
	}
}

// Of random words the nearest of all are given, no more than three, in the order of their edits, and none that shares no letter
// with the word.
func TestNamesAreTheNearest(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	draw := func() string {
		word := make([]rune, rng.IntN(8))
		for k := range word {
			word[k] = rune('a' + rng.IntN(4))
		}
		return string(word)
	}
	for range 500 {
		word, names := draw(), make([]string, rng.IntN(20))
		for k := range names {
			names[k] = draw()
		}
		got := Names(word, names)
		bound := 1 + len(word)/4
		var within []int
		for _, name := range names {
			if e := edits(word, name); e <= bound && e < max(len(name), len(word)) && name != "" {
				within = append(within, e)
			}
		}
		slices.Sort(within)
		if len(got) != min(3, len(within)) {
			t.Fatalf("%q among %q: %q", word, names, got)
		}
		for k, name := range got {
			if e := edits(word, name); e != within[k] || !slices.Contains(names, name) || !strings.ContainsAny(name, word) && utf8.RuneCountInString(name) > 0 && word != "" {
				t.Fatalf("%q among %q: %q", word, names, got)
			}
		}
	}
}
