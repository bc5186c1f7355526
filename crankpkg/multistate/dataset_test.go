package multistate

import (
	"errors"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
)

// The coding of the features, and that there are no labels, pass to the indicators and back.
func TestDatasetKeepsCoding(t *testing.T) {
	t.Parallel()
	binary, err := crankpkg.ParseARFF(strings.NewReader("@relation r\n@attribute k {a,b,c}\n@attribute l {0,1}\n@data\na,1\nc,0\n"), "r.arff", crankpkg.ARFFOptions{LabelCount: -1})
	if err != nil {
		t.Fatal(err)
	}
	ds := FromBinary(binary)
	for _, coding := range []crankpkg.Coding{ds.Coding, ds.Subset([]int{1}).Coding, ds.Indicators().Coding} {
		if len(coding.Columns) != 1 || coding.Columns[0].Name != "k" {
			t.Errorf("coding %+v", coding)
		}
	}
	binary.Unlabeled = true
	if err := FromBinary(binary).Validate(); !errors.Is(err, crankpkg.ErrData) || !strings.Contains(err.Error(), "without labels") {
		t.Errorf("error %v", err)
	}
}
