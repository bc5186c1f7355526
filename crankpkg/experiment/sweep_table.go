package experiment

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/metrics"
	"github.com/crank-ml/crank/crankpkg/trainstore"
	"github.com/crank-ml/crank/internal/atomicfile"
)

// SweepTable is the outcome of a Sweep: a row for each cell. All fields are exported so that
// gob, GoNB's cache and JSON carry it whole; LoadSweep reads what Save has written, without a
// run.
type SweepTable struct {
	Sets, Methods []string
	Factors       []Column
	Seeds, Splits []uint64
	// Draws names the sets whose seeds draw examples anew; see Set.
	Draws []string `json:",omitempty"`
	// Truth has the labels of the test sets that several rows of a set share, by their TestSet, as Predicted has
	// those predicted.
	Truth map[string][]byte `json:",omitempty"`
	// Rows are in the order of the cells; those that are missing are left out.
	Rows []Row
	// Cells is the number of cells of the whole sweep, and Missing that of those which this
	// run was to compute and has not.
	Cells, Missing int
	// Notes say what a reader should know.
	Notes []string
}

// Column has the levels of a factor, the base first.
type Column struct {
	Name   string
	Levels []string
}

// Row is a cell of a Sweep: what it is, and what came out.
type Row struct {
	Cell        int // its number, from 0
	Set, Method string
	Settings    []string // the levels of the factors, in their order
	Seed        uint64
	Split       uint64 // 0: as the set has it
	Outcome
	// Error, where not empty, is what the cell has failed with; the outcome then is empty.
	Error string `json:",omitempty"`
}

// Of returns the level of a factor, "" where there is none of this name. The set, the method,
// the seed and the split have names, too.
func (t *SweepTable) Of(r *Row, factor string) string {
	switch factor {
	case "set":
		return r.Set
	case "method":
		return r.Method
	case "seed":
		return strconv.FormatUint(r.Seed, 10)
	case "split":
		return strconv.FormatUint(r.Split, 10)
	}
	for f, column := range t.Factors {
		if column.Name == factor && f < len(r.Settings) {
			return r.Settings[f]
		}
	}
	return ""
}

// keepShared drops the predictions on test sets that are not the same for all seeds of a set, and
// the labels of these.
func (t *SweepTable) keepShared(truth map[string][]byte) {
	sets := map[string]map[string]bool{} // the test sets of each set
	for _, r := range t.Rows {
		if r.Error == "" && r.Split == 0 {
			if sets[r.Set] == nil {
				sets[r.Set] = map[string]bool{}
			}
			sets[r.Set][r.TestSet] = true
		}
	}
	for k := range t.Rows {
		r := &t.Rows[k]
		labels, known := truth[r.TestSet]
		if !known || len(sets[r.Set]) != 1 {
			r.Predicted = nil
			continue
		}
		if t.Truth == nil {
			t.Truth = map[string][]byte{}
		}
		t.Truth[r.TestSet] = labels
	}
}

// packBits packs zeros and ones, eight to a byte.
func packBits(labels []uint8) []byte {
	packed := make([]byte, (len(labels)+7)/8)
	for k, v := range labels {
		packed[k/8] |= v << (k % 8)
	}
	return packed
}

// unpackBits is the inverse of packBits, for n labels; it returns nil where there are others.
func unpackBits(packed []byte, n int) []uint8 {
	if n < 0 || len(packed) != (n+7)/8 {
		return nil
	}
	labels := make([]uint8, n)
	for k := range labels {
		labels[k] = packed[k/8] >> (k % 8) & 1
	}
	return labels
}

// note adds what the rows tell on the whole: failures, trainings that stopped short, lambdas
// at the edge, methods that the seeds do not reach.
func (t *SweepTable) note(points []*point) {
	failed, short, low, high, chosen := 0, 0, 0, 0, 0
	for k := range t.Rows {
		r := &t.Rows[k]
		switch {
		case r.Error != "":
			failed++
			continue
		case r.Short():
			short++
		}
		chosen++
		switch r.AtEdge {
		case "low":
			low++
		case "high":
			high++
		}
	}
	add := func(n int, format string, args ...any) {
		if n > 0 {
			t.Notes = append(t.Notes, fmt.Sprintf(format, args...))
		}
	}
	add(failed, "%d of %d cells failed", failed, len(t.Rows))
	add(short, "%d of %d trainings stopped short of their gap", short, chosen)
	add(low, "in %d of %d cells the least lambda on offer was chosen: a smaller one may be better", low, chosen)
	add(high, "in %d of %d cells the greatest lambda on offer was chosen: a larger one may be better", high, chosen)
	unreached, unkept := map[string]bool{}, map[string]bool{}
	for _, p := range points {
		if _, ok := crankpkg.Adjust(p.trainer, func(*crankpkg.Settings) {}); !ok && len(t.Seeds) > 1 && !unreached[p.trainer.Name()] {
			unreached[p.trainer.Name()] = true
			add(1, "%s has no Settings: seeds reach it by the data alone", p.trainer.Name())
		}
		if !hasKey(p.trainer) && !unkept[p.trainer.Name()] {
			unkept[p.trainer.Name()] = true
			add(1, "%s says no version, or has a function in it: its trainings are never kept (trainstore.Versioned)", p.trainer.Name())
		}
	}
}

// hasKey reports whether a store would keep trainings of t.
func hasKey(t crankpkg.Trainer) bool {
	keyed, ok := crankpkg.Named(t.Name(), t).(interface {
		StoreKey(*crankpkg.Dataset) (trainstore.Key, error)
	})
	if !ok {
		return false
	}
	_, err := keyed.StoreKey(nil)
	return err == nil
}

// header returns the names of the columns of CSV.
func (t *SweepTable) header() []string {
	names := []string{"cell", "set", "method"}
	for _, f := range t.Factors {
		names = append(names, f.Name)
	}
	names = append(names, "seed", "split")
	for _, m := range metrics.Measures() {
		names = append(names, string(m))
	}
	return append(names, "objective", "dual", "gap", "status", "lambda", "scaling", "rule", "at_edge", "passes", "edges",
		"train", "test", "labels", "train_seconds", "select_seconds", "error")
}

// fields returns the row as CSV has it.
func (r *Row) fields() []string {
	f := slices.Concat([]string{strconv.Itoa(r.Cell), r.Set, r.Method}, r.Settings,
		[]string{strconv.FormatUint(r.Seed, 10), strconv.FormatUint(r.Split, 10)})
	if r.Error != "" {
		return append(append(f, make([]string, len(metrics.Measures())+15)...), r.Error)
	}
	for _, m := range metrics.Measures() {
		f = append(f, number(r.Scores.Of(m)))
	}
	return append(f, number(r.Primal), number(r.Dual), number(r.Gap()), string(r.Status), number(r.Lambda), string(r.Scaling), r.Rule, r.AtEdge,
		strconv.Itoa(r.Passes), strconv.Itoa(r.Edges), strconv.Itoa(r.Train), strconv.Itoa(r.Test), strconv.Itoa(r.NumLabels),
		number(r.TrainSeconds), number(r.SelectSeconds), "")
}

// rowJSON is a Row as JSON has it: without bounds that are not finite, which trainers of other packages may not have.
type rowJSON struct {
	*plainRow
	Primal, Dual *float64
}

type plainRow Row

// MarshalJSON implements json.Marshaler. A bound that is not finite is null.
func (r Row) MarshalJSON() ([]byte, error) {
	v := rowJSON{plainRow: (*plainRow)(&r)}
	for _, bound := range []struct {
		from float64
		to   **float64
	}{{r.Primal, &v.Primal}, {r.Dual, &v.Dual}} {
		if bound.from-bound.from == 0 {
			*bound.to = &bound.from
		}
	}
	return json.Marshal(v)
}

// UnmarshalJSON is the inverse of MarshalJSON: a bound that is null bounds nothing.
func (r *Row) UnmarshalJSON(data []byte) error {
	var row plainRow
	primal, dual := math.Inf(1), math.Inf(-1)
	v := rowJSON{plainRow: &row}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&v); err != nil {
		return err
	}
	row.Primal, row.Dual = *cmp.Or(v.Primal, &primal), *cmp.Or(v.Dual, &dual)
	*r = Row(row)
	return nil
}

// check returns an error unless the row has failed, or numbers of examples and labels and, if any, predictions
// for them.
func (r *Row) check() error {
	switch n := float64(r.Test) * float64(r.NumLabels); {
	case r.Error != "":
	case r.Train < 1 || r.Test < 1 || r.NumLabels < 1:
		return fmt.Errorf("%d training and %d test examples of %d labels", r.Train, r.Test, r.NumLabels)
	case len(r.Predicted) > 0 && float64(len(r.Predicted)) != math.Ceil(n/8):
		return fmt.Errorf("%d bytes of predictions for %d examples of %d labels", len(r.Predicted), r.Test, r.NumLabels)
	}
	return nil
}

// WriteCSV writes a line for each row, with every measure; what a failed cell has not is empty.
func (t *SweepTable) WriteCSV(out io.Writer) error {
	w := csv.NewWriter(out)
	w.Write(t.header()) // its error is that of Flush
	for k := range t.Rows {
		w.Write(t.Rows[k].fields())
	}
	w.Flush()
	return w.Error()
}

// WriteTo writes the table as JSON.
func (t *SweepTable) WriteTo(w io.Writer) (int64, error) {
	data, err := json.MarshalIndent(t, "", " ")
	if err != nil {
		return 0, fmt.Errorf("crankpkg: %w", err)
	}
	n, err := w.Write(append(data, '\n'))
	return int64(n), err
}

// ReadFrom replaces t by the table in r, as WriteTo has written it. The error wraps ErrFormat.
func (t *SweepTable) ReadFrom(r io.Reader) (int64, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return int64(len(data)), err
	}
	var read SweepTable
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&read); err != nil {
		return int64(len(data)), fmt.Errorf("%w: table of a sweep: %w", crankpkg.ErrFormat, err)
	}
	for k, r := range read.Rows {
		if len(r.Settings) != len(read.Factors) {
			return int64(len(data)), fmt.Errorf("%w: table of a sweep: row %d has %d settings for %d factors", crankpkg.ErrFormat, k, len(r.Settings), len(read.Factors))
		}
		if err := r.check(); err != nil {
			return int64(len(data)), fmt.Errorf("%w: table of a sweep: row %d: %w", crankpkg.ErrFormat, k, err)
		}
	}
	*t = read
	return int64(len(data)), nil
}

// Save writes the table to a file: as CSV where its name ends in .csv, else as JSON, which
// LoadSweep reads back.
func (t *SweepTable) Save(path string) error {
	if strings.HasSuffix(path, ".csv") {
		return atomicfile.Write(path, t.WriteCSV)
	}
	return atomicfile.Save(path, t)
}

// LoadSweep reads a table that Save has written as JSON. The error wraps ErrFormat where the
// file is none.
func LoadSweep(path string) (*SweepTable, error) {
	t := new(SweepTable)
	if err := atomicfile.Load(path, t); err != nil {
		if os.IsNotExist(err) {
			return nil, fmt.Errorf("crankpkg: %w", err)
		}
		return nil, err
	}
	return t, nil
}

// String returns the table as Markdown.
func (t *SweepTable) String() string { return t.Markdown(metrics.PaperMeasures()...) }

// Markdown returns a line for each set, method and setting, with the means of the measures over
// seeds and splits and their standard errors, and the notes below.
func (t *SweepTable) Markdown(measures ...metrics.Measure) string {
	var b strings.Builder
	escape := strings.NewReplacer("|", `\|`, "\n", " ").Replace
	names := []string{"set", "method"}
	for _, f := range t.Factors {
		names = append(names, f.Name)
	}
	for _, name := range names {
		fmt.Fprintf(&b, "| %s ", escape(name))
	}
	for _, m := range measures {
		fmt.Fprintf(&b, "| %s ", m.Label())
	}
	b.WriteString("| cells |\n" + strings.Repeat("|---", len(names)) + strings.Repeat("|---:", len(measures)+1) + "|\n")
	groups, order := t.bySetting()
	for _, name := range order {
		rows := groups[name]
		for _, part := range slices.Concat([]string{rows[0].Set, rows[0].Method}, rows[0].Settings) {
			fmt.Fprintf(&b, "| %s ", escape(part))
		}
		done := 0
		values := make([][]float64, len(measures))
		for _, r := range rows {
			if r.Error != "" {
				continue
			}
			done++
			for k, m := range measures {
				values[k] = append(values[k], r.Scores.Of(m))
			}
		}
		for _, v := range values {
			text := missing
			if mean, stdErr := metrics.MeanStdErr(v); done > 1 {
				text = fmt.Sprintf("%.1f ± %.1f", mean, stdErr)
			} else if done == 1 {
				text = fmt.Sprintf("%.1f", mean)
			}
			fmt.Fprintf(&b, "| %s ", text)
		}
		fmt.Fprintf(&b, "| %d |\n", done)
	}
	for _, note := range t.Notes {
		fmt.Fprintf(&b, "\n%s.\n", escape(note))
	}
	return b.String()
}

// bySetting groups the rows by set, method and settings, in the order of the table.
func (t *SweepTable) bySetting() (groups map[string][]*Row, order []string) {
	groups = map[string][]*Row{}
	for k := range t.Rows {
		r := &t.Rows[k]
		name := fmt.Sprintf("%04d %04d %q", slices.Index(t.Sets, r.Set), slices.Index(t.Methods, r.Method), r.Settings)
		if groups[name] == nil {
			order = append(order, name)
		}
		groups[name] = append(groups[name], r)
	}
	slices.SortStableFunc(order, func(a, b string) int { return strings.Compare(a[:9], b[:9]) })
	return groups, order
}

// Collect returns the table with these rows, each cell once. Rows of cells that the sweep
// does not have are refused: they are of another one.
func (s Sweep) Collect(rows []Row) (*SweepTable, error) {
	points, table, err := s.plan()
	if err != nil {
		return nil, err
	}
	found := make([]*Row, len(points))
	for k := range rows {
		r := &rows[k]
		if r.Cell < 0 || r.Cell >= len(points) {
			return nil, fmt.Errorf("%w: cell %d of a sweep of %d", crankpkg.ErrData, r.Cell, len(points))
		}
		want := s.newRow(points[r.Cell])
		if r.Set != want.Set || r.Method != want.Method || !slices.Equal(r.Settings, want.Settings) || r.Seed != want.Seed || r.Split != want.Split {
			return nil, fmt.Errorf("%w: cell %d is %s, not that of %s: it is of another sweep", crankpkg.ErrData, r.Cell, s.describe(points[r.Cell]), r.Set+", "+r.Method)
		}
		if err := r.check(); err != nil {
			return nil, fmt.Errorf("%w: cell %d: %w", crankpkg.ErrData, r.Cell, err)
		}
		if found[r.Cell] == nil || found[r.Cell].Error != "" {
			found[r.Cell] = r
		}
	}
	for _, r := range found {
		if r == nil {
			table.Missing++
		} else {
			table.Rows = append(table.Rows, *r)
		}
	}
	table.keepShared(s.truthOf(found, points))
	table.note(points)
	return table, nil
}

// truthOf loads the labels of the test sets of rows that have predictions. Where they cannot be had,
// there are none: differences then are tested by seed.
func (s *Sweep) truthOf(rows []*Row, points []*point) map[string][]byte {
	truth := map[string][]byte{}
	tried := map[dataName]bool{}
	for k, r := range rows {
		if r == nil || r.Predicted == nil || truth[r.TestSet] != nil || tried[nameOf(points[k])] {
			continue
		}
		tried[nameOf(points[k])] = true
		if data, err := s.divide(points[k]); err == nil {
			truth[data.testHash] = packBits(data.test.Y)
		}
	}
	return truth
}
