"""Measures, rules that turn scores into labels, and the choice among candidates by cross-validation."""

import json

import numpy as np

MEASURES = ("HammingAccuracy", "SubsetAccuracy", "ExampleF1")

# Cut-offs, the usual one first: among equally good rules the earliest is chosen.
CUTS = {
    "probability": sorted(np.round(np.arange(0.05, 0.951, 0.025), 3).tolist(), key=lambda c: abs(c - 0.5)),
    "margin": sorted(np.round(np.arange(-1, 1.001, 0.05), 2).tolist(), key=abs),
    "labels": [0.5],  # scores that are labels already
}


def measures(truth, predicted, empty=1.0):
    """Return the three measures of labels (rows x labels) in percent, a value for each row; empty is the F1 of no label where none is on."""
    truth, predicted = truth.astype(bool), predicted.astype(bool)
    both, sizes = (truth & predicted).sum(1), truth.sum(1) + predicted.sum(1)
    equal = truth == predicted
    f1 = np.where(sizes == 0, empty, 2 * both / np.maximum(sizes, 1))
    return {"HammingAccuracy": 100 * equal.mean(1), "SubsetAccuracy": 100.0 * equal.all(1), "ExampleF1": 100 * f1}


def rules(kind):
    """Return all rules for scores of a kind: a cut-off, and whether a row without labels gets the one of the largest score."""
    at_least_one = (False,) if kind == "labels" else (False, True)
    return [{"cut": cut, "at_least_one": one} for cut in CUTS[kind] for one in at_least_one]


def decide(scores, rule):
    """Return the labels (rows x labels) that a rule makes of scores."""
    on = scores > rule["cut"]
    if rule["at_least_one"]:
        bare = np.flatnonzero(~on.any(1))
        on[bare, scores[bare].argmax(1)] = True
    return on


def held_out_scores(peer, x, y, folds):
    """Return for each setting of a peer the scores of rows by models that have not seen them: repeats x rows x labels."""
    scores = np.zeros((len(peer.grid), len(folds), *y.shape), dtype=np.float32)
    for repeat, part in enumerate(folds):
        for fold in np.unique(part):
            test = part == fold
            for k, s in enumerate(peer.run(peer.grid, x[~test], y[~test], x[test])):
                scores[k, repeat, test] = s
    return scores


def choose(peer, y, scores):
    """Return for each measure the best candidate on held-out scores, the first among equals: its setting, rule, value and standard error."""
    repeats = scores.shape[1]
    truth = np.tile(y, (repeats, 1))
    best = {}
    for setting, s in zip(peer.grid, scores):
        s = s.reshape(len(truth), -1)
        for rule in rules(peer.kind):
            for measure, values in measures(truth, decide(s, rule)).items():
                value = values.mean()
                if measure not in best or value > best[measure]["held_out"] + 1e-9:
                    by_row = values.reshape(repeats, -1).mean(0)  # repeats see the same rows: they count once
                    error = by_row.std(ddof=1) / np.sqrt(len(by_row))
                    best[measure] = {"setting": setting, "rule": rule, "held_out": value, "held_out_stderr": error}
    return best


def tune(peer, x, y, folds, x_test, y_test):
    """Choose by cross-validation on the training rows, train on all of them, and measure on the test rows."""
    best = choose(peer, y, held_out_scores(peer, x, y, folds))
    settings = list({json.dumps(b["setting"], sort_keys=True): b["setting"] for b in best.values()}.values())
    on_test = list(peer.run(settings, x, y, x_test))
    rows = []
    for measure in MEASURES:
        b = best[measure]
        labels = decide(np.asarray(on_test[settings.index(b["setting"])], dtype=np.float32), b["rule"])
        values = measures(y_test, labels)[measure]
        row = {"measure": measure, "setting": b["setting"], "rule": b["rule"], "candidates": len(peer.grid) * len(rules(peer.kind)),
               "held_out": b["held_out"], "held_out_stderr": b["held_out_stderr"],
               "test": values.mean(), "test_stderr": values.std(ddof=1) / np.sqrt(len(values))}
        if measure == "ExampleF1":
            row["test_empty_is_0"] = measures(y_test, labels, empty=0.0)[measure].mean()
        rows.append(row | {"labels": labels})
    return rows
