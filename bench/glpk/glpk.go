// Package glpk solves the linear programming relaxation of binary pairwise
// problems by GLPK's simplex method, the solver that the paper used.
package glpk

// #cgo LDFLAGS: -lglpk
// #include <glpk.h>
import "C"

import (
	"fmt"
	"runtime"

	"github.com/crank-ml/crank/crankpkg/infer"
)

// Start says where the simplex method starts.
type Start int

// The starts. Presolve lets GLPK simplify the program first and is what its
// command line tool does.
const (
	Cold     Start = iota // from the basis of slack variables
	Warm                  // from the last optimum
	Presolve              // from the basis of slack variables of a simpler program
)

// Problem is the linear program
//
//	max  sum_i c_i y_i + sum_ij w_ij y_ij
//	s.t. 0 <= y_i <= 1,   y_ij >= 0,   y_ij <= y_i,   y_ij <= y_j,   y_i + y_j - y_ij <= 1
//
// over the local polytope of a graph. Its constraints are built once.
type Problem struct {
	lp *C.glp_prob
	n  int // labels
}

// New returns the program of g's pairs and weights as they are now. GLPK keeps
// its memory by thread, so the goroutine stays on its thread until Close.
func New(g *infer.PairGraph) *Problem {
	runtime.LockOSThread()
	p := &Problem{lp: C.glp_create_prob(), n: g.N}
	pairs := len(g.Edges)
	C.glp_set_obj_dir(p.lp, C.GLP_MAX)
	C.glp_add_cols(p.lp, C.int(g.N+pairs))
	for i := range g.N {
		C.glp_set_col_bnds(p.lp, C.int(i+1), C.GLP_DB, 0, 1)
	}
	if pairs == 0 {
		return p
	}
	C.glp_add_rows(p.lp, C.int(3*pairs))
	for k, e := range g.Edges {
		i, j, ij := C.int(e.I+1), C.int(e.J+1), C.int(g.N+k+1)
		C.glp_set_col_bnds(p.lp, ij, C.GLP_LO, 0, 0)
		C.glp_set_obj_coef(p.lp, ij, C.double(e.Weight))
		p.setRow(3*k+1, 0, []C.int{ij, i}, []C.double{1, -1})
		p.setRow(3*k+2, 0, []C.int{ij, j}, []C.double{1, -1})
		p.setRow(3*k+3, 1, []C.int{i, j, ij}, []C.double{1, 1, -1})
	}
	return p
}

// setRow makes row the inequality sum_k values[k] column[k] <= bound.
func (p *Problem) setRow(row int, bound float64, columns []C.int, values []C.double) {
	// GLPK counts from 1.
	columns, values = append([]C.int{0}, columns...), append([]C.double{0}, values...)
	C.glp_set_row_bnds(p.lp, C.int(row), C.GLP_UP, 0, C.double(bound))
	C.glp_set_mat_row(p.lp, C.int(row), C.int(len(columns)-1), &columns[0], &values[0])
}

// Close frees the program.
func (p *Problem) Close() {
	C.glp_delete_prob(p.lp)
	runtime.UnlockOSThread()
}

// Maximize solves the program for the unary terms c, writes the optimal y_i to
// y and returns the optimal value.
func (p *Problem) Maximize(y, c []float64, start Start) (float64, error) {
	if len(y) != p.n || len(c) != p.n {
		panic("glpk: unequal numbers of labels")
	}
	for i, v := range c {
		C.glp_set_obj_coef(p.lp, C.int(i+1), C.double(v))
	}
	var options C.glp_smcp
	C.glp_init_smcp(&options)
	options.msg_lev = C.GLP_MSG_OFF
	if start == Presolve {
		options.presolve = C.GLP_ON
	}
	if start != Warm {
		C.glp_std_basis(p.lp)
	}
	if code := C.glp_simplex(p.lp, &options); code != 0 {
		return 0, fmt.Errorf("glpk: the simplex method ends with code %d", code)
	}
	if status := C.glp_get_status(p.lp); status != C.GLP_OPT {
		return 0, fmt.Errorf("glpk: the simplex method ends with status %d", status)
	}
	for i := range y {
		y[i] = float64(C.glp_get_col_prim(p.lp, C.int(i+1)))
	}
	return float64(C.glp_get_obj_val(p.lp)), nil
}
