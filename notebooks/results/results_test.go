package results

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

// read decodes a file and checks that no field of its rows is empty throughout: a name with a slip in it would be.
func read[T any](t *testing.T, name string) {
	t.Helper()
	rows, err := Rows[T](name)
	if err != nil {
		t.Fatal(err)
	}
	kind := reflect.TypeFor[T]()
	for f := range kind.NumField() {
		filled := false
		for _, r := range rows {
			filled = filled || !reflect.ValueOf(r).Field(f).IsZero()
		}
		if !filled {
			t.Errorf("%s: no row has a %s", name, kind.Field(f).Name)
		}
	}
}

func TestRows(t *testing.T) {
	t.Parallel()
	read[Entry](t, "table1.json")
	read[Learning](t, "figure1.json")
	read[Curve](t, "curves.json")
	read[Test](t, "significance.json")
	read[Test](t, "extra_significance.json")
	read[Objective](t, "objectives.json")
	read[PathPoint](t, "path.json")
	read[Early](t, "early.json")
	read[Loose](t, "loose.json")
	read[Timing](t, "table2.json")
	read[Level](t, "level.json")
	read[General](t, "general.json")
	read[Halves](t, "halves.json")
	read[Ruled](t, "rules.json")
	if made := names(t); slices.Contains(made, "company.json") && slices.Contains(made, "many_labels.json") {
		read[Company](t, "company.json")
		read[ManyLabels](t, "many_labels.json")
	}
	read[Units](t, "units.json")
	if g, err := Whole[GLPK]("glpk.json"); err != nil || len(g.Prediction) == 0 {
		t.Errorf("glpk.json: %d rows, %v", len(g.Prediction), err)
	}
	if p, err := Whole[Peers]("peers.json"); err != nil || len(p.FiveByTwo) == 0 || len(p.FiveByTwo[0].Test) != 10 {
		t.Errorf("peers.json: %d rows, %v", len(p.FiveByTwo), err)
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	if _, err := Rows[Entry]("table9.json"); err == nil || !strings.Contains(err.Error(), "table9.json") {
		t.Errorf("no such file: %v", err)
	}
	if _, err := Rows[int]("table1.json"); err == nil || !strings.Contains(err.Error(), "table1.json") {
		t.Errorf("rows that are no numbers: %v", err)
	}
	if _, err := MadeBy("table9.json"); err == nil || !strings.Contains(err.Error(), "table9.json") {
		t.Errorf("no such file: %v", err)
	}
	if line, err := Caption("table1.json", "table9.json"); err == nil || line != "" {
		t.Errorf("no such file: %q, %v", line, err)
	}
	if _, err := Whole[GLPK]("table9.json"); err == nil || !strings.Contains(err.Error(), "table9.json") {
		t.Errorf("no such file: %v", err)
	}
	if _, err := Whole[[]int]("glpk.json"); err == nil || !strings.Contains(err.Error(), "glpk.json") {
		t.Errorf("no list: %v", err)
	}
}

// TestRatio has times that are told apart, and trainings that come to their gap or not.
func TestRatio(t *testing.T) {
	t.Parallel()
	for _, converged := range []bool{true, false} {
		u := Units{Raw: Ending{CPU: 6, Converged: !converged}, ZScore: Ending{CPU: 4, Converged: converged}}
		if ratio, below := u.Ratio(); ratio != 1.5 || below == converged {
			t.Errorf("%v, below %v, of %+v", ratio, below, u)
		}
	}
}
