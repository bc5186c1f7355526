// Package plotting draws what package crankpkg learns, on gonum/plot: in a
// GoNB notebook inline, elsewhere into files.
package plotting

import (
	_ "github.com/janpfeifer/gonb/gonbui"
	_ "gonum.org/v1/plot"
)
