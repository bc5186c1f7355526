package crankpkg

import (
	"time"

	"github.com/crank-ml/crank/crankpkg/internal/solver"
)

// Trace is the record of a training. All fields are exported so that gob and
// GoNB's cache carry it whole.
type Trace struct {
	Method string
	Lambda float64
	Seed   uint64
	// Status says why the final solve stopped.
	Status Status
	// Primal and Dual are the certified bounds on the optimum of the final
	// solve: on l(w) restricted to the edges of the model. Those of BestTree
	// are on the optimum of l(w) over all trees.
	Primal, Dual float64
	// Points are the bounds along the way, spaced geometrically in passes.
	Points []TracePoint
	// Steps are CRANK's outer (CCCP) steps of the winning start.
	Steps []Step
	// Restarts are the final objectives of all starts, in their order; where swaps have
	// improved the tree of one start, that of the last tree.
	Restarts []Restart
	// Winner is the position of the winning start in Restarts.
	Winner int
	// Solves counts the sets of trees and the trees that BestTree or SwapSearch solved for,
	// and the trees that CRANK's swaps tried.
	Solves int
	// Passes, OracleCalls and Elapsed count all the work done.
	Passes, OracleCalls int
	Elapsed             time.Duration
}

// Gap returns the certified relative gap (primal - dual) / primal.
func (t *Trace) Gap() float64 { return solver.Bounds{Primal: t.Primal, Dual: t.Dual}.Gap() }

// Short reports whether the training stopped short of its gap, so that Train's error was
// not nil.
func (t *Trace) Short() bool {
	return t.Status != Converged && !(t.Gap() <= roundingGap && (t.Status == NoProgress || t.Status == NotConverged))
}

// TracePoint is a pair of certified bounds at one moment of a training.
type TracePoint struct {
	Solve        int // which solve of the training, from 0
	Pass         int // passes over the data since the training began
	OracleCalls  int
	Elapsed      time.Duration
	Primal, Dual float64
	Support      int // number of pairs with w_ij != 0
}

// Gap returns the certified relative gap (primal - dual) / primal.
func (p TracePoint) Gap() float64 { return solver.Bounds{Primal: p.Primal, Dual: p.Dual}.Gap() }

// Step is one outer step of CRANK: the minimization of h^t at one beta
// (Algorithm 1).
type Step struct {
	Beta         float64
	Primal, Dual float64 // bounds on min h^t
	// Loss is l(w) and Objective is l(w) + beta f(pi(w)), at the w reached.
	Loss, Objective float64
	// Envelope1 and Envelope2 are f1(pi(w)) and f2(pi(w)), eq. (12).
	Envelope1, Envelope2 float64
	CircuitRank          int    // of the support
	Edges                []Edge // the support, in the order of Edge.Index
	Weights              []float64
}

// Restart is the outcome of one start of CRANK, swaps included.
type Restart struct {
	Seed         uint64
	Primal, Dual float64 // of l(w) on the start's own tree
	Edges        []Edge
	Steps        int // outer steps taken
}
