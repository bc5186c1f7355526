"""Tunes what a user could have instead of crank, on the same splits, and writes what it finds to a file.

    make bench-peers

README.md beside this file says what is compared, and how.
"""

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"  # CPU seconds are those of one thread; read before numpy is loaded

import argparse
import hashlib
import importlib.metadata
import inspect
import json
import pathlib
import platform
import re
import sys
import time
import warnings

import numpy as np

import halves
import models
import tune


class Data:
    """A set as the export wrote it. Training rows come first."""

    def __init__(self, folder, name):
        text = (folder / f"{name}.json").read_bytes()
        d = json.loads(text)
        self.name, self.digest, self.train = name, hashlib.sha256(text).hexdigest(), d["train"]
        self.x = np.array(d["x"], dtype=float)
        self.y = np.array([[int(digit) for digit in row] for row in d["y"]], dtype=np.int8)
        self.folds = [np.array(part) for part in d["folds"]]
        self.halves = [np.array(part) for part in d["halves"]]
        self.sparse = (self.x == 0).mean() > 0.5
        self.fold_rule, self.half_rule = d["fold_rule"], d["half_rule"]


def versions(names):
    return {"python": platform.python_version()} | {name: importlib.metadata.version(name) for name in names}


def key(peer, data, *more):
    """Tell what a cell depends on, more sources among it: it is made anew when this changes."""
    helpers = [f for _, f in inspect.getmembers(models, inspect.isfunction)]
    sources = [inspect.getsource(part) for part in [*type(peer).__mro__[:-1], *helpers, models.Safe, tune, *more]]
    used = {name: importlib.metadata.version(name) for name in peer.packages}
    return hashlib.sha256(json.dumps([sources, peer.grid, models.SEED, used, data.digest]).encode()).hexdigest()


def write(path, text):
    """Write a file whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    part.write_text(text)
    part.replace(path)


def cell(peer, data, folder, make, *more):
    """Return the rows that make(peer, data) makes, from the file that an earlier run kept if it is still right."""
    path, want = folder / data.name / file_name(peer), key(peer, data, *more)
    if path.exists() and (kept := json.loads(path.read_text()))["key"] == want:
        return kept["rows"]
    begin = time.process_time()
    rows = make(peer, data)
    seconds = time.process_time() - begin
    rows = [{"set": data.name, "peer": peer.name} | row | {"cpu_seconds": row.get("cpu_seconds", round(seconds, 1))} for row in rows]
    write(path, json.dumps({"key": want, "rows": rows}))
    said = ", ".join(f"{np.mean(r['held_out']):.1f} -> {np.mean(r['test']):.1f}" for r in rows)
    print(f"{data.name}: {peer.name}: {said} ({seconds:.0f} CPU seconds)", flush=True)
    return rows


def split_rows(peer, data):
    n = data.train
    rows = tune.tune(peer, data.x[:n], data.y[:n], data.folds, data.x[n:], data.y[n:])
    for row in rows:
        row["labels"] = "".join("01"[bit] for bit in row["labels"].ravel().astype(int))
    return rows


def file_name(peer):
    return peer.name.replace(", ", "-").replace(" ", "-") + ".json"


def split(peers, data, cells):
    """Return the rows of Mulan's split and, for each measure, the best peer by the held-out value."""
    rows = [row for peer in peers for row in cell(peer, data, cells / "split", split_rows)]
    best = [max((r for r in rows if r["measure"] == m), key=lambda r: r["held_out"]) for m in tune.MEASURES]
    plain = [{k: v for k, v in row.items() if k != "labels"} for row in rows]
    return plain, best


def promising(rows, best):
    """Return the names of the peers that are best by some measure, and of the next by the mean of the held-out values until there are two."""
    names = list(dict.fromkeys(row["peer"] for row in best))
    means = {}
    for row in rows:
        means[row["peer"]] = means.get(row["peer"], 0) + row["held_out"]
    for name in sorted(means, key=means.get, reverse=True):
        if len(names) < 2 and name not in names:
            names.append(name)
    return names


def halving(peers, rows, best, data, cells):
    """Return the rows of the second protocol, for the promising peers."""
    found, names = [], promising(rows, best)
    for peer in peers:
        if peer.name in names:
            few = halves.smaller(peer, [row["setting"] for row in rows if row["peer"] == peer.name])
            found += cell(few, data, cells / "5x2", halves.run, halves.run, halves.inner_folds)
    return found


def lines(rows):
    return "[" + "\n,".join(json.dumps(row) for row in rows) + "\n]"


def made_by(folder, command):
    """Tell what made a result: the export has left its own commit, machine and day beside the data."""
    return json.loads((folder / "made.json").read_bytes()) | {"Command": command}


def report(made, sets, rows, best, halved):
    head = {
        "made": made,
        "versions": versions(sorted({name for peer in models.PEERS for name in peer.packages})),
        "machine": platform.machine(),
        "folds": {data.name: f"{len(data.folds)} of {data.fold_rule}" for data in sets},
        "halves": {data.name: data.half_rule for data in sets},
    }
    text = json.dumps(head, indent=1)[:-2]
    return f'{text},\n "rows": {lines(rows)},\n "best": {lines(best)},\n "5x2": {lines(halved)}\n}}\n'


def asked(scaling, scalings, sparse):
    """Tell whether settings with a scaling are tried: those that are named, or all; and relevance, as ours, on sparse rows alone."""
    if scaling is None:
        return True
    return (not scalings or scaling in scalings.split("+")) and (sparse or scaling != "relevance")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path, required=True, help="the folder that the export wrote")
    parser.add_argument("--cells", type=pathlib.Path, required=True, help="the folder that keeps what is finished")
    parser.add_argument("--out", type=pathlib.Path, help="the result file; none writes none")
    parser.add_argument("--protocol", choices=("split", "5x2"), default="5x2",
                        help="Mulan's split alone, or five times twofold cross-validation after it")
    parser.add_argument("--only", default="", help="only peers for which this regular expression is found in 'SET: PEER'")
    parser.add_argument("--scaling", help="only settings with one of these scalings, joined by +, or with none to choose; those of a set named birds:zscore are its own")
    parser.add_argument("--command", default="make bench-peers", help="what the result file says that it was made by")
    parser.add_argument("sets", nargs="+")
    args = parser.parse_args()
    warnings.simplefilter("ignore")  # trainings that stop at their largest number of iterations; the folds judge them
    scalings = {name: scaling or args.scaling for name, _, scaling in (name.partition(":") for name in args.sets)}
    sets = [Data(args.data, name) for name in scalings]
    rows, best, halved = [], [], []
    for data in sets:
        peers = [peer() for peer in models.PEERS if re.search(args.only, f"{data.name}: {peer.name}")]
        for peer in peers:
            peer.grid = [setting for setting in peer.grid if asked(setting.get("scaling"), scalings[data.name], data.sparse)]
        r, b = split(peers, data, args.cells)
        rows, best = rows + r, best + b
        for row in b:
            print(f"{data.name}, {row['measure']}: {row['peer']}, {row['held_out']:.1f} held out, {row['test']:.1f} on the test examples", flush=True)
        if args.protocol == "5x2":
            halved += halving(peers, r, b, data, args.cells)
    if args.out:
        write(args.out, report(made_by(args.data, args.command), sets, rows, best, halved))


if __name__ == "__main__":
    sys.exit(main())
