package modelfile

import (
	"fmt"

	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/internal/jsonlist"
)

// Kernel is a feature.Kernel.
type Kernel struct {
	Kind   string  `json:"kind"`
	Gamma  float64 `json:"gamma"`
	Offset float64 `json:"offset,omitempty"`
	Degree int     `json:"degree,omitempty"`
	// Index is a row of features for each landmark, where these are sparse, and Value a row
	// of values.
	Index []jsonlist.List[int32]   `json:"index,omitempty"`
	Value []jsonlist.List[float64] `json:"value"`
}

// KernelOf returns k as a file has it; nil for nil.
func KernelOf(k *feature.Kernel) *Kernel {
	if k == nil {
		return nil
	}
	file := &Kernel{Kind: string(k.Kind), Gamma: k.Gamma, Offset: k.Offset, Degree: k.Degree}
	for l := range k.Landmarks.NumRows {
		row := k.Landmarks.Row(l)
		file.Value = append(file.Value, nonNil(row.Value))
		if k.Landmarks.IsSparse() {
			file.Index = append(file.Index, nonNil(row.Index))
		}
	}
	return file
}

// Kernel returns the kernel of rows of d features; nil for nil. It is for the caller to
// check.
func (k *Kernel) Kernel(d int) *feature.Kernel {
	if k == nil {
		return nil
	}
	x := &feature.Matrix{NumRows: len(k.Value), NumCols: d}
	if k.Index != nil {
		x.Start = []int{0}
	}
	for l, row := range k.Value {
		x.Value = append(x.Value, row...)
		if k.Index != nil {
			x.Index, x.Start = append(x.Index, k.Index[l]...), append(x.Start, len(x.Value))
		}
	}
	return &feature.Kernel{Kind: feature.KernelKind(k.Kind), Gamma: k.Gamma, Offset: k.Offset, Degree: k.Degree, Landmarks: x}
}

// check returns an error unless each landmark has d values, or as many as indices.
func (k *Kernel) check(d int) error {
	switch {
	case k == nil:
		return nil
	case k.Index != nil && len(k.Index) != len(k.Value):
		return fmt.Errorf("landmarks with %d rows of indices and %d of values", len(k.Index), len(k.Value))
	}
	for l, row := range k.Value {
		switch {
		case k.Index == nil && len(row) != d:
			return fmt.Errorf("landmark %d has %d values, not %d", l, len(row), d)
		case k.Index != nil && len(row) != len(k.Index[l]):
			return fmt.Errorf("landmark %d has %d indices and %d values", l, len(k.Index[l]), len(row))
		}
	}
	return nil
}
