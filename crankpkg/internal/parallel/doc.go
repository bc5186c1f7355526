// Package parallel runs independent pieces of work side by side: ForEach by number, a
// Group with progress. What comes out never depends on the number of goroutines, and
// neither does which panic comes out.
package parallel
