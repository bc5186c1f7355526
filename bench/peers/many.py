"""Tunes LinearSVC and the libraries for very many labels on sets with hundreds of labels, and writes what it finds to a file.

    make bench-many

Setting and rule are chosen on a fifth of the training rows, those of the first fold, by models of the others: see README.md beside this file.
"""

import peers  # first: it sets the number of threads

import argparse
import importlib
import importlib.metadata
import json
import pathlib
import sys
import time
import warnings

import numpy as np

import labeltrees
import models
import rules
import tune

COSTS = (0.03, 0.1, 0.3, 1)  # C of the linear SVC


def linear():
    """Return the linear SVC on rows of length one, as all the others have them."""
    peer = models.LinearRelevance()
    peer.grid = [s for s in peer.grid if s["scaling"] == "unit rows" and s["C"] in COSTS]
    return peer


def here(peer, say):
    """Tell whether the library of a peer is installed and loads; say what is left out."""
    try:
        importlib.metadata.version(peer.packages[0])
        if hasattr(peer, "module"):
            importlib.import_module(peer.module)
    except (ImportError, OSError) as err:
        say(f"{peer.name} is left out: {peer.packages[0]} is not installed here ({err})")
        return False
    return True


def better(value, best):
    return best is None or value > best["held_out"] + 1e-9


def choose(peer, scored, y, seen):
    """Return for each measure the best of all settings and rules on held-out scores, the first among equals, and the best of plain cuts."""
    best = {(m, plain): None for m in tune.MEASURES for plain in (False, True)}
    truth = y.astype(bool)
    for number, scores in enumerate(scored):
        made = rules.Decisions(peer.kind, scores, rules.cross_calibrated(peer.kind, scores, y), seen)
        for rule in rules.every(peer.kind):
            plain = rule["by"] == "cut" and not rule["calibrated"]
            for measure, values in rules.measures(truth, made.labels(rule)).items():
                found = {"number": number, "setting": peer.grid[number], "rule": rule, "held_out": values.mean(),
                         "held_out_stderr": values.std(ddof=1) / np.sqrt(len(values))}
                for key in [(measure, False)] + [(measure, True)] * plain:
                    if better(found["held_out"], best[key]):
                        best[key] = found
    return best


def rows(peer, data):
    """Return a row for each measure; its CPU seconds are those of the choices by all measures and of the one model that is tested."""
    n, begin = data.train, time.process_time()
    x, y, x_test, y_test = data.x[:n], data.y[:n], data.x[n:], data.y[n:]
    out = data.folds[0] == 0
    scored = [np.asarray(s, dtype=np.float32) for s in peer.run(peer.grid, x[~out], y[~out], x[out])]
    best = choose(peer, scored, y[out], np.unique(y[~out], axis=0))
    choosing, seen = time.process_time() - begin, np.unique(y, axis=0)
    made = {}  # of a setting, what its model says of the test rows, and its CPU seconds
    for b in best.values():
        if (k := b["number"]) not in made:
            begin = time.process_time()
            (scores,) = (np.asarray(s, dtype=np.float32) for s in peer.run([b["setting"]], x, y, x_test))
            platt = rules.Platt(rules.raw(peer.kind, scored[k]), y[out])
            decisions = rules.Decisions(peer.kind, scores, platt(rules.raw(peer.kind, scores)), seen)
            made[k] = decisions, time.process_time() - begin
    found = []
    for measure in tune.MEASURES:
        chosen, cut = ({"setting": b["setting"], "rule": b["rule"], "held_out": b["held_out"], "held_out_stderr": b["held_out_stderr"]}
                       | tested(made[b["number"]][0], b["rule"], measure, y_test) for b in (best[measure, False], best[measure, True]))
        found.append({"version": version(peer), "measure": measure, "candidates": len(peer.grid) * len(rules.every(peer.kind))} | chosen
                     | {"cut_alone": cut, "cpu_seconds": round(choosing + made[best[measure, False]["number"]][1], 1)})
    return found


def tested(decisions, rule, measure, y):
    values = tune.measures(y, decisions.labels(rule))[measure]
    return {"test": values.mean(), "test_stderr": values.std(ddof=1) / np.sqrt(len(values))}


def version(peer):
    return f"{peer.packages[0]} {importlib.metadata.version(peer.packages[0])}"


PARTS = (rules, rows, choose, tested, labeltrees.silent, labeltrees.filled, labeltrees.text)  # what a kept result depends on besides the peer


def report(made, sets, found, best):
    used = sorted({name for p in (models.LinearRelevance, *labeltrees.PEERS) for name in p.packages if any(r["peer"] == p.name for r in found)})
    head = {"made": made, "versions": peers.versions(used), "folds": {d.name: f"the first of {d.fold_rule}" for d in sets}}
    text = json.dumps(head, indent=1)[:-2]
    return f'{text},\n "rows": {peers.lines(found)},\n "best": {peers.lines(best)}\n}}\n'


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path, required=True, help="the folder that the export wrote")
    parser.add_argument("--cells", type=pathlib.Path, required=True, help="the folder that keeps what is finished")
    parser.add_argument("--out", type=pathlib.Path, help="the result file; none writes none")
    parser.add_argument("--only", default="", help="only peers in whose names this is found")
    parser.add_argument("sets", nargs="+")
    args = parser.parse_args()
    warnings.simplefilter("ignore")  # trainings that stop at their largest number of iterations; the held-out rows judge them
    every = [p for p in (linear(), *(kind() for kind in labeltrees.PEERS)) if args.only in p.name and here(p, print)]
    if not every:
        parser.error(f"no peer that is here has {args.only!r} in its name")
    sets = [peers.Data(args.data, name) for name in args.sets]
    found, best = [], []
    for data in sets:
        own = [row for p in every for row in peers.cell(p, data, args.cells / "many", rows, *PARTS)]
        found += own
        best += [max((r for r in own if r["measure"] == m), key=lambda r: r["held_out"]) for m in tune.MEASURES]
    for row in best:
        print(f"{row['set']}, {row['measure']}: {row['peer']}, {row['held_out']:.1f} held out, {row['test']:.1f} on the test examples", flush=True)
    if args.out:
        peers.write(args.out, report(peers.made_by(args.data, "make bench-many"), sets, found, best))


if __name__ == "__main__":
    sys.exit(main())
