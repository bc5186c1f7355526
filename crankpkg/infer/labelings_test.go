package infer

import (
	"fmt"
	"math"
	"testing"
)

func TestAllLabelings(t *testing.T) {
	for n := range 6 {
		for _, kind := range []struct {
			all  []Labeling
			base float64
		}{{AllLabelings(n), 2}, {AllHalfLabelings(n), 3}} {
			if want := int(math.Pow(kind.base, float64(n))); len(kind.all) != want {
				t.Fatalf("n = %d: %d labelings, want %d", n, len(kind.all), want)
			}
			for k, y := range kind.all {
				if len(y) != n || kind.base == 2 && !y.IsIntegral() {
					t.Fatalf("n = %d: labeling %d is %v", n, k, y)
				}
				// Increasing, hence all different.
				if k > 0 && !less(kind.all[k-1], y) {
					t.Fatalf("n = %d: %v before %v", n, kind.all[k-1], y)
				}
			}
		}
	}
}

// A value that no label has is shown as such.
func TestStringOfLabelings(t *testing.T) {
	if got := (Labeling{Off, Half, On, 9, On}).String(); got != "0½1?1" {
		t.Errorf("%s", got)
	}
}

func less(a, b Labeling) bool {
	for i := range a {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return false
}

func TestAllLabelingsRefusesMany(t *testing.T) {
	for name, f := range map[string]func(){
		"integral": func() { AllLabelings(21) },
		"half":     func() { AllHalfLabelings(13) },
		"negative": func() { AllLabelings(-1) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			f()
		})
	}
}

func ExampleAllHalfLabelings() {
	fmt.Println(AllLabelings(2))
	fmt.Println(AllHalfLabelings(2))
	// Output:
	// [00 01 10 11]
	// [00 0½ 01 ½0 ½½ ½1 10 1½ 11]
}
