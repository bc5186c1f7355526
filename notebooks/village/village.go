// Package village makes up the file of a holiday village, for the notebook on data of one's own: what its guests told when they
// came, and which activities they booked.
//
//	err := village.Write("guests.csv", 900, 1, village.Columns) // with bookings
//	err = village.Write("new.csv", 100, 2, []string{"dog", "brings", "nights", "month", "age"})
package village

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/crank-ml/crank/internal/atomicfile"
)

// form is what guests tell, activities what they may book.
var (
	form       = []string{"age", "month", "brings", "dog", "nights"}
	activities = []string{"books_dance", "books_hike", "books_sauna", "books_ski", "books_swim"}
)

// Columns are all columns: the form, then the bookings. A file has the number of the guest before them.
var Columns = slices.Concat(form, activities)

// Write writes a CSV file of so many guests with the given columns, in their order. Of five guests in twelve one cell of the form
// is empty. The same seed makes the same guests. The error names a column that is not there, or the file.
func Write(path string, guests int, seed uint64, columns []string) error {
	places := make([]int, len(columns))
	for k, name := range columns {
		if places[k] = slices.Index(Columns, name); places[k] < 0 {
			return fmt.Errorf("village: no column %q", name)
		}
	}
	rng, table := rand.New(rand.NewPCG(seed, 9)), [][]string{append([]string{"id"}, columns...)}
	for g := range guests {
		cells := guest(rng)
		if k := rng.IntN(12); k < len(form) {
			cells[k] = ""
		}
		row := []string{fmt.Sprint("g", g)}
		for _, k := range places {
			row = append(row, cells[k])
		}
		table = append(table, row)
	}
	err := atomicfile.Write(path, func(w io.Writer) error { return csv.NewWriter(w).WriteAll(table) })
	if err != nil {
		return errors.Join(errors.New("village: "+path), err)
	}
	return nil
}

// guest draws a guest: the cells of the form, then the bookings.
func guest(rng *rand.Rand) (cells []string) {
	age, month, nights, dog := 18+rng.IntN(60), 1+rng.IntN(12), 1+rng.IntN(14), rng.IntN(5)/4
	things := []string{"boots", "nothing", "skis", "towel"}
	var brings [4]float64
	thing := rng.IntN(4)
	brings[thing] = 2
	winter, old, long := math.Cos(math.Pi*float64(month)/6), float64(age-45)/15, float64(nights-7)/5
	wish := [5]float64{
		0.5 - old + long, brings[0] + float64(dog) - winter - 0.5, long - 0.5, 2*winter + brings[2] - old/2 - 1.5, brings[3] - winter/2,
	}
	for i := range wish {
		wish[i] += rng.NormFloat64() / 2 // what the form does not tell
	}
	cells = []string{strconv.Itoa(age), strconv.Itoa(month), things[thing], []string{"no", "yes"}[dog], strconv.Itoa(nights)}
	for _, on := range book(wish) {
		cells = append(cells, fmt.Sprint(on))
	}
	return cells
}

// book returns 1 for each of dance, hike, sauna, ski and swim that a guest books: the best of all plans for the wishes. Skiing and
// the sauna go together; the sauna and swimming, hiking and skiing, hiking and dancing are in each other's way.
func book(wish [5]float64) (plan [5]float64) {
	best := math.Inf(-1)
	for k := range 1 << 5 {
		var on [5]float64
		value := 0.0
		for i := range on {
			on[i] = float64(k >> i & 1)
			value += on[i] * wish[i]
		}
		dance, hike, sauna, ski, swim := on[0], on[1], on[2], on[3], on[4]
		value += 2*ski*sauna - 2*sauna*swim - 2*hike*ski - 1.5*hike*dance
		if value > best {
			best, plan = value, on
		}
	}
	return plan
}
