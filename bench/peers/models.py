"""The peers. Each has a name, a grid of settings, the kind of its scores, and run.

run(settings, x, y, x_new) trains once for each setting on features x and labels y, and yields the scores of x_new (rows x labels).
"""

import itertools

import numpy as np
from scipy.spatial import distance
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.multioutput import ClassifierChain
from sklearn.svm import SVC, LinearSVC

SEED = 1
SCALINGS = ("none", "zscore", "unit rows", "relevance")


def grid(**lists):
    """Return all combinations, the last name varying fastest."""
    return [dict(zip(lists, values)) for values in itertools.product(*lists.values())]


def relevances(x, y):
    """Return for each feature the root of the mean square of its correlations with the labels that vary."""
    y = y[:, (y != y[0]).any(0)].astype(float)
    if not y.shape[1]:
        return np.ones(x.shape[1])
    x, y = x - x.mean(0), y - y.mean(0)
    lengths = np.linalg.norm(x, axis=0)
    correlations = x.T @ (y / np.linalg.norm(y, axis=0)) / np.where(lengths > 0, lengths, 1)[:, None]
    return np.sqrt((correlations ** 2).mean(1))


def scale(scaling, x, y, x_new):
    """Scale both by what x says, and by relevance to its labels y where that is asked for."""
    if scaling == "zscore":
        mean, deviation = x.mean(0), x.std(0)
        deviation = np.where(deviation > 0, deviation, 1)
        return (x - mean) / deviation, (x_new - mean) / deviation
    if scaling == "unit rows":
        return tuple(a / np.maximum(np.linalg.norm(a, axis=1, keepdims=True), 1e-12) for a in (x, x_new))
    if scaling == "relevance":
        weight = np.sqrt(relevances(x, y))
        return x * weight, x_new * weight
    return x, x_new


def squared_distances(a, b):
    return np.maximum((a * a).sum(1)[:, None] + (b * b).sum(1) - 2 * a @ b.T, 0)


class Safe(ClassifierMixin, BaseEstimator):
    """A binary classifier that also learns from examples of one class: it then always says that class."""

    def __init__(self, base):
        self.base = base

    def fit(self, x, y):
        self.classes_ = np.array([0, 1])
        self.constant_ = int(y[0]) if (y == y[0]).all() else None
        self.model_ = clone(self.base).fit(x, y) if self.constant_ is None else None
        return self

    def predict(self, x):
        return np.full(len(x), self.constant_) if self.model_ is None else self.model_.predict(x)

    def decision_function(self, x):
        return np.full(len(x), 2.0 * self.constant_ - 1) if self.model_ is None else self.model_.decision_function(x)

    def predict_proba(self, x):
        if self.model_ is None:
            return np.tile(np.eye(2)[self.constant_], (len(x), 1))
        return self.model_.predict_proba(x)


def logistic(c, features):
    """Return a logistic regression by the method that is fastest for so many features: all find the same weights."""
    return Safe(LogisticRegression(C=c, solver="newton-cholesky" if features <= 128 else "lbfgs", max_iter=300))


class Peer:
    kind = "probability"
    packages = ("scikit-learn", "numpy", "scipy")

    def run(self, settings, x, y, x_new):
        for setting in settings:
            yield self.scores(setting, x, y, x_new)


class LogisticRelevance(Peer):
    name = "binary relevance, logistic regression"
    grid = grid(scaling=SCALINGS, C=(0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100))

    def scores(self, setting, x, y, x_new):
        x, x_new = scale(setting["scaling"], x, y, x_new)
        model = logistic(setting["C"], x.shape[1])
        return np.column_stack([model.fit(x, labels).predict_proba(x_new)[:, 1] for labels in y.T])


class LinearRelevance(Peer):
    name = "binary relevance, linear SVC"
    kind = "margin"
    grid = grid(scaling=SCALINGS, C=(0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10))

    def scores(self, setting, x, y, x_new):
        x, x_new = scale(setting["scaling"], x, y, x_new)
        model = Safe(LinearSVC(C=setting["C"], dual="auto", max_iter=3000, random_state=SEED))
        return np.column_stack([model.fit(x, labels).decision_function(x_new) for labels in y.T])


class Kernel(Peer):
    """What peers with kernels share. A kernel is computed once for all settings that have it: they are neighbors in the grid."""

    def run(self, settings, x, y, x_new):
        last = None
        for setting in settings:
            key = setting["scaling"], setting["gamma"]
            if key != last:
                last, kernels = key, self.kernels(*key, x, y, x_new)
            yield self.scores(setting, *kernels, y)

    def kernels(self, scaling, factor, x, y, x_new):
        """Return the Gaussian kernel among x and of x_new with x; gamma is a multiple of scikit-learn's "scale"."""
        x, x_new = scale(scaling, x, y, x_new)
        gamma = factor / (x.shape[1] * x.var())
        return np.exp(-gamma * squared_distances(x, x)), np.exp(-gamma * squared_distances(x_new, x))


class KernelRelevance(Kernel):
    name = "binary relevance, RBF SVC"
    kind = "margin"
    grid = grid(scaling=SCALINGS, gamma=(0.25, 0.5, 1, 2, 4), C=(0.25, 1, 4, 16))

    def scores(self, setting, k, k_new, y):
        model = Safe(SVC(C=setting["C"], kernel="precomputed"))
        return np.column_stack([model.fit(k, labels).decision_function(k_new) for labels in y.T])


def labelings(y):
    """Return the distinct rows of y, and the number of each row's."""
    distinct, numbers = np.unique(y, axis=0, return_inverse=True)
    return distinct, numbers.ravel()


def powerset(c, k, k_new, y):
    """Train one SVC with a class for each labeling, and return the labeling it says for each new row."""
    distinct, numbers = labelings(y)
    if len(distinct) == 1:
        return np.repeat(distinct, len(k_new), axis=0)
    return distinct[SVC(C=c, kernel="precomputed").fit(k, numbers).predict(k_new)]


class KernelPowerset(Kernel):
    name = "label powerset, RBF SVC"
    kind = "labels"
    grid = grid(scaling=SCALINGS, gamma=(0.25, 0.5, 1, 2, 4), C=(0.25, 1, 4, 16))

    def scores(self, setting, k, k_new, y):
        return powerset(setting["C"], k, k_new, y)


class Laplace(Kernel):
    """What peers with a Laplace kernel share: the sum of absolute differences stands where the Gaussian one has the sum of squares."""

    def kernels(self, scaling, factor, x, y, x_new):
        """Return the kernel among x and of x_new with x; gamma is a multiple of one over the mean distance."""
        x, x_new = scale(scaling, x, y, x_new)
        among = distance.cdist(x, x, "cityblock")
        gamma = factor / max(among.mean(), 1e-12)
        return np.exp(-gamma * among), np.exp(-gamma * distance.cdist(x_new, x, "cityblock"))


class LaplaceRelevance(Laplace, KernelRelevance):
    name = "binary relevance, Laplace SVC"
    grid = grid(scaling=SCALINGS, gamma=(0.125, 0.25, 0.5, 1, 2), C=(1, 4, 16, 64))


class LaplacePowerset(Laplace, KernelPowerset):
    name = "label powerset, Laplace SVC"
    grid = grid(scaling=SCALINGS, gamma=(0.125, 0.25, 0.5, 1, 2), C=(1, 4, 16, 64))


class DisjointRAkEL(Kernel):
    """RAkELd (Tsoumakas, Katakis, Vlahavas 2011): a label powerset on each part of a random partition of the labels into threes."""

    name = "RAkELd, RBF SVC"
    kind = "labels"
    grid = grid(scaling=SCALINGS, gamma=(0.5, 1, 2), C=(1, 4, 16))

    def subsets(self, labels):
        order = np.random.default_rng(SEED).permutation(labels)
        return [order[k:k + 3] for k in range(0, labels, 3)]

    def scores(self, setting, k, k_new, y):
        votes, counts = np.zeros((len(k_new), y.shape[1])), np.zeros(y.shape[1])
        for subset in self.subsets(y.shape[1]):
            votes[:, subset] += powerset(setting["C"], k, k_new, y[:, subset])
            counts[subset] += 1
        return votes / counts


class OverlappingRAkEL(DisjointRAkEL):
    """RAkELo: the mean of the votes of label powersets on 2n of the sets of three labels, drawn without replacement; each label is in one."""

    name = "RAkELo, RBF SVC"
    kind = "probability"
    grid = grid(scaling=("none", "zscore", "relevance"), gamma=(1, 2), C=(1, 4, 16))

    def subsets(self, labels):
        every = np.array(list(itertools.combinations(range(labels), 3)))
        rng = np.random.default_rng(SEED)
        while True:
            drawn = every[rng.permutation(len(every))[:2 * labels]]
            if len(np.unique(drawn)) == labels:
                return drawn


class Forest(Peer):
    """One forest for each label."""

    trees = 100

    def scores(self, setting, x, y, x_new):
        model = Safe(self.forest(setting))
        return np.column_stack([model.fit(x, labels).predict_proba(x_new)[:, 1] for labels in y.T])

    def forest(self, setting):
        return self.ensemble(self.trees, max_features=setting["max_features"], min_samples_leaf=setting["min_leaf"], random_state=SEED)


class RandomForests(Forest):
    name = "binary relevance, random forest"
    ensemble = RandomForestClassifier
    grid = grid(max_features=("sqrt",), min_leaf=(1, 3))


class ExtraTrees(Forest):
    name = "binary relevance, extra trees"
    ensemble = ExtraTreesClassifier
    grid = grid(max_features=("sqrt", 0.2), min_leaf=(1, 3))


class JointForest(Forest):
    """One forest for all labels: its leaves hold the shares of each."""

    def scores(self, setting, x, y, x_new):
        model = self.forest(setting).fit(x, y)
        columns = []
        for classes, shares in zip(model.classes_, model.predict_proba(x_new)):
            columns.append(shares[:, 1] if len(classes) == 2 else np.full(len(x_new), float(classes[0])))
        return np.column_stack(columns)


class JointRandomForest(JointForest):
    name = "one random forest for all labels"
    ensemble = RandomForestClassifier
    grid = grid(max_features=("sqrt",), min_leaf=(1, 3))


class JointExtraTrees(JointForest):
    name = "one forest of extra trees for all labels"
    ensemble = ExtraTreesClassifier
    grid = grid(max_features=("sqrt", 0.2), min_leaf=(1, 3))


class Chain(Peer):
    """The mean of the probabilities of chains of logistic regressions."""

    name = "classifier chain, logistic regression"
    grid = grid(scaling=SCALINGS, C=(0.01, 0.1, 1, 10, 100), passes=("predict", "predict_proba"))

    def orders(self, labels):
        return [np.arange(labels)]

    def scores(self, setting, x, y, x_new):
        x, x_new = scale(setting["scaling"], x, y, x_new)
        base = logistic(setting["C"], x.shape[1])
        chains = [ClassifierChain(base, order=order, chain_method=setting["passes"]) for order in self.orders(y.shape[1])]
        return np.mean([chain.fit(x, y).predict_proba(x_new) for chain in chains], axis=0)


class ChainEnsemble(Chain):
    name = "ensemble of 5 chains, logistic regression"
    grid = grid(scaling=SCALINGS, C=(0.03, 0.3, 3, 30), passes=("predict", "predict_proba"))

    def orders(self, labels):
        rng = np.random.default_rng(SEED)
        return [rng.permutation(labels) for _ in range(5)]


class MLkNN(Peer):
    """MLkNN (Zhang, Zhou 2007): the posterior of a label given how many of the k nearest neighbors have it, with Laplace's smoothing."""

    name = "MLkNN"
    grid = grid(scaling=SCALINGS, k=(3, 5, 7, 10, 15, 20, 30))
    smoothing = 1.0

    def scores(self, setting, x, y, x_new):
        x, x_new = scale(setting["scaling"], x, y, x_new)
        k, s = setting["k"], self.smoothing
        among = squared_distances(x, x)
        np.fill_diagonal(among, np.inf)  # no row is its own neighbor
        counts, counts_new = self.counts(among, y, k), self.counts(squared_distances(x_new, x), y, k)
        prior = (s + y.sum(0)) / (2 * s + len(y))
        scores = np.empty(counts_new.shape)
        for i, labels in enumerate(y.T.astype(bool)):
            on = np.bincount(counts[labels, i], minlength=k + 1) + s
            off = np.bincount(counts[~labels, i], minlength=k + 1) + s
            p = prior[i] * on / on.sum()
            q = (1 - prior[i]) * off / off.sum()
            scores[:, i] = (p / (p + q))[counts_new[:, i]]
        return scores

    @staticmethod
    def counts(distances, y, k):
        """Return how many of the k nearest rows of y have each label."""
        nearest = np.argsort(distances, axis=1, kind="stable")[:, :k]
        return y[nearest].sum(1).astype(int)


class Boomer(Peer):
    """BOOMER (Rapp et al. 2020): boosted rules."""

    name = "BOOMER"
    packages = ("mlrl-boomer", "numpy", "scipy")
    grid = (grid(loss=("logistic-decomposable",), shrinkage=(0.1, 0.3), rules=(200, 500, 1000))
            + grid(loss=("logistic-non-decomposable",), shrinkage=(0.3,), rules=(100, 200)))

    def scores(self, setting, x, y, x_new):
        from mlrl.boosting import BoomerClassifier

        alone = {"parallel_rule_refinement": "false", "parallel_statistic_update": "false", "parallel_prediction": "false"}
        head = "complete" if "non" in setting["loss"] else "single"
        model = BoomerClassifier(random_state=SEED, max_rules=setting["rules"], loss=setting["loss"], shrinkage=setting["shrinkage"], head_type=head,
                                 feature_sampling="without-replacement", **alone)
        model.fit(x.astype(np.float32), y.astype(np.uint8))
        return np.asarray(model.predict_proba(x_new.astype(np.float32)))


PEERS = (LogisticRelevance, LinearRelevance, KernelRelevance, KernelPowerset, LaplaceRelevance, LaplacePowerset, MLkNN, DisjointRAkEL,
         OverlappingRAkEL, Chain, JointRandomForest, JointExtraTrees, ExtraTrees, RandomForests, ChainEnsemble, Boomer)
