// Package peakmemory tells how much memory processes have had at most.
//
//	Own    of this process
//	Of     of a child that has ended
//
// Commands that measure use it, as they use package cputime for time.
package peakmemory
