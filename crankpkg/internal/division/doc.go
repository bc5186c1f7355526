// Package division divides rows into parts: Stratify so that each part has its share of
// every stratum (Strata: the labels, and pairs of them), Groups so that rows of one group
// stay together, Folds and FoldsOf make folds of parts. crankpkg's folds and splits come of it.
package division
