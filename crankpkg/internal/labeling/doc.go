// Package labeling finds best labelings among those with at least and at most so many labels
// on, of forests in the form of package forest and of any graph (Limiter), and puts weights
// that change to their places there (Places).
package labeling
