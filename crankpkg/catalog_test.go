package crankpkg

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg/internal/mulan"
	"github.com/crank-ml/crank/crankpkg/internal/testkit"
)

// setPart is what was counted in a file, apart from this package.
type setPart struct {
	rows        int
	cardinality float64
	distinct    int     // label sets
	density     float64 // share of features that are not 0; 0: not counted
}

// setSize is a set and its parts. The numbers for the whole sets agree with
// those that Mulan publishes.
type setSize struct {
	name            string
	columns, labels int
	sparse          bool
	train, test     setPart
	whole           setPart
}

// Columns differ from Mulan's number of features in birds (260, of which two
// are nominal with 13 values in all), flags (19, of which four are nominal with
// 28 values in all) and genbase (1186, of which one is dropped).
var builtInSizes = []setSize{
	{"emotions", 72, 6, false, setPart{391, 1.8133, 26, 0.9967}, setPart{202, 1.9752, 21, 0.9968}, setPart{593, 1.868, 27, 0}},
	{"flags", 43, 7, false, setPart{129, 3.4186, 45, 0}, setPart{65, 3.3385, 32, 0}, setPart{194, 3.392, 54, 0}},
	{"medical", 1449, 45, true, setPart{333, 1.2553, 61, 0.0091}, setPart{645, 1.2403, 73, 0.0093}, setPart{978, 1.245, 94, 0}},
	{"medical10", 1449, 10, true, setPart{333, 0.9640, 0, 0.0091}, setPart{645, 0.9566, 0, 0.0093}, setPart{978, 0.959, 28, 0}},
	{"scene", 294, 6, false, setPart{1211, 1.0619, 14, 0.9881}, setPart{1196, 1.0861, 13, 0.9889}, setPart{2407, 1.074, 15, 0}},
	{"yeast", 103, 14, false, setPart{1500, 4.2280, 164, 1}, setPart{917, 4.2519, 140, 1}, setPart{2417, 4.237, 198, 0}},
}

var largerSizes = []setSize{
	{"bibtex", 1836, 159, true, setPart{4880, 2.3803, 2058, 0.0373}, setPart{2515, 2.4437, 1257, 0.0376}, setPart{7395, 2.402, 2856, 0}},
	{"birds", 271, 19, false, setPart{322, 1.0590, 89, 0}, setPart{323, 0.9690, 84, 0}, setPart{645, 1.014, 133, 0}},
	{"corel5k", 499, 374, true, setPart{4500, 3.5216, 2925, 0.0164}, setPart{500, 3.5260, 434, 0.0183}, setPart{5000, 3.522, 3175, 0}},
	{"delicious", 500, 983, true, setPart{12920, 19.0471, 12714, 0.0371}, setPart{3185, 18.9102, 3163, 0.0346}, setPart{16105, 19.020, 15806, 0}},
	{"enron", 1001, 53, true, setPart{1123, 3.3865, 545, 0.0841}, setPart{579, 3.3627, 317, 0.0838}, setPart{1702, 3.378, 753, 0}},
	{"genbase", 1185, 27, false, setPart{463, 1.2613, 29, 0}, setPart{199, 1.2312, 21, 0}, setPart{662, 1.252, 32, 0}},
}

func TestLoadSplitStatistics(t *testing.T) {
	t.Parallel()
	checkSizes(t, builtInSizes)
}

func TestStatisticsOfLargerSets(t *testing.T) {
	t.Parallel()
	testkit.NeedData(t)
	checkSizes(t, largerSizes)
}

func checkSizes(t *testing.T, sizes []setSize) {
	for _, want := range sizes {
		t.Run(want.name, func(t *testing.T) {
			train, test, err := LoadSplit(want.name)
			if err != nil {
				t.Fatal(err)
			}
			whole, err := LoadAll(want.name)
			if err != nil {
				t.Fatal(err)
			}
			for _, part := range []struct {
				*Dataset
				want setPart
			}{{train, want.train}, {test, want.test}, {whole, want.whole}} {
				checkPart(t, part.Dataset, want, part.want)
			}
			if !slices.Equal(train.FeatureNames, test.FeatureNames) || !slices.Equal(train.LabelNames, test.LabelNames) {
				t.Error("the training and the test part have different columns")
			}
		})
	}
}

func checkPart(t *testing.T, ds *Dataset, want setSize, part setPart) {
	t.Helper()
	if err := ds.Validate(); err != nil {
		t.Error(err)
	}
	if ds.Name != want.name || ds.NumFeatures() != want.columns || ds.NumLabels() != want.labels || ds.X.IsSparse() != want.sparse {
		t.Errorf("%v; want %d columns, %d labels, sparse %v", ds, want.columns, want.labels, want.sparse)
	}
	if ds.Len() != part.rows {
		t.Errorf("%d rows, want %d", ds.Len(), part.rows)
	}
	if got := ds.Cardinality(); !(math.Abs(got-part.cardinality) <= 0.0006) {
		t.Errorf("cardinality %v, want %v", got, part.cardinality)
	}
	if got := ds.DistinctLabelSets(); part.distinct != 0 && got != part.distinct {
		t.Errorf("%d label sets, want %d", got, part.distinct)
	}
	if got := density(ds.X); part.density != 0 && math.Abs(got-part.density) > 0.00006 {
		t.Errorf("density %v, want %v", got, part.density)
	}
}

// density returns the share of values that are not 0.
func density(x *Matrix) float64 {
	count := 0
	for _, v := range x.Value {
		if v != 0 {
			count++
		}
	}
	return float64(count) / float64(x.NumRows) / float64(x.NumCols)
}

// The ten labels of medical10 and how many training examples have them.
func TestMedical10(t *testing.T) {
	t.Parallel()
	train, _, err := LoadSplit(mulan.Medical10)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]int{
		"Class-4-753_0": 98, "Class-32-486": 54, "Class-9-599_0": 39, "Class-0-593_70": 26, "Class-41-591": 28,
		"Class-31-780_6": 25, "Class-24-596_54": 14, "Class-36-788_30": 13, "Class-44-786_07": 12, "Class-43-279_12": 12,
	}
	for i, count := range train.LabelCounts() {
		if name := train.LabelNames[i]; count != want[name] {
			t.Errorf("label %q has %d examples, want %d", name, count, want[name])
		}
	}
}

// Mulan publishes no split of cal500: ours is always the same, and loses nothing.
func TestLargerSetsWithoutSplit(t *testing.T) {
	testkit.NeedData(t)
	train, test, err := LoadSplit("cal500")
	if err != nil {
		t.Fatal(err)
	}
	if train.Len() != 335 || test.Len() != 167 || train.NumFeatures() != 68 || train.NumLabels() != 174 {
		t.Errorf("%v and %v", train, test)
	}
	again, _, _ := LoadSplit("cal500")
	if !slices.Equal(train.X.Value, again.X.Value) {
		t.Error("the split differs from one load to the next")
	}
	whole, _ := train.Append(test)
	all, err := LoadAll("cal500")
	if err != nil || whole.DistinctLabelSets() != 502 || all.DistinctLabelSets() != 502 || all.Len() != 502 {
		t.Errorf("%v from the parts, %v, error %v", whole, all, err)
	}
	if got := all.Cardinality(); !(math.Abs(got-26.0438) <= 0.00005) {
		t.Errorf("cardinality %v, want 26.0438", got)
	}
}

func TestLoadSeededSplit(t *testing.T) {
	t.Parallel()
	train, test, err := LoadSeededSplit("flags", 0.75, 7)
	if err != nil || train.Len() != 146 || test.Len() != 48 {
		t.Fatalf("%v and %v, error %v", train, test, err)
	}
	other, _, _ := LoadSeededSplit("flags", 0.75, 8)
	if slices.Equal(train.X.Value, other.X.Value) {
		t.Error("different seeds give the same split")
	}
	for _, share := range []float64{0, 1, -1, math.NaN()} {
		if _, _, err := LoadSeededSplit("flags", share, 7); !errors.Is(err, ErrSettings) {
			t.Errorf("a share of %v: error %v", share, err)
		}
	}
}
