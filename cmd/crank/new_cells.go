package main

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/tabular"
	"github.com/crank-ml/crank/internal/nbcheck"
)

// cell is a cell of a notebook file that was not executed yet.
type cell map[string]any

func text(source string) cell {
	return cell{"cell_type": "markdown", "metadata": cell{}, "source": lines(source)}
}

func code(source string, tags ...string) cell {
	metadata := cell{}
	if len(tags) > 0 {
		metadata["tags"] = tags
	}
	return cell{"cell_type": "code", "metadata": metadata, "source": lines(source), "execution_count": nil, "outputs": []any{}}
}

// lines cuts a source as notebook files have it.
func lines(source string) []string { return strings.SplitAfter(strings.TrimSpace(source), "\n") }

// notebook returns the notebook file: the module is at a place, and the data are in
// the CSV file called table, or built in where that is "".
func notebook(at place, table string, opts tabular.CSVOptions) ([]byte, error) {
	if table == "" {
		opts = tabular.CSVOptions{LabelPrefix: "label_", Imputer: &crankpkg.Imputer{}}
	}
	data, err := json.Marshal(cell{"cells": []cell{
		text(introduction), code(firstCell(at)), code(importCell),
		text(loadText), code(fmt.Sprintf(fileCell, table, literal(opts))), code(loadCell),
		text(trainText), code(trainCell, nbcheck.TagWantPNG),
		text(predictText), code(predictCell),
	}})
	if err != nil {
		return nil, err
	}
	return nbcheck.Clean(data, "")
}

// firstCell returns the cell that makes the module available. GoNB compiles each
// cell in a module of its own, which the kernel makes for the session.
func firstCell(at place) string {
	if at.folder == "" {
		return fmt.Sprintf(`
!*crank=%s; version=%s; \
said=$(go get $crank/crankpkg@$version $crank/crankpkg/tabular@$version $crank/plotting@$version 2>&1) || \
{ printf '%%s\n' "$said" "go get could not get the crank module: is there a network? A checkout needs none:" \
"put the first cell of a notebook here that is made by crank new -module FOLDER." >&2; exit 1; }
%%noautoget`, modulePath, at.version)
	}
	return fmt.Sprintf(`
!*crank=%s; \
grep -qsx 'module %s' "$crank/go.mod" || \
{ echo "The crank module is not in $crank any more: put the folder of its checkout into the first line of this cell." >&2; exit 1; }; \
rm -f go.work; go work init . "$crank"
%%noautoget`, shellWord(at.folder), modulePath)
}

const introduction = `
# A study with crank

Load data, train, look, predict. CRANK learns which few pairs of labels matter, so that they make a tree; Empty, beside it, takes each
label on its own. Each cell is compiled and run as a Go program of its own.

The first cell makes the library available to the kernel: it says where the module is.`

const importCell = `
import (
	"context"
	"fmt"
	"log"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/tabular"
	"github.com/crank-ml/crank/plotting"
)

const lambda = 0.1 // the strength of regularization; package crossval chooses it

var settings = crankpkg.Settings{Seed: 1, Scaling: crankpkg.ZScore}`

const loadText = `
## Load

*file* is the path of a CSV file of your own, and *options* say which of its columns are labels: by *LabelPrefix*, *LabelSuffix*, *Labels*
(names) or *LabelCount* (the first, or -k for the last). Without a file, a set is loaded that is built in.`

// fileCell takes the path of a CSV file and the options to read it with.
const fileCell = `
const file = %q

var options = tabular.CSVOptions{%s}`

const loadCell = `
// load returns examples to learn from, and others to be judged by.
func load() (train, test *crankpkg.Dataset, err error) {
	if file == "" {
		return crankpkg.LoadSplit("emotions") // or flags, medical, scene, yeast
	}
	all, err := tabular.ReadCSV(file, options)
	if err != nil {
		return nil, nil, err
	}
	return all.StratifiedSplit(2.0/3, 1, 1)
}

%%
train, test, err := load()
if err != nil {
	log.Fatal(err)
}
fmt.Printf("%v\n%v\n", train, test)`

const trainText = `
## Train and look

Scores on the test examples in percent, and a certified bound on how far the training is from its optimum.`

const trainCell = `
%%
train, test, err := load()
if err != nil {
	log.Fatal(err)
}
for _, t := range []crankpkg.Trainer{crankpkg.Empty{Settings: settings}, crankpkg.CRANK{Settings: settings}} {
	m, trace, err := t.WithLambda(lambda).Train(context.Background(), train)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(t.Name(), crankpkg.Evaluate(m, test), "gap", trace.Gap())
	plotting.Show(plotting.Network(m), plotting.Convergence(trace))
}`

const predictText = `
## Predict

A model takes raw rows. *m.Save(path)* keeps it, *crankpkg.LoadModel(path)* has it again.`

const predictCell = `
%%
train, test, err := load()
if err != nil {
	log.Fatal(err)
}
m, _, err := crankpkg.CRANK{Lambda: lambda, Settings: settings}.Train(context.Background(), train)
if err != nil {
	log.Fatal(err)
}
for k := range min(5, test.Len()) {
	fmt.Println("example", k, "is predicted", m.PredictLabels(test.Row(k)))
}`

// literal returns the fields of options that are not zero, as Go code. What is the
// default anyway goes unsaid.
func literal(opts tabular.CSVOptions) string {
	if opts.Separator == "," {
		opts.Separator = ""
	}
	var fields []string
	v := reflect.ValueOf(opts)
	for i := range v.NumField() {
		if v.Field(i).IsZero() {
			continue
		}
		var value string
		switch f := v.Field(i).Interface().(type) {
		case *crankpkg.Imputer:
			value = "&crankpkg.Imputer{}"
		case rune:
			value = strconv.QuoteRune(f)
		default:
			value = fmt.Sprintf("%#v", f)
		}
		fields = append(fields, v.Type().Field(i).Name+": "+value)
	}
	return strings.Join(fields, ", ")
}
