package main

import (
	"slices"
	"strings"

	"github.com/crank-ml/crank/crankpkg"
)

// inFlags returns what an error says at the command line: without the name of the library, and
// with the names of flags where the library has those of its fields.
func inFlags(err error) string {
	text := err.Error()
	for _, kind := range []error{crankpkg.ErrData, crankpkg.ErrFormat, crankpkg.ErrSettings} {
		if rest, found := strings.CutPrefix(text, kind.Error()+": "); found {
			text = rest // which begins with the name of a file, or of what is wrong
		}
	}
	return flagNames.Replace(text)
}

// flagNames puts what the library's errors say about its fields in terms of flags.
var flagNames = strings.NewReplacer(slices.Concat(libraryTexts, flagTexts)...)

// libraryTexts has what the library says of itself, each with what takes its place.
var libraryTexts = []string{
	crankpkg.ErrData.Error() + ": ", "", crankpkg.ErrSettings.Error() + ": ", "", "crankpkg: ", "",
	"go run github.com/crank-ml/crank/cmd/crank", called(),
}

// flagTexts has texts of the library, each with what takes its place. Of two that begin alike
// the longer comes first.
var flagTexts = []string{
	"set CSVOptions.Labels, LabelPrefix, LabelSuffix, LabelCount or LabelColumn", "give -labels, -prefix, -suffix, -count or -column",
	"CSVOptions.Labels, LabelPrefix with LabelSuffix, LabelCount and LabelColumn", "-labels, -prefix with -suffix, -count and -column",
	"neither an XML file, names, a count nor", "neither -xml, -labels, -count nor",
	"ARFFOptions.XML, Labels and LabelCount", "-xml, -labels and -count",
	"CSVOptions.FeaturesOnly reads rows to predict on", "crank predict takes rows without",
	"ARFFOptions.FeaturesOnly reads rows to predict on", "crank predict takes rows without",
	"set CSVOptions.DecimalComma", "give -decimalcomma",
	"list it in CSVOptions.Missing", "name it in -missing",
	"list it in CSVOptions.Nominal", "name it in -nominal",
	"list the column in CSVOptions.Nominal", "name the column in -nominal",
	"CSVOptions.IgnoreUnseen", "-ignoreunseen",
	"CSVOptions.Imputer", "-impute, in training,",
	"ARFFOptions.Imputer", "-impute, in training,",
	"CSVOptions.True", "-true", "ARFFOptions.True", "-true",
	"set CSVOptions.Comma to", "give -comma",
	"set CSVOptions.NoHeader", "give -noheader", "set CSVOptions.LabelColumn", "name it in -column", "CSVOptions.LabelColumn", "-column",
	"drop the empty name", "leave out the empty name, which is the first in -drop ,id",
	"CSVOptions.Comma", "-comma",
	"take 2 or more, and no more than", "give -folds of 2 or more (a -lambda of your own takes none), and no more than",
	"LIBSVMOptions.OneBased", "-onebased",
	"; ARFFOptions.IgnoreWeights drops weights", "",
	"the file that the coding was fitted to is missing", "the training file is missing",
	"of the file that the coding was fitted to, and cannot be dropped", "of the training file: -drop cannot leave it out",
	"is no feature of the file that the coding was fitted to; drop it", "is no feature of the training file; -drop leaves it out, or -column where it lists the labels",
	"that the coding has seen", "of the training file",
	"set Scaling, to ZScore for example", "try -scaling zscore",
	"MaxTime is over: allow more, or take a larger lambda or Gap", "-max-time is over: allow more, or take a larger -lambda or -gap",
	"take a larger lambda or Gap, or set MaxPasses", "take a larger -lambda or -gap, or set -max-time",
	"rounding errors leave nothing to gain: take a larger Gap", "rounding errors leave nothing to gain: take a larger -gap",
}
