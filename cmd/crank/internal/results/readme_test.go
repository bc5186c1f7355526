package results

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/metrics"
)

func readme(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	for _, name := range []string{"README.md", "GUIDE.md", "NUMBERS.md"} {
		text, err := os.ReadFile("../../../../" + name)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	return all.String()
}

// TestReadmeTellsTheRules holds the README's table of decision rules, and the numbers of those
// that are significantly better, to rules.json.
func TestReadmeTellsTheRules(t *testing.T) {
	t.Parallel()
	text := strings.Join(strings.Fields(readme(t)), " ")
	rows, _ := rowsOf[rulesRow](t, committed, "rules.json")
	three := func(s crankpkg.Scores) string {
		return fmt.Sprintf("%.1f / %.1f / %.1f", s.HammingAccuracy, s.SubsetAccuracy, s.ExampleF1)
	}
	better := map[metrics.Measure]int{}
	worse, lost := 0, 0
	for _, set := range tableSets {
		least, chosen := "| "+set+", at least one |", "| "+set+", chosen |"
		for _, r := range rows {
			if r.Set != set {
				continue
			}
			var own crankpkg.Scores
			for _, c := range r.Chosen {
				own.Set(c.Measure, c.Scores.Of(c.Measure))
				switch g := c.Gain; {
				case g.P < 0.05 && g.Mean > 0:
					better[c.Measure]++
				case g.P < 0.05:
					worse++
				}
				if c.Scores.Of(c.Measure) < r.Plain.Of(c.Measure) {
					lost++
				}
			}
			least, chosen = least+" "+three(r.AtLeastOne)+" |", chosen+" "+three(own)+" |"
		}
		for _, line := range []string{least, chosen} {
			if !strings.Contains(text, line) {
				t.Errorf("README has no line %q", line)
			}
		}
	}
	words := fmt.Sprintf("of the 16 rules chosen for F1, %d are significantly better than the plain prediction on the test examples (paired bootstrap, 5 %%), "+
		"of those for subset accuracy %d, of those for Hamming accuracy, which the models are trained for, %d. None is significantly worse; seven lose up to a point.",
		better[metrics.ExampleF1], better[metrics.SubsetAccuracy], better[metrics.HammingAccuracy])
	if len(rows) != 16 || worse != 0 || lost != 7 || !strings.Contains(text, words) {
		t.Errorf("%d rows, %d significantly worse, %d lose; README does not say %q", len(rows), worse, lost, words)
	}
}

// TestReadmeTellsTheUnits holds what the README says of features as published to units.json and
// units_large.json.
func TestReadmeTellsTheUnits(t *testing.T) {
	t.Parallel()
	text := strings.Join(strings.Fields(readme(t)), " ")
	rows, _ := rowsOf[unitsRow](t, committed, "units.json")
	for _, r := range rows {
		if !r.ZScore.Converged {
			t.Errorf("%+v: not even with scaling", r)
		}
	}
	large, _ := rowsOf[largeUnitsRow](t, committed, "units_large.json")
	for _, r := range large {
		rows = append(rows, r.unitsRow)
	}
	most, until := 0.0, "to a certified 1 % or to that error"
	var short []string
	for _, r := range rows {
		most = max(most, r.Raw.CPU/r.ZScore.CPU) // no less than the ratio, where z-scored features were stopped
		if !r.Raw.Converged && !slices.Contains(short, r.Set) {
			short = append(short, r.Set)
		}
		if !r.Raw.Converged && r.Method != "CRANK" {
			t.Errorf("%s, %s: README says that no set gets the error from it", r.Set, r.Method)
		}
		if r.Raw.Status == crankpkg.TimeLimit {
			until = "to a certified 1 % or to that error, by a MaxTime of two minutes at the latest"
		}
	}
	names := map[string]string{"birds": "Birds", "cal500": "CAL500", "enron": "Enron", "corel5k": "Corel5k", "bibtex": "Bibtex", "delicious": "Delicious"}
	for k := range short {
		short[k] = names[short[k]]
	}
	verb := "gets"
	if len(short) > 1 {
		verb = "get"
	}
	claim := fmt.Sprintf("On all twelve sets with features as published, at four lambdas, no training takes more than %.0f times what z-scored features take, "+
		"%s (`go run ./cmd/crank results units units-large`): %s %s it from CRANK, no set from Empty.", math.Ceil(most), until, strings.Join(short, " and "), verb)
	if len(rows) != 12*4*2 || most > 20 || !strings.Contains(text, claim) {
		t.Errorf("%d rows; README does not say %q", len(rows), claim)
	}
}

// TestReadmeTellsNumpy holds what the README says of predictions beside numpy to numpy.json.
func TestReadmeTellsNumpy(t *testing.T) {
	t.Parallel()
	text := strings.Join(strings.Fields(readme(t)), " ")
	raw, err := os.ReadFile(filepath.Join(committed, "numpy.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Rows []struct {
			Set    string
			Batch  float64 `json:"batch_ratio"`
			Single float64 `json:"single_ratio"`
		}
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Rows) != 2 || file.Rows[0].Set != "yeast" || file.Rows[1].Set != "scene" {
		t.Fatalf("the rows are %+v", file.Rows)
	}
	yeast, scene := file.Rows[0], file.Rows[1]
	claim := fmt.Sprintf("takes %.2f times as long as numpy's `X @ W > 0` on Yeast in a batch and %.2f one example at a time, %.2f and %.2f on Scene",
		yeast.Batch, yeast.Single, scene.Batch, scene.Single)
	if !strings.Contains(text, claim) {
		t.Errorf("README does not say %q", claim)
	}
}

// TestReadmeTellsSVC holds what the README says of kernels beside scikit-learn's SVC to svc.json.
func TestReadmeTellsSVC(t *testing.T) {
	t.Parallel()
	text := strings.Join(strings.Fields(readme(t)), " ")
	raw, err := os.ReadFile(filepath.Join(committed, "svc.json"))
	if err != nil {
		t.Fatal(err)
	}
	type row struct {
		Set, Machine string
		Train        float64 `json:"train_ratio"`
		Test         float64 `json:"test_ratio"`
		Gap          float64
		Plain        metrics.Scores
	}
	var file struct{ Rows []row }
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	of := map[string]row{}
	for _, r := range file.Rows {
		of[r.Set+" "+r.Machine] = r
		if !strings.HasPrefix(r.Machine, "SVC") && !(r.Gap > 0 && r.Gap <= 0.01) {
			t.Errorf("%s on %s was trained to %v", r.Machine, r.Set, r.Gap)
		}
	}
	scores := func(r row) string {
		return fmt.Sprintf("%.1f / %.1f / %.1f", r.Plain.HammingAccuracy, r.Plain.SubsetAccuracy, r.Plain.ExampleF1)
	}
	for _, claim := range []string{
		fmt.Sprintf("in %.2f of the time of scikit-learn's SVC, one label against the rest, on Scene and in %.2f of it on Yeast, CRANK in %.2f and %.2f of it",
			of["scene Empty"].Train, of["yeast Empty"].Train, of["scene CRANK"].Train, of["yeast CRANK"].Train),
		fmt.Sprintf("(%s and %s on Scene)", scores(of["scene Empty"]), scores(of["scene SVC"])),
		fmt.Sprintf("test examples take %.2f and %.2f of SVC's time", of["scene Empty"].Test, of["yeast Empty"].Test),
		fmt.Sprintf("trains SVC in %.2f and %.2f of its own time", of["scene SVC, one kernel"].Train, of["yeast SVC, one kernel"].Train),
	} {
		if !strings.Contains(text, claim) {
			t.Errorf("README does not say %q", claim)
		}
	}
}

// TestReadmeTellsTheLarge holds what the README says of CRANK on large label sets to large.json.
func TestReadmeTellsTheLarge(t *testing.T) {
	t.Parallel()
	text := strings.Join(strings.Fields(readme(t)), " ")
	raw, err := os.ReadFile(filepath.Join(committed, "large.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Rows []struct {
			Set, Method string
			HoldOut     bool
			CPU, Memory float64
		}
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	of := map[string]string{}
	for _, c := range file.Rows {
		if c.Method == "CRANK" && !c.HoldOut {
			of[c.Set] = fmt.Sprintf("%.0f seconds and %.0f MB", c.CPU, c.Memory)
		}
	}
	for _, claim := range []string{
		"Bibtex (159 labels) " + strings.Replace(of["bibtex"], " seconds", " CPU seconds", 1), "Corel5k (374) " + of["corel5k"],
		"Delicious (983 labels, 12,920 examples) " + of["delicious"],
	} {
		if !strings.Contains(text, claim) {
			t.Errorf("README does not say %q", claim)
		}
	}
}

// TestReadmeTellsTheTrainings holds the README's table of training times, and what it says of CRANK's times beside Full's, to bench.json.
func TestReadmeTellsTheTrainings(t *testing.T) {
	t.Parallel()
	text := strings.Join(strings.Fields(readme(t)), " ")
	raw, err := os.ReadFile(filepath.Join(committed, "bench.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Benchmarks []struct {
			Name    string
			Metrics map[string]float64
		}
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	of := map[string]float64{}
	var full, ten, over []float64
	for _, b := range file.Benchmarks {
		of[b.Name] = b.Metrics["cpu-ms"]
		if strings.HasPrefix(b.Name, "Restarts/") {
			full, ten, over = append(full, b.Metrics["x-full"]), append(ten, b.Metrics["ten-x"]), append(over, b.Metrics["over-ten"])
		}
	}
	want := []string{
		fmt.Sprintf("14 labels, 91 pairs | 1/M | %.0f | %.0f | | | 0.001 | %.0f | %.0f | | | 0.0067 | %.0f | %.0f |", of["TrainYeastFull"], of["TrainYeastFullTight"],
			of["TrainYeastFull001"], of["TrainYeastFull001Tight"], of["TrainYeastFull0067"], of["TrainYeastFull0067Tight"]),
		fmt.Sprintf("the whole path of beta | 0.001 | %.0f |", of["TrainYeastCRANK"]), fmt.Sprintf("Yeast, Empty | 1/M | %.1f |", of["TrainYeastEmpty"]),
		fmt.Sprintf("6 labels, 15 pairs | 1/M | %.0f | %.0f |", of["TrainSceneFull"], of["TrainSceneFullTight"]),
		fmt.Sprintf("Scene, CRANK, one start | 0.003 | %.0f |", of["TrainSceneCRANK"]), fmt.Sprintf("Scene, Empty | 1/M | %.0f |", of["TrainSceneEmpty"]),
	}
	slices.Sort(full)
	most := len(full) - 1
	want = append(want, fmt.Sprintf("takes %.1f to %.1f times Full's processor time, and %.1f times on Emotions at 0.0003", full[0], full[most-1], full[most]),
		fmt.Sprintf("take %.1f to %.1f times", slices.Min(ten), slices.Max(ten)),
		fmt.Sprintf("from %.1f %% below to %.2f %% above that of ten starts", -slices.Min(over), slices.Max(over)))
	for _, claim := range want {
		if !strings.Contains(text, claim) {
			t.Errorf("README does not say %q", claim)
		}
	}
}

// TestReadmeTellsThePeers holds the README's table of kernel machines beside their peers, and the
// numbers of cells in which CRANK keeps up, to general.json.
func TestReadmeTellsThePeers(t *testing.T) {
	t.Parallel()
	text := strings.Join(strings.Fields(readme(t)), " ")
	rows, _ := rowsOf[generalRow](t, committed, "general.json")
	level, tenths := map[string]int{}, map[string]int{}
	cpu := 0.0
	for _, set := range tableSets {
		line := "| " + set + " |"
		var marks []string
		for _, column := range []struct {
			method string
			one    bool
		}{{"CRANK", false}, {"Full", false}, {"Empty", false}, {"CRANK", true}, {"Empty", true}} {
			var values []string
			marks = nil
			for _, m := range metrics.PaperMeasures() {
				criterion := m
				if column.one {
					criterion = metrics.MeanOfThree
				}
				k := slices.IndexFunc(rows, func(r generalRow) bool {
					return r.Set == set && r.Method == column.method && r.Criterion == criterion && r.Measure == m
				})
				values, marks = append(values, fmt.Sprintf("%.1f", rows[k].Value)), append(marks, fmt.Sprintf("%.1f", rows[k].Mark))
				if rows[k].Value >= rows[k].Mark {
					level[fmt.Sprint(column.method, column.one)]++
				}
				if math.Round(10*rows[k].Value) >= math.Round(10*rows[k].Mark) {
					tenths[fmt.Sprint(column.method, column.one)]++
				}
			}
			line += " " + strings.Join(values, " / ") + " |"
		}
		if line += " " + strings.Join(marks, " / ") + " |"; !strings.Contains(text, line) {
			t.Errorf("README has no line %q", line)
		}
		cpu += rows[slices.IndexFunc(rows, func(r generalRow) bool { return r.Set == set })].CPU
	}
	differ, above, below := significant(rows, 2)
	for _, claim := range []string{
		fmt.Sprintf("of the 24 differences between CRANK and Full or Empty %d are significant (paired bootstrap over the test examples, Holm's correction, 5 %%), "+
			"and CRANK is significantly above the peers' choice in %d cells and below in %d", differ, above, below),
		fmt.Sprintf("at or above the peers' choice in %d of these 12 cells with a model for each measure (in %d to the tenths of the table), and in %d with one model",
			level["CRANKfalse"], tenths["CRANKfalse"], level["CRANKtrue"]),
		fmt.Sprintf("Empty in %d and %d", level["Emptyfalse"], level["Emptytrue"]),
		fmt.Sprintf("%.0f CPU seconds for the four sets together", cpu),
	} {
		if !strings.Contains(text, claim) {
			t.Errorf("README does not say %q", claim)
		}
	}
}

// significant counts the comparisons of CRANK with methods of our own, and with peers, that are
// significant at 5 per cent with Holm's correction.
func significant(rows []generalRow, own int) (differ, above, below int) {
	for _, r := range rows {
		for q, l := range r.Beside {
			switch {
			case l.Holm >= 0.05:
			case q < own:
				differ++
			case l.Difference > 0:
				above++
			default:
				below++
			}
		}
	}
	return differ, above, below
}

// TestReadmeTellsTheExtraSets holds the README's table of sets with more labels to
// general_extra.json.
func TestReadmeTellsTheExtraSets(t *testing.T) {
	t.Parallel()
	text := strings.Join(strings.Fields(readme(t)), " ")
	rows, _ := rowsOf[generalRow](t, committed, "general_extra.json")
	level := 0
	for _, set := range generalExtraSets {
		var own, empty, peers []string
		cpu := 0.0
		for _, r := range rows {
			if value := fmt.Sprintf("%.1f", r.Value); r.Set == set && r.Method == "Empty" {
				empty = append(empty, value)
			} else if r.Set == set {
				own, peers, cpu = append(own, value), append(peers, fmt.Sprintf("%.1f", r.Mark)), r.CPU
				if r.Value >= r.Mark {
					level++
				}
			}
		}
		line := fmt.Sprintf("| %s | %s | %s | %s | %.0f |", set, strings.Join(own, " / "), strings.Join(empty, " / "), strings.Join(peers, " / "), cpu)
		if !strings.Contains(text, line) {
			t.Errorf("README has no line %q", line)
		}
	}
	if !strings.Contains(text, fmt.Sprintf("at or above their choice in %d of 9 cells", level)) {
		t.Errorf("README does not say that CRANK is at or above the peers' choice in %d cells", level)
	}
	if differ, _, _ := significant(rows, 1); !strings.Contains(text, fmt.Sprintf("%d of these nine differences from Empty are significant", differ)) {
		t.Errorf("README does not say that %d of the differences from Empty are significant", differ)
	}
}

// TestReadmeTellsManyLabels holds the README's table of sets with many labels, and what it says of the peers there, to
// general_large.json and many_labels_peers.json.
func TestReadmeTellsManyLabels(t *testing.T) {
	t.Parallel()
	text := strings.Join(strings.Fields(readme(t)), " ")
	many, _ := rowsOf[manyLabelsRow](t, committed, "general_large.json")
	peers, err := readPeersFileNamed(committed, manyPeersFile)
	if err != nil {
		t.Fatal(err)
	}
	for _, claim := range manyPeersTold(many, peers.Rows) {
		if !strings.Contains(text, claim) {
			t.Errorf("README does not say %q", claim)
		}
	}
	for _, r := range many {
		seen := "In subset accuracy on Delicious ours and the peers go by the labelings that training examples have."
		if r.Measure == metrics.ExampleF1 && !strings.Contains(r.Rule, "expected F1 of calibrated labels") ||
			r.Set == "delicious" && r.Measure == metrics.SubsetAccuracy && strings.Contains(r.Rule, "seen labelings") && !strings.Contains(text, seen) {
			t.Errorf("%s, %s: README does not tell of the rule %q", r.Set, r.Measure, r.Rule)
		}
	}
	for _, r := range peers.Rows {
		if r.Measure == metrics.ExampleF1 && (r.Rule.By != "expected F1" || !r.Rule.Calibrated) || r.Set == "delicious" && r.Measure == metrics.SubsetAccuracy && r.Rule.By != "seen" {
			t.Errorf("%s, %s, %s: README does not tell of the rule %+v", r.Set, r.Peer, r.Measure, r.Rule)
		}
	}
}

// TestManyPeersMind checks that no test value can change sides and the counts stay.
func TestManyPeersMind(t *testing.T) {
	t.Parallel()
	many, _ := rowsOf[manyLabelsRow](t, committed, "general_large.json")
	peers, err := readPeersFileNamed(committed, manyPeersFile)
	if err != nil {
		t.Fatal(err)
	}
	counts := func(rows []peerRow) []string {
		told := manyPeersTold(many, rows)
		return told[len(told)-len(metrics.PaperMeasures()):]
	}
	want := counts(peers.Rows)
	for k, r := range peers.Rows {
		ours := many[slices.IndexFunc(many, func(o manyLabelsRow) bool { return o.Set == r.Set && o.Measure == r.Measure })].Test
		other := slices.Clone(peers.Rows)
		if other[k].Test = ours + 0.2; r.Test > ours {
			other[k].Test = ours - 0.2
		}
		if slices.Equal(counts(other), want) {
			t.Errorf("%s, %s, %s: %v instead of %v, and README would say the same", r.Set, r.Peer, r.Measure, other[k].Test, r.Test)
		}
	}
	if slices.Equal(counts(peers.Rows[3:]), want) {
		t.Error("a peer is missing, and README would say the same")
	}
}

// manyPeersTold returns lines of a table, of ours and of the peers, what README says of F1, and last, for each measure, the numbers of
// comparisons in which ours is ahead, behind and level to the tenth that the table shows.
func manyPeersTold(many []manyLabelsRow, peers []peerRow) (claims []string) {
	tenths := func(v float64) float64 { return math.Round(10 * v) }
	ahead, behind := map[metrics.Measure]int{}, map[metrics.Measure]int{}
	each := 0
	var best, errors []string // in F1
	for k := 0; k < len(many); k += 3 {
		set := many[k].Set
		claims = append(claims, fmt.Sprintf("| %s | %.1f | %.1f | %.1f | %.0f |", set, many[k].Test, many[k+1].Test, many[k+2].Test,
			max(many[k].CPU, many[k+1].CPU, many[k+2].CPU)))
		var cuts []string
		top, widest := 0.0, 0.0
		for q := 0; q+2 < len(peers); q += 3 {
			of := peers[q : q+3]
			if of[0].Set != set {
				continue
			}
			each++
			name := manyPeerNames[of[0].Peer]
			claims = append(claims, fmt.Sprintf("| %s, %s | %.1f | %.1f | %.1f | %.0f |", set, name, of[0].Test, of[1].Test, of[2].Test,
				max(of[0].CPUSeconds, of[1].CPUSeconds, of[2].CPUSeconds)))
			cuts = append(cuts, fmt.Sprintf("%s %.1f", name, of[2].CutAlone.Test))
			top, widest = max(top, of[2].Test), max(widest, of[2].TestStdErr)
			for m, r := range of {
				switch ours, theirs := tenths(many[k+m].Test), tenths(r.Test); {
				case ours > theirs:
					ahead[r.Measure]++
				case ours < theirs:
					behind[r.Measure]++
				}
			}
		}
		claims = append(claims, set+": "+strings.Join(cuts, ", "))
		best, errors = append(best, fmt.Sprintf("%.1f", many[k+2].Test), fmt.Sprintf("%.1f", top)), append(errors, fmt.Sprintf("%.1f", widest))
	}
	claims = append(claims, fmt.Sprintf("F1 of %s on Bibtex, where the best of LinearSVC, Omikuji, napkinXC and PECOS, tuned likewise, has %s, and %s on Delicious, where it has %s",
		best[0], best[1], best[2], best[3]), fmt.Sprintf("one standard error of F1 is %s points on Bibtex and %s on Delicious", errors[0], errors[1]))
	for _, m := range metrics.PaperMeasures() {
		claims = append(claims, fmt.Sprintf("in %s ours is ahead in %d, behind in %d and level in %d", m.Label(), ahead[m], behind[m], each-ahead[m]-behind[m]))
	}
	return claims
}

// TestReadmeTellsTheHalves holds what the README says of five times two-fold cross-validation to
// halves.json.
func TestReadmeTellsTheHalves(t *testing.T) {
	t.Parallel()
	text := strings.Join(strings.Fields(readme(t)), " ")
	rows, _ := rowsOf[halvesRow](t, committed, "halves.json")
	level, tenths, better, worse := 0, 0, 0, 0
	for _, set := range halvedSets {
		line := "| " + set + " |"
		var own, theirs []string
		for _, r := range rows {
			if r.Set != set {
				continue
			}
			own, theirs = append(own, fmt.Sprintf("%.1f", r.Mean)), append(theirs, fmt.Sprintf("%.1f", r.PeerMean))
			if r.Mean >= r.PeerMean {
				level++
			}
			if math.Round(10*r.Mean) >= math.Round(10*r.PeerMean) {
				tenths++
			}
			switch {
			case r.Holm < 0.05 && r.Mean > r.PeerMean:
				better++
			case r.Holm < 0.05:
				worse++
			}
		}
		if line += " " + strings.Join(own, " / ") + " | " + strings.Join(theirs, " / ") + " |"; !strings.Contains(text, line) {
			t.Errorf("README has no line %q", line)
		}
	}
	claim := fmt.Sprintf("at or above in %d of %d cells (in %d to the tenths of the table), significantly above in %d and below in %d", level, len(rows), tenths, better, worse)
	if !strings.Contains(text, claim) {
		t.Errorf("README does not say %q", claim)
	}
}

// TestReadmeTellsTheTags holds what the README says of planted tags to tags.json, and that to
// tags_peers.json.
func TestReadmeTellsTheTags(t *testing.T) {
	t.Parallel()
	text := strings.Join(strings.Fields(readme(t)), " ")
	rows, _ := rowsOf[tagsRow](t, committed, "tags.json")
	peers, err := readPeersFileNamed(committed, tagsFile)
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 2 && len(rows) != len(tagMethods())*2 { // Empty came later
		t.Fatalf("%d rows", len(rows))
	}
	again := make([]tagsRow, len(rows))
	for k, r := range rows {
		again[k] = tagsRow{Method: r.Method, Measure: r.Measure, Test: r.Test}
		again[k].compare(peers)
	}
	overEmpty(again)
	var over []string
	for k := 0; k < len(rows); k += 2 {
		line := "| " + rows[k].Method + " |"
		for q, r := range rows[k : k+2] {
			if !reflect.DeepEqual(again[k+q], r) || len(r.Peer) != tagDraws {
				t.Errorf("%+v, and by the files %+v", r, again[k+q])
			}
			if r.Over != nil {
				over = append(over, fmt.Sprintf("%+.1f (%+.1f to %+.1f)", r.Over.Difference, r.Over.Low, r.Over.High))
			}
			for draw, v := range r.Test {
				if r.Method != "CRANK" {
					continue
				}
				if r.Measure == metrics.ExampleF1 && v <= r.Peer[draw] || r.Measure == metrics.SubsetAccuracy && r.P < 0.05 {
					t.Errorf("%+v: README says that CRANK is ahead in F1, and level in subset accuracy", r)
				}
			}
			line += fmt.Sprintf(" %.1f | %.1f | %+.1f (%+.1f to %+.1f) |", r.Mean, r.PeerMean, r.Difference, r.Low, r.High)
		}
		if !strings.Contains(text, line) {
			t.Errorf("README has no line %q", line)
		}
	}
	if line := "The tree buys " + strings.Join(over, " in subset accuracy and "); len(over) > 0 && !strings.Contains(text, line+" in F1") {
		t.Errorf("README does not say %q", line+" in F1")
	}
}

// TestReadmeTellsTheCompany holds what the README says of averages of trees, and of label graphs over hundreds of labels, to
// company.json and many_labels.json.
func TestReadmeTellsTheCompany(t *testing.T) {
	t.Parallel()
	text := strings.Join(strings.Fields(readme(t)), " ")
	company, _ := rowsOf[companyRow](t, committed, "company.json")
	many, _ := rowsOf[manyRow](t, committed, "many_labels.json")
	for _, line := range append(companyTold(company), manyTold(many)...) {
		if !strings.Contains(text, line) {
			t.Errorf("README has no line %q", line)
		}
	}
}
