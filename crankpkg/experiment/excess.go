package experiment

import "math"

// Excess returns a value of rows for EffectsOf and MeansOf: by how many percent the objective of a
// row is above the lowest that any of the tables has for the same set, seed and split. It is NaN
// where they have none, and below zero where the row's is lower still. Objectives compare
// only where all of the methods minimize the same, with the same lambda and loss.
func Excess(tables ...*SweepTable) func(*Row) float64 {
	lowest := map[block]float64{}
	for _, t := range tables {
		for k := range t.Rows {
			r := &t.Rows[k]
			b := block{r.Set, r.Seed, r.Split}
			if v, ok := lowest[b]; r.Error == "" && (!ok || r.Primal < v) {
				lowest[b] = r.Primal
			}
		}
	}
	return func(r *Row) float64 {
		v, ok := lowest[block{r.Set, r.Seed, r.Split}]
		if !ok {
			return math.NaN()
		}
		return 100 * (r.Primal/v - 1)
	}
}
