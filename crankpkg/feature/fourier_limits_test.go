package feature_test

import (
	"errors"
	"testing"

	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/internal/errs"
)

// TestFourierRefuses holds the number of features to what is even, and to what memory has room for.
func TestFourierRefuses(t *testing.T) {
	t.Parallel()
	for _, count := range []int{-2, 3, 1_000_002, 1e12} {
		if err := (feature.FourierFeatures{Count: count}).Validate(); !errors.Is(err, errs.ErrSettings) {
			t.Errorf("%d: %v", count, err)
		}
	}
	if err := (feature.FourierFeatures{Count: 1_000_000}).Validate(); err != nil {
		t.Error(err)
	}
}
