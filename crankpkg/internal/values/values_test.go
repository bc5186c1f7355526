package values

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
)

type inner struct {
	F []float64
	P *inner
}

type sample struct {
	B      bool
	I      int
	I32    []int32
	U      uint64
	F      float64
	S      string
	Names  []string
	Bytes  []uint8
	Floats []float64
	In     inner
	Ins    []inner
	P      *inner
}

func samples() []sample {
	return []sample{
		{},
		{Floats: []float64{}, Bytes: []uint8{}, Names: []string{}, Ins: []inner{}, P: &inner{}},
		{
			B: true, I: -7, I32: []int32{math.MinInt32, 1}, U: math.MaxUint64, F: math.Copysign(0, -1), S: "e\x00\xff", Names: []string{"", "x"},
			Bytes: []byte{0, 255}, Floats: []float64{math.NaN(), math.Inf(-1), 5e-324}, In: inner{F: []float64{1}, P: &inner{}}, Ins: []inner{{}, {F: []float64{}}},
		},
	}
}

// sameBits compares as DeepEqual, with NaNs equal to themselves and zeros told apart.
func sameBits(a, b any) bool {
	x, errX := Encode(a)
	y, errY := Encode(b)
	clear := func(v any) any { // DeepEqual finds what the bytes may leave out, such as nil and empty
		s := v.(sample)
		s.Floats = append(s.Floats[:0:0], s.Floats...)
		for k, f := range s.Floats {
			if math.IsNaN(f) {
				s.Floats[k] = 0
			}
		}
		return s
	}
	return errX == nil && errY == nil && bytes.Equal(x, y) && reflect.DeepEqual(clear(a), clear(b))
}

func TestRoundTrip(t *testing.T) {
	t.Parallel()
	for k, s := range samples() {
		data, err := Encode(s)
		if err != nil {
			t.Fatal(err)
		}
		got := samples()[len(samples())-1] // what was there before is gone
		if err := Decode(data, &got); err != nil || !sameBits(got, s) || (got.Floats == nil) != (s.Floats == nil) {
			t.Errorf("sample %d: %+v becomes %+v, error %v", k, s, got, err)
		}
		for cut := range data {
			if err := Decode(data[:cut], &got); err == nil {
				t.Errorf("sample %d: %d of %d bytes are enough", k, cut, len(data))
			}
		}
		if err := Decode(append(data, 0), &got); err == nil {
			t.Errorf("sample %d: a byte too much is read", k)
		}
	}
}

func TestWhatCannotBeWritten(t *testing.T) {
	t.Parallel()
	circle := &inner{}
	circle.P = circle
	for _, v := range []any{func() {}, make(chan int), circle, complex(1, 2), struct{ x int }{1}, []struct{}{{}}, map[string]int{"a": 1}} {
		if _, err := Encode(v); !errors.Is(err, ErrKind) {
			t.Errorf("%T: error %v", v, err)
		}
	}
	for _, v := range []any{func() {}, make(chan int), circle, complex(1, 2), &struct{ f func() }{func() {}}} {
		if err := (&Digest{W: io.Discard}).Add(v); !errors.Is(err, ErrKind) {
			t.Errorf("digest of %T: error %v", v, err)
		}
	}
	refuses := Digest{W: io.Discard, Special: func(any, *Digest) (bool, error) { return false, io.ErrShortWrite }}
	if err := refuses.Add(first{A: 1}); !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("digest of what a special way refuses: error %v", err)
	}
}

// failsOnce is a disk that is full after so many writes, once, and has room again.
type failsOnce struct{ before int }

func (w *failsOnce) Write(p []byte) (int, error) {
	if w.before--; w.before == -1 {
		return 0, io.ErrShortWrite
	}
	return len(p), nil
}

// A digest that lacks a part of what it was given is none, wherever that part is.
func TestDigestTellsLostParts(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 1<<15+1)
	for name, v := range map[string]any{
		"a number after what is long": []any{long, 1, 2},
		"texts":                       []string{long, long, "end"},
		"numbers":                     make([]float64, 1<<15),
		"a map":                       map[string]any{"a": long, "b": 1},
		"bytes":                       [][]byte{[]byte(long), {1}, []byte(long)},
		"fields":                      []first{{A: long, B: []byte{1}}, {A: []float64{1}, B: long}},
	} {
		var all countsWrites
		if err := (&Digest{W: &all}).Add(v, "the end"); err != nil {
			t.Fatal(err)
		}
		for k := range int(all) {
			if err := (&Digest{W: &failsOnce{before: k}}).Add(v, "the end"); !errors.Is(err, io.ErrShortWrite) {
				t.Errorf("%s, write %d of %d: error %v", name, k+1, all, err)
			}
		}
	}
}

// countsWrites takes all writes.
type countsWrites int

func (w *countsWrites) Write(p []byte) (int, error) { *w++; return len(p), nil }

// TestDigestBytes holds small values to the bytes that they are said to have, worked out by hand: keys on disk are made of them.
func TestDigestBytes(t *testing.T) {
	t.Parallel()
	text := func(s string) string { return string(rune(len(s))) + s }
	const one, half = "\x00\x00\x00\x00\x00\x00\xf0\x3f", "\x00\x00\x00\x00\x00\x00\xe0\x3f"
	name := TypeName(reflect.TypeFor[first]())
	for _, c := range []struct {
		v    any
		want string
	}{
		{nil, "\x00"}, {false, "\x00"}, {true, "\x01"}, {1, "\x02"}, {-1, "\x01"}, {uint8(3), "\x03"}, {uint64(300), "\xac\x02"}, {1.0, one},
		{"ab", "\x02ab"}, {[]byte{7, 8}, "\x03\x07\x08"}, {[]byte(nil), "\x00"}, {[]byte{}, "\x01"}, {[]float64{1, 0.5}, "\x03" + one + half},
		{[]int{1, -1}, "\x03\x02\x01"}, {(*int)(nil), "\x00"}, {new(int), "\x01\x00"}, {(func())(nil), "\x00"}, {(chan int)(nil), "\x00"},
		{first{A: 1}, text(name) + text("A") + "\x01" + text("int") + "\x02" + text("B") + "\x00"},
		{map[string]bool{"b": true, "a": false}, "\x03" + text("\x01a\x00") + text("\x01b\x01")},
	} {
		var got bytes.Buffer
		if err := (&Digest{W: &got}).Add(c.v); err != nil || got.String() != c.want {
			t.Errorf("%#v has the bytes %q, error %v, want %q", c.v, got.String(), err, c.want)
		}
	}
	for _, c := range []struct {
		v    any
		want string
	}{
		{[]bool{true, false}, "\x03\x01\x00"}, {inner{F: []float64{1}}, "\x02" + one + "\x00"}, {inner{P: &inner{}}, "\x00\x01\x00\x00"}, {[]string{"ab", ""}, "\x03\x02ab\x00"},
	} {
		if got, err := Encode(c.v); err != nil || string(got) != c.want {
			t.Errorf("%#v is encoded as %q, error %v, want %q", c.v, got, err, c.want)
		}
	}
}

// TestDigestOfAll checks that values added one by one have the bytes that they have together, and that maps have one digest in whatever
// order they give their keys.
func TestDigestOfAll(t *testing.T) {
	t.Parallel()
	many := map[int]string{}
	for k := range 50 {
		many[k] = strings.Repeat("x", k)
	}
	all := []any{1, "text", make([]float64, 5000), many, first{A: many}, []byte{1, 2}, []string{strings.Repeat("y", 1<<16), "z"}}
	var together, apart bytes.Buffer
	if err := (&Digest{W: &together}).Add(all...); err != nil {
		t.Fatal(err)
	}
	d := &Digest{W: &apart}
	for _, v := range all {
		if err := d.Add(v); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(together.Bytes(), apart.Bytes()) {
		t.Errorf("%d bytes together, %d one by one, or others", together.Len(), apart.Len())
	}
	want := digest(t, Digest{}, many)
	for range 20 {
		if digest(t, Digest{}, many) != want {
			t.Fatal("a map has two digests")
		}
	}
}

// TestDepth nests values as deep as may be, and one deeper; many values side by side are not deep.
func TestDepth(t *testing.T) {
	t.Parallel()
	chain := func(long int) *inner {
		var p *inner
		for range long {
			p = &inner{P: p}
		}
		return p
	}
	for _, c := range []struct {
		v  any
		ok bool
	}{
		{make([]inner, 3*deepest), true}, {slices.Repeat([]*inner{{}}, 3*deepest), true}, {make([][]int, 3*deepest), true},
		{chain(deepest/2 - 1), true}, {chain(deepest/2 + 2), false}, {chain(3 * deepest), false},
	} {
		if err := (&Digest{W: io.Discard}).Add(c.v); (err == nil) != c.ok || err != nil && !errors.Is(err, ErrKind) {
			t.Errorf("digest of %T: error %v", c.v, err)
		}
		if _, err := Encode(c.v); (err == nil) != c.ok || err != nil && !errors.Is(err, ErrKind) {
			t.Errorf("encoding of %T: error %v", c.v, err)
		}
	}
}

// TestDigestNamesFields has types of one name whose fields have other names, which are told apart, as are types of other names.
func TestDigestNamesFields(t *testing.T) {
	t.Parallel()
	one := func() any {
		type local struct{ X, Y int }
		return local{1, 2}
	}()
	other := func() any {
		type local struct{ X, Z int }
		return local{1, 2}
	}()
	if TypeName(reflect.TypeOf(one)) != TypeName(reflect.TypeOf(other)) {
		t.Fatal("the types have other names")
	}
	if digest(t, Digest{}, one) == digest(t, Digest{}, other) {
		t.Error("fields of other names have the same digest")
	}
	if digest(t, Digest{}, first{A: 1}) == digest(t, Digest{}, second{A: 1}) {
		t.Error("types of other names have the same digest")
	}
	skip := Digest{Skip: func(_ reflect.Type, field string) bool { return field == "A" }}
	if digest(t, skip, first{A: 1, B: 1}) != digest(t, skip, first{A: 2, B: 1}) || digest(t, skip, first{B: 1}) == digest(t, skip, first{B: 2}) {
		t.Error("not the first field alone is skipped")
	}
}

func digest(t *testing.T, d Digest, v ...any) string {
	t.Helper()
	h := sha256.New()
	d.W = h
	if err := d.Add(v...); err != nil {
		t.Fatal(err)
	}
	return string(h.Sum(nil))
}

type (
	first  struct{ A, B any }
	second struct{ A, B any }
	hidden struct{ a, b []float64 }
)

// TestDigestTellsApart checks that values which differ have digests that differ, and equal ones the same.
func TestDigestTellsApart(t *testing.T) {
	t.Parallel()
	long := make([]float64, 10000)
	long2 := append([]float64{}, long...)
	long2[9999] = math.Copysign(0, -1)
	all := []any{
		nil, 0, 1, int64(1), "1", "", []int(nil), []int{}, []int{0}, [1]int{0}, first{}, second{}, first{A: 1}, first{B: 1}, first{A: int64(1)},
		first{A: first{}}, first{A: second{}}, hidden{a: []float64{1}}, hidden{b: []float64{1}}, hidden{a: []float64{1}, b: []float64{}},
		long, long2, long[1:], map[string]int{}, map[string]int{"a": 1}, map[string]int{"b": 1}, map[string]int{"a": 1, "b": 2},
		[]map[string]int{{"a": 1}, {}}, []map[string]int{{}, {"a": 1}}, []any{nil, 1}, []any{1, nil}, []string{"a", "b"}, []string{"ab", ""},
	}
	seen := map[string]int{}
	for k, v := range all {
		sum := digest(t, Digest{}, first{A: v})
		if other, ok := seen[sum]; ok {
			t.Errorf("%#v and %#v have the same digest", all[other], v)
		}
		seen[sum] = k
		if again := digest(t, Digest{}, first{A: v}); again != sum {
			t.Errorf("%#v has two digests", v)
		}
	}
}

func TestDigestSkipsAndSpecials(t *testing.T) {
	t.Parallel()
	skip := Digest{Skip: func(of reflect.Type, field string) bool { return of == reflect.TypeFor[first]() && field == "B" }}
	if digest(t, skip, first{B: 1}) != digest(t, skip, first{B: 2}) || digest(t, skip, second{B: 1}) == digest(t, skip, second{B: 2}) {
		t.Error("not that field alone is skipped")
	}
	special := Digest{Special: func(v any, d *Digest) (bool, error) {
		n, ok := v.(int)
		if ok {
			return true, d.Add(n % 10)
		}
		return false, nil
	}}
	if digest(t, special, first{A: 3}) != digest(t, special, first{A: 13}) || digest(t, special, first{A: "3"}) == digest(t, special, first{A: "13"}) {
		t.Error("what is special is not written so")
	}
}

// Whatever a special way writes, no plain value looks like it.
func TestDigestTellsSpecialsFromPlainValues(t *testing.T) {
	t.Parallel()
	for name, begin := range map[string][]any{"the type": {"int"}, "one and the type": {true, "int"}, "two and the type": {uint(2), "int"}, "nil": {nil}} {
		special := Digest{Special: func(v any, d *Digest) (bool, error) {
			if s, ok := v.(string); ok && s == "three" {
				return true, d.Add(append(begin, 3)...)
			}
			return false, nil
		}}
		seen := map[string]any{}
		for _, v := range []any{nil, 3, "three", "other"} {
			sum := digest(t, special, first{A: v})
			if other, ok := seen[sum]; ok {
				t.Errorf("%s: %#v and %#v have the same digest", name, other, v)
			}
			seen[sum] = v
		}
	}
}

func TestLayoutTellsApart(t *testing.T) {
	t.Parallel()
	type a struct{ X, Y int }
	type b struct {
		X int
		Y int32
	}
	seen := map[string]bool{}
	for _, typ := range []reflect.Type{reflect.TypeFor[a](), reflect.TypeFor[b](), reflect.TypeFor[sample](), reflect.TypeFor[[]a](), reflect.TypeFor[*a]()} {
		l := Layout(typ)
		if seen[l] {
			t.Errorf("%v has the layout of another type", typ)
		}
		seen[l] = true
	}
	if l := Layout(reflect.TypeFor[sample]()); !strings.Contains(l, "Floats") || !strings.Contains(l, "inner") {
		t.Errorf("layout %s", l)
	}
}

// FuzzDecode reads any bytes without a panic, and writes what it has read as it was.
func FuzzDecode(f *testing.F) {
	for _, s := range samples() {
		data, err := Encode(s)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var s, again sample
		if Decode(data, &s) != nil {
			return
		}
		out, err := Encode(s)
		if err != nil {
			t.Fatal(err)
		}
		if err := Decode(out, &again); err != nil || !sameBits(s, again) {
			t.Errorf("%+v becomes %+v, error %v", s, again, err)
		}
	})
}

// TestRoundTripOfLists has lists of each kind at the end of the bytes, where as many are left as the elements take.
func TestRoundTripOfLists(t *testing.T) {
	t.Parallel()
	for n := range 4 {
		for _, v := range []any{
			slices.Repeat([]bool{true}, n), slices.Repeat([]uint8{7}, n), slices.Repeat([]int{-1}, n), slices.Repeat([]int32{3}, n),
			slices.Repeat([]uint64{300}, n), slices.Repeat([]float64{-0.5}, n), slices.Repeat([]string{""}, n), slices.Repeat([]string{"ab"}, n),
			slices.Repeat([]*inner{nil}, n), slices.Repeat([]inner{{}}, n), slices.Repeat([][]bool{{true}}, n), slices.Repeat([][]bool{nil}, n),
		} {
			data, err := Encode(v)
			if err != nil {
				t.Fatal(err)
			}
			got := reflect.New(reflect.TypeOf(v))
			if err := Decode(data, got.Interface()); err != nil || !reflect.DeepEqual(got.Elem().Interface(), v) {
				t.Errorf("%d of %T: %v, error %v", n, v, got.Elem(), err)
			}
		}
	}
	for _, to := range []any{new([]bool), new([]uint8), new([]float64), new([]inner), new(string)} {
		if err := Decode(binary.AppendUvarint(nil, math.MaxUint64), to); err == nil { // a length for which there is no memory
			t.Errorf("%T is read from its length alone", to)
		}
	}
}
