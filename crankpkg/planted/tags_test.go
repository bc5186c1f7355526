package planted

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/internal/testkit"
)

// TestTagsFrequencies holds the shares of the labels, and of pairs of neighbors, to what
// the fields say, within five standard deviations.
func TestTagsFrequencies(t *testing.T) {
	t.Parallel()
	const size = 20000
	for _, tags := range []Tags{{Length: 1}, {N: 6, Rarest: 0.1, Commonest: 0.6, Dependence: 0.8, Length: 1, Seed: 3}} {
		ds, _ := tags.Generate(size, 0)
		for i, want := range tags.Frequencies() {
			got := float64(ds.LabelCounts()[i]) / size
			if !(math.Abs(got-want) <= 5*math.Sqrt(want/size)) {
				t.Errorf("%s: share %v, want %v", ds.LabelNames[i], got, want)
			}
		}
		for m := range size {
			if !slices.Contains(ds.Labels(m), 1) {
				t.Fatalf("row %d has no label", m)
			}
		}
	}
}

// TestTagsDependence finds the tree of the labels in their covariances, before examples
// without any label are left out.
func TestTagsDependence(t *testing.T) {
	t.Parallel()
	s := newTagSource(Tags{N: 5, Rarest: 0.2, Commonest: 0.5, Dependence: 0.7}.withDefaults())
	f := s.Frequencies()
	for _, share := range []float64{0.5, 1} {
		none := s.setFrequencies(share)
		total := map[[2]int]float64{} // expectation of the products of labels
		var empty float64
		for code := range 1 << 5 {
			p := 1.0
			for _, i := range s.order {
				q := s.off[i]
				if j := s.parent[i]; j >= 0 && code>>j&1 == 1 {
					q = s.on[i]
				}
				if code>>i&1 == 0 {
					q = 1 - q
				}
				if q < 0 || q > 1 {
					t.Fatalf("probability %v", q)
				}
				p *= q
			}
			if code == 0 {
				empty = p
			}
			for i := range 5 {
				for j := range i + 1 {
					if code>>i&1 == 1 && code>>j&1 == 1 {
						total[[2]int{j, i}] += p
					}
				}
			}
		}
		testkit.CheckNear(t, "no label", none, empty)
		for i := range 5 {
			p := share * f[i]
			testkit.CheckNear(t, "frequency", total[[2]int{i, i}], p)
			if j := s.parent[i]; j >= 0 {
				q := share * f[j]
				testkit.CheckNear(t, "pair", total[[2]int{min(i, j), max(i, j)}], p*q+0.7*(min(p, q)-p*q))
			}
		}
	}
}

// TestTagsRepeat draws the same again, and fewer as the beginning of more.
func TestTagsRepeat(t *testing.T) {
	t.Parallel()
	train, test := Tags{Seed: 7}.Generate(60, 40)
	fewer, same := Tags{Seed: 7}.Generate(25, 40)
	if !reflect.DeepEqual(test, same) {
		t.Error("the test examples depend on the training examples")
	}
	rows := make([]int, 25)
	for k := range rows {
		rows[k] = k
	}
	if first := train.Subset(rows); !reflect.DeepEqual(first.X.Value, fewer.X.Value) || !reflect.DeepEqual(first.X.Index, fewer.X.Index) || !reflect.DeepEqual(first.Y, fewer.Y) {
		t.Error("fewer are not the beginning of more")
	}
	other, _ := Tags{Seed: 8}.Generate(60, 0)
	if reflect.DeepEqual(other.Y, train.Y) {
		t.Error("another seed has the same labels")
	}
	for _, ds := range []*crankpkg.Dataset{train, test} {
		if err := ds.Validate(); err != nil || !ds.X.IsSparse() {
			t.Error(err)
		}
	}
}

// TestTagsSignal has words that tell all, or nothing.
func TestTagsSignal(t *testing.T) {
	t.Parallel()
	tags := Tags{N: 4, Rarest: 0.2, Commonest: 0.5, Signal: 1}
	s := newTagSource(tags.withDefaults())
	ds, _ := tags.Generate(200, 0)
	for m := range ds.Len() {
		for _, k := range ds.Row(m).Index {
			known := false
			for i, v := range ds.Labels(m) {
				known = known || v == 1 && slices.Contains(s.own[i], int(k))
			}
			if !known {
				t.Fatalf("row %d has word %d, which is none of its labels'", m, k)
			}
		}
	}
}

// Labels may all be as common as one another.
func TestTagsOfOneFrequency(t *testing.T) {
	t.Parallel()
	tags := Tags{N: 8, Rarest: 0.2, Commonest: 0.2}
	for _, f := range tags.Frequencies() {
		if f != 0.2 {
			t.Errorf("frequencies %v", tags.Frequencies())
		}
	}
	if ds, _ := tags.Generate(5, 0); ds.Len() != 5 {
		t.Errorf("%d examples", ds.Len())
	}
}

// The smallest settings that are allowed generate: of each, one less does not.
func TestTagsLeast(t *testing.T) {
	t.Parallel()
	for _, tags := range []Tags{{N: 2, Rarest: 0.6, Commonest: 0.8}, {Words: 1}, {Length: 1}, {N: 2, Words: 1, Length: 1, Rarest: 0.6, Commonest: 0.8}} {
		ds, _ := tags.Generate(5, 0)
		if err := ds.Validate(); err != nil || ds.Len() != 5 || tags.N > 0 && ds.NumLabels() != tags.N {
			t.Errorf("%+v: %d examples with %d labels, %v", tags, ds.Len(), ds.NumLabels(), err)
		}
	}
	for _, tags := range []Tags{{N: 1, Rarest: 0.6, Commonest: 0.8}, {N: -1}, {Words: -1}, {Length: -1}} {
		if !testkit.Panics(func() { tags.Generate(5, 0) }) {
			t.Errorf("%+v generates", tags)
		}
	}
}

func TestTagsPanics(t *testing.T) {
	t.Parallel()
	for _, tags := range []Tags{
		{N: 1}, {Words: -1}, {Length: -1}, {Rarest: 0.5}, {Commonest: 1}, {Rarest: -0.1}, {Signal: 1.5}, {Dependence: -1}, {Signal: math.NaN()}, {N: 3},
	} {
		if !testkit.Panics(func() { tags.Generate(1, 1) }) {
			t.Errorf("%+v generates", tags)
		}
	}
	if !testkit.Panics(func() { Tags{}.Generate(-1, 1) }) {
		t.Error("-1 examples")
	}
}
