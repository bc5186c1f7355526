package experiment

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/crank-ml/crank/crankpkg"
)

// TestLabelsOfTrainers calls trainers by their names.
func TestLabelsOfTrainers(t *testing.T) {
	t.Parallel()
	f := Vary("Start", crankpkg.MST{}, crankpkg.Named("x", crankpkg.Greedy{}), nil)
	if f.Levels[0].Label != "MST" || f.Levels[1].Label != "x" || f.Levels[2].Label != "default" {
		t.Errorf("%v", f.Levels)
	}
}

// TestSetField sets fields of all kinds, by values of their type and by such that stand for the same.
func TestSetField(t *testing.T) {
	t.Parallel()
	base := crankpkg.CRANK{Beta: []float64{7}, Settings: crankpkg.Settings{Seed: 9}}
	for _, c := range []struct {
		field string
		value any
		want  func(*crankpkg.CRANK)
	}{
		{"Lambda", 0.5, func(c *crankpkg.CRANK) { c.Lambda = 0.5 }},
		{"Lambda", 2, func(c *crankpkg.CRANK) { c.Lambda = 2 }},
		{"Restarts", 3, func(c *crankpkg.CRANK) { c.Restarts = 3 }},
		{"Restarts", 3.0, func(c *crankpkg.CRANK) { c.Restarts = 3 }},
		{"Beta", []float64{1, 2}, func(c *crankpkg.CRANK) { c.Beta = []float64{1, 2} }},
		{"Beta", []any{1.0, 2.0}, func(c *crankpkg.CRANK) { c.Beta = []float64{1, 2} }},
		{"Beta", nil, func(c *crankpkg.CRANK) { c.Beta = nil }},
		{"FixedBeta", true, func(c *crankpkg.CRANK) { c.FixedBeta = true }},
		{"Path", crankpkg.ShrinkBeta, func(c *crankpkg.CRANK) { c.Path = crankpkg.ShrinkBeta }},
		{"Path", "shrink", func(c *crankpkg.CRANK) { c.Path = crankpkg.ShrinkBeta }},
		{"Gap", 0.5, func(c *crankpkg.CRANK) { c.Gap = 0.5 }},
		{"Settings.Gap", 0.5, func(c *crankpkg.CRANK) { c.Gap = 0.5 }},
		{"Seed", 3.0, func(c *crankpkg.CRANK) { c.Seed = 3 }},
		{"Scaling", "zscore", func(c *crankpkg.CRANK) { c.Scaling = crankpkg.ZScore }},
		{"Scaling", "none", func(c *crankpkg.CRANK) {}},
		{"MaxTime", "90s", func(c *crankpkg.CRANK) { c.MaxTime = 90 * time.Second }},
		{"MaxTime", time.Second, func(c *crankpkg.CRANK) { c.MaxTime = time.Second }},
		{"Loss", crankpkg.Loss{ZeroOne: 1}, func(c *crankpkg.CRANK) { c.Loss = crankpkg.Loss{ZeroOne: 1} }},
		{"Loss.ZeroOne", 2, func(c *crankpkg.CRANK) { c.Loss.ZeroOne = 2 }},
		{"EdgeFeatures.Columns", []any{1.0, 3.0}, func(c *crankpkg.CRANK) { c.EdgeFeatures.Columns = []int{1, 3} }},
	} {
		want := base
		c.want(&want)
		for name, tr := range map[string]crankpkg.Trainer{"plain": base, "named": crankpkg.Named("x", base)} {
			got, err := SetField(tr, c.field, c.value)
			if err != nil {
				t.Errorf("%s, %s = %v: %v", name, c.field, c.value, err)
				continue
			}
			expected := crankpkg.Trainer(want)
			if name == "named" {
				expected = crankpkg.Named("x", want)
			}
			if !reflect.DeepEqual(got, expected) {
				t.Errorf("%s, %s = %v: %+v", name, c.field, c.value, got)
			}
		}
		if !reflect.DeepEqual(base, crankpkg.CRANK{Beta: []float64{7}, Settings: crankpkg.Settings{Seed: 9}}) {
			t.Fatalf("%s: the base has changed to %+v", c.field, base)
		}
	}
}

func TestSetFieldErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		field string
		value any
		text  string
	}{
		{"Restart", 3, "Empty has no field Restart; there are Lambda, Gap, MaxPasses"},
		{"Loss.None", 3, "Empty has no field Loss.None"},
		{"Lambda.X", 3, "Empty has no field Lambda.X"},
		{"", 3, "has no field"},
		{"Lambda", "much", "much (string) is no float64"},
		{"MaxPasses", 2.5, "2.5 (float64) is no int"},
		{"MaxPasses", true, "true (bool) is no int"},
		{"Seed", -1, "-1 (int) is no uint64"},
		{"MaxTime", 3, "3 (int) is no time.Duration"},
		{"MaxTime", "soon", "soon (string) is no time.Duration"},
		{"Scaling", 3, "3 (int) is no feature.Scaling"},
		{"EdgeFeatures.Columns", []any{"a"}, "a (string) is no int"},
	} {
		_, err := SetField(crankpkg.Empty{}, c.field, c.value)
		if !errors.Is(err, crankpkg.ErrSettings) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s = %v: %v", c.field, c.value, err)
		}
	}
}

// slow is a trainer by pointer, with a struct by pointer in it.
type slow struct {
	*crankpkg.Empty
	Part  *struct{ Depth int }
	Sleep time.Duration
}

func TestSetFieldThroughPointers(t *testing.T) {
	t.Parallel()
	base := &slow{Empty: &crankpkg.Empty{}, Part: &struct{ Depth int }{1}}
	got, err := SetField(base, "Part.Depth", 2)
	if err != nil || got.(*slow).Part.Depth != 2 || base.Part.Depth != 1 {
		t.Errorf("%+v, the base %+v, error %v", got, base, err)
	}
	if got, err = SetField(&slow{}, "Part.Depth", 2); err != nil || got.(*slow).Part.Depth != 2 {
		t.Errorf("from nil: %+v, error %v", got, err)
	}
	// What an embedded pointer shares with the base cannot be set.
	if _, err = SetField(base, "Lambda", 2); !errors.Is(err, crankpkg.ErrSettings) {
		t.Errorf("error %v", err)
	}
}

// TestFieldsCanBeSet holds the list in the errors to what SetField takes.
func TestFieldsCanBeSet(t *testing.T) {
	t.Parallel()
	for name, tr := range methodsByName {
		fields := Fields(tr)
		if len(fields) < 15 {
			t.Errorf("%s: %v", name, fields)
		}
		for _, f := range fields {
			if _, err := SetField(tr, f, nil); err != nil {
				t.Error(err)
			}
		}
	}
}
