// Package feature has the rows x^m of a data set and what can be made of them:
// matrices that are dense or sparse, scaling, random Fourier features, features of
// kernels, and the features z(x) of the edges (eq. 2).
//
//	Matrix, Row, NewDense, NewSparse   M x d numbers, stored as they are
//	Scaling, FitScaler, Scaler         fitted on training rows, then applied or folded into weights
//	FitScalerTo                        the same where labels tell what counts
//	FourierFeatures                    an approximate Gaussian kernel
//	KernelFeatures, KernelBasis        Nystroem features of a kernel, exact for landmarks
//	Kernel                             what a model keeps of them
//	RowMap                             from raw rows to those that weights are of
//	EdgeFeatures                       in which pairwise weights are linear
//
// But for that, it knows of no labels. Package crankpkg keeps what is fitted in its models.
package feature
