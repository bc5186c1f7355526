"""Checks the rules and the protocol for many labels against their definitions, and the libraries that are here: python -m unittest discover bench/peers"""

import itertools
import unittest

import numpy as np

import labeltrees
import many
import rules
import tune
from test_peers import planted


class Echo(many.models.Peer):
    """Scores every label by its setting, and remembers which rows it was trained on, and on which it was asked."""

    name, grid, packages = "echo", [{"value": v} for v in (0.2, 0.8)], ("numpy",)

    def __init__(self):
        self.seen = []

    def scores(self, setting, x, y, x_new):
        self.seen.append((x[:, 0], x_new[:, 0]))
        return np.full((len(x_new), y.shape[1]), setting["value"])


class TestRules(unittest.TestCase):
    def test_expected_f1_by_definition(self):
        """The number of labels is that of the largest mean of F1 over all labelings of independent labels."""
        rng = np.random.default_rng(1)
        p = rng.random((40, 5)) ** rng.integers(1, 6, (40, 1))
        truths = np.array(list(itertools.product((0, 1), repeat=5)))
        for least in (0, 1):
            value, order = rules.expected_f1(p.astype(np.float32))
            counts = value[:, least:].argmax(1) + least
            for row, count, chain in zip(p, counts, order):
                chances = np.prod(np.where(truths, row, 1 - row), axis=1)
                values = []
                for k in range(least, 6):
                    said = np.isin(np.arange(5), chain[:k])
                    values.append(chances @ tune.measures(truths, np.tile(said, (len(truths), 1)))["ExampleF1"])
                self.assertAlmostEqual(values[count - least], max(values), places=4)
                self.assertTrue((np.diff(row[chain]) <= 1e-7).all())

    def test_many_labels_count_by_mean_and_variance(self):
        p = np.random.default_rng(2).random((30, 300)).astype(np.float32) ** 8
        exact, kept = None, rules.MOST
        try:
            for rules.MOST in (300, 60):
                value, _ = rules.expected_f1(p)
                exact = value if exact is None else exact
        finally:
            rules.MOST = kept
        np.testing.assert_allclose(value, exact[:, :61], atol=2e-3)

    def test_measures(self):
        truth, said = np.random.default_rng(6).random((2, 200, 3)) < 0.3
        for name, values in tune.measures(truth, said).items():
            np.testing.assert_allclose(rules.measures(truth, said)[name], values)

    def test_platt(self):
        """Scores that are log-odds are left as they are, whatever their unit; a label that is never on is improbable."""
        rng = np.random.default_rng(3)
        z = rng.normal(0, 2, (20000, 3))
        y = (rng.random(z.shape) < rules.expit(z - 1)).astype(np.int8)
        y[:, 2] = 0
        got = rules.Platt(5 * z + 3, y)(5 * z + 3)
        np.testing.assert_allclose(got[:, :2], rules.expit(z - 1)[:, :2], atol=0.03)
        self.assertLess(got[:, 2].max(), 0.01)

    def test_calibration_sees_other_rows(self):
        """The probabilities of a part do not depend on its labels."""
        rng = np.random.default_rng(4)
        scores, y = rng.random((50, 4)).astype(np.float32), rng.integers(0, 2, (50, 4))
        other = y.copy()
        other[::rules.FOLDS] = 1 - other[::rules.FOLDS]
        a, b = rules.cross_calibrated("probability", scores, y), rules.cross_calibrated("probability", scores, other)
        part = np.arange(50) % rules.FOLDS == 0
        np.testing.assert_array_equal(a[part], b[part])
        self.assertTrue((a[~part] != b[~part]).any())

    def test_labels_by_definition(self):
        rng = np.random.default_rng(5)
        scores, p = rng.normal(size=(20, 6)).astype(np.float32), rng.random((20, 6)).astype(np.float32)
        seen = np.unique(rng.integers(0, 2, (7, 6)), axis=0)
        made = rules.Decisions("margin", scores, p, seen)
        for row, on in zip(scores, made.labels({"by": "top", "k": 2})):
            self.assertEqual(set(np.flatnonzero(on)), set(np.argsort(-row)[:2]))
        for row, on in zip(scores, made.labels({"by": "seen", "calibrated": False, "cut": 0.3})):
            self.assertAlmostEqual((row - 0.3) @ on, max((row - 0.3) @ labels for labels in seen), places=5)
        for row, on in zip(p, made.labels({"by": "seen", "calibrated": True, "cut": 0})):
            chance = [np.prod(np.where(labels, row, 1 - row)) for labels in seen]
            self.assertAlmostEqual(np.prod(np.where(on, row, 1 - row)), max(chance), places=5)
        np.testing.assert_array_equal(made.labels({"by": "cut", "calibrated": True, "cut": 0.4, "at_least_one": False}), p > np.float32(0.4))
        for kind in ("margin", "probability"):
            every = rules.every(kind)
            self.assertEqual(len({str(r) for r in every}), len(every))
            for rule in every:
                self.assertEqual(rules.Decisions(kind, p, p, seen).labels(rule).shape, p.shape)


class TestProtocol(unittest.TestCase):
    def test_no_test_row_is_chosen_by(self):
        """What is chosen comes of training rows alone, the first fold of them held out; another truth of the test rows changes test values only."""
        n = 40
        data = type("Data", (), {"x": np.arange(n + 5, dtype=float)[:, None], "train": n, "folds": [np.arange(n) % 5], "y": np.ones((n + 5, 2), dtype=np.int8)})
        data.y[1::3, 1] = 0
        peer = Echo()
        found = many.rows(peer, data)
        self.assertEqual([r["measure"] for r in found], list(tune.MEASURES))
        for trained, judged in peer.seen[:2]:
            self.assertEqual((list(judged), sorted([*trained, *judged])), (list(range(0, n, 5)), list(range(n))))
        for trained, judged in peer.seen[2:]:
            self.assertEqual((list(trained), list(judged)), (list(range(n)), list(range(n, n + 5))))
        data.y[n:] = 1 - data.y[n:]
        for a, b in zip(found, many.rows(Echo(), data)):
            for key in ("setting", "rule", "held_out"):
                self.assertEqual((a[key], a["cut_alone"][key]), (b[key], b["cut_alone"][key]))
            self.assertNotEqual(a["test"], b["test"])
            self.assertLessEqual(a["cut_alone"]["held_out"], a["held_out"] + 1e-9)
            self.assertEqual((a["cut_alone"]["rule"]["by"], a["cut_alone"]["rule"]["calibrated"]), ("cut", False))

    def test_what_is_missing_is_told(self):
        said = []
        missing = type("Missing", (labeltrees.Library,), {"name": "Nothing", "packages": ("no-such-library",)})
        self.assertFalse(many.here(missing(), said.append))
        self.assertIn("Nothing is left out: no-such-library is not installed", said[0])
        self.assertTrue(many.here(many.linear(), said.append))


class TestLibraries(unittest.TestCase):
    def test_all_learn(self):
        x, y = planted(240, 12, 8)
        y[:, 3] = 0
        y[5] = 0
        for kind in labeltrees.PEERS:
            peer = kind()
            with self.subTest(peer.name):
                if not many.here(peer, lambda _: None):
                    self.skipTest(f"{peer.name} is not installed")
                for setting, scores in zip(peer.grid, peer.run(peer.grid, x[:200], y[:200], x[200:])):
                    self.assertEqual(scores.shape, (40, 12))
                    self.assertTrue(np.isfinite(scores).all() and scores.min() >= 0 and scores.max() <= 1, setting)
                    likely = scores > np.median(scores)
                    self.assertGreater((likely == y[200:]).mean(), 0.6, setting)


if __name__ == "__main__":
    unittest.main()
