package main

import (
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
)

// twoNumbers is a model of two columns of numbers.
func twoNumbers() *crankpkg.Model {
	return &crankpkg.Model{
		FeatureNames: []string{"a", "b c"}, LabelNames: []string{"on", "off"}, Unary: []float64{1, -1, 0.5, -2, 0.25, 0},
		Edges: []crankpkg.Edge{{I: 0, J: 1}}, Pair: []float64{0.5},
	}
}

// answers returns what a body is answered with, by numbers where they can and without them.
func answers(t *testing.T, m *crankpkg.Model, body string) (fast bool) {
	t.Helper()
	h, slow := handlerOf(m, usual), handlerOf(m, usual)
	slow.numbers = nil
	ws, slowly := h.workspaces.New().(*workspace), slow.workspaces.New().(*workspace)
	ws.body.WriteString(body)
	slowly.body.WriteString(body)
	err, want := h.answer(ws), slow.answer(slowly)
	switch {
	case (err == nil) != (want == nil), err != nil && err.Error() != want.Error():
		t.Errorf("%q: error %v, by encoding/json %v", body, err, want)
	case err == nil && string(ws.answer) != string(slowly.answer):
		t.Errorf("%q: %s, by encoding/json %s", body, ws.answer, slowly.answer)
	}
	return h.numbers != nil && h.numbers.read(ws.row, ws.seen, []byte(body))
}

// bodies are what the numbers read, and what they leave to encoding/json.
var bodies = map[string]bool{
	`{"a":1,"b c":2}`:                          true,
	" { \"b c\" :\t-2.5e-3 ,\n\"a\": 0 } \r\n": true,
	`{"a":1e308,"b c":-0}`:                     true,
	`{"a":1e309,"b c":2}`:                      false,
	`{"a":01,"b c":2}`:                         false,
	`{"a":1.,"b c":2}`:                         false,
	`{"a":.5,"b c":2}`:                         false,
	`{"a":+1,"b c":2}`:                         false,
	`{"a":1e,"b c":2}`:                         false,
	`{"a":0x1,"b c":2}`:                        false,
	`{"a":1_0,"b c":2}`:                        false,
	`{"a":NaN,"b c":2}`:                        false,
	`{"a":"1","b c":2}`:                        false,
	`{"a":null,"b c":2}`:                       false,
	`{"a":1,"a":2,"b c":2}`:                    false,
	`{"a":1}`:                                  false,
	`{"a":1,"b c":2,"d":3}`:                    false,
	`{"a":1,"b c":2,}`:                         false,
	`{"a":1,"b c":2}}`:                         false,
	`{"a":1,"b c":2} 3`:                        false,
	`{"a":1 "b c":2}`:                          false,
	`{"a":1,"b\u0020c":2}`:                     false,
	`[{"a":1,"b c":2}]`:                        false,
	`{"a":1,"b c"`:                             false,
	`{`:                                        false,
	``:                                         false,
	strings.Repeat(" ", 9) + `{"a":1,"b c":2}`: true,
}

// TestNumbersLikeJSON holds the numbers to encoding/json, errors included.
func TestNumbersLikeJSON(t *testing.T) {
	t.Parallel()
	for body, want := range bodies {
		if got := answers(t, twoNumbers(), body); got != want {
			t.Errorf("%q: read %v", body, got)
		}
	}
	for _, m := range []*crankpkg.Model{shop(t), {FeatureNames: []string{"a", "b c"}, LabelNames: []string{"y"}, Unary: []float64{1, 2, 3}, Coding: crankpkg.Coding{Sparse: true}}} {
		if answers(t, m, `{"a":1,"b c":2}`) {
			t.Errorf("a model of names, or of sparse rows, is taken for one of numbers alone")
		}
	}
}

// FuzzNumbers is TestNumbersLikeJSON for any body.
func FuzzNumbers(f *testing.F) {
	for body := range bodies {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) { answers(t, twoNumbers(), body) })
}
