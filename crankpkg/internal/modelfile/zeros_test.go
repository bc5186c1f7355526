package modelfile_test

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg/internal/jsonlist"
	"github.com/crank-ml/crank/crankpkg/internal/modelfile"
)

// Zeros are left out where the text is shorter so, and come back; a negative zero keeps its sign;
// the file that is written is left as it was.
func TestZeros(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(1, 2))
	withZeros := 0
	for range 300 {
		n, d, share := 1+rnd.IntN(4), rnd.IntN(60), rnd.Float64()
		f := &modelfile.File{Method: "x", Features: slices.Repeat([]string{"a"}, d), Labels: slices.Repeat([]string{"p"}, n)}
		for range n {
			row := make(jsonlist.List[float64], d+1)
			for k := range row {
				switch {
				case rnd.Float64() < share:
					row[k] = 1
				case rnd.IntN(10) == 0:
					row[k] = math.Copysign(0, -1)
				}
			}
			f.Unary = append(f.Unary, row)
		}
		before := make([]jsonlist.List[float64], n)
		for i, row := range f.Unary {
			before[i] = slices.Clone(row)
		}
		text, err := f.Encode()
		if err != nil || !sameBits(f.Unary, before) || f.Zeros != nil {
			t.Fatalf("error %v, the file is now %+v", err, f)
		}
		again, err := modelfile.Decode(text)
		if err != nil || !sameBits(again.Unary, before) || again.Zeros != nil {
			t.Fatalf("%s is read as %+v, error %v", text, again, err)
		}
		// What the text would be with zeros: a file of one part more is never longer.
		f.Fourier = &modelfile.Fourier{Count: d + 1, Gamma: 1} // its weights keep their zeros
		whole, err := f.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if len(text) > len(whole) {
			t.Errorf("%d bytes, with zeros %d", len(text), len(whole))
		}
		if strings.Contains(string(text), `"zeros"`) {
			withZeros++
		}
	}
	if withZeros < 50 || withZeros > 250 {
		t.Errorf("%d of 300 files leave zeros out", withZeros)
	}
}

func sameBits(a, b []jsonlist.List[float64]) bool {
	return slices.EqualFunc(a, b, func(x, y jsonlist.List[float64]) bool {
		return slices.EqualFunc(x, y, func(v, w float64) bool { return math.Float64bits(v) == math.Float64bits(w) })
	})
}

// Counts that do not fit are refused, before memory is taken for them.
func TestZerosRefused(t *testing.T) {
	t.Parallel()
	const good = `{"format":"crank model","version":10,"method":"x","lambda":1,"features":["a","b"],"labels":["p","q"],"scaling":{"kind":""},` +
		`"unary":[[5],[6,7]],"zeros":[[2],[0,1]],"pairs":{"i":[],"j":[],"weight":[]}}`
	f, err := modelfile.Decode([]byte(good))
	if want := []jsonlist.List[float64]{{0, 0, 5}, {6, 0, 7}}; err != nil || !reflect.DeepEqual(f.Unary, want) {
		t.Fatalf("%+v, error %v", f, err)
	}
	for _, c := range []struct{ from, to, in string }{
		{`[[2],[0,1]]`, `[[3],[0,1]]`, "label 0, weight 0: 3 zeros before it, 3 places left"},
		{`[[2],[0,1]]`, `[[2],[0,2]]`, "label 1, weight 1: 2 zeros before it, 2 places left"},
		{`[[2],[0,1]]`, `[[2],[0,9223372036854775807]]`, "label 1, weight 1"},
		{`[[2],[0,1]]`, `[[2],[2,-1]]`, "label 1, weight 1: -1 zeros"},
		{`[[2],[0,1]]`, `[[2],[0]]`, "label 1 has 1 counts of zeros for 2 weights"},
		{`[[2],[0,1]]`, `[[2]]`, "1 rows of counts of zeros for 2 of weights"},
		{`[[2],[0,1]]`, `[[2],[0,null]]`, "null"},
		{`[[2],[0,1]]`, `[[2],[0,0.5]]`, "0.5"},
		{`"version":10`, `"version":9`, "weights without their zeros in version 9"},
		{`"pairs"`, `"fourier":{"count":2,"gamma":1,"seed":0},"pairs"`, "of mapped features"},
		{`"unary":[[5],[6,7]],"zeros":[[2],[0,1]]`, `"unary":[[],[]],"zeros":[[],[]]`, "6 zeros to 0 weights"},
		{`"features":["a","b"]`, `"features":[` + strings.Repeat(`"",`, 2000) + `""]`, "more than 1000 to each"},
	} {
		bad := strings.Replace(good, c.from, c.to, 1)
		if _, err := modelfile.Decode([]byte(bad)); err == nil || !strings.Contains(err.Error(), c.in) {
			t.Errorf("%s: error %v, want one that says %s", c.to, err, c.in)
		}
	}
}

// FuzzZeros reads any rows of weights and counts without a panic; what is read is written and read
// again as it was.
func FuzzZeros(f *testing.F) {
	f.Add(`[[5],[6,7]]`, `[[2],[0,1]]`)
	f.Add(`[[],[6]]`, `[[],[2]]`)
	f.Add(`[[1,2,3],[4,5,6]]`, `[[0,0,0],[0,0,0]]`)
	f.Add(`[[-0],[0]]`, `[[1],[-1]]`)
	f.Fuzz(func(t *testing.T, unary, zeros string) {
		file, err := modelfile.Decode([]byte(`{"format":"crank model","version":10,"features":["a","b"],"labels":["p","q"],"unary":` + unary + `,"zeros":` + zeros + `}`))
		if err != nil {
			return
		}
		text, err := file.Encode()
		if err != nil {
			t.Fatal(err)
		}
		again, err := modelfile.Decode(text)
		if err != nil || !sameBits(again.Unary, file.Unary) {
			t.Fatalf("%+v is read as %+v, error %v", file.Unary, again, err)
		}
	})
}
