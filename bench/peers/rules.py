"""Rules that turn scores of many labels into labels, those among them that calibrate the scores first."""

import functools

import numpy as np

import tune

FOLDS = 3  # parts of the held-out rows: each is calibrated by the others
MOST = 64  # labels that are weighed exactly where F1 is expected; what is on among the others counts by mean and variance
TOP = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30)
PROBABILITIES = (0.5, 0.45, 0.4, 0.35, 0.3, 0.25, 0.2, 0.175, 0.15, 0.125, 0.1, 0.075, 0.05, 0.025, 0.55, 0.6, 0.7, 0.8)
CUTS = {"probability": PROBABILITIES, "margin": tune.CUTS["margin"]}
SEEN_CUTS = {"probability": (0, -0.5, -1, -1.5, -2, -2.5, 0.5), "margin": (0, -0.1, -0.2, -0.3, -0.4, -0.5, -0.6, 0.1)}


def measures(truth, predicted):
    """Return what tune.measures does, of arrays of bool, in less time."""
    both, sizes = np.count_nonzero(truth & predicted, axis=1), np.count_nonzero(truth, axis=1) + np.count_nonzero(predicted, axis=1)
    wrong = sizes - 2 * both
    return {"HammingAccuracy": 100 * (1 - wrong / truth.shape[1]), "SubsetAccuracy": 100.0 * (wrong == 0),
            "ExampleF1": np.where(sizes == 0, 100.0, 200 * both / np.maximum(sizes, 1))}


def log_odds(p):
    p = np.asarray(p, dtype=np.float64)
    p = np.clip(p, 1e-9, 1 - 1e-9)
    return np.log(p / (1 - p))


def expit(z):
    return 1 / (1 + np.exp(-np.clip(z, -30, 30)))


class Platt:
    """The probability of each label as a logistic function of its score (Platt 2000): the likeliest slope and offset, label by label."""

    def __init__(self, z, y, steps=25):
        on = y.sum(0).astype(float)
        off = len(y) - on
        target = np.where(y > 0, (on + 1) / (on + 2), 1 / (off + 2))
        self.mean, self.deviation = z.mean(0), np.maximum(z.std(0), 1e-6)
        z = (z - self.mean) / self.deviation
        a, b = np.ones(z.shape[1]), log_odds((on + 1) / (len(y) + 2))
        z = z.astype(np.float32)
        target = target.astype(np.float32)
        for _ in range(steps):  # Newton's, with a small ridge on the slope; steps are bounded, so that none leaves the range
            p = expit(a.astype(np.float32) * z + b.astype(np.float32))
            rest, weight = p - target, p * (1 - p)
            ga, gb = np.einsum("mi,mi->i", rest, z) + 1e-2 * a, rest.sum(0)
            weighted = weight * z
            haa, hab, hbb = np.einsum("mi,mi->i", weighted, z) + 1e-2, weighted.sum(0), weight.sum(0) + 1e-6
            det = np.maximum(haa * hbb - hab * hab, 1e-9)
            da, db = (hbb * ga - hab * gb) / det, (haa * gb - hab * ga) / det
            a, b = a - np.clip(da, -1, 1), b - np.clip(db, -1, 1)
            if max(np.abs(da).max(), np.abs(db).max()) < 1e-3:
                break
        self.slope, self.offset = a, b

    def __call__(self, z):
        return expit(self.slope * ((z - self.mean) / self.deviation) + self.offset).astype(np.float32)


def raw(kind, scores):
    """Return what is calibrated: margins, or the log-odds of probabilities."""
    return (log_odds(scores) if kind == "probability" else scores).astype(np.float64)


def cross_calibrated(kind, scores, y):
    """Return probabilities of held-out rows, each part calibrated by the other parts."""
    z, part = raw(kind, scores), np.arange(len(y)) % FOLDS
    p = np.empty(scores.shape, dtype=np.float32)
    for f in range(FOLDS):
        p[part == f] = Platt(z[part != f], y[part != f])(z[part == f])
    return p


def expected_f1(p):
    """Return for each row the expected F1 of its likeliest 0, 1, ... labels, of independent labels with these probabilities, and their order.

    F1 of no label where none is on is 1. s[t], the mean of 1 / (t + labels on among those that are not predicted), is that of one
    predicted label more by one step of a recursion (Ye and others, 2012).
    """
    order = np.argsort(-p, axis=1, kind="stable")
    q = np.take_along_axis(p, order, axis=1).astype(np.float64)
    n = min(MOST, q.shape[1])
    mean, variance = q[:, n:].sum(1), (q[:, n:] * (1 - q[:, n:])).sum(1)
    t = np.arange(1, 2 * n + 2)
    s = 1 / (t + mean[:, None]) + variance[:, None] / (t + mean[:, None]) ** 3
    s = [s]
    for k in range(n - 1, 0, -1):  # s[k] of t = 1 ... n + k + 1: the labels k ... n are not predicted
        last = s[-1]
        s.append(q[:, k:k + 1] * last[:, 1:] + (1 - q[:, k:k + 1]) * last[:, :-1])
    s.reverse()
    value = np.empty((len(q), n + 1))
    value[:, 0] = np.prod(1 - q, axis=1)
    on = np.ones((len(q), 1))  # the distribution of how many of the predicted are on
    for k in range(1, n + 1):
        wider = np.zeros((len(q), k + 1))
        wider[:, :-1] = on * (1 - q[:, k - 1:k])
        wider[:, 1:] += on * q[:, k - 1:k]
        on = wider
        value[:, k] = (2 * np.arange(k + 1) * on * s[k - 1][:, k - 1:2 * k]).sum(1)
    return value, order


class Decisions:
    """The labels that rules make of scores, of their calibrated probabilities, and of the labelings that training examples have."""

    def __init__(self, kind, scores, calibrated, seen):
        self.kind, self.scores, self.calibrated, self.seen = kind, scores, calibrated, seen
        self.expected = functools.cache(self.expected)  # for both kinds of probabilities

    def labels(self, rule):
        """Return the labels (rows x labels) by a rule."""
        return getattr(self, "by_" + rule["by"].replace(" ", "_"))(rule)

    def by_cut(self, rule):
        return tune.decide(self.calibrated if rule["calibrated"] else self.scores, rule)

    def by_top(self, rule):
        return first(np.full(len(self.scores), rule["k"]), self.order)

    def by_expected_F1(self, rule):
        (value, order), least = self.expected(rule["calibrated"]), int(rule["at_least_one"])
        return first(value[:, least:].argmax(1) + least, order)

    def by_seen(self, rule):
        values = self.calibrated_values if rule["calibrated"] else self.values
        best = (values - np.float32(rule["cut"]) * self.seen.sum(1, dtype=np.float32)).argmax(1)
        return self.seen[best].astype(bool)

    def expected(self, calibrated):
        p = self.calibrated if calibrated else self.scores
        parts = [expected_f1(p[k:k + 256]) for k in range(0, len(p), 256)]  # few rows at a time stay near the processor
        return tuple(np.concatenate(of) for of in zip(*parts))

    @functools.cached_property
    def order(self):
        return np.argsort(-self.scores, axis=1, kind="stable")

    @functools.cached_property
    def values(self):
        return raw(self.kind, self.scores).astype(np.float32) @ self.seen.T.astype(np.float32)

    @functools.cached_property
    def calibrated_values(self):
        return log_odds(self.calibrated).astype(np.float32) @ self.seen.T.astype(np.float32)


def first(counts, order):
    """Return labels (rows x labels): in each row so many of its order."""
    on = np.zeros(order.shape, dtype=bool)
    np.put_along_axis(on, order, np.arange(order.shape[1]) < counts[:, None], axis=1)
    return on


def every(kind):
    """Return all rules for scores of a kind, plain cuts first: among equally good rules the earliest is chosen."""
    some = (False, True)
    found = [{"by": "cut", "calibrated": False, "cut": cut, "at_least_one": one} for cut in CUTS[kind] for one in some]
    found += [{"by": "cut", "calibrated": True, "cut": cut, "at_least_one": one} for cut in PROBABILITIES for one in some]
    found += [{"by": "top", "k": k} for k in TOP]
    for calibrated in some if kind == "probability" else (True,):
        found += [{"by": "expected F1", "calibrated": calibrated, "at_least_one": one} for one in some]
    found += [{"by": "seen", "calibrated": False, "cut": cut} for cut in SEEN_CUTS[kind]]
    found += [{"by": "seen", "calibrated": True, "cut": cut} for cut in SEEN_CUTS["probability"]]
    return found
