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
// (package hardness). CRANK finds a good one: it minimizes the max-margin objective
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
//	Delta(y, y^m)   Loss, infer.HammingLoss   number of labels that differ
//	h^m(w)          Objective.Hinges          structured hinge loss (eq. 1)
//	l(w)            Objective.Loss            lambda/2 |w|^2 + mean hinge
//	lambda          Lambda                    l2 regularization
//	beta            CRANK.Beta, Step.Beta     weight of the tree regularizer
//	pi_ij           |w_ij|
//	F, F1, F2       labelgraph.CircuitRank, len, GraphicRank   set functions (eq. 11)
//	f, f1, f2       envelope.Penalty.Excess, Envelope1, Envelope2   envelopes (eq. 12)
//	v               envelope.Regularizer.SubgradientTo   subgradient of f2 (Prop. 4.3)
//	T(pi)           labelgraph.MaximumSpanningForest   maximum spanning tree of pi
//	h^t(w)          Objective.Primal          one convex-concave step
//	mu_m, u, D      DualPoint, Objective.Dual dual variables, residual, dual value
//
// F1, F2, f1 and f2 are these and nothing else: the score of a prediction is
// ExampleF1 (and MicroF1, MacroF1).
//
// # Where things are
//
// This package is what the ten lines need: data sets, models and predictors, the
// methods with their settings and traces. What it stands on, and what stands on it,
// are packages of their own; imports point downwards in this list, and a test of the
// module holds them to it.
//
//	experiment     tables over sets, methods and seeds, resumable; the paper's numbers
//	crossval       the choice of lambda, scaling, label powerset and decision rule
//	multistate     variables of several states instead of labels that are on or off
//	planted        data sets that are made, with rare labels and sparse rows
//	gated          a model for each region of the input: trees that depend on x
//	sparse         models without their small weights, at a certified price
//	tabular        data sets of CSV and LIBSVM files and of Go values
//	hardness       theorem 3.1 as a program (stands on labelgraph and mrf alone)
//	crankpkg       this package
//	  data         dataset, match, splits, loadsplit, readarff, synthetic
//	  models       model, modelfile, predict* (margins, checked forms and raw records too), evaluate
//	  methods      train (Trainer, Settings), stored, adjust, named, path; crank*, cccpstep, empty, full,
//	               project, mst, greedy, chowliu, fixedgraph, candidates, besttree, swap, cap, labelpowerset
//	  training     training* (in training_best what one that has not converged returns and
//	               advises), trace: what the methods share, over the solver
//	  definitions  objective, dualpoint: apart from the solver, to hold it to
//	decision       rules that make labels of scores, and their choice on held-out scores
//	trainstore     trainings that were done, in a folder
//	infer          best labelings: max-product, the LP relaxation, exact search; label losses
//	mrf            the same for variables of several states
//	envelope       the regularizer f = f1 - f2, its subgradients, Lovasz extensions
//	significance   tests over seeds, splits and data sets
//	metrics        measures, and tests on one set of examples
//	feature        matrices, scaling, Fourier features, kernels, features on the edges
//	labelgraph     edges, forests, circuit rank, spanning trees
//	internal       solver (see there, and its PERFORMANCE.md), treesearch (branch and bound over
//	               trees), treeset, arff, csvdata, libsvm, table (what raw columns mean), mulan (the catalog of data sets), mulandata (those that
//	               are built in), modelfile, groups, among, forest, labeling, and leaves
//
// The names that this package's signatures and fields need of those below are aliases
// (aliases.go): a program of ten lines imports one package. Two things are other than
// they might be: package atomicfile is internal to the module, since figures and the
// command write files too; and the solver knows of labels in groups (vertices.go there)
// by an interface of two implementations, so that every method trains variables of
// several states as it does labels.
//
// # How the solver works
//
// Training is block-coordinate Frank-Wolfe on the dual (Lacoste-Julien et al.
// 2013) for l2 + l1 + a linear term. With u = (1/M) sum_m [phi(x^m, y^m) -
// phi(x^m, mu_m)] the weights are w_i = u_i / lambda and w_ij = soft(u_ij +
// beta v_ij, beta) / lambda, and the dual is D = mean label loss - lambda/2
// |w|^2. What makes it fast, in the order of what it brought (files are those of
// internal/solver, whose PERFORMANCE.md has measurements):
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
//     precision (single.go). Where steps crawl, as on features in units of their own,
//     interior point methods take over, without pairs (package interior) and with them (polytope).
//   - Greedy and MST train just the components that an edge joins, and skip
//     edges whose dual bound tells that they cannot be the choice
//     (candidates.go in this package).
//   - The relaxation is a maximum flow on the undoubled signed graph, after
//     bounds have fixed what they can (lp.go in package infer).
//
// Where the label loss is Squared, each label of an example has a slack of its own, the dual
// has no upper bounds and a quadratic term for each label instead, and without pairs all is
// as with the squared hinge of binary machines (infer.SlackHinge has the function,
// squared.go and dcdslack.go the steps).
//
// With Settings.Shards, parts of the examples do all this side by side, each with
// weights of its own; where these meet, the dual can decrease (shards.go).
package crankpkg
