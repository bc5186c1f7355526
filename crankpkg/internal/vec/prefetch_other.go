//go:build !amd64 || purego

package vec

import "unsafe"

func prefetch(unsafe.Pointer) {}
