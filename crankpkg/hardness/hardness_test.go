package hardness

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// connectedGraphs returns the edge sets of all connected graphs with the
// vertices 0..n-1. When upToIsomorphism is set it keeps one of those that
// differ by a renaming of the vertices but 0, which the reduction singles out.
func connectedGraphs(n int, upToIsomorphism bool) [][]labelgraph.Edge {
	all := labelgraph.AllPairs(n)
	var renamings [][]int
	if upToIsomorphism {
		renamings = permutationsFixing0(n)
	}
	var graphs [][]labelgraph.Edge
	for code := range 1 << len(all) {
		edges := testkit.Subset(all, code)
		if _, count := labelgraph.Components(n, edges); count == 1 && isSmallest(code, edges, renamings) {
			graphs = append(graphs, edges)
		}
	}
	return graphs
}

func permutationsFixing0(n int) [][]int {
	perms := [][]int{{0}}
	for v := 1; v < n; v++ {
		var longer [][]int
		for _, p := range perms {
			for at := 1; at <= len(p); at++ {
				longer = append(longer, slices.Insert(slices.Clone(p), at, v))
			}
		}
		perms = longer
	}
	return perms
}

func isSmallest(code int, edges []labelgraph.Edge, renamings [][]int) bool {
	return !slices.ContainsFunc(renamings, func(p []int) bool { return codeOf(renamed(edges, p)) < code })
}

// codeOf returns the edges as bits by Edge.Index.
func codeOf(edges []labelgraph.Edge) (code int) {
	for _, e := range edges {
		code |= 1 << e.Index()
	}
	return code
}

func renamed(edges []labelgraph.Edge, p []int) []labelgraph.Edge {
	other := make([]labelgraph.Edge, len(edges))
	for k, e := range edges {
		other[k] = labelgraph.NewEdge(p[e.I], p[e.J])
	}
	return other
}

// differentTrees returns the trees over the vertices 0..n-1, inside the graph or
// not, but one of those that differ by a renaming of the vertices but 0 that
// leaves the graph as it is.
func differentTrees(n int, graph []labelgraph.Edge) (trees [][]labelgraph.Edge) {
	automorphisms := slices.DeleteFunc(permutationsFixing0(n), func(p []int) bool {
		return codeOf(renamed(graph, p)) != codeOf(graph)
	})
	for tree := range labelgraph.SpanningTrees(n, labelgraph.AllPairs(n)) {
		if isSmallest(codeOf(tree), tree, automorphisms) {
			trees = append(trees, tree)
		}
	}
	return trees
}

func TestConnectedGraphsAreAllThere(t *testing.T) {
	for n, want := range map[int]int{1: 1, 2: 1, 3: 4, 4: 38, 5: 728} {
		if got := len(connectedGraphs(n, false)); got != want {
			t.Errorf("%d connected graphs with %d labeled vertices, want %d", got, n, want)
		}
	}
	// Connected graphs with one vertex marked: 1, 1, 3, 11, 58.
	for n, want := range map[int]int{1: 1, 2: 1, 3: 3, 4: 11, 5: 58} {
		if got := len(connectedGraphs(n, true)); got != want {
			t.Errorf("%d rooted connected graphs with %d vertices, want %d", got, n, want)
		}
	}
	// In the complete graph the different trees are the rooted trees: 1, 1, 2, 4, 9.
	// A path from vertex 0 has no automorphism, so that all n^(n-2) trees differ.
	for n, want := range map[int][2]int{1: {1, 1}, 2: {1, 1}, 3: {2, 3}, 4: {4, 16}, 5: {9, 125}} {
		var path []labelgraph.Edge
		for v := 1; v < n; v++ {
			path = append(path, labelgraph.Edge{I: v - 1, J: v})
		}
		if got := [2]int{len(differentTrees(n, labelgraph.AllPairs(n))), len(differentTrees(n, path))}; got != want {
			t.Errorf("%d vertices: %v different trees in the complete graph and a path, want %v", n, got, want)
		}
	}
}

func mustReduce(t testing.TB, n int, edges []labelgraph.Edge, d int, version ReductionVersion) *Reduction {
	t.Helper()
	r, err := NewReduction(n, edges, d, version)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func isSubset(t, edges []labelgraph.Edge) bool {
	return !slices.ContainsFunc(t, func(e labelgraph.Edge) bool { return !slices.Contains(edges, e) })
}

// satisfied reports whether the intended weights separate the training set.
func satisfied(t testing.TB, r *Reduction, tree []labelgraph.Edge) bool {
	t.Helper()
	v, err := r.Violations(tree, r.Parameters(tree))
	if err != nil {
		t.Fatal(err)
	}
	return len(v) == 0
}

// The reduction is right on all connected graphs with up to five labeled
// vertices: a tree separates the set if and only if its degrees keep the
// bound, and so some tree does if and only if the graph has such a tree. This
// test supposes that the examples pin the weights; the next one does not.
func TestReductionOnAllGraphs(t *testing.T) {
	t.Parallel()
	for n := 1; n <= 5; n++ {
		for _, edges := range connectedGraphs(n, testing.Short()) {
			for d := 1; d <= max(1, n-1); d++ {
				r := mustReduce(t, n, edges, d, Repaired)
				separable := false
				for tree := range labelgraph.SpanningTrees(n, edges) {
					s := satisfied(t, r, tree)
					if s != (labelgraph.MaxDegree(n, tree) <= d) {
						t.Fatalf("graph %v, D = %d, tree %v: separable %v", edges, d, tree, s)
					}
					separable = separable || s
				}
				if _, ok := r.Solve(); ok != separable {
					t.Fatalf("graph %v, D = %d: a tree keeps the bound: %v, one separates: %v", edges, d, ok, separable)
				}
			}
		}
	}
}

// separable returns the answer of Separable after checking its proof.
func separable(t testing.TB, r *Reduction, tree []labelgraph.Edge) bool {
	t.Helper()
	v, err := r.Separable(context.Background(), tree)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Verify(tree, v); err != nil {
		t.Fatalf("graph %v, D = %d, tree %v: %v", r.Edges, r.D, tree, err)
	}
	return v.Separable
}

// most returns the number of vertices up to which a slow test goes.
func most() int {
	if testing.Short() {
		return 4
	}
	return 5
}

// No weights whatever do better than the intended ones, on any tree, inside
// the graph or not; each answer comes with a proof, which is checked. For a tree
// outside a graph with five vertices only the loosest bound is tried.
func TestSeparableByAnyWeights(t *testing.T) {
	t.Parallel()
	for n := 1; n <= most(); n++ {
		for _, edges := range connectedGraphs(n, true) {
			trees := differentTrees(n, edges)
			for d := 1; d <= max(1, n-1); d++ {
				r := mustReduce(t, n, edges, d, Repaired)
				for _, tree := range trees {
					inside := isSubset(tree, edges)
					if !inside && n == 5 && d < n-1 {
						continue
					}
					want := inside && labelgraph.MaxDegree(n, tree) <= d
					if got := separable(t, r, tree); got != want {
						t.Fatalf("graph %v, D = %d, tree %v: separable %v", edges, d, tree, got)
					}
				}
			}
		}
	}
}

// The appendix to the letter never separates; with its slips of sign and label
// mended, only a tree that is the whole graph does.
func TestUnrepairedVersions(t *testing.T) {
	t.Parallel()
	for n := 1; n <= most(); n++ {
		for _, edges := range connectedGraphs(n, true) {
			inside := slices.DeleteFunc(differentTrees(n, edges), func(tree []labelgraph.Edge) bool { return !isSubset(tree, edges) })
			for d := 1; d <= max(1, n-1); d++ {
				printed := mustReduce(t, n, edges, d, AsPrinted)
				corrected := mustReduce(t, n, edges, d, SlipsCorrected)
				for _, tree := range inside {
					if separable(t, printed, tree) {
						t.Fatalf("graph %v, D = %d, tree %v: separable as printed", edges, d, tree)
					}
					want := len(tree) == len(edges) && labelgraph.MaxDegree(n, tree) <= d
					if got := separable(t, corrected, tree); got != want || satisfied(t, corrected, tree) != want {
						t.Fatalf("graph %v, D = %d, tree %v: separable %v with the slips corrected", edges, d, tree, got)
					}
				}
			}
		}
	}
}

// Slips 1 and 2 of the comment in hardness.go, each by itself.
func TestSlips(t *testing.T) {
	edges := []labelgraph.Edge{{I: 0, J: 2}, {I: 1, J: 2}} // 1-3 and 2-3: vertex 1 is a neighbor of j = 3 for the edge 23
	r := mustReduce(t, 3, edges, 2, AsPrinted)
	wrong := func(w []float64) map[string]float64 {
		violations, err := r.Violations(edges, w)
		if err != nil {
			t.Fatal(err)
		}
		gains := make(map[string]float64)
		for _, v := range violations {
			gains[r.Examples()[v.Example].Name] = v.Gain
		}
		return gains
	}
	w := r.Parameters(edges)
	if gain := wrong(w)["bound, y_1 = 1"]; gain != 2*2 {
		t.Errorf("w_bound = D loses the printed example by %v, want 2D", gain)
	}
	w[0] = -2
	gains := wrong(w)
	if _, bad := gains["bound, y_1 = 0"]; bad {
		t.Error("w_bound = -D violates the printed pair")
	}
	if _, bad := gains["bound, y_1 = 1"]; bad {
		t.Error("w_bound = -D violates the printed pair")
	}
	if gain := gains["off-diagonal (2,3), y_3 = 0"]; gain != 3*3+1 {
		t.Errorf("the label 1 gains %v by the edge to vertex 1, want n^2 + 1", gain)
	}
	if _, bad := gains["off-diagonal (1,3), y_3 = 0"]; bad {
		t.Error("the pair for an edge at vertex 1 is wrong, too")
	}
}

// violated returns what the violated examples are there to pin.
func violated(t *testing.T, r *Reduction, tree []labelgraph.Edge, w []float64) []string {
	t.Helper()
	violations, err := r.Violations(tree, w)
	if err != nil {
		t.Fatal(err)
	}
	var pins []string
	for _, v := range violations {
		pins = append(pins, r.Examples()[v.Example].Pins)
	}
	return pins
}

// Where the graph is the tree, each of the appendix's pairs (slips corrected)
// pins its weight: a step up or down violates the example that says so.
func TestAppendixPairsPin(t *testing.T) {
	for n := 2; n <= 5; n++ {
		for tree := range labelgraph.SpanningTrees(n, labelgraph.AllPairs(n)) {
			r := mustReduce(t, n, tree, n, SlipsCorrected)
			w := r.Parameters(tree)
			if pins := violated(t, r, tree, w); len(pins) != 0 {
				t.Fatalf("tree %v: the intended weights violate %v", tree, pins)
			}
			for k, v := range w {
				for step, sign := range map[float64]string{smallStep: "<=", -smallStep: ">="} {
					w[k] = v + step
					want := fmt.Sprintf("%s %s %v", r.WeightName(k), sign, v)
					if pins := violated(t, r, tree, w); !slices.Contains(pins, want) {
						t.Fatalf("tree %v, weight moved by %v: %q is not among the violated %q", tree, step, want, pins)
					}
				}
				w[k] = v
			}
		}
	}
}

// In the repaired set, on any tree in any graph, a step up violates the edge's
// own example and a step down the connection to the vertices behind the edge.
func TestRepairedExamplesPin(t *testing.T) {
	for n := 2; n <= 4; n++ {
		for _, edges := range connectedGraphs(n, false) {
			r := mustReduce(t, n, edges, n, Repaired)
			for tree := range labelgraph.SpanningTrees(n, edges) {
				w := r.Parameters(tree)
				for k, v := range w {
					if v == 0 {
						continue
					}
					w[k] = v + smallStep
					if up := violated(t, r, tree, w); !slices.Equal(up, []string{fmt.Sprintf("%s <= %v", r.WeightName(k), v)}) {
						t.Fatalf("graph %v, tree %v, %s raised: violated %q", edges, tree, r.WeightName(k), up)
					}
					w[k] = v - smallStep
					down := violated(t, r, tree, w)
					if len(down) == 0 || k == 0 && down[0] != fmt.Sprintf("w_bound >= %d", n) ||
						k > 0 && !slices.Equal(down, behind(n, tree, r.Edges[k-1])) {
						t.Fatalf("graph %v, tree %v, %s lowered: violated %q", edges, tree, r.WeightName(k), down)
					}
					w[k] = v
				}
			}
		}
	}
}

// smallStep is how far the tests move a weight: a power of two, so that there is
// no rounding, and less than the 1 by which gamma outweighs the tables divided
// by the (n-1)(n^2+1) that they can change per unit of weight for n <= 5.
const smallStep = 1.0 / 128

// behind returns what the connection examples say for the vertices that e cuts
// off from the first one.
func behind(n int, tree []labelgraph.Edge, e labelgraph.Edge) []string {
	rest := slices.DeleteFunc(slices.Clone(tree), func(f labelgraph.Edge) bool { return f == e })
	var pins []string
	component, _ := labelgraph.Components(n, rest)
	for v := 1; v < n; v++ {
		if component[v] != component[0] {
			pins = append(pins, fmt.Sprintf("w >= 1 on the tree's path from 1 to %d", v+1))
		}
	}
	return pins
}

// gamma is large enough: under the intended weights the two labelings of a
// pair are all its maximizers.
func TestPairsHaveTwoMaximizers(t *testing.T) {
	for n := 2; n <= 4; n++ {
		for tree := range labelgraph.SpanningTrees(n, labelgraph.AllPairs(n)) {
			r := mustReduce(t, n, tree, n, SlipsCorrected)
			w := r.Parameters(tree)
			examples := r.Examples()
			for m := 0; m < len(examples)-1; m += 2 {
				got := maximizers(r, examples[m].X, tree, w)
				want := [][]int{examples[m].Y, examples[m+1].Y}
				slices.SortFunc(want, slices.Compare)
				if !slices.EqualFunc(got, want, slices.Equal) {
					t.Fatalf("tree %v, %s: maximizers %v, want %v", tree, examples[m].Name, got, want)
				}
			}
		}
	}
}

// maximizers goes through all labelings.
func maximizers(r *Reduction, x [][]int, tree []labelgraph.Edge, w []float64) (ys [][]int) {
	states := slices.Repeat([]int{r.N + 1}, r.N)
	best := math.Inf(-1)
	for y := make([]int, r.N); ; {
		score := r.Score(y, x, tree, w)
		if score > best {
			best, ys = score, nil
		}
		if score == best {
			ys = append(ys, slices.Clone(y))
		}
		if !testkit.NextLabeling(y, states) {
			slices.SortFunc(ys, slices.Compare)
			return ys
		}
	}
}

// Violations agrees with the definition on random weights.
func TestViolationsAgainstBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 1))
	for trial := range 30 {
		n := 1 + trial%4
		if trial == 0 && !testing.Short() {
			n = 5
		}
		graphs := connectedGraphs(n, true)
		r := mustReduce(t, n, graphs[rng.IntN(len(graphs))], 1+rng.IntN(4), ReductionVersion(rng.IntN(3)))
		tree := labelgraph.RandomTree(n, rng) // perhaps with edges outside the graph
		w := make([]float64, r.Dim())
		for k := range w {
			w[k] = float64(rng.IntN(161)-80) / 4
		}
		violations, err := r.Violations(tree, w)
		if err != nil {
			t.Fatal(err)
		}
		gain := make([]float64, len(r.Examples()))
		for _, v := range violations {
			ex := r.Examples()[v.Example]
			gain[v.Example] = v.Gain
			if g := r.Score(v.Rival, ex.X, tree, w) - r.Score(ex.Y, ex.X, tree, w); g != v.Gain {
				t.Fatalf("%s: the rival gains %v, not %v", ex.Name, g, v.Gain)
			}
		}
		for m, ex := range r.Examples() {
			best := r.Score(maximizers(r, ex.X, tree, w)[0], ex.X, tree, w)
			if g := best - r.Score(ex.Y, ex.X, tree, w); g != gain[m] {
				t.Fatalf("%s: greatest gain %v, got %v", ex.Name, g, gain[m])
			}
		}
	}
}

func TestUniformScoresAreDegrees(t *testing.T) {
	for _, version := range []ReductionVersion{AsPrinted, SlipsCorrected, Repaired} {
		for tree := range labelgraph.SpanningTrees(5, labelgraph.AllPairs(5)) {
			r := mustReduce(t, 5, labelgraph.AllPairs(5), 2, version)
			scores := r.UniformScores(tree, r.Parameters(tree))
			want := make([]float64, 6)
			want[0] = 2
			for _, e := range tree {
				want[e.I+1]++
				want[e.J+1]++
			}
			if !slices.Equal(scores, want) {
				t.Fatalf("%v, tree %v: scores %v, want %v", version, tree, scores, want)
			}
		}
	}
}

// At x = 0 and for any D, no labeling scores more than D or the largest degree,
// and nonuniform ones score less than D.
func TestNonuniformLabelingsScoreLess(t *testing.T) {
	for n := 2; n <= 4; n++ {
		states := slices.Repeat([]int{n + 1}, n)
		for _, d := range []int{1, n - 1, n*n - n + 1, n*n - n + 2, 5 * n * n} {
			for tree := range labelgraph.SpanningTrees(n, labelgraph.AllPairs(n)) {
				r := mustReduce(t, n, tree, d, Repaired)
				w, x := r.Parameters(tree), r.noBias()
				highest := math.Inf(-1)
				for y := make([]int, n); testkit.NextLabeling(y, states); {
					if slices.Max(y) != slices.Min(y) {
						highest = max(highest, r.Score(y, x, tree, w))
					}
				}
				if highest >= float64(d) || d < n*n-n+2 && highest >= 0 {
					t.Fatalf("n = %d, D = %d, tree %v: a nonuniform labeling scores %v", n, d, tree, highest)
				}
			}
		}
	}
	// The bound on D for "negative" is tight: a star whose center is not
	// vertex 1, and y_1 = 0 at one of its leaves.
	star := []labelgraph.Edge{{I: 0, J: 1}, {I: 1, J: 2}, {I: 1, J: 3}}
	r := mustReduce(t, 4, star, 4*4-4+2, Repaired)
	if s := r.Score([]int{0, 2, 2, 2}, r.noBias(), star, r.Parameters(star)); s != 0 {
		t.Fatalf("score %v, want 0", s)
	}
}

// With w_off and w_diag apart, biases alone cannot pin w_diag of an inner edge
// from below: see the comment in hardness.go. An inequality S(y^m) >= S(y) that
// every spanning tree satisfies with its intended weights has slack on the
// given tree unless the tree is a minimum spanning tree for the differences
// S_e(y^m) - S_e(y) of its edges; all are integers, so the slack is 1 or more.
func TestBiasesCannotPinInnerDiagonalWeights(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("goes through 60 million pairs of labelings")
	}
	const n = 5
	path := []labelgraph.Edge{{I: 0, J: 1}, {I: 1, J: 2}, {I: 2, J: 3}, {I: 3, J: 4}}
	r := mustReduce(t, n, labelgraph.AllPairs(n), 2, SlipsCorrected)
	onPath := make([]bool, labelgraph.NumPairs(n))
	for _, e := range path {
		onPath[e.Index()] = true
	}
	var tables [][]int8 // by labeling, by Edge.Index: eq. (9)
	for y, states := make([]int, n), slices.Repeat([]int{n + 1}, n); ; {
		row := make([]int8, labelgraph.NumPairs(n))
		for k, e := range r.Edges {
			row[k] = int8(r.pairTable(e, y[e.I], y[e.J]))
		}
		tables = append(tables, row)
		if !testkit.NextLabeling(y, states) {
			break
		}
	}
	pinned := make([]int, len(path))
	for _, right := range tables {
		for p, e := range path {
			if right[e.Index()] != 1 {
				continue
			}
			for _, rival := range tables {
				if rival[e.Index()] != 1 && isMinimumPath(right, rival, r.Edges, onPath) {
					pinned[p]++
				}
			}
		}
	}
	if pinned[0] == 0 || pinned[1] != 0 || pinned[2] != 0 || pinned[3] == 0 {
		t.Fatalf("numbers of pairs that pin the edges of the path: %v", pinned)
	}
}

// isMinimumPath reports whether no edge ij outside the path 0-1-...-n-1 costs
// less than one that it could replace, which are those from i to j.
func isMinimumPath(right, rival []int8, edges []labelgraph.Edge, onPath []bool) bool {
	for k, e := range edges {
		if onPath[k] {
			continue
		}
		for i := e.I; i < e.J; i++ {
			at := labelgraph.Edge{I: i, J: i + 1}.Index()
			if right[k]-rival[k] < right[at]-rival[at] {
				return false
			}
		}
	}
	return true
}

// A training set of n+1 examples, all with different x, on which the right
// labelings are the unique maximizers (point 5 of the comment in hardness.go).
func TestUniqueMaximizers(t *testing.T) {
	for n := 2; n <= 4; n++ {
		for _, edges := range connectedGraphs(n, true) {
			for d := 1; d < n; d++ {
				r := mustReduce(t, n, edges, d, Repaired)
				examples := slices.DeleteFunc(slices.Clone(r.build()), func(ex Example) bool {
					return ex.Name == "bound, y_1 = 0" || strings.HasPrefix(ex.Name, "off-diagonal")
				})
				if len(examples) != n+1 {
					t.Fatalf("%d examples", len(examples))
				}
				examples[0].X[0][0] = -(d + 1)
				for tree := range labelgraph.SpanningTrees(n, edges) {
					w := r.Parameters(tree)
					for k := range w {
						w[k] *= 1 + 1.0/64
					}
					w[0] = float64(d) + 0.5
					unique := true
					for _, ex := range examples {
						ys := maximizers(r, ex.X, tree, w)
						unique = unique && len(ys) == 1 && slices.Equal(ys[0], ex.Y)
					}
					if unique != (labelgraph.MaxDegree(n, tree) <= d) {
						t.Fatalf("graph %v, D = %d, tree %v: all unique: %v", edges, d, tree, unique)
					}
				}
			}
		}
	}
}

func TestSizeOfTheTrainingSet(t *testing.T) {
	edges := labelgraph.AllPairs(5)
	for version, want := range map[ReductionVersion][2]int{
		AsPrinted:      {2*(2*10+1) + 1, 2*10 + 1},
		SlipsCorrected: {2*(2*10+1) + 1, 2*10 + 1},
		Repaired:       {5 + 10 + 2, 10 + 1},
	} {
		r := mustReduce(t, 5, edges, 2, version)
		if got := [2]int{len(r.Examples()), r.Dim()}; got != want {
			t.Errorf("%v: examples and weights %v, want %v", version, got, want)
		}
	}
}

func TestNewReductionErrors(t *testing.T) {
	path := []labelgraph.Edge{{I: 0, J: 1}, {I: 1, J: 2}}
	for name, c := range map[string]struct {
		n       int
		edges   []labelgraph.Edge
		d       int
		version ReductionVersion
		want    error
	}{
		"no vertices":  {0, nil, 1, Repaired, errs.ErrData},
		"disconnected": {4, path, 2, Repaired, errs.ErrData},
		"loop":         {3, append(slices.Clone(path), labelgraph.Edge{I: 1, J: 1}), 2, Repaired, errs.ErrData},
		"backwards":    {3, []labelgraph.Edge{{I: 0, J: 1}, {I: 2, J: 1}}, 2, Repaired, errs.ErrData},
		"out of range": {2, path, 2, Repaired, errs.ErrData},
		"negative":     {3, []labelgraph.Edge{{I: -1, J: 1}, {I: 1, J: 2}}, 2, Repaired, errs.ErrData},
		"edge twice":   {3, append(slices.Clone(path), path[0]), 2, Repaired, errs.ErrData},
		"D = 0":        {3, path, 0, Repaired, errs.ErrSettings},
		"version":      {3, path, 2, 7, errs.ErrSettings},
	} {
		if _, err := NewReduction(c.n, c.edges, c.d, c.version); !errors.Is(err, c.want) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestSeparableErrors(t *testing.T) {
	r := mustReduce(t, 3, labelgraph.AllPairs(3), 2, Repaired)
	for name, tree := range map[string][]labelgraph.Edge{
		"too short":    {{I: 0, J: 1}},
		"cycle":        labelgraph.AllPairs(3),
		"edge twice":   {{I: 0, J: 1}, {I: 0, J: 1}},
		"out of range": {{I: 0, J: 1}, {I: 1, J: 3}},
	} {
		if _, err := r.Separable(context.Background(), tree); !errors.Is(err, errs.ErrData) {
			t.Errorf("%s: error %v", name, err)
		}
		if _, err := r.Violations(tree, make([]float64, r.Dim())); !errors.Is(err, errs.ErrData) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := r.Separable(ctx, []labelgraph.Edge{{I: 0, J: 1}, {I: 1, J: 2}}); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: error %v", err)
	}
}

// Verify rejects proofs that are not.
func TestVerifyRejects(t *testing.T) {
	star := []labelgraph.Edge{{I: 0, J: 1}, {I: 0, J: 2}, {I: 0, J: 3}}
	for d, separable := range map[int]bool{2: false, 3: true} {
		r := mustReduce(t, 4, labelgraph.AllPairs(4), d, Repaired)
		v, err := r.Separable(context.Background(), star)
		if err != nil || v.Separable != separable || r.Verify(star, v) != nil {
			t.Fatalf("D = %d: %v, %v", d, v, err)
		}
		if separable {
			v.Weights[1].Neg(v.Weights[1])
		} else {
			v.Refutation = v.Refutation[1:]
		}
		if r.Verify(star, v) == nil {
			t.Errorf("D = %d: a spoiled proof is accepted", d)
		}
	}
	// Two rivals with equal features and different biases: their difference
	// would be a contradiction if a multiplier could be negative.
	r := mustReduce(t, 4, star, 3, Repaired)
	m := slices.IndexFunc(r.Examples(), func(ex Example) bool { return ex.Name == "connection 1-4" })
	v := &Verdict{Refutation: []Contradiction{
		{m, []int{0, 0, 0, 1}, big.NewRat(1, 1)},
		{m, []int{0, 0, 0, 2}, big.NewRat(-1, 1)},
	}}
	if r.Verify(star, v) == nil {
		t.Error("a negative multiplier is accepted")
	}
}

func TestSolveBDST(t *testing.T) {
	star := []labelgraph.Edge{{I: 0, J: 1}, {I: 0, J: 2}, {I: 0, J: 3}}
	if _, ok := (BDST{N: 4, Edges: star, D: 2}).Solve(); ok {
		t.Error("the star with three leaves has no Hamiltonian path")
	}
	cycle := []labelgraph.Edge{{I: 0, J: 1}, {I: 1, J: 2}, {I: 2, J: 3}, {I: 0, J: 3}}
	tree, ok := BDST{N: 4, Edges: cycle, D: 2}.Solve()
	if !ok || labelgraph.MaxDegree(4, tree) != 2 || len(tree) != 3 {
		t.Errorf("tree %v, %v", tree, ok)
	}
}

func ExampleReduction() {
	// Has the star with three leaves and one edge more a Hamiltonian path?
	r, err := NewReduction(4, []labelgraph.Edge{{I: 0, J: 1}, {I: 0, J: 2}, {I: 0, J: 3}, {I: 2, J: 3}}, 2, Repaired)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(r.Examples()), "examples,", r.Dim(), "weights")
	for tree := range labelgraph.SpanningTrees(r.N, r.BDST.Edges) {
		v, err := r.Separable(context.Background(), tree)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(tree, "degree", labelgraph.MaxDegree(r.N, tree), "separable", v.Separable)
	}
	// Output:
	// 10 examples, 5 weights
	// [{0 1} {0 2} {0 3}] degree 3 separable false
	// [{0 1} {0 2} {2 3}] degree 2 separable true
	// [{0 1} {0 3} {2 3}] degree 2 separable true
}

func BenchmarkSeparable(b *testing.B) {
	r := mustReduce(b, 5, labelgraph.AllPairs(5), 2, Repaired)
	path := []labelgraph.Edge{{I: 0, J: 1}, {I: 1, J: 2}, {I: 2, J: 3}, {I: 3, J: 4}}
	for b.Loop() {
		if _, err := r.Separable(context.Background(), path); err != nil {
			b.Fatal(err)
		}
	}
}

// TestWeightSymbols holds the symbols to the names: the same vertices and the same kind, and none twice.
func TestWeightSymbols(t *testing.T) {
	t.Parallel()
	for _, n := range []int{4, 11} {
		for version := AsPrinted; version <= Repaired; version++ {
			r, err := NewReduction(n, labelgraph.AllPairs(n), 2, version)
			if err != nil {
				t.Fatal(err)
			}
			seen := map[string]bool{}
			for k := range r.Dim() {
				plain := strings.NewReplacer("^{", "_", "}_1", "}", "}_{", "(", "w_{", "w(", "}", ")").Replace(r.WeightSymbol(k))
				if r.WeightSymbol(k) == "w^{bound}_1" {
					plain = "w_bound"
				} else if i, j, ok := strings.Cut(plain, "("); ok && !strings.Contains(j, ",") {
					plain = i + "(" + j[:1] + "," + j[1:]
				}
				if plain != r.WeightName(k) || seen[plain] {
					t.Errorf("the symbol %s, read as %s, for %s", r.WeightSymbol(k), plain, r.WeightName(k))
				}
				seen[plain] = true
			}
		}
	}
}

// TestLabelings counts them, and finds none twice.
func TestLabelings(t *testing.T) {
	t.Parallel()
	r, err := NewReduction(4, labelgraph.AllPairs(4), 2, Repaired)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[[4]int]bool{}
	for y := range r.Labelings() {
		for _, s := range y {
			if s < 0 || s > 4 {
				t.Fatalf("labeling %v", y)
			}
		}
		seen[[4]int(y)] = true
	}
	if len(seen) != 5*5*5*5 {
		t.Errorf("%d labelings", len(seen))
	}
	for range r.Labelings() {
		break
	}
}
