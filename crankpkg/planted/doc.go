// Package planted makes data sets of kinds that crankpkg.PlantedTree does not: with rare
// labels and sparse rows.
//
//	Tags    texts with tags, most of them rare
//
// It stands on crankpkg, whose PlantedTree has data that a tree made.
package planted
