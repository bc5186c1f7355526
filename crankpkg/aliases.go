package crankpkg

import (
	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/internal/arff"
	"github.com/crank-ml/crank/crankpkg/internal/division"
	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/internal/mulan"
	"github.com/crank-ml/crank/crankpkg/internal/solver"
	"github.com/crank-ml/crank/crankpkg/internal/table"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"github.com/crank-ml/crank/crankpkg/metrics"
)

// What the signatures and fields of this package need a user to name, of the
// packages below it.
type (
	Edge            = labelgraph.Edge
	Row             = feature.Row
	Matrix          = feature.Matrix
	Scaling         = feature.Scaling
	Scaler          = feature.Scaler
	FourierFeatures = feature.FourierFeatures
	EdgeFeatures    = feature.EdgeFeatures
	Labeling        = infer.Labeling
	Loss            = infer.Loss
	DualPoint       = infer.DualPoint
	DualAtom        = infer.DualAtom
	Scores          = metrics.Scores
	Status          = solver.Status
	ARFFOptions     = arff.Options
	Imputer         = table.Imputer
	Coding          = table.Coding
	Fold            = division.Fold
	FetchProgress   = mulan.FetchProgress
)

// The scalings.
const (
	NoScaling = feature.NoScaling
	ZScore    = feature.ZScore
	MinMax    = feature.MinMax
	UnitRows  = feature.UnitRows
)

// The reasons for stopping.
const (
	Converged    = solver.Converged
	PassLimit    = solver.PassLimit
	TimeLimit    = solver.TimeLimit
	Cancelled    = solver.Cancelled
	NoProgress   = solver.NoProgress
	NotConverged = solver.NotConverged
)

// Sentinel errors. The functions of this module wrap them with the file, line, row
// or field that is at fault; test for them with errors.Is.
var (
	ErrData     = errs.ErrData
	ErrSettings = errs.ErrSettings
	ErrFormat   = errs.ErrFormat
	ErrNotFound = errs.ErrNotFound
	ErrInternal = errs.ErrInternal
	// ErrNotConverged comes with a model and its trace.
	ErrNotConverged = errs.ErrNotConverged
)
