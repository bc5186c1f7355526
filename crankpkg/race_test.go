//go:build race

package crankpkg

// raceEnabled tells tests that sync.Pool drops items at random: so it does
// under the race detector.
const raceEnabled = true
