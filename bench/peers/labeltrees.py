"""Libraries for very many labels: Omikuji, napkinXC and PECOS. Each is used if it is there; many.py says which are not.

As in models.py, run(settings, x, y, x_new) yields scores (rows x labels), one for each setting. All labels of a row are scored: a beam keeps every branch.
Weights are not pruned. Omikuji and napkinXC draw at random and cannot be seeded altogether: another run differs by some tenths of a point.
"""

import contextlib
import os
import pathlib
import sys
import tempfile

import numpy as np
import scipy.sparse

import models
from models import SEED, grid, scale


class Library(models.Peer):
    """A peer of a library that can be missing."""

    kind = "probability"

    def scores(self, setting, x, y, x_new):
        x, x_new = scale("unit rows", x, y, x_new)
        with silent():
            return self.trained(setting, x.astype(np.float32), y, x_new.astype(np.float32))


@contextlib.contextmanager
def silent():
    """Send what libraries say of their progress nowhere: they write to the descriptors themselves."""
    sys.stdout.flush()
    sys.stderr.flush()
    kept, nowhere = [(of, os.dup(of)) for of in (1, 2)], os.open(os.devnull, os.O_WRONLY)
    for of, _ in kept:
        os.dup2(nowhere, of)
    try:
        yield
    finally:
        for of, old in kept:
            os.dup2(old, of)
            os.close(old)
        os.close(nowhere)


def filled(shape, rows):
    """Return scores from lists of pairs of a label and its score, zero for labels that are not there."""
    scores = np.zeros(shape, dtype=np.float32)
    for row, pairs in zip(scores, rows):
        for label, score in pairs:
            row[label] = score
    return scores


class Omikuji(Library):
    """Label trees with linear classifiers: balanced ones as Parabel's (Prabhu et al. 2018), or wide ones as Bonsai's (Khandagale et al. 2020)."""

    name, module = "Omikuji", "omikuji"
    packages = ("omikuji", "numpy", "scipy")
    trees = {"Parabel": {"cluster_k": 2, "cluster_balanced": True}, "Bonsai": {"cluster_k": 100, "cluster_balanced": False}}
    grid = grid(tree=("Parabel", "Bonsai"), C=(0.1, 0.3, 1))

    def trained(self, setting, x, y, x_new):
        import omikuji

        p = omikuji.Model.default_hyper_param()
        for field, value in {"linear_c": setting["C"], "linear_weight_threshold": 0, **self.trees[setting["tree"]]}.items():
            setattr(p, field, value)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "train.txt")
            path.write_text(text(x, y))
            model = omikuji.Model.train_on_data(str(path), p, n_threads=1)
        model.init_prediction_thread_pool(1)
        model.densify_weights(0.1, n_threads=1)
        n = y.shape[1]
        rows = (model.predict([(j, row[j].item()) for j in np.flatnonzero(row).tolist()], beam_size=n, top_k=n) for row in x_new)
        return filled((len(x_new), n), rows)


def text(x, y):
    """Return rows in the format of the Extreme Classification Repository."""
    lines = [f"{len(x)} {x.shape[1]} {y.shape[1]}"]
    for row, labels in zip(x, y):
        values = " ".join(f"{j}:{row[j]:.7g}" for j in np.flatnonzero(row))
        lines.append(",".join(map(str, np.flatnonzero(labels))) + " " + values)
    return "\n".join(lines) + "\n"


class NapkinXC(Library):
    """Probabilistic label trees, or one linear classifier for each label, with the logistic loss or the squared hinge."""

    name, module = "napkinXC", "napkinxc.models"
    packages = ("napkinxc", "numpy", "scipy")
    grid = (grid(model=("PLT",), loss=("log",), C=(10, 30)) + grid(model=("PLT",), loss=("l2",), C=(0.3, 1))
            + grid(model=("BR",), loss=("l2",), C=(0.3,)) + grid(model=("BR",), loss=("log",), C=(10,)))

    def trained(self, setting, x, y, x_new):
        from napkinxc import models as napkin

        with tempfile.TemporaryDirectory() as folder:
            kind = {"PLT": napkin.PLT, "BR": napkin.BR}[setting["model"]]
            model = kind(folder, loss=setting["loss"], liblinear_c=setting["C"], weights_threshold=0, threads=1, seed=SEED)
            model.fit(scipy.sparse.csr_matrix(x), [np.flatnonzero(labels).tolist() for labels in y])
            rows = model.predict_proba(scipy.sparse.csr_matrix(x_new), top_k=y.shape[1])
        return filled((len(x_new), y.shape[1]), rows)


class PECOS(Library):
    """XR-Linear (Yu et al. 2022): trees of clusters of labels, with the squared hinge."""

    name, module = "PECOS", "pecos.xmc.xlinear.model"
    packages = ("libpecos", "numpy", "scipy")
    grid = grid(leaf=(100, 20), C=(0.03, 0.1, 0.3, 1))

    def trained(self, setting, x, y, x_new):
        from pecos.xmc import Indexer, LabelEmbeddingFactory
        from pecos.xmc.xlinear.model import XLinearModel

        rows, n = scipy.sparse.csr_matrix(x), y.shape[1]
        labels = scipy.sparse.csc_matrix(y, dtype=np.float32)
        embedding = LabelEmbeddingFactory.create(labels.tocsr(), rows, method="pifa")
        clusters = Indexer.gen(embedding, indexer_type="hierarchicalkmeans", nr_splits=16, max_leaf_size=setting["leaf"], seed=SEED, threads=1)
        model = XLinearModel.train(rows, labels, C=clusters, Cp=setting["C"], Cn=setting["C"], threshold=0, threads=1)
        return model.predict(scipy.sparse.csr_matrix(x_new), beam_size=n, only_topk=n, threads=1).toarray()


PEERS = (Omikuji, NapkinXC, PECOS)
