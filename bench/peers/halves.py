"""The second protocol: five times twofold stratified cross-validation on all examples, each half tuned by itself."""

import numpy as np

import models
import tune
from models import grid

FEW_SCALINGS = ("none", "zscore", "relevance")

# Grids that are small enough to be searched ten times. What the first protocol chose joins them.
FEW = {
    models.LogisticRelevance: grid(scaling=FEW_SCALINGS, C=(0.03, 0.3, 3, 30)),
    models.LinearRelevance: grid(scaling=FEW_SCALINGS, C=(0.001, 0.01, 0.1, 1)),
    models.KernelRelevance: grid(scaling=FEW_SCALINGS, gamma=(0.5, 1, 2), C=(1, 4)),
    models.KernelPowerset: grid(scaling=FEW_SCALINGS, gamma=(0.5, 1, 2), C=(1, 4)),
    models.LaplaceRelevance: grid(scaling=FEW_SCALINGS, gamma=(0.25, 0.5, 1), C=(4, 16)),
    models.LaplacePowerset: grid(scaling=FEW_SCALINGS, gamma=(0.25, 0.5, 1), C=(4, 16)),
    models.MLkNN: grid(scaling=FEW_SCALINGS, k=(5, 10, 20)),
    models.DisjointRAkEL: grid(scaling=FEW_SCALINGS, gamma=(0.5, 1, 2), C=(1, 4)),
    models.OverlappingRAkEL: grid(scaling=FEW_SCALINGS, gamma=(1, 2), C=(1, 4)),
    models.Chain: grid(scaling=FEW_SCALINGS, C=(0.1, 1, 10), passes=("predict",)),
    models.ChainEnsemble: grid(scaling=FEW_SCALINGS, C=(0.3, 3, 30), passes=("predict",)),
    models.JointRandomForest: grid(max_features=("sqrt",), min_leaf=(1, 3)),
    models.JointExtraTrees: grid(max_features=("sqrt", 0.2), min_leaf=(1, 3)),
    models.RandomForests: grid(max_features=("sqrt",), min_leaf=(1, 3)),
    models.ExtraTrees: grid(max_features=("sqrt",), min_leaf=(1, 3)),
    models.Boomer: grid(loss=("logistic-decomposable",), shrinkage=(0.1, 0.3), rules=(500, 1000)),
}


def smaller(peer, chosen=()):
    """Return the peer with its small grid and the settings that the first protocol chose."""
    few = type(peer)()
    wanted = [*FEW[type(peer)], *chosen]
    few.grid = [s for s in peer.grid if s in wanted]  # in the order of the full grid, where neighbors share kernels
    return few


def inner_folds(rows, split):
    """Return which of five folds tests each row of a half, at random; split, of 0 to 9, is the seed."""
    part = np.empty(rows, dtype=int)
    part[np.random.default_rng(split).permutation(rows)] = np.arange(rows) % 5
    return [part]


def run(peer, data):
    """Return a row for each measure. Its lists have an entry for each split: entry 2r+f trains without half f of halving r, and tests on it."""
    rows = {m: {"measure": m, "held_out": [], "test": [], "settings": [], "rules": []} for m in tune.MEASURES}
    for r, part in enumerate(data.halves):
        for half in (0, 1):
            test = part == half
            x, y = data.x[~test], data.y[~test]
            for got in tune.tune(peer, x, y, inner_folds(len(x), 2 * r + half), data.x[test], data.y[test]):
                row = rows[got["measure"]]
                row["candidates"] = got["candidates"]
                for key in ("held_out", "test"):
                    row[key].append(got[key])
                row["settings"].append(got["setting"])
                row["rules"].append(got["rule"])
                if "test_empty_is_0" in got:
                    row.setdefault("test_empty_is_0", []).append(got["test_empty_is_0"])
    return [row | {"mean": np.mean(row["test"])} for row in rows.values()]
