"""A protocol for many labels: setting and rule are chosen on a fifth of the training rows, by models of the others."""

import numpy as np

import tune

COSTS = (0.1, 0.3, 1, 3)  # C of those peers that have one


def smaller(peer):
    """Return the peer with few settings of C, the others as they are."""
    few = type(peer)()
    few.grid = [s for s in peer.grid if s.get("C", COSTS[0]) in COSTS]  # of the grid that scaling has left
    return few


def rows(peer, data):
    """Return a row for each measure."""
    x, y = data.x[: data.train], data.y[: data.train]
    out = data.folds[0] == 0
    scores = np.stack([np.asarray(s, dtype=np.float32)[None] for s in peer.run(peer.grid, x[~out], y[~out], x[out])])
    best = tune.choose(peer, y[out], scores)
    found, on_test = [], {}
    for measure in tune.MEASURES:
        b = best[measure]
        key = str(b["setting"])
        if key not in on_test:
            (on_test[key],) = peer.run([b["setting"]], x, y, data.x[data.train :])
        labels = tune.decide(np.asarray(on_test[key], dtype=np.float32), b["rule"])
        values = tune.measures(data.y[data.train :], labels)[measure]
        found.append(
            {"measure": measure, "setting": b["setting"], "rule": b["rule"], "candidates": len(peer.grid) * len(tune.rules(peer.kind)),
             "held_out": b["held_out"], "held_out_stderr": b["held_out_stderr"],
             "test": values.mean(), "test_stderr": values.std(ddof=1) / np.sqrt(len(values))}
        )
    return found
