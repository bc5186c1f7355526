package village_test

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/crank-ml/crank/notebooks/village"
)

// read writes a file of guests and reads it.
func read(t *testing.T, guests int, seed uint64, columns []string) [][]string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "guests.csv")
	if err := village.Write(path, guests, seed, columns); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// TestWrite looks at the file: a row for each guest, cells in the order asked for, at most one of them empty in a row, and the
// pairs of activities that go together or not.
func TestWrite(t *testing.T) {
	t.Parallel()
	rows := read(t, 300, 1, village.Columns)
	if len(rows) != 301 || !slices.Equal(rows[0][1:], village.Columns) {
		t.Fatalf("%d rows, first %v", len(rows), rows[0])
	}
	empty, skiers, both, wet := 0, 0, 0, 0
	for _, row := range rows[1:] {
		missing := strings.Count(strings.Join(row, ",")+",", ",,")
		if missing > 1 {
			t.Errorf("%v has %d empty cells", row, missing)
		}
		empty += missing
		sauna, ski, swim := row[8] == "1", row[9] == "1", row[10] == "1"
		if ski {
			skiers++
			if sauna {
				both++
			}
		}
		if sauna && swim {
			wet++
		}
	}
	if empty < 75 || empty > 175 {
		t.Errorf("%d of 300 guests left a cell empty, of five in twelve", empty)
	}
	if skiers < 30 || 4*both < 3*skiers || wet > 30 {
		t.Errorf("%d ski, %d of them in the sauna; %d book sauna and pool", skiers, both, wet)
	}
}

// TestOrder takes the same guests with columns in another order, and with another seed.
func TestOrder(t *testing.T) {
	t.Parallel()
	all, some := read(t, 300, 7, village.Columns), read(t, 300, 7, []string{"nights", "age"})
	for k := range all {
		if !slices.Equal(some[k], []string{all[k][0], all[k][5], all[k][1]}) {
			t.Fatalf("row %d: %v of %v", k, some[k], all[k])
		}
	}
	if fmt.Sprint(read(t, 300, 8, village.Columns)) == fmt.Sprint(all) {
		t.Error("another seed makes the same guests")
	}
}

// TestErrors has a column that is not there and a folder that is not.
func TestErrors(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "no", "guests.csv")
	for _, err := range []error{village.Write(path, 1, 1, []string{"mouth"}), village.Write(path, 1, 1, village.Columns)} {
		if err == nil || !strings.Contains(err.Error(), "mouth") && !strings.Contains(err.Error(), path) {
			t.Errorf("error %v", err)
		}
	}
}

// TestWhoBooks compares groups of guests: what they tell makes them book as the notebook's readers would expect, clearly more than chance does
// for this many guests. All activities have many who book them, and many who do not.
func TestWhoBooks(t *testing.T) {
	t.Parallel()
	rows := read(t, 4000, 5, village.Columns)
	share := func(activity string, in func(row []string) bool) float64 {
		count, booked := 0, 0
		for _, row := range rows[1:] {
			if in(row) {
				count++
				if row[slices.Index(rows[0], activity)] == "1" {
					booked++
				}
			}
		}
		return float64(booked) / float64(count)
	}
	within := func(column int, low, high int) func([]string) bool {
		return func(row []string) bool {
			v, err := strconv.Atoi(row[column])
			return err == nil && v >= low && v <= high
		}
	}
	with := func(column int, value string) func([]string) bool {
		return func(row []string) bool { return row[column] == value }
	}
	not := func(column int, value string) func([]string) bool {
		return func(row []string) bool { return row[column] != value && row[column] != "" }
	}
	const age, month, brings, dog, nights = 1, 2, 3, 4, 5
	young, old, winter, summer := within(age, 18, 34), within(age, 56, 77), within(month, 1, 2), within(month, 5, 7)
	long, short := within(nights, 11, 14), within(nights, 1, 3)
	for _, c := range []struct {
		activity   string
		more, less func([]string) bool
	}{
		{"books_dance", young, old}, {"books_dance", long, short},
		{"books_hike", with(brings, "boots"), not(brings, "boots")}, {"books_hike", with(dog, "yes"), with(dog, "no")}, {"books_hike", summer, winter},
		{"books_sauna", long, short},
		{"books_ski", winter, summer}, {"books_ski", with(brings, "skis"), not(brings, "skis")}, {"books_ski", young, old},
		{"books_swim", with(brings, "towel"), not(brings, "towel")}, {"books_swim", summer, winter},
	} {
		if more, less := share(c.activity, c.more), share(c.activity, c.less); more < less+0.1 {
			t.Errorf("%s: %.2f of those who should more often, %.2f of the others", c.activity, more, less)
		}
		if all := share(c.activity, func([]string) bool { return true }); all < 0.25 || all > 0.6 {
			t.Errorf("%s: %.2f of all", c.activity, all)
		}
	}
}

func Example() {
	fmt.Println(village.Columns)
	// Output: [age month brings dog nights books_dance books_hike books_sauna books_ski books_swim]
}
