//go:build amd64 && !purego

package vec

import "unsafe"

//go:noescape
func prefetch(p unsafe.Pointer)
