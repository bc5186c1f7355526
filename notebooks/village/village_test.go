package village_test

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/crank-ml/crank/notebooks/village"
)

// read writes a file of guests and reads it.
func read(t *testing.T, seed uint64, columns []string) [][]string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "guests.csv")
	if err := village.Write(path, 300, seed, columns); err != nil {
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
	rows := read(t, 1, village.Columns)
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
	all, some := read(t, 7, village.Columns), read(t, 7, []string{"nights", "age"})
	for k := range all {
		if !slices.Equal(some[k], []string{all[k][0], all[k][5], all[k][1]}) {
			t.Fatalf("row %d: %v of %v", k, some[k], all[k])
		}
	}
	if fmt.Sprint(read(t, 8, village.Columns)) == fmt.Sprint(all) {
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

func Example() {
	fmt.Println(village.Columns)
	// Output: [age month brings dog nights books_dance books_hike books_sauna books_ski books_swim]
}
