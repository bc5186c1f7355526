package crankpkg

import (
	"context"
	"time"

	"github.com/crank-ml/crank/crankpkg/feature"
)

// Trainer is a method that learns a Model from data. The methods are plain
// structs (Empty, Full, Greedy, Project, MST, ChowLiu, CRANK, BestTree,
// SwapSearch, FixedGraph) whose zero fields mean the documented defaults.
type Trainer interface {
	// Name returns the method's name as the paper's tables have it.
	Name() string
	// Train learns from train. The same trainer and data give the same bits,
	// whatever the number of workers. A nil error means that the gap of the settings is
	// certified, or as much of it as rounding leaves. Where passes, time or numbers do not
	// get there, Train returns the best model that it has come by, with its trace, and an
	// error that wraps ErrNotConverged and says what helps; where ctx ends the work, one
	// that wraps ctx.Err(). By l(w) that model is at least as good as w = 0, as Empty's,
	// where the method has trained it, and as what any solve for its weights has passed. A
	// panic in a goroutine that Train has started is returned as an error that wraps
	// ErrInternal. In a notebook, and where CRANK_STORE says so, a training that was
	// done before comes back as it was: see package trainstore.
	Train(ctx context.Context, train *Dataset) (*Model, *Trace, error)
	// WithLambda returns the same trainer with another lambda. A type that embeds a method
	// needs one of its own.
	WithLambda(lambda float64) Trainer
}

// Settings are what all methods share. The zero value is ready to use.
type Settings struct {
	// Gap is the relative primal-dual gap, (primal - dual) / primal, at which
	// training stops. Zero means 0.01.
	Gap float64
	// MaxPasses bounds the passes over the data of one solve. Zero means four times what
	// data of one unit take as a rule: 16 (d+1) / (lambda M) + 400 at a gap of 1 %, with
	// the number of cells of a row in place of d where they are sparse and not z-scored, and more for less, up to two million. A
	// solve that comes to it, or to a quarter without hope, stalls: the best model known is what it returns.
	MaxPasses int
	// MaxTime bounds the time of the whole training. Zero means no bound. It
	// is the one setting that can make two equal runs differ.
	MaxTime time.Duration
	// Seed determines every random choice.
	Seed uint64
	// Workers bounds the number of goroutines. Zero means all processors. It
	// never changes a result.
	Workers int
	// Shards, where above one, is the number of parts of the examples that a pass
	// visits side by side, on up to Workers goroutines, each with weights of its own;
	// these meet after the pass. There are at most as many as examples. The bounds
	// are certified as ever, and the result depends on Shards as on Seed, but not on
	// Workers. Zero means one example after the other.
	//
	// Two shards take up to twice the processor time of none, more shards more. So
	// it pays for many examples, with as many shards as processors, and where
	// nothing else keeps these busy: not for folds, grid points and more than one
	// start of CRANK, which run side by side without any. It does not apply to what
	// is trained side by side as it is: the labels of Empty with the Hamming loss,
	// the candidates of Greedy and MST, and the searches of BestTree and SwapSearch.
	Shards int
	// EveryPass puts the certified bounds after every pass into the trace, for a
	// picture of the convergence; otherwise the trace has those that training
	// needs anyway, which are few. It costs an oracle call for each example and
	// pass, off the trace's clock, and changes no result. (Labels that are trained
	// one by one, as Empty's, have no common passes: they report three times.)
	EveryPass bool
	// Scaling is fitted on the training rows and kept in the Model. Features of very
	// different size want one: without, steps of first order crawl, all the more the
	// smaller lambda is, and what takes over from them is for moderate sizes.
	Scaling Scaling
	// Fourier maps the scaled rows; weights and EdgeFeatures then are of what it
	// maps them to. Zero means as they are.
	Fourier FourierFeatures
	// Kernel maps the scaled rows instead, to features whose inner products are those of
	// a kernel; it takes no Fourier or EdgeFeatures beside it. Zero means no kernel.
	Kernel feature.KernelFeatures
	// Loss is the label loss. Zero means the Hamming loss. Its fields Squared and Costs are
	// for rare labels: the plain hinge predicts those off that the features tell little of.
	Loss Loss
	// HingeCap, where not zero, bounds the hinge of an example: the weights of the
	// chosen graph are trained further, from the minimum of the hinges towards a
	// local minimum of lambda/2 |w|^2 + (1/M) sum_m min(h^m(w), HingeCap). Without a
	// cap, examples that no weights get right drag the weights along. The capped
	// objective is not convex, so no bound on its global minimum is certified:
	// Primal and Dual in the trace then are those of the last convex step, in which
	// the examples above the cap are left out at the price of the cap, and Primal is
	// at least the capped objective of the model, which is the best by it of all models
	// known on the way.
	HingeCap float64
	// EdgeFeatures are the features in which pairwise weights are linear. Zero
	// means none: a scalar for each pair.
	EdgeFeatures EdgeFeatures
	// Powerset limits the predictions of the model to labelings of training examples.
	// It does not change the training.
	Powerset LabelPowerset
	// Progress, where not nil, is told how training goes, at most a few times
	// a second and from one goroutine at a time.
	Progress func(Progress)
}

// Progress tells how far a training is.
type Progress struct {
	Method  string
	Phase   string // what is being solved, e.g. "beta 0.004, step 3"
	Pass    int
	Primal  float64
	Dual    float64
	Elapsed time.Duration
}
