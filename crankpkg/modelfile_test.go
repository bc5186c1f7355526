package crankpkg

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/crank-ml/crank/crankpkg/decision"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"github.com/crank-ml/crank/crankpkg/metrics"
)

// awkwardModel has numbers and names that are hard to carry through text.
func awkwardModel() *Model {
	rng := rand.New(rand.NewPCG(41, 1))
	m := randomModel(4, 5, []Edge{{I: 0, J: 1}, {I: 0, J: 3}}, rng)
	copy(m.Unary, []float64{
		math.Copysign(0, -1), math.SmallestNonzeroFloat64, -math.MaxFloat64, 0.1, 1. / 3, math.Nextafter(1, 2), 1e-310, math.Pi * 1e200,
	})
	m.Method = `CRANK "quoted"`
	m.LabelNames = []string{"naïve", "日本語", "a,b\n\"c\"\\", ""}
	m.FeatureNames[2] = "<tag> & \u2028"
	m.Scaler = Scaler{Kind: ZScore, Shift: []float64{0.1, -3, 0, 1e9, 7}, Factor: []float64{1, 1. / 3, 0, 1e-9, 2}}
	return m
}

// featuredModel has features on its edges.
func featuredModel() *Model {
	m := awkwardModel()
	m.EdgeFeatures = EdgeFeatures{Columns: []int{1, 4}, Scale: 1. / 3}
	m.PairFeatures = []float64{0.1, math.Copysign(0, -1), 1e-310, -7}
	return m
}

// generalModel has Fourier features, features on its edges, and labelings.
func generalModel() *Model {
	m := featuredModel()
	m.Fourier = FourierFeatures{Count: 6, Gamma: 1. / 3, Seed: math.MaxUint64}
	m.Unary = append(m.Unary, 1, 2, 3, 4)
	m.Labelings, m.LabelingScores = []uint8{0, 1, 1, 0, 0, 0, 0, 0}, []float64{math.Log(3), 0}
	return m
}

// ruledModel has a rule.
func ruledModel() *Model {
	m := featuredModel()
	m.Rule = decision.Rule{Cut: 1. / 3, Cuts: []float64{0, -0.1, 1e-310, 7}, Least: 1, Most: 3, PairFactor: 1.1}
	return m
}

// expectingModel has a rule that goes by the probabilities of labelings.
func expectingModel() *Model {
	m := generalModel()
	m.Rule = decision.Rule{Cut: -0.1, Expect: metrics.ExampleF1, Temperature: 1. / 3}
	return m
}

// calibratedModel has a rule that goes by calibrated probabilities of labels.
func calibratedModel() *Model {
	m := featuredModel()
	m.Rule = decision.Rule{Least: 1, Expect: metrics.HammingAccuracy, Calibration: &decision.Calibration{Slope: []float64{0, 1. / 3, 1e-310, 7}, Offset: []float64{-0.1, 2, 0, -5}}}
	return m
}

// sameModel compares all fields, floats by their bits.
func sameModel(a, b *Model) bool {
	bits := func(m *Model) []uint64 {
		var all []uint64
		for _, list := range [][]float64{{m.Lambda, m.Fourier.Gamma}, m.Unary, m.Pair, m.PairFeatures, m.Scaler.Shift, m.Scaler.Factor, m.LabelingScores,
			{m.Rule.Cut, m.Rule.PairFactor, m.Rule.Temperature}, m.Rule.Cuts} {
			for _, v := range list {
				all = append(all, math.Float64bits(v))
			}
		}
		return all
	}
	return reflect.DeepEqual(bits(a), bits(b)) && reflect.DeepEqual(a, b)
}

func TestModelRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(42, 1))
	unit := randomModel(3, 2, nil, rng)
	unit.Scaler.Kind = UnitRows
	noFeatures := randomModel(2, 0, labelgraph.AllPairs(2), rng)
	for name, m := range map[string]*Model{
		"awkward": awkwardModel(), "edge features": featuredModel(), "general": generalModel(), "rule": ruledModel(), "expectation": expectingModel(), "calibration": calibratedModel(), "without pairs": unit, "without features": noFeatures, "all pairs": randomModel(9, 3, labelgraph.AllPairs(9), rng),
	} {
		path := filepath.Join(t.TempDir(), "model.json")
		if err := m.Save(path); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got, err := LoadModel(path)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		normalize(m)
		normalize(got)
		if !sameModel(got, m) {
			t.Errorf("%s: saved %+v, loaded %+v", name, m, got)
		}
	}
}

// normalize makes empty lists nil.
func normalize(m *Model) {
	if len(m.FeatureNames) == 0 {
		m.FeatureNames = nil
	}
	if len(m.Edges) == 0 {
		m.Edges, m.Pair = nil, nil
	}
}

func TestLoadRefusesTruncation(t *testing.T) {
	var file bytes.Buffer
	if _, err := awkwardModel().WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	data := bytes.TrimSpace(file.Bytes())
	for size := range data {
		var m Model
		if _, err := m.ReadFrom(bytes.NewReader(data[:size])); !errors.Is(err, ErrFormat) {
			t.Fatalf("cut to %d of %d bytes: error %v", size, len(data), err)
		}
	}
}

func TestLoadRefuses(t *testing.T) {
	const good = `{"format":"crank model","version":1,"method":"x","lambda":1,"features":["a"],"labels":["p","q"],` +
		`"scaling":{"kind":"zscore","shift":[1],"factor":[2]},"unary":[[1,2],[3,4]],"pairs":{"i":[0],"j":[1],"weight":[5]}}`
	var m Model
	if _, err := m.ReadFrom(strings.NewReader(good)); err != nil {
		t.Fatal(err)
	}
	for _, change := range [][2]string{
		{`crank model`, `other`},
		{`"version":1`, `"version":12`},
		{`"version":1`, `"version":1,"fourier":{"count":2,"gamma":1,"seed":1}`},
		{`"version":1`, `"version":3,"fourier":{"count":1,"gamma":1,"seed":1}`},
		{`"version":1`, `"version":3,"fourier":{"count":0,"gamma":1,"seed":1}`},
		{`"version":1`, `"version":3,"fourier":{"count":2,"gamma":0,"seed":1}`},
		{`"version":1`, `"version":3,"fourier":{"count":2,"gamma":1,"seed":1}`}, // one weight is missing
		{`"version":1`, `"version":1,"labelings":{"y":["01"],"score":[0]}`},
		{`"version":1`, `"version":3,"labelings":{"y":["01"],"score":[0,1]}`},
		{`"version":1`, `"version":3,"labelings":{"y":["011"],"score":[0]}`},
		{`"version":1`, `"version":3,"labelings":{"y":["0/"],"score":[0]}`},
		{`"version":1`, `"version":3,"labelings":{"y":[],"score":[]}`},
		{`"version":1,`, ``},
		{`"version":1`, `"version":1,"later":3`},
		{`[1,2]`, `[1]`},
		{`[1,2]`, `[1,2,3]`},
		{`[1,2]`, `null`},
		{`[1,2]`, `[1,null]`},
		{`[1,2]`, `[1,NaN]`},
		{`[1,2]`, `[1,1e999]`},
		{`[1,2]`, `[1,"2"]`},
		{`[1,2],`, ``},
		{`"p",`, ``},
		{`"p"`, `null`},
		{`["a"]`, `["a","b"]`},
		{`"i":[0]`, `"i":[-1]`},
		{`"i":[0]`, `"i":[1]`},
		{`"i":[0]`, `"i":[null]`},
		{`"i":[0]`, `"i":[0.5]`},
		{`"i":[0]`, `"i":[0,0]`},
		{`"i":[0],"j":[1],"weight":[5]`, `"i":[0,0],"j":[1,1],"weight":[5,6]`},
		{`"j":[1]`, `"j":[2]`},
		{`"weight":[5]`, `"weight":[]`},
		{`"kind":"zscore"`, `"kind":"other"`},
		{`"kind":"zscore"`, `"kind":"unitrows"`},
		{`"shift":[1]`, `"shift":[1,2]`},
		{`"factor":[2]`, `"factor":[]`},
		{`}}`, `}} {}`},
		{`}}`, `}`},
	} {
		bad := strings.Replace(good, change[0], change[1], 1)
		if bad == good {
			t.Fatalf("%s: nothing to replace", change[0])
		}
		before := m
		if _, err := m.ReadFrom(strings.NewReader(bad)); !errors.Is(err, ErrFormat) {
			t.Errorf("%s in place of %s: error %v", change[1], change[0], err)
		}
		if !sameModel(&before, &m) {
			t.Errorf("%s in place of %s: the model changed", change[1], change[0])
		}
	}
}

func TestLoadNamesFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "not-a-model")
	if err := os.WriteFile(path, []byte("@relation yeast"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := LoadModel(path); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v", err)
	}
	if _, err := LoadModel(path + ".absent"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}

// TestLoadVersions checks that a plain model is written for programs that do not
// know features on edges, and that those have their own version.
func TestLoadVersions(t *testing.T) {
	for _, c := range []struct {
		m       *Model
		version string
		other   string
	}{{awkwardModel(), `"version":1,`, `"version":2,`}, {featuredModel(), `"version":2,`, `"version":1,`}, {ruledModel(), `"version":6,`, `"version":5,`}, {expectingModel(), `"version":8,`, `"version":7,`}} {
		var file bytes.Buffer
		if _, err := c.m.WriteTo(&file); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(file.String(), c.version) {
			t.Errorf("no %s in %.60s", c.version, file.String())
		}
		changed := strings.Replace(file.String(), c.version, c.other, 1)
		_, err := new(Model).ReadFrom(strings.NewReader(changed))
		if plain := c.version == `"version":1,`; plain && err != nil || !plain && !errors.Is(err, ErrFormat) {
			t.Errorf("%s in place of %s: error %v", c.other, c.version, err)
		}
	}
}

func TestSaveRefusesAndKeepsOldFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model.json")
	if err := awkwardModel().Save(path); err != nil {
		t.Fatal(err)
	}
	want, _ := os.ReadFile(path)
	for name, spoil := range map[string]func(m *Model){
		"NaN weight":           func(m *Model) { m.Unary[3] = math.NaN() },
		"infinite pair":        func(m *Model) { m.Pair[0] = math.Inf(1) },
		"infinite lambda":      func(m *Model) { m.Lambda = math.Inf(1) },
		"NaN shift":            func(m *Model) { m.Scaler.Shift[0] = math.NaN() },
		"name not in UTF-8":    func(m *Model) { m.LabelNames[0] = "caf\xe9" },
		"edges out of order":   func(m *Model) { m.Edges[0], m.Edges[1] = m.Edges[1], m.Edges[0] },
		"too few weights":      func(m *Model) { m.Unary = m.Unary[1:] },
		"scaling of two kinds": func(m *Model) { m.Scaler.Kind = UnitRows },
		"edge feature unknown": func(m *Model) { *m = *featuredModel(); m.EdgeFeatures.Columns[1] = 5 },
		"edge features short":  func(m *Model) { *m = *featuredModel(); m.PairFeatures = m.PairFeatures[1:] },
		"NaN edge feature":     func(m *Model) { *m = *featuredModel(); m.PairFeatures[0] = math.NaN() },
		"NaN cut":              func(m *Model) { m.Rule.Cut = math.NaN() },
		"cuts of other labels": func(m *Model) { m.Rule.Cuts = []float64{1} },
		"too few and too many": func(m *Model) { m.Rule.Least, m.Rule.Most = 3, 2 },
		"what nothing says":    func(m *Model) { m.Rule.Expect, m.Rule.Temperature = metrics.ExampleF1, 1 },
		"slope below zero":     func(m *Model) { *m = *calibratedModel(); m.Rule.Calibration.Slope[1] = -1 },
		"offset missing":       func(m *Model) { *m = *calibratedModel(); m.Rule.Calibration.Offset = []float64{1} },
		"both expectations":    func(m *Model) { *m = *calibratedModel(); m.Rule.Temperature = 1 },
		"factor too large":     func(m *Model) { m.Pair[0], m.Rule.PairFactor = 1e200, 1e200 },
		"unresolved features":  func(m *Model) { m.EdgeFeatures.All = true },
	} {
		m := awkwardModel()
		spoil(m)
		if err := m.Save(path); !errors.Is(err, ErrData) {
			t.Errorf("%s: error %v", name, err)
		}
		if got, _ := os.ReadFile(path); !bytes.Equal(got, want) {
			t.Errorf("%s: the old file is gone", name)
		}
	}
}

func TestReadFromPassesOnErrors(t *testing.T) {
	broken := errors.New("broken")
	r := io.MultiReader(strings.NewReader(`{"format"`), iotest.ErrReader(broken))
	if _, err := new(Model).ReadFrom(r); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}

// FuzzModelFile checks that whatever is read without an error is a model that
// predicts, and that it is written and read back as it was.
func FuzzModelFile(f *testing.F) {
	for _, m := range []*Model{awkwardModel(), featuredModel(), ruledModel(), expectingModel(), calibratedModel(), randomModel(2, 0, labelgraph.AllPairs(2), rand.New(rand.NewPCG(43, 1)))} {
		var file bytes.Buffer
		if _, err := m.WriteTo(&file); err != nil {
			f.Fatal(err)
		}
		f.Add(file.Bytes())
	}
	f.Add([]byte(`{"format":"crank model","version":1,"labels":[[[[[[`))
	f.Add([]byte(`{"format":"crank model","version":10,"features":["a","b"],"labels":["p","q"],"unary":[[5],[6,7]],"zeros":[[2],[0,1]]}`))
	f.Add([]byte(`{"format":"crank model","version":11,"features":["a"],"labels":["p"],"unary":[[1,2]],"coding":{"dropped":["id","a"]}}`))
	f.Add([]byte(`{"format":"crank model","version":6,"labels":["a"],"unary":[[0]],"rule":{"pair_factor":1,"cuts":[0],"most":0}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var m Model
		if _, err := m.ReadFrom(bytes.NewReader(data)); err != nil {
			if !errors.Is(err, ErrFormat) {
				t.Fatalf("error %v", err)
			}
			return
		}
		if n := m.NumLabels(); n < 100 {
			m.Predict(Row{})
		}
		var file bytes.Buffer
		if _, err := m.WriteTo(&file); err != nil {
			t.Fatal(err)
		}
		var again Model
		if _, err := again.ReadFrom(&file); err != nil {
			t.Fatal(err)
		}
		normalize(&m)
		normalize(&again)
		if !sameModel(&m, &again) {
			t.Fatalf("read %+v, after writing it %+v", m, again)
		}
	})
}

func ExampleModel_WriteTo() {
	m := &Model{
		Method: "CRANK", Lambda: 0.01,
		FeatureNames: []string{"x"}, LabelNames: []string{"sea", "sky"},
		Unary: []float64{0.1, 0, -2, 1}, Edges: []Edge{{I: 0, J: 1}}, Pair: []float64{0.5},
	}
	var file bytes.Buffer
	if _, err := m.WriteTo(&file); err != nil {
		fmt.Println(err)
		return
	}
	var back Model
	_, err := back.ReadFrom(&file)
	fmt.Println(back.PredictLabels(Row{Value: []float64{1}}), err)
	// Output: [sea] <nil>
}
