package jsonlist

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// file is a file with lists.
type file struct {
	Numbers List[float64]
	Nested  List[List[int]]
	Edges   List[[2]int]
	Named   List[struct{ Name string }]
}

func TestListReads(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]file{
		`{"Numbers": [1, 0, -2.5]}`:              {Numbers: List[float64]{1, 0, -2.5}},
		`{"Nested": [[1, 2], [], [3]]}`:          {Nested: List[List[int]]{{1, 2}, nil, {3}}},
		`{"Edges": [[0, 1]]}`:                    {Edges: List[[2]int]{{0, 1}}},
		`{}`:                                     {},
		`{"Numbers": [], "Nested": []}`:          {},
		`{"Numbers": null}`:                      {},
		`{"Numbers": [1, 2], "Numbers": [3]}`:    {Numbers: List[float64]{3}},
		`{"Numbers": [1, 2], "Numbers": []}`:     {},
		` { "Numbers" : [ 1 , 2 ] , "Edges":[]}`: {Numbers: List[float64]{1, 2}},
	} {
		var got file
		if err := json.Unmarshal([]byte(text), &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %#v, error %v, want %#v", text, got, err, want)
		}
	}
}

func TestListRefuses(t *testing.T) {
	t.Parallel()
	for text, in := range map[string]string{
		`{"Numbers": [null]}`:          "null at position 0",
		`{"Numbers": [1, 2, null]}`:    "null at position 2",
		`{"Nested": [[1], null]}`:      "null at position 1",
		`{"Nested": [[1], [2, null]]}`: "null at position 1",
		`{"Numbers": ["1"]}`:           "string",
		`{"Numbers": 1}`:               "number",
		`{"Edges": [[0.5, 1]]}`:        "0.5",
		`{"Named": [{"Nome": "a"}]}`:   "unknown field",
	} {
		var got file
		if err := json.Unmarshal([]byte(text), &got); err == nil || !strings.Contains(err.Error(), in) {
			t.Errorf("%s: %v, error %v, want %q", text, got, err, in)
		}
	}
}

// What a list writes it reads again.
func TestListRoundTrip(t *testing.T) {
	t.Parallel()
	want := file{Numbers: List[float64]{0.1, 0}, Nested: List[List[int]]{{1}, {2, 3}}}
	text, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got file
	if err := json.Unmarshal(text, &got); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%#v, error %v, want %#v", got, err, want)
	}
}
