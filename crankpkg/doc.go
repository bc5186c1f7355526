// Package crankpkg learns and runs max-margin tree predictors.
//
// It implements O. Meshi, E. Eban, G. Elidan, A. Globerson, "Learning
// Max-Margin Tree Predictors", UAI 2013 ("the paper"). An input x in R^d has n
// labels y in {0,1}^n; they are predicted together,
//
//	y(x) = argmax_y  sum_i (w_i . x) y_i + sum_ij w_ij y_i y_j,
//
// where the pairs with w_ij != 0 form a tree, so that the maximum is found
// exactly in time O(n). Which tree is best for prediction is NP-hard to find
// (hardness.go). CRANK finds a good one: it minimizes the max-margin objective
// under a penalty on the circuit rank of the label graph.
//
//	train, test, err := crankpkg.LoadSplit("yeast")
//	m, trace, err := crankpkg.CRANK{Lambda: 1e-3}.Train(ctx, train)
//	fmt.Println(crankpkg.Evaluate(m, test))
//
// # Symbols
//
// "(eq. n)" is the paper's equation n.
//
//	paper           here                      meaning
//	M, m            Dataset.Len, m            training examples
//	n, i, j         Dataset.NumLabels, i, j   labels (variables)
//	x^m, y^m        Dataset.Row, Labels       input and labels of example m
//	w_i, w_ij       Model.Unary, Model.Pair   weights; the last of w_i is the bias
//	phi(x, y)       (the sums above)          features: y_i x, y_i y_j
//	Delta(y, y^m)   HammingLoss               number of labels that differ
//	h^m(w)          Objective.Hinges          structured hinge loss (eq. 1)
//	l(w)            Objective.Loss            lambda/2 |w|^2 + mean hinge
//	lambda          Lambda                    l2 regularization
//	beta            CRANK.Beta, Step.Beta     weight of the tree regularizer
//	pi_ij           |w_ij|
//	F, F1, F2       CircuitRank, len, GraphicRank   set functions (eq. 11)
//	f, f1, f2       Penalty.Excess, Envelope1, Envelope2   envelopes (eq. 12)
//	v               Regularizer.SubgradientTo subgradient of f2 (Prop. 4.3)
//	T(pi)           MaximumSpanningForest     maximum spanning tree of pi
//	h^t(w)          Objective.Primal          one convex-concave step
//	mu_m, u, D      DualPoint, Objective.Dual dual variables, residual, dual value
//
// F1, F2, f1 and f2 are these and nothing else: the score of a prediction is
// ExampleF1 (and MicroF1, MacroF1).
//
// # Where things are
//
// Files use what stands above them in this list.
//
//	data        matrix, dataset, splits, scaling, fourier, arff*, mulanxml, catalog, fetch, synthetic
//	graphs      graph, spanning, pairgraph
//	model       model, predict*, modelfile
//	inference   infer, infer_tree, infer_lp, infer_exact, infer_cutset, infer_auto, infer_multistate, loss
//	regularizer regularizer, lovasz, conjugate, hingeline, labelings
//	objective   objective, dualpoint: from the definitions, apart from the solver
//	solver      atom, linesearch, unary, solver, block*, bcfw, shards, certify, edges; dcd, single
//	many states multistate*: layout and dataset, oracle, lp with messages and interior, train and gains, model, predict, file
//	methods     train, training, trace, path, cap, crank*, convexstep, baseline_*, component, candidates, besttree*, swap
//	evaluation  metrics, significance, crossval, experiment*
//	theory      hardness*
//
// # How the solver works
//
// Training is block-coordinate Frank-Wolfe on the dual (Lacoste-Julien et al.
// 2013) for l2 + l1 + a linear term. With u = (1/M) sum_m [phi(x^m, y^m) -
// phi(x^m, mu_m)] the weights are w_i = u_i / lambda and w_ij = soft(u_ij +
// beta v_ij, beta) / lambda, and the dual is D = mean label loss - lambda/2
// |w|^2. What makes it fast, in the order of what it brought (PERFORMANCE.md has
// measurements):
//
//   - An example's dual point is a short list of labelings, each a sparse
//     difference to the true one (atom.go), and steps move mass between two of
//     them (pairwise steps, Osokin et al. 2016). Most passes need no oracle and
//     score just the labels in which the labelings of an example differ.
//   - All steps of a visit share one scoring of the example: they change its
//     scores by known multiples of |x|^2 (block.go). Without an l1 term they also
//     change the values of its labelings by known multiples of inner products,
//     which the labelings keep (block_quadratic.go).
//   - The line search is exact, the dual never decreases, and the dual point
//     stays feasible when lambda, beta, v or the edges change: every solve of a
//     path starts warm.
//   - Labels without pairs are trained one by one by dual coordinate descent
//     with shrinking and overrelaxation (dcd.go), on dense rows in single
//     precision (single.go).
//   - Greedy and MST train just the components that an edge joins, and skip
//     edges whose dual bound tells that they cannot be the choice
//     (candidates.go).
//   - The relaxation is a maximum flow on the undoubled signed graph, after
//     bounds have fixed what they can (infer_lp.go).
//
// With Settings.Shards, parts of the examples do all this side by side, each with
// weights of its own; where these meet, the dual can decrease (shards.go).
package crankpkg
