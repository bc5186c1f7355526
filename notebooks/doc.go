// Package notebooks holds the notebooks that explain crank, as files beside this one, and the test that executes them.
//
// It imports what they import, so that go.mod requires it directly, which GoNB needs, and so that it is compiled
// before the first cell waits for it.
package notebooks

import (
	_ "github.com/crank-ml/crank/crankpkg"
	_ "github.com/crank-ml/crank/notebooks/claims"
	_ "github.com/crank-ml/crank/notebooks/problems"
	_ "github.com/crank-ml/crank/notebooks/results"
	_ "github.com/crank-ml/crank/notebooks/village"
	_ "github.com/crank-ml/crank/plotting"
	_ "github.com/janpfeifer/gonb/cache"
	_ "github.com/janpfeifer/gonb/gonbui"
	_ "github.com/janpfeifer/gonb/gonbui/dom"
	_ "github.com/janpfeifer/gonb/gonbui/widgets"
	_ "gonum.org/v1/gonum/mat"
	_ "gonum.org/v1/plot"
	_ "gonum.org/v1/plot/plotter"
	_ "gonum.org/v1/plot/vg/vgimg"
)
