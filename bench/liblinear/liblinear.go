package main

// #cgo LDFLAGS: -llinear
// #include <stdio.h>
// #include <stdlib.h>
// #include <time.h>
// #include <linear.h>
//
// // liblinear tells the dual objective and the number of passes in what it prints.
// static double objective;
// static int passes;
// static void listen(const char *s) {
//	const char *c = s;
//	while (*c == '\n' || *c == ' ') c++;
//	sscanf(c, "Objective value = %lf", &objective);
//	sscanf(c, "optimization finished, #iter = %d", &passes);
// }
//
// // fit trains the L1-loss machine in the dual and returns 1 where the first
// // class is the positive one.
// static int fit(struct problem *p, double c, double eps, double *w) {
//	struct parameter q = {0};
//	q.solver_type = L2R_L1LOSS_SVC_DUAL;
//	q.C = c;
//	q.eps = eps;
//	q.p = 0.1;
//	set_print_string_function(listen);
//	struct model *m = train(p, &q);
//	for (int k = 0; k < p->n; k++) w[k] = m->w[k];
//	int positive = m->label[0] > 0;
//	free_and_destroy_model(&m);
//	return positive;
// }
//
// static double lastObjective(void) { return objective; }
// static int lastPasses(void) { return passes; }
//
// static double processSeconds(void) {
//	struct timespec t;
//	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
//	return t.tv_sec + 1e-9*t.tv_nsec;
// }
import "C"

import (
	"unsafe"

	"github.com/crank-ml/crank/crankpkg"
)

// machine holds a data set's rows as liblinear takes them, in C's memory.
type machine struct {
	problem C.struct_problem
	y       []C.double
	nodes   []C.struct_feature_node
	rows    []*C.struct_feature_node
	size    int // features and the constant
}

// newMachine copies the rows of x, each with the constant 1 as last feature.
func newMachine(x *crankpkg.Matrix) *machine {
	m, size := x.NumRows, x.NumCols+1
	a := &machine{size: size}
	a.y = carray[C.double](m)
	a.rows = carray[*C.struct_feature_node](m)
	a.nodes = carray[C.struct_feature_node](m * (size + 1))
	at := 0
	add := func(index int, value float64) {
		a.nodes[at].index, a.nodes[at].value = C.int(index), C.double(value)
		at++
	}
	for k := range m {
		a.rows[k] = &a.nodes[at]
		row := x.Row(k)
		for p, v := range row.Value {
			index := p
			if row.Index != nil {
				index = int(row.Index[p])
			}
			if v != 0 {
				add(index+1, v)
			}
		}
		add(size, 1)
		add(-1, 0)
	}
	a.problem.l, a.problem.n = C.int(m), C.int(size)
	a.problem.y, a.problem.x = &a.y[0], &a.rows[0]
	a.problem.bias = 1
	return a
}

// carray returns a slice of C's memory, which is never given back.
func carray[T any](n int) []T {
	var zero T
	return unsafe.Slice((*T)(C.calloc(C.size_t(n), C.size_t(unsafe.Sizeof(zero)))), n)
}

// fit trains label i of ds for C = c to the tolerance eps. It writes the weights,
// the bias last, and returns the dual objective as liblinear has it, which is to
// be minimized, and the passes over the examples.
func (a *machine) fit(w []float64, ds *crankpkg.Dataset, i int, c, eps float64) (objective float64, passes int) {
	n := ds.NumLabels()
	for m := range a.y {
		a.y[m] = C.double(2*int(ds.Y[m*n+i]) - 1)
	}
	if C.fit(&a.problem, C.double(c), C.double(eps), (*C.double)(&w[0])) == 0 {
		for k := range w {
			w[k] = -w[k]
		}
	}
	return float64(C.lastObjective()), int(C.lastPasses())
}

// cpuSeconds returns the processor time that f takes, on all threads.
func cpuSeconds(f func()) float64 {
	begin := C.processSeconds()
	f()
	return float64(C.processSeconds() - begin)
}
