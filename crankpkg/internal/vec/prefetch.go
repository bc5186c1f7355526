package vec

import "unsafe"

// Prefetch asks for the line of the cache with the beginning of *p, where the processor can, and does
// not wait for it. No result depends on it.
func Prefetch[T any](p *T) { prefetch(unsafe.Pointer(p)) }
