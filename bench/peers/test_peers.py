"""Checks measures, rules, the choice and the peers of our own against their definitions: python -m unittest discover bench/peers"""

import math
import unittest

import numpy as np

import halves
import models
import peers
import tune


def planted(rows, labels, features=5, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(rows, features))
    return x, (x @ rng.normal(size=(features, labels)) + 0.3 * rng.normal(size=(rows, labels)) > 0).astype(np.int8)


class TestMeasures(unittest.TestCase):
    def test_by_hand(self):
        truth = np.array([[1, 1, 0], [0, 0, 0], [0, 0, 0], [1, 0, 0]])
        said = np.array([[1, 0, 0], [0, 0, 0], [0, 0, 1], [0, 0, 0]])
        got = tune.measures(truth, said)
        np.testing.assert_allclose(got["HammingAccuracy"], [200 / 3, 100, 200 / 3, 200 / 3])
        np.testing.assert_allclose(got["SubsetAccuracy"], [0, 100, 0, 0])
        np.testing.assert_allclose(got["ExampleF1"], [200 / 3, 100, 0, 0])
        np.testing.assert_allclose(tune.measures(truth, said, empty=0.0)["ExampleF1"], [200 / 3, 0, 0, 0])

    def test_rules(self):
        scores = np.array([[0.6, 0.4], [0.2, 0.3], [0.7, 0.8]])
        np.testing.assert_array_equal(tune.decide(scores, {"cut": 0.5, "at_least_one": False}), [[1, 0], [0, 0], [1, 1]])
        np.testing.assert_array_equal(tune.decide(scores, {"cut": 0.5, "at_least_one": True}), [[1, 0], [0, 1], [1, 1]])
        self.assertEqual([tune.rules(kind)[0]["cut"] for kind in ("probability", "margin", "labels")], [0.5, 0, 0.5])


class TestChoice(unittest.TestCase):
    class Echo(models.Peer):
        """Says its setting, and remembers which rows it was trained on."""

        name, grid, seen = "echo", [{"value": v} for v in (0.2, 0.8)], []

        def scores(self, setting, x, y, x_new):
            self.seen.append((x[:, 0], x_new[:, 0]))
            return np.full((len(x_new), y.shape[1]), setting["value"])

    def test_no_row_judges_what_it_trained(self):
        peer, n = self.Echo(), 20
        x, y = np.arange(n, dtype=float)[:, None], np.ones((n, 2), dtype=np.int8)
        scores = tune.held_out_scores(peer, x, y, [np.arange(n) % 5, np.arange(n) // 4])
        self.assertEqual(scores.shape, (2, 2, n, 2))
        self.assertTrue((scores[0] == np.float32(0.2)).all() and (scores[1] == np.float32(0.8)).all())
        for trained, judged in peer.seen:
            self.assertEqual(sorted([*trained, *judged]), list(range(n)))
        self.assertEqual(len(peer.seen), 2 * 2 * 5)

    def test_the_best_is_chosen(self):
        peer = self.Echo()
        y = np.ones((10, 2), dtype=np.int8)
        scores = np.stack([np.full((1, 10, 2), s["value"], dtype=np.float32) for s in peer.grid])
        for chosen in tune.choose(peer, y, scores).values():  # only 0.8 is above the usual cut-off, but 0.2 is above lower ones
            self.assertEqual(chosen["held_out"], 100)
            self.assertGreater(chosen["setting"]["value"], chosen["rule"]["cut"])


class TestPeers(unittest.TestCase):
    def test_all_learn(self):
        x, y = planted(120, 4)
        truth, x_new = y[80:], x[80:]
        for kind in models.PEERS:
            peer = kind()
            with self.subTest(peer.name):
                plain = [s for s in peer.grid if s.get("scaling", "none") == "none"]
                scores = next(iter(peer.run([plain[len(plain) // 2]], x[:80], y[:80], x_new)))
                self.assertEqual(scores.shape, truth.shape)
                labels = tune.decide(scores, tune.rules(peer.kind)[0])
                self.assertGreater((labels == truth).mean(), 0.65)

    def test_constant_labels(self):
        x, y = planted(40, 4)
        y[:, 1], y[:, 2] = 0, 1
        for kind in models.PEERS:
            peer = kind()
            with self.subTest(peer.name):
                scores = next(iter(peer.run([peer.grid[len(peer.grid) // 2]], x, y, x)))
                self.assertTrue(np.isfinite(scores).all())
                labels = tune.decide(scores, tune.rules(peer.kind)[0])
                self.assertFalse(labels[:, 1].any())
                self.assertTrue(labels[:, 2].all())

    def test_kernels_follow_the_settings(self):
        x, y = planted(30, 3)
        peer = models.KernelRelevance()
        every = list(peer.run(peer.grid, x, y, x))
        for k in (0, 7, len(peer.grid) - 1):
            alone = next(iter(peer.run([peer.grid[k]], x, y, x)))
            np.testing.assert_array_equal(every[k], alone)

    def test_laplace_by_definition(self):
        x, y = planted(12, 3, seed=5)
        x_new, factor = planted(4, 3, seed=6)[0], 0.5
        mean = np.mean([np.abs(a - b).sum() for a in x for b in x])
        among, new = models.LaplaceRelevance().kernels("none", factor, x, y, x_new)
        for kernel, rows in ((among, x), (new, x_new)):
            want = [[math.exp(-factor / mean * np.abs(a - b).sum()) for b in x] for a in rows]
            np.testing.assert_allclose(kernel, want, rtol=1e-12)

    def test_mlknn_by_definition(self):
        x, y = planted(25, 3, seed=3)
        x_new, k, s = planted(6, 3, seed=4)[0], 5, 1.0
        got = models.MLkNN().scores({"scaling": "none", "k": k}, x, y, x_new)

        def neighbors_with(row, i, but=None):
            order = sorted((math.dist(row, x[m]), m) for m in range(len(x)) if m != but)
            return sum(int(y[m, i]) for _, m in order[:k])

        for t, i in np.ndindex(got.shape):
            have = [m for m in range(len(x)) if y[m, i]]
            lack = [m for m in range(len(x)) if not y[m, i]]
            c = neighbors_with(x_new[t], i)
            likelihood = [(s + sum(neighbors_with(x[m], i, m) == c for m in rows)) / (s * (k + 1) + len(rows)) for rows in (have, lack)]
            prior = (s + len(have)) / (2 * s + len(x))
            p, q = prior * likelihood[0], (1 - prior) * likelihood[1]
            self.assertAlmostEqual(got[t, i], p / (p + q))

    def test_subsets_of_labels(self):
        for labels in (3, 6, 10, 14):
            parts = models.DisjointRAkEL().subsets(labels)
            self.assertEqual(sorted(np.concatenate(parts)), list(range(labels)))
            drawn = models.OverlappingRAkEL().subsets(labels)
            self.assertEqual(len({tuple(d) for d in drawn}), len(drawn))
            self.assertEqual(set(np.ravel(drawn)), set(range(labels)))

    def test_scalings(self):
        x, y = planted(30, 2)
        x[:, 1] = 7  # a constant must not divide by zero
        y[:, 1] = 1  # nor a label that all have
        z, _ = models.scale("zscore", x, y, x)
        np.testing.assert_allclose(z.mean(0), 0, atol=1e-12)
        np.testing.assert_allclose(np.delete(z.std(0), 1), 1)
        np.testing.assert_allclose(np.linalg.norm(models.scale("unit rows", x, y, x)[0], axis=1), 1)

        varying = np.delete(y, 1, axis=1)
        for k in range(x.shape[1]):
            correlations = [0 if k == 1 else np.corrcoef(x[:, k], labels)[0, 1] for labels in varying.T]
            weight = np.sqrt(np.sqrt(np.mean(np.square(correlations))))
            np.testing.assert_allclose(models.scale("relevance", x, y, x)[1][:, k], weight * x[:, k])
        np.testing.assert_array_equal(models.scale("relevance", x, y[:, 1:2], x)[0], x)

    def test_which_scalings_are_tried(self):
        tried = [s for s in models.SCALINGS if peers.asked(s, None, sparse=False)]
        self.assertEqual(tried, ["none", "zscore", "unit rows"])
        self.assertEqual([s for s in models.SCALINGS if peers.asked(s, "none+relevance", sparse=True)], ["none", "relevance"])
        self.assertEqual([s for s in models.SCALINGS if peers.asked(s, "none+relevance", sparse=False)], ["none"])
        self.assertTrue(peers.asked(None, "none", sparse=False))

    def test_relevance_is_in_both_grids(self):
        for kind in models.PEERS:
            if "scaling" in kind.grid[0]:
                for grid in (kind.grid, halves.smaller(kind()).grid):
                    self.assertTrue(any(s["scaling"] == "relevance" for s in grid), kind.name)

    def test_names_are_files(self):
        names = [peers.file_name(kind) for kind in models.PEERS]
        self.assertEqual(len(set(names)), len(names))

    def test_small_grids_are_parts(self):
        self.assertEqual(set(halves.FEW), set(models.PEERS))
        for kind in models.PEERS:
            self.assertTrue(all(s in kind.grid for s in halves.FEW[kind]), kind.name)
            few, more = halves.smaller(kind()), halves.smaller(kind(), [kind.grid[0], kind.grid[-1]])
            self.assertEqual(few.grid, [s for s in kind.grid if s in halves.FEW[kind]])
            self.assertTrue(more.grid[0] == kind.grid[0] and more.grid[-1] == kind.grid[-1])


class TestHalves(unittest.TestCase):
    def test_each_half_is_tested_once(self):
        x, y = planted(40, 3)

        class Data:
            halves = [np.arange(40) % 2, np.arange(40) // 20]

        Data.x, Data.y = x, y
        peer = halves.smaller(models.MLkNN())
        for row in halves.run(peer, Data):
            self.assertEqual({len(row[k]) for k in ("held_out", "test", "settings", "rules")}, {4})
            self.assertAlmostEqual(row["mean"], np.mean(row["test"]))
        (part,) = halves.inner_folds(23, 4)
        self.assertEqual(sorted(np.bincount(part)), [4, 4, 5, 5, 5])

    def test_two_peers_at_least(self):
        rows = [{"peer": p, "held_out": h} for p, h in (("a", 3), ("b", 1), ("c", 2), ("a", 3), ("b", 1), ("c", 2))]
        self.assertEqual(peers.promising(rows, [{"peer": "a"}, {"peer": "a"}]), ["a", "c"])
        self.assertEqual(peers.promising(rows, [{"peer": "b"}, {"peer": "c"}, {"peer": "a"}]), ["b", "c", "a"])


if __name__ == "__main__":
    unittest.main()
