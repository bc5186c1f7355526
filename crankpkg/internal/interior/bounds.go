package interior

// Bounds are certified bounds on the optimum of one solve.
type Bounds struct{ Primal, Dual float64 }

// Gap returns the relative gap (primal - dual) / primal, or zero where the primal is
// not positive.
func (b Bounds) Gap() float64 {
	if b.Primal <= 0 {
		return 0
	}
	return b.Width() / b.Primal
}

// Width returns primal - dual.
func (b Bounds) Width() float64 { return b.Primal - b.Dual }
