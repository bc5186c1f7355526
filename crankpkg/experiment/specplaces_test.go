package experiment

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
)

// specLines is a sweep with every field of every kind of object, each value on a line of its own.
const specLines = `{
"methods": [
{
"method": "crank",
"name": "two starts",
"Restarts": 2,
"MaxTime": "1s",
"Beta": [
1,
2
],
"Loss": {
"Hamming": 1,
"Least": 1
}
},
{
"method": "empty"
}
],
"vary": [
{
"field": "Gap",
"values": [
0.1,
0.2
]
},
{
"field": "EdgeFeatures",
"values": [
null,
{
"Scale": 2
}
]
}
],
"design": "random",
"draws": 2,
"draw_seed": 3,
"sets": [
"emotions",
{
"name": "planted trees",
"planted": {
"N": 3,
"D": 2,
"UnaryScale": 1.5,
"PairScale": 2.5,
"Removed": 1,
"Noise": 0.25,
"Seed": 0
},
"train": 10,
"test": 11
}
],
"seeds": [
4,
5
],
"splits": [
6,
7
],
"train_share": 0.5,
"select": {
"lambdas": [
0.01,
0.02
],
"scalings": [
"zscore",
"none"
],
"folds": 3,
"repeats": 1,
"stratify": 1,
"measure": "ExampleF1",
"one_standard_error": false,
"gap": 0.03,
"seed": 8,
"rule": true
},
"budget": "1m"
}`

// specFaults are wrong values of fields, by their paths: the line of the value as it is in specLines, and what takes its place.
var specFaults = []struct {
	path, line string
	wrong      []string
}{
	{"methods", `"methods": [`, []string{`"methods": 3, "x": [`}},
	{"methods[0]", `{` + "\n" + `"method": "crank",`, []string{`3, {` + "\n" + `"method": "crank",`}},
	{"methods[0].method", `"method": "crank",`, []string{`"method": "crunk",`, `"method": 3,`, `"method": null,`}},
	{"methods[0].name", `"name": "two starts",`, []string{`"name": "",`, `"name": 3,`, `"name": ["x"],`}},
	{"methods[0].Restarts", `"Restarts": 2,`, []string{`"Restarts": "x",`, `"Restarts": 2.5,`, `"Restarts": 1e99,`, `"Restarts": {},`}},
	{"methods[0].Restart", `"Restarts": 2,`, []string{`"Restart": 2,`}},
	{"methods[0].Settings.Gap", `"Restarts": 2,`, []string{`"Settings.Gap": "x",`}},
	{"methods[0].Seed", `"Restarts": 2,`, []string{`"Seed": 2,`}},
	{"methods[0].MaxTime", `"MaxTime": "1s",`, []string{`"MaxTime": "soon",`, `"MaxTime": 3,`}},
	{"methods[0].Beta[1]", "2\n]", []string{"\"x\"\n]", "[2]\n]", "1e999\n]"}},
	{"methods[0].Loss", `"Loss": {`, []string{`"Loss": 3, "y": {`}},
	{"methods[0].Loss.Hamming", `"Hamming": 1,`, []string{`"Hamming": "x",`, `"Hamming": [1],`}},
	{"methods[0].Loss.Haming", `"Hamming": 1,`, []string{`"Haming": 1,`}},
	{"methods[0].Loss.Least", `"Least": 1`, []string{`"Least": 1.5`, `"Least": true`}},
	{"methods[1]", "},\n{\n\"method\": \"empty\"\n}", []string{"},\n{\n\"method\": \"empty\", \"name\": \"two starts\"\n}"}},
	{"methods[1].method", `"method": "empty"`, []string{`"method": []`, `"method": ""`}},
	{"vary", `"vary": [`, []string{`"vary": "x", "z": [`}},
	{"vary[0].field", `"field": "Gap",`, []string{`"field": 3,`, `"field": "Nonsense",`, `"field": "",`, `"field": "Lambda",`, `"field": "Workers",`, `"field": null,`}},
	{"vary[0].values", `"values": [` + "\n0.1", []string{`"values": {}, "w": [` + "\n0.1", `"values": 1, "w": [` + "\n0.1"}},
	{"vary[0].values[1]", "0.2", []string{`"x"`, `{"a": 1}`, `0.1`, `1e999`}},
	{"vary[1].field", `"field": "EdgeFeatures",`, []string{`"field": "Gap",`, `"field": "EdgeFeature",`}},
	{"vary[1].values[1].Scale", `"Scale": 2`, []string{`"Scale": "x"`}},
	{"design", `"design": "random",`, []string{`"design": "grid",`, `"design": 1,`}},
	{"draws", `"draws": 2,`, []string{`"draws": -2,`, `"draws": "x",`, `"draws": 2.5,`, `"draws": 0,`}},
	{"draw_seed", `"draw_seed": 3,`, []string{`"draw_seed": -3,`, `"draw_seed": "x",`}},
	{"sets", `"sets": [`, []string{`"sets": "yeast", "q": [`}},
	{"sets[0]", `"emotions",`, []string{`3,`, `null,`, `["emotions"],`}},
	{"sets[0].name", `"emotions",`, []string{`"../yeast",`, `"",`}},
	{"sets[1]", "\"emotions\",\n{", []string{"\"emotions\",\n{\n\"name\": \"emotions\"}, {"}},
	{"sets[1].name", `"name": "planted trees",`, []string{`"name": 3,`}},
	{"sets[1].planted", `"planted": {`, []string{`"planted": 3, "p": {`, `"planted": [1], "p": {`}},
	{"sets[1].planted.N", `"N": 3,`, []string{`"N": -3,`, `"N": 1e9,`, `"N": "x",`, `"N": 2.5,`}},
	{"sets[1].planted.D", `"D": 2,`, []string{`"D": -2,`, `"D": 1000000,`, `"D": true,`}},
	{"sets[1].planted.UnaryScale", `"UnaryScale": 1.5,`, []string{`"UnaryScale": "x",`, `"UnaryScale": 1e400,`}},
	{"sets[1].planted.PairScale", `"PairScale": 2.5,`, []string{`"PairScale": "x",`, `"PairScale": [],`}},
	{"sets[1].planted.Removed", `"Removed": 1,`, []string{`"Removed": 3,`, `"Removed": -1,`, `"Removed": "x",`}},
	{"sets[1].planted.Noise", `"Noise": 0.25,`, []string{`"Noise": 1.25,`, `"Noise": -1,`, `"Noise": "x",`}},
	{"sets[1].planted.Seed", `"Seed": 0`, []string{`"Seed": 1`, `"Seed": -1`, `"Seed": "x"`}},
	{"sets[1].train", `"train": 10,`, []string{`"train": 0,`, `"train": 100000000,`, `"train": "x",`}},
	{"sets[1].test", `"test": 11`, []string{`"test": 0`, `"test": 1.5`, `"test": null`}},
	{"seeds", `"seeds": [`, []string{`"seeds": -1, "r": [`, `"seeds": "x", "r": [`, `"seeds": 0, "r": [`}},
	{"seeds[1]", "5\n]", []string{"\"x\"\n]", "-5\n]", "4\n]", "1.5\n]"}},
	{"splits", `"splits": [`, []string{`"splits": 1.5, "s": [`, `"splits": {}, "s": [`}},
	{"splits[1]", "7\n]", []string{"\"x\"\n]", "-7\n]", "0\n]", "6\n]"}},
	{"train_share", `"train_share": 0.5,`, []string{`"train_share": 1.5,`, `"train_share": -1,`, `"train_share": "x",`}},
	{"select", `"select": {`, []string{`"select": 3, "t": {`, `"select": [1], "t": {`}},
	{"select.lambdas[1]", "0.02", []string{`"x"`, `1e999`, `null`}},
	{"select.lambdas", "\"lambdas\": [\n0.01,\n0.02", []string{"\"lambdas\": [\n0.01,\n-0.02", "\"lambdas\": [\n0,\n0.02"}},
	{"select.scalings[1]", `"none"`, []string{`3`, `null`}},
	{"select.scalings", "\"scalings\": [\n\"zscore\",\n\"none\"", []string{"\"scalings\": [\n\"zscore\",\n\"z\""}},
	{"select.folds", `"folds": 3,`, []string{`"folds": 1,`, `"folds": -1,`, `"folds": "x",`}},
	{"select.repeats", `"repeats": 1,`, []string{`"repeats": -1,`, `"repeats": "x",`}},
	{"select.rule", `"repeats": 1,`, []string{`"repeats": 2,`}},
	{"select.stratify", `"stratify": 1,`, []string{`"stratify": 99,`, `"stratify": -1,`, `"stratify": "x",`}},
	{"select.measure", `"measure": "ExampleF1",`, []string{`"measure": "f3",`, `"measure": 3,`}},
	{"select.one_standard_error", `"one_standard_error": false,`, []string{`"one_standard_error": 3,`, `"one_standard_error": "x",`}},
	{"select.gap", `"gap": 0.03,`, []string{`"gap": -1,`, `"gap": 1,`, `"gap": "x",`}},
	{"select.seed", `"seed": 8,`, []string{`"seed": -8,`, `"seed": "x",`}},
	{"select.rule", `"rule": true`, []string{`"rule": 3`, `"rule": null`}},
	{"budget", `"budget": "1m"`, []string{`"budget": "soon"`, `"budget": "-1m"`, `"budget": 3`}},
}

// specError reads a text as a sweep.
func specError(text string) error {
	spec, err := ReadSpec(strings.NewReader(text))
	if err == nil {
		_, err = spec.Sweep()
	}
	return err
}

// TestSpecErrorsNamePlaces plants errors at every field of every kind of object: each names its line and its field.
func TestSpecErrorsNamePlaces(t *testing.T) {
	t.Parallel()
	if err := specError(specLines); err != nil {
		t.Fatal(err)
	}
	for _, f := range specFaults {
		at := strings.Index(specLines, "\n"+f.line)
		if at < 0 {
			t.Fatalf("there is no %q", f.line)
		}
		for _, wrong := range f.wrong {
			text := specLines[:at+1] + wrong + specLines[at+1+len(f.line):]
			err := specError(text)
			line := specLine(f.path, text)
			want := fmt.Sprintf("line %d: %s", line, f.path)
			if err == nil || !strings.Contains(err.Error(), want+": ") && !strings.Contains(err.Error(), want+" is an empty list") ||
				!errors.Is(err, crankpkg.ErrSettings) && !errors.Is(err, crankpkg.ErrFormat) {
				t.Errorf("%s as %q: %v, want %q", f.path, wrong, err, want)
			}
		}
	}
}

// specLine returns the line of a path in a text laid out as specLines: keys and items each begin a line.
func specLine(path, text string) int {
	type level struct {
		path  string
		list  bool
		items int
	}
	stack, best, length := []level{}, 1, -1
	for k, line := range strings.Split(text, "\n") {
		own := ""
		if len(stack) > 0 {
			top := &stack[len(stack)-1]
			switch key, isKey := strings.CutPrefix(line, `"`); {
			case strings.HasPrefix(line, "]") || strings.HasPrefix(line, "}"):
				stack = stack[:len(stack)-1]
				continue
			case top.list:
				own = itemPath(top.path, top.items)
				top.items++
			case isKey:
				name, _, _ := strings.Cut(key, `"`)
				own = joinPath(top.path, name)
			}
		}
		// The longest path that is the field or holds it.
		if path == own || strings.HasPrefix(path, own+".") || strings.HasPrefix(path, own+"[") {
			if len(own) > length {
				best, length = k+1, len(own)
			}
		}
		if strings.HasSuffix(line, "[") || strings.HasSuffix(line, "{") {
			stack = append(stack, level{path: own, list: strings.HasSuffix(line, "[")})
		}
	}
	return best
}

// TestSpecFaultsAreOfAllFields holds the list of faults to the types.
func TestSpecFaultsAreOfAllFields(t *testing.T) {
	t.Parallel()
	for prefix, of := range map[string]reflect.Type{
		"": reflect.TypeFor[Spec](), "vary[0].": reflect.TypeFor[SpecFactor](), "sets[1].": reflect.TypeFor[specSetObject](),
		"sets[1].planted.": reflect.TypeFor[crankpkg.PlantedTree](), "select.": reflect.TypeFor[SpecSelect](),
	} {
		for k := range of.NumField() {
			f := of.Field(k)
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if name == "" {
				name = f.Name
			}
			if has := slices.ContainsFunc(specFaults, func(fault struct {
				path, line string
				wrong      []string
			}) bool {
				return fault.path == prefix+name
			}); f.IsExported() && !has {
				t.Errorf("no fault of %s%s", prefix, name)
			}
		}
	}
}

// TestSpecObjectsRefuse puts a field that nobody knows, and one that is there already, into every object, and cuts the text
// after every line.
func TestSpecObjectsRefuse(t *testing.T) {
	t.Parallel()
	lines := strings.Split(specLines, "\n")
	for k, line := range lines {
		cut := strings.Join(lines[:k], "\n")
		if err := specError(cut); err == nil || !errors.Is(err, crankpkg.ErrFormat) || !strings.Contains(err.Error(), "line ") {
			t.Errorf("cut after line %d: %v", k, err)
		}
		if !strings.HasSuffix(line, "{") {
			continue
		}
		for _, more := range []string{`"nonsense": 1`, lines[k+1]} {
			text := strings.Join(slices.Insert(slices.Clone(lines), k+1, strings.TrimSuffix(more, ",")+","), "\n")
			if strings.HasSuffix(more, "{") || strings.HasSuffix(more, "[") {
				continue
			}
			at := k + 2
			if more == lines[k+1] {
				at++ // the second of the two
			}
			if err := specError(text); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("line %d: ", at)) {
				t.Errorf("%s in the object of line %d: %v", more, k+1, err)
			}
		}
	}
	if err := specError(strings.Repeat("[", 1_000_000)); !errors.Is(err, crankpkg.ErrFormat) {
		t.Errorf("a deep list: %v", err)
	}
}

// TestSpecSyntaxNamesPlaces puts what is no JSON in the place of every value: the error names the line of that, however lines end.
func TestSpecSyntaxNamesPlaces(t *testing.T) {
	t.Parallel()
	for _, end := range []string{"\n", "\r\n"} {
		lines := strings.Split(specLines, "\n")
		for k, line := range lines {
			value := strings.TrimSuffix(line, ",")
			if value == "" || strings.ContainsAny(value, "{}[]") {
				continue
			}
			key := ""
			if at := strings.Index(value, ": "); at >= 0 {
				key = value[:at+2]
			}
			wrongs := []string{"tru", "nul", "01", "+1", ".5", "1.", "-", "'x'", "=", "\x01", `"\q"`, "\"x\x02\"", `"x`, "}", "1 2"}
			for w := k % 4; w < len(wrongs); w += 4 {
				text := slices.Clone(lines)
				text[k] = key + wrongs[w] + line[len(value):]
				_, err := ReadSpec(strings.NewReader(strings.Join(text, end)))
				if want := fmt.Sprintf("line %d: ", k+1); !errors.Is(err, crankpkg.ErrFormat) || !strings.Contains(err.Error(), want) {
					t.Errorf("%q: %v, want %q", text[k], err, want)
				}
			}
		}
	}
}
