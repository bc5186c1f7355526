//go:build !race

package crankpkg

const raceEnabled = false
