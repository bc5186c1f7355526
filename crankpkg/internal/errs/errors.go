// Package errs has the errors that all packages wrap; crankpkg gives them to users.
package errs

import "errors"

// Sentinel errors. The packages of the library wrap them with the file, line, row or
// field that is at fault; test for them with errors.Is.
var (
	// ErrData marks data that cannot be learned from or predicted on: a NaN,
	// a row of the wrong length, a label that is neither 0 nor 1.
	ErrData = errors.New("crankpkg: unusable data")
	// ErrSettings marks a setting outside its documented range.
	ErrSettings = errors.New("crankpkg: invalid setting")
	// ErrFormat marks a file that is not in the format it should be in.
	ErrFormat = errors.New("crankpkg: malformed file")
	// ErrNotFound marks a data set of the catalog of which no copy is at hand.
	ErrNotFound = errors.New("crankpkg: data set not found")
	// ErrInternal marks a panic in a worker of a training: a fault of this module, or
	// of a function that it was given. The error has the worker's stack.
	ErrInternal = errors.New("crankpkg: internal error")
	// ErrNotConverged marks a training that has not reached the gap asked for. The model and
	// the trace come with it.
	ErrNotConverged = errors.New("crankpkg: not converged")
)

// OrNotConverged returns err unless it says no more than that the gap was not reached.
func OrNotConverged(err error) error {
	if errors.Is(err, ErrNotConverged) {
		return nil
	}
	return err
}
