package crankpkg

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg/internal/testkit"
)

// shop is a table of customers. Its ARFF text has the labels, features and the two
// values of member in any order.
type shop struct {
	labels, features []string
	member           string
	sparse           bool
}

// parse returns the data set of the text of 60 customers.
func (s shop) parse(t *testing.T, seed uint64) *Dataset {
	t.Helper()
	text := fmt.Sprintf("@relation 'shop: -C %d'\n", len(s.labels))
	for _, name := range s.labels {
		text += "@attribute " + name + " {0,1}\n"
	}
	for _, name := range s.features {
		kind := map[string]string{"member": s.member, "region": "{north,east,south}"}[name]
		if kind == "" {
			kind = "numeric"
		}
		text += "@attribute " + name + " " + kind + "\n"
	}
	text += "@data\n"
	rng := rand.New(rand.NewPCG(seed, 3))
	for range 60 {
		income, debt, card := rng.NormFloat64(), rng.NormFloat64(), rng.IntN(2) == 1
		cell := map[string]string{
			"income": fmt.Sprint(income), "debt": fmt.Sprint(debt), "member": "none",
			"region": []string{"north", "east", "south"}[rng.IntN(3)], "buys": "0", "returns": "0",
		}
		if income > 0 {
			cell["buys"] = "1"
		}
		if card {
			cell["member"], cell["returns"] = "card", "1"
		}
		var cells []string
		for k, name := range slices.Concat(s.labels, s.features) {
			v := cell[name]
			if s.sparse {
				v = fmt.Sprint(k, " ", v)
			}
			cells = append(cells, v)
		}
		row := strings.Join(cells, ",")
		if s.sparse {
			row = "{" + row + "}"
		}
		text += row + "\n"
	}
	ds, err := ParseARFF(strings.NewReader(text), "shop.arff", ARFFOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return ds
}

var plainShop = shop{[]string{"buys", "returns"}, []string{"income", "debt", "member", "region"}, "{card,none}", false}

// TestEvaluateGoesByNames evaluates on the same rows with features, labels, or values
// in another order.
func TestEvaluateGoesByNames(t *testing.T) {
	t.Parallel()
	m, _, err := FixedGraph{Edges: []Edge{{I: 0, J: 1}}, Lambda: 1e-3, Settings: Settings{Scaling: ZScore}}.Train(context.Background(), plainShop.parse(t, 1))
	if err != nil {
		t.Fatal(err)
	}
	same := plainShop.parse(t, 2)
	if matched, err := m.Match(same); matched != same || err != nil {
		t.Errorf("the same order does not give the data set itself: error %v", err)
	}
	want := Evaluate(m, same)
	if want.SubsetAccuracy < 80 {
		t.Fatalf("the model knows nothing: %v", want)
	}
	for _, other := range []shop{
		{plainShop.labels, plainShop.features, "{none,card}", false},
		{[]string{"returns", "buys"}, plainShop.features, plainShop.member, false},
		{plainShop.labels, []string{"debt", "region", "income", "member"}, plainShop.member, false},
		{[]string{"returns", "buys"}, []string{"debt", "region", "income", "member"}, "{none,card}", false},
		{[]string{"returns", "buys"}, []string{"debt", "region", "income", "member"}, "{none,card}", true},
	} {
		test := other.parse(t, 2)
		if got := Evaluate(m, test); got != want {
			t.Errorf("%+v: %v, want %v", other, got, want)
		}
		matched, err := m.Match(test)
		if err != nil {
			t.Fatal(err)
		}
		if err := matched.Validate(); err != nil {
			t.Error(err)
		}
		if !slices.Equal(matched.Y, same.Y) || fmt.Sprint(testkit.DenseRows(matched.X)) != fmt.Sprint(testkit.DenseRows(same.X)) {
			t.Errorf("%+v: matched to other rows", other)
		}
		if again, err := test.Append(test); err != nil || again.Len() != 2*test.Len() {
			t.Errorf("matching has changed the data set itself: %v", err)
		}
	}
}

// TestMatchRefuses has names missing, unknown and twice.
func TestMatchRefuses(t *testing.T) {
	t.Parallel()
	m := &Model{FeatureNames: []string{"a", "b", "c"}, LabelNames: []string{"y", "z"}}
	for _, test := range []struct {
		features, labels []string
		in               string
	}{
		{[]string{"a", "b", "d"}, m.LabelNames, `feature "c" missing, feature "d" unknown`},
		{[]string{"c", "a"}, m.LabelNames, `feature "b" missing`},
		{[]string{"c", "a", "b", "e"}, m.LabelNames, `feature "e" unknown`},
		{[]string{"1", "2", "3", "4", "5", "a", "b", "c"}, m.LabelNames, `feature "1" "2" "3" and 2 more unknown`},
		{[]string{"b", "b", "c"}, m.LabelNames, `feature "b" is there twice`},
		{m.FeatureNames, []string{"z"}, `label "y" missing`},
		{m.FeatureNames, []string{"z", "y", "x"}, `label "x" unknown`},
		{m.FeatureNames, []string{"y", "y"}, `label "y" is there twice`},
	} {
		ds := &Dataset{
			Name: "other", FeatureNames: test.features, LabelNames: test.labels,
			X: &Matrix{NumRows: 1, NumCols: len(test.features), Value: make([]float64, len(test.features))}, Y: make([]uint8, len(test.labels)),
		}
		if matched, err := m.Match(ds); matched != nil || !errors.Is(err, ErrData) || !strings.Contains(err.Error(), test.in) {
			t.Errorf("%q, %q: error %v, want one that says %s", test.features, test.labels, err, test.in)
		}
	}
	twice := &Dataset{FeatureNames: []string{"a", "b"}, LabelNames: []string{"y"}, X: &Matrix{NumCols: 2}}
	if _, err := twice.MatchNames([]string{"a", "a"}, twice.LabelNames); err == nil || !strings.Contains(err.Error(), `"a" is there twice`) {
		t.Errorf("a name asked for twice: error %v", err)
	}
	if _, err := twice.MatchNames([]string{"a", "b"}, []string{"y"}); err != nil {
		t.Error(err)
	}
	twice.X.NumCols = 3
	if _, err := twice.MatchNames([]string{"a", "b"}, []string{"y"}); !errors.Is(err, ErrData) {
		t.Errorf("3 columns of 2 names: error %v", err)
	}
}

// TestMatchGroups moves groups of labels as wholes, or refuses.
func TestMatchGroups(t *testing.T) {
	t.Parallel()
	ds := &Dataset{
		Name: "states", FeatureNames: []string{"x"}, LabelNames: []string{"a0", "a1", "b0", "b1", "b2"}, Groups: []int{2, 3},
		X: &Matrix{NumRows: 2, NumCols: 1, Value: []float64{1, 2}}, Y: []uint8{1, 0, 0, 0, 1, 0, 1, 1, 0, 0},
	}
	matched, err := ds.MatchNames(ds.FeatureNames, []string{"b2", "b0", "b1", "a1", "a0"})
	if err != nil || !slices.Equal(matched.Groups, []int{3, 2}) || !slices.Equal(matched.Y, []uint8{1, 0, 0, 0, 1, 0, 1, 0, 1, 0}) {
		t.Errorf("%+v, error %v", matched, err)
	}
	if _, err := ds.MatchNames(ds.FeatureNames, []string{"b2", "a0", "b0", "b1", "a1"}); !errors.Is(err, ErrData) {
		t.Errorf("a group that is torn apart: error %v", err)
	}
}

func ExampleModel_Match() {
	m := &Model{Method: "by hand", FeatureNames: []string{"hot", "wet"}, LabelNames: []string{"swim"}, Unary: []float64{1, -1, 0}}
	other := &Dataset{
		Name: "other", FeatureNames: []string{"wet", "hot"}, LabelNames: []string{"swim"},
		X: &Matrix{NumRows: 1, NumCols: 2, Value: []float64{0, 1}}, Y: []uint8{1},
	}
	matched, err := m.Match(other)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(matched.FeatureNames, m.PredictLabels(matched.Row(0)))
	other.FeatureNames[0] = "windy"
	_, err = m.Match(other)
	fmt.Println(err)
	// Output:
	// [hot wet] [swim]
	// crankpkg: unusable data: other: feature "wet" missing, feature "windy" unknown
}
