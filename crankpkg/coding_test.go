package crankpkg

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg/internal/testkit"
)

const shopHead = "@relation 'shop: -C 2'\n@attribute buys {0,1}\n@attribute returns {0,1}\n@attribute income numeric\n@attribute city {Rome,Lima,Oslo}\n@attribute member {none,card}\n@data\n"

// readShop reads a small ARFF file with nominal columns and missing cells.
func readShop(t *testing.T) *Dataset {
	t.Helper()
	ds, err := ParseARFF(strings.NewReader(shopHead+"1,0,3,Rome,none\n0,1,-1,Lima,card\n1,1,?,Rome,card\n0,0,2,Oslo,?\n1,0,4,?,card\n0,0,0,Rome,none\n"),
		"shop.arff", ARFFOptions{Imputer: &Imputer{}})
	if err != nil {
		t.Fatal(err)
	}
	return ds
}

func trainShop(t *testing.T) *Model {
	t.Helper()
	m, _, err := CRANK{Lambda: 0.1}.Train(context.Background(), readShop(t))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// The coding and Unlabeled go where the features go.
func TestCodingStays(t *testing.T) {
	t.Parallel()
	ds := readShop(t)
	if len(ds.Coding.Columns) != 3 {
		t.Fatalf("coding %+v", ds.Coding)
	}
	train, test := ds.Split(0.5, 1)
	appended, err := train.Append(test)
	if err != nil {
		t.Fatal(err)
	}
	matched, err := ds.MatchNames(ds.FeatureNames, []string{"returns", "buys"})
	if err != nil {
		t.Fatal(err)
	}
	for name, part := range map[string]*Dataset{
		"Subset": ds.Subset([]int{2}), "Split": train, "Shuffle": ds.Shuffle(3), "SelectLabels": ds.SelectLabels([]int{1}),
		"Append": appended, "MatchNames": matched,
	} {
		if !reflect.DeepEqual(part.Coding, ds.Coding) || part.Unlabeled || part.Validate() != nil {
			t.Errorf("%s: coding %+v, unlabeled %v, error %v", name, part.Coding, part.Unlabeled, part.Validate())
		}
	}
	rows := *ds
	rows.Unlabeled = true
	for name, part := range map[string]*Dataset{"Subset": rows.Subset([]int{2}), "SelectLabels": rows.SelectLabels([]int{1}), "Shuffle": rows.Shuffle(1)} {
		if !part.Unlabeled {
			t.Errorf("%s: labels came from nowhere", name)
		}
	}
}

func TestAppendRefusesOtherCodings(t *testing.T) {
	t.Parallel()
	ds, other := readShop(t), *readShop(t)
	other.Coding = other.Coding.Clone()
	other.Coding.Columns[0].Fill[0]++
	if _, err := ds.Append(&other); !errors.Is(err, ErrData) || !strings.Contains(err.Error(), `column "income"`) {
		t.Errorf("error %v, want one that names the column", err)
	}
	other.Coding, other.Unlabeled = ds.Coding, true
	if _, err := ds.Append(&other); !errors.Is(err, ErrData) || !strings.Contains(err.Error(), "without labels") {
		t.Errorf("error %v", err)
	}
	other.Coding, other.Unlabeled = Coding{}, false
	for _, pair := range [][2]*Dataset{{ds, &other}, {&other, ds}} {
		if all, err := pair[0].Append(pair[1]); err != nil || !reflect.DeepEqual(all.Coding, ds.Coding) {
			t.Errorf("%v, error %v: the only coding is lost", all, err)
		}
	}
}

func TestValidateChecksCoding(t *testing.T) {
	t.Parallel()
	ds, m := readShop(t), trainShop(t)
	ds.Coding, m.Coding = ds.Coding.Clone(), m.Coding.Clone()
	ds.Coding.Columns[1].Values[0], m.Coding.Columns[1].Values[0] = "Paris", "Paris"
	for _, err := range []error{ds.Validate(), m.Validate()} {
		if !errors.Is(err, ErrData) || !strings.Contains(err.Error(), `coding: column "city" does not become`) {
			t.Errorf("error %v", err)
		}
	}
}

// A model has a coding of its own, in memory, through gob and in a file; a model of plain
// numbers has none and is written in version 1.
func TestModelKeepsCoding(t *testing.T) {
	t.Parallel()
	ds := readShop(t)
	m := trainShop(t)
	if !reflect.DeepEqual(m.Coding, ds.Coding) {
		t.Errorf("coding %+v, want %+v", m.Coding, ds.Coding)
	}
	m.Coding.IgnoreUnseen, m.Coding.DecimalComma, m.Coding.Missing = true, true, []string{"-", ""}
	var file, stream bytes.Buffer
	if _, err := m.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	if err := gob.NewEncoder(&stream).Encode(m); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(file.String(), `"version":5`) {
		t.Errorf("no version 5 in %.60s", file.String())
	}
	if _, err := new(Model).ReadFrom(strings.NewReader(strings.Replace(file.String(), `"version":5`, `"version":4`, 1))); !errors.Is(err, ErrFormat) {
		t.Errorf("a coding in version 4: error %v", err)
	}
	fromFile, fromGob := new(Model), new(Model)
	if _, err := fromFile.ReadFrom(&file); err != nil {
		t.Fatal(err)
	}
	if err := gob.NewDecoder(&stream).Decode(fromGob); err != nil {
		t.Fatal(err)
	}
	for _, again := range []*Model{fromFile, fromGob} {
		if !reflect.DeepEqual(again.Coding, m.Coding) {
			t.Errorf("coding %+v, want %+v", again.Coding, m.Coding)
		}
	}
	train, _, _ := PlantedTree{N: 3}.Generate(20, 0)
	plain, _, err := Empty{}.Train(context.Background(), train)
	if err != nil || len(plain.Coding.Columns) > 0 {
		t.Fatalf("coding %+v, error %v", plain.Coding, err)
	}
	if _, err := plain.WriteTo(&file); err != nil || !strings.Contains(file.String(), `"version":1`) {
		t.Errorf("%.60s, error %v", file.String(), err)
	}
	x, err := plain.Predictor().EncodeCells(slices.Repeat([]string{"2"}, plain.NumFeatures()))
	if err != nil || x.Value[0] != 2 {
		t.Errorf("a model of plain numbers: %v, error %v", x, err)
	}
	m.Coding.Columns[1].Values[0] = "\xff"
	if _, err := m.WriteTo(&file); !errors.Is(err, ErrData) {
		t.Errorf("a value that is not UTF-8: error %v", err)
	}
}

// Raw cells predict what the rows that were read from them predict.
func TestPredictRecord(t *testing.T) {
	t.Parallel()
	m, ds := trainShop(t), readShop(t)
	p := m.Predictor()
	for k, record := range []map[string]any{
		{"income": 3, "city": "Rome", "member": "none"}, {"income": "-1", "city": "Lima", "member": "card"}, {"city": "Rome", "member": "card"},
		{"income": 2.0, "city": "Oslo", "member": nil}, {"income": 4, "city": "?", "member": "card"},
	} {
		x, err := p.EncodeRecord(record)
		if err != nil || !reflect.DeepEqual(x, ds.Row(k)) {
			t.Errorf("%v: row %v, error %v, want %v", record, x, err, ds.Row(k))
		}
		labels, err := p.PredictRecord(record)
		if want := p.PredictLabels(ds.Row(k)); err != nil || !slices.Equal(labels, want) {
			t.Errorf("%v: labels %q, error %v, want %q", record, labels, err, want)
		}
		margins, err := p.MarginsRecord(record)
		if want := p.Margins(ds.Row(k)); err != nil || !slices.Equal(margins, want) {
			t.Errorf("%v: margins %v, error %v, want %v", record, margins, err, want)
		}
	}
	bad := map[string]any{"city": "Paris"}
	_, err1 := p.PredictRecord(bad)
	_, err2 := p.MarginsRecord(bad)
	for _, err := range []error{err1, err2} {
		if !errors.Is(err, ErrData) || !strings.Contains(err.Error(), `column "city": "Paris"`) {
			t.Errorf("error %v, want one that names the column", err)
		}
	}
	large := map[string]any{"income": 1e308}
	m.Unary[0] = 1e10
	if _, err := m.Predictor().PredictRecord(large); !errors.Is(err, ErrData) {
		t.Errorf("scores that overflow: error %v", err)
	}
}

// A file that declares attributes and values in another order, with its cells missing and its
// labels unknown, predicts the same once matched.
func TestNominalOrderOfRowsToPredictOn(t *testing.T) {
	t.Parallel()
	m, ds := trainShop(t), readShop(t)
	text := "@relation r\n@attribute member {card,none}\n@attribute city {Oslo,Rome,Lima}\n@attribute income numeric\n@data\n" +
		"none,Rome,3\ncard,Lima,-1\ncard,Rome,?\n?,Oslo,2\ncard,?,4\nnone,Rome,0\n"
	rows, err := ParseARFF(strings.NewReader(text), "new.arff", ARFFOptions{FeaturesOnly: true, Imputer: m.Coding.Imputer(m.FeatureNames)})
	if err != nil {
		t.Fatal(err)
	}
	matched, err := m.Match(rows)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(testkit.DenseRows(matched.X)[2], testkit.DenseRows(ds.X)[2]) || !reflect.DeepEqual(matched.X, ds.X) {
		t.Errorf("rows %v, want %v", matched.X, ds.X)
	}
	if !matched.Unlabeled || !slices.Equal(matched.LabelNames, m.LabelNames) || len(matched.Y) != len(ds.Y) {
		t.Errorf("unlabeled %v with labels %q, %d values", matched.Unlabeled, matched.LabelNames, len(matched.Y))
	}
	if err := m.Coding.Agree(&matched.Coding); err != nil {
		t.Errorf("the matched coding is another: %v", err)
	}
	if err := matched.Coding.Check(matched.FeatureNames); err != nil {
		t.Error(err)
	}
}

// Nobody trains or measures on rows without labels.
func TestUnlabeledIsRefused(t *testing.T) {
	t.Parallel()
	m, ds := trainShop(t), readShop(t)
	ds.Unlabeled = true
	_, _, err := CRANK{}.Train(context.Background(), ds)
	_, err2 := m.Report(ds)
	var panicked any
	func() {
		defer func() { panicked = recover() }()
		Evaluate(m, ds)
	}()
	message, _ := panicked.(string)
	for _, err := range []error{err, err2} {
		if !errors.Is(err, ErrData) || !strings.Contains(err.Error(), "without labels") {
			t.Errorf("error %v", err)
		}
	}
	if !strings.Contains(message, "without labels") {
		t.Errorf("Evaluate panics with %v", panicked)
	}
}

// A model file that is cut anywhere is refused. One with a changed byte is refused, or is a
// model that encodes, and is written and read as it is.
func TestCodingFileSpoiled(t *testing.T) {
	t.Parallel()
	var file bytes.Buffer
	if _, err := trainShop(t).WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	data := bytes.TrimSpace(file.Bytes())
	for at := range data {
		if _, err := new(Model).ReadFrom(bytes.NewReader(data[:at])); !errors.Is(err, ErrFormat) {
			t.Fatalf("cut to %d of %d bytes: error %v", at, len(data), err)
		}
		// A third of what may stand there: the next places have the others.
		others := []byte{'0', '9', '"', ',', ']', '}', '-', 'x', 0, data[at] ^ 1, data[at] ^ 0x20, data[at] ^ 0x80}
		for k := at % 3; k < len(others); k += 3 {
			spoiled := slices.Clone(data)
			spoiled[at] = others[k]
			readAgain(t, spoiled)
		}
	}
}

// readAgain reads a model file, which may be refused, and holds the model to what it writes.
func readAgain(t *testing.T, data []byte) {
	var m, again Model
	if _, err := m.ReadFrom(bytes.NewReader(data)); err != nil {
		if !errors.Is(err, ErrFormat) {
			t.Fatalf("error %v for\n%s", err, data)
		}
		return
	}
	p := m.Predictor()
	p.EncodeRecord(map[string]any{"income": 1, "city": "Lima", "member": true})
	p.EncodeCells(make([]string, len(m.Coding.Columns)))
	var file bytes.Buffer
	if _, err := m.WriteTo(&file); err != nil {
		t.Fatalf("%v for\n%s", err, data)
	}
	if _, err := again.ReadFrom(&file); err != nil {
		t.Fatalf("%v for\n%s", err, data)
	}
	normalize(&m)
	normalize(&again)
	if !sameModel(&m, &again) {
		t.Fatalf("read %+v, after writing it %+v", m, again)
	}
}

// A model keeps the names of columns that were left out, with a coding of others or without, in files of a version of their own.
func TestModelKeepsDroppedColumns(t *testing.T) {
	t.Parallel()
	for _, plain := range []bool{false, true} {
		m := trainShop(t)
		if plain {
			m.Coding = Coding{}
		}
		m.Coding.Dropped = []string{"id", ""}
		var file bytes.Buffer
		if _, err := m.WriteTo(&file); err != nil || !strings.Contains(file.String(), `"version":11,`) {
			t.Errorf("error %v, no version 11 in %.60s", err, file.String())
		}
		var again Model
		if _, err := again.ReadFrom(&file); err != nil || !reflect.DeepEqual(again.Coding, m.Coding) {
			t.Errorf("%+v, error %v, want %+v", again.Coding, err, m.Coding)
		}
		if m.Coding.Dropped[1] = "\xff"; m.Validate() != nil {
			t.Error(m.Validate())
		}
		if _, err := m.WriteTo(&file); !errors.Is(err, ErrData) || !strings.Contains(err.Error(), "is not UTF-8") {
			t.Errorf("error %v", err)
		}
		m.Coding.Dropped[1] = m.FeatureNames[0]
		if _, err := m.WriteTo(&file); !errors.Is(err, ErrData) || !strings.Contains(err.Error(), "is a feature, and dropped too") {
			t.Errorf("error %v", err)
		}
	}
}

// FuzzModelCoding is FuzzModelFile for the coding alone, of a model of three features.
func FuzzModelCoding(f *testing.F) {
	f.Add([]byte(`{"columns":[{"name":"income","fill":[1.5]},{"name":"city","values":["b","a"]},{"name":"age"}]}`))
	f.Add([]byte(`{"columns":[{"name":"c","values":["x","y","z"],"fill":[0,1,0]}],"missing":["","-"],"decimal_comma":true,"ignore_unseen":true}`))
	f.Add([]byte(`{"columns":[{"name":"c","values":[]},null]}`))
	f.Add([]byte(`{"sparse":true,"missing":["-"]}`))
	f.Add([]byte(`{"dropped":["id","","c"],"columns":[{"name":"c","values":["x","y","z"]}]}`))
	f.Add([]byte(`{"dropped":["id","c"]}`))
	f.Add([]byte(`{"sparse":true,"columns":[{"name":"c","values":["x","y","z"]}]}`))
	f.Fuzz(func(t *testing.T, coding []byte) {
		for _, features := range []string{`"income","city=b","age"`, `"c=x","c=y","c=z"`} {
			readAgain(t, []byte(`{"format":"crank model","version":11,"features":[`+features+`],"labels":["l"],"coding":`+string(coding)+
				`,"unary":[[1,2,3,4]],"pairs":{"i":[],"j":[],"weight":[]},"scaling":{"kind":""},"method":"x","lambda":1}`))
		}
	})
}
