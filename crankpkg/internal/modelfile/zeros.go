package modelfile

import (
	"fmt"
	"math"
	"strconv"

	"github.com/crank-ml/crank/crankpkg/internal/jsonlist"
)

// mostZeros bounds the number of zeros for each weight that is written, so that a small file does
// not fill the memory.
const mostZeros = 1000

// zeroText is how much text a zero takes among other numbers.
const zeroText = len("0,")

// mapped reports whether the weights are of other features than those that have names.
func (f *File) mapped() bool { return f.Fourier != nil || f.Kernel != nil }

// dropZeros takes the zeros out of the unary weights where the text is shorter without. It leaves
// the rows that it was given alone.
func (f *File) dropZeros() {
	f.Zeros = nil
	if f.mapped() {
		return
	}
	kept, all, saved := 0, 0, 0
	forRuns(f.Unary, func(_, run int, _ float64) {
		kept++
		saved += zeroText*run - len(strconv.Itoa(run)) - len(",")
	})
	for _, row := range f.Unary {
		all += len(row)
		saved -= len("[],") // around the row of counts
	}
	if saved <= 0 || all-kept > mostZeros*kept {
		return
	}
	values := make([]jsonlist.List[float64], len(f.Unary))
	zeros := make([]jsonlist.List[int], len(f.Unary))
	for i := range values {
		values[i], zeros[i] = jsonlist.List[float64]{}, jsonlist.List[int]{}
	}
	forRuns(f.Unary, func(i, run int, w float64) {
		values[i], zeros[i] = append(values[i], w), append(zeros[i], run)
	})
	f.Unary, f.Zeros = values, zeros
}

// forRuns tells of each weight that is not zero its row, how many zeros stand before it, and what
// it is. The negative zero is no zero: it has bits of its own.
func forRuns(rows []jsonlist.List[float64], tell func(i, run int, w float64)) {
	for i, row := range rows {
		run := 0
		for _, w := range row {
			if math.Float64bits(w) == 0 {
				run++
				continue
			}
			tell(i, run, w)
			run = 0
		}
	}
}

// restoreZeros undoes dropZeros. It returns an error, before it takes any memory, unless the
// counts fit the features.
func (f *File) restoreZeros() error {
	if f.Zeros == nil {
		return nil
	}
	width := len(f.Features) + 1
	if err := f.checkZeros(width); err != nil {
		return err
	}
	for i, values := range f.Unary {
		row := make(jsonlist.List[float64], width)
		at := -1
		for k, w := range values {
			at += 1 + f.Zeros[i][k]
			row[at] = w
		}
		f.Unary[i] = row
	}
	f.Zeros = nil
	return nil
}

func (f *File) checkZeros(width int) error {
	switch {
	case f.mapped():
		return fmt.Errorf("weights without their zeros, of mapped features")
	case len(f.Zeros) != len(f.Unary):
		return fmt.Errorf("%d rows of counts of zeros for %d of weights", len(f.Zeros), len(f.Unary))
	}
	kept := 0
	for i, values := range f.Unary {
		if len(f.Zeros[i]) != len(values) {
			return fmt.Errorf("label %d has %d counts of zeros for %d weights", i, len(f.Zeros[i]), len(values))
		}
		left := width // each weight takes a place, too
		for k, run := range f.Zeros[i] {
			if run < 0 || run >= left {
				return fmt.Errorf("label %d, weight %d: %d zeros before it, %d places left", i, k, run, left)
			}
			left -= run + 1
		}
		kept += len(values)
	}
	if rest := float64(len(f.Unary))*float64(width) - float64(kept); rest > mostZeros*float64(kept) {
		return fmt.Errorf("%v zeros to %d weights, more than %d to each", rest, kept, mostZeros)
	}
	return nil
}
