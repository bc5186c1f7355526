package arff_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg/internal/arff"
)

// Ignored attributes are left out where they are declared, of any type; what is left out is told.
func TestIgnoredAttributes(t *testing.T) {
	t.Parallel()
	const text = "@relation 'r: -C -1'\n@attribute id string\n@attribute a numeric\n@attribute b numeric\n@attribute l {0,1}\n@data\n'x',1,2,0\n'y',3,4,1\n"
	data, err := arff.Parse(strings.NewReader(text), "r.arff", arff.Options{Ignore: []string{"other", "id"}})
	if err != nil || !slices.Equal(data.FeatureNames, []string{"a", "b"}) || !slices.Equal(data.LabelNames, []string{"l"}) || !slices.Equal(data.Coding.Dropped, []string{"id"}) {
		t.Errorf("%+v, error %v", data, err)
	}
	data, err = arff.Parse(strings.NewReader(text), "r.arff", arff.Options{Drop: []string{"b", "id"}, Ignore: []string{"id"}})
	if err != nil || !slices.Equal(data.FeatureNames, []string{"a"}) || !slices.Equal(data.Coding.Dropped, []string{"id", "b"}) {
		t.Errorf("%+v, error %v", data, err)
	}
	for in, opts := range map[string]arff.Options{
		`attribute "ib", which is to be dropped, is not declared; the nearest: "id", "b"`: {Drop: []string{"ib"}},
		`label "m" is not declared`: {Labels: []string{"m"}},
	} {
		if _, err := arff.Parse(strings.NewReader(text), "r.arff", opts); err == nil || !strings.HasSuffix(err.Error(), in) {
			t.Errorf("error %v, want %s", err, in)
		}
	}
}
