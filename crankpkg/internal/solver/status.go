package solver

// Status says why a solve stopped.
type Status string

// The reasons for stopping.
const (
	Converged    Status = "converged"     // the gap was reached
	PassLimit    Status = "pass limit"    // MaxPasses were done
	TimeLimit    Status = "time limit"    // MaxTime was used up
	Cancelled    Status = "cancelled"     // the context ended
	NoProgress   Status = "no progress"   // rounding errors left nothing to gain
	NotConverged Status = "not converged" // the method gave up, see the trace
)
