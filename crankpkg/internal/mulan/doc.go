// Package mulan knows Mulan's public data sets: names, sizes and checksums (files.go),
// where copies are (Find), and how to get them (Fetch). crankpkg.LoadSplit reads them.
// Package mulandata has those that are built in.
package mulan
