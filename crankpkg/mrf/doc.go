// Package mrf maximizes over variables of several states with a table for each edge,
//
//	max over y  sum_i unary_i[y_i] + sum_ij pair_ij[y_i, y_j].
//
//	Tree   exact on forests, by max-product
//	LP     the linear programming relaxation on any graph: messages first (messages.go), an
//	       interior point method where they get stuck (interior.go), marginals rounded to
//	       feasible ones (rounding.go), with a bound that always holds
//
// Both also give the max-marginals of each state: exactly, and as bounds (maxmarginals.go).
// Packages hardness and multistate, and the solver for labels in groups, use it.
package mrf
