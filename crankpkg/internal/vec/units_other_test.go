//go:build !amd64 || purego

package vec

import "testing"

// eachUnit runs f without vector units: there are none.
func eachUnit(t *testing.T, f func(t *testing.T)) { t.Run("none", f) }
