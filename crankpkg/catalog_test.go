package crankpkg

import (
	"math"
	"os"
	"slices"
	"testing"
)

// needData skips the test unless CRANK_DATA names a folder of data sets.
func needData(t testing.TB) {
	t.Helper()
	if os.Getenv(dataVariable) == "" {
		t.Skip(dataVariable + " names no folder of data sets")
	}
}

// setPart is what was counted in a file, apart from this package.
type setPart struct {
	rows        int
	cardinality float64
	distinct    int // label sets
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
var setSizes = []setSize{
	{"bibtex", 1836, 159, true, setPart{4880, 2.3803, 2058}, setPart{2515, 2.4437, 1257}, setPart{7395, 2.402, 2856}},
	{"birds", 271, 19, false, setPart{322, 1.0590, 89}, setPart{323, 0.9690, 84}, setPart{645, 1.014, 133}},
	{"corel5k", 499, 374, true, setPart{4500, 3.5216, 2925}, setPart{500, 3.5260, 434}, setPart{5000, 3.522, 3175}},
	{"delicious", 500, 983, true, setPart{12920, 19.0471, 12714}, setPart{3185, 18.9102, 3163}, setPart{16105, 19.020, 15806}},
	{"emotions", 72, 6, false, setPart{391, 1.8133, 26}, setPart{202, 1.9752, 21}, setPart{593, 1.868, 27}},
	{"enron", 1001, 53, true, setPart{1123, 3.3865, 545}, setPart{579, 3.3627, 317}, setPart{1702, 3.378, 753}},
	{"flags", 43, 7, false, setPart{129, 3.4186, 45}, setPart{65, 3.3385, 32}, setPart{194, 3.392, 54}},
	{"genbase", 1185, 27, false, setPart{463, 1.2613, 29}, setPart{199, 1.2312, 21}, setPart{662, 1.252, 32}},
	{"medical", 1449, 45, true, setPart{333, 1.2553, 61}, setPart{645, 1.2403, 73}, setPart{978, 1.245, 94}},
	{"medical10", 1449, 10, true, setPart{333, 0.9640, 0}, setPart{645, 0.9566, 0}, setPart{978, 0.959, 28}},
	{"scene", 294, 6, false, setPart{1211, 1.0619, 14}, setPart{1196, 1.0861, 13}, setPart{2407, 1.074, 15}},
	{"yeast", 103, 14, false, setPart{1500, 4.2280, 164}, setPart{917, 4.2519, 140}, setPart{2417, 4.237, 198}},
}

func TestLoadSplitStatistics(t *testing.T) {
	needData(t)
	for _, want := range setSizes {
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
	if got := ds.Cardinality(); math.Abs(got-part.cardinality) > 0.0006 {
		t.Errorf("cardinality %v, want %v", got, part.cardinality)
	}
	if got := ds.DistinctLabelSets(); part.distinct != 0 && got != part.distinct {
		t.Errorf("%d label sets, want %d", got, part.distinct)
	}
}
