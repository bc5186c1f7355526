package crankpkg

// Scaling names a way to scale the features.
type Scaling string

// The scalings. Each is fitted on the training rows only.
const (
	NoScaling Scaling = ""         // rows as they are
	ZScore    Scaling = "zscore"   // mean 0 and standard deviation 1 for each feature
	MinMax    Scaling = "minmax"   // each feature in [0, 1]
	UnitRows  Scaling = "unitrows" // each row divided by its Euclidean length
)

// Scaler is a fitted Scaling. The zero Scaler leaves rows as they are.
type Scaler struct {
	Kind   Scaling
	Shift  []float64 // subtracted from each feature first; nil: none
	Factor []float64 // then each feature is multiplied by it; nil: none
}
