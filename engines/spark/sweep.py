"""Runs the cells of a sweep on a Spark cluster, and writes the table that crank sweep run writes.

    python engines/spark/sweep.py --master spark://host:7077 --crank ./crank -o table.csv spec.json

The README beside this file says what the cluster needs and what comes when a part of it dies.
"""

import argparse
import hashlib
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from pyspark import AccumulatorParam, SparkConf, SparkContext, SparkFiles


def main():
    args = arguments()
    environment = dict(os.environ)
    if args.data:
        environment["CRANK_DATA"] = args.data
    crank = Crank(args.crank, environment)
    cells = crank("sweep", "cells", args.spec).splitlines()
    lines = Lines(args.lines or f"{Path(args.spec).stem}-{key(cells, args)}.lines")
    todo = [cell for cell in cells if json.loads(cell)["cell"] not in lines.good]
    print(f"{len(cells)} cells, {len(cells) - len(todo)} of them in {lines.path}", file=sys.stderr)
    if todo:
        run(args, todo, lines)
    crank("sweep", "show", "-lines", str(lines.path), "-o", args.out, args.spec)
    if len(lines.good) < len(cells):
        sys.exit(f"{len(cells) - len(lines.good)} cells have failed: the table has their errors, and the same command tries them again")


def arguments():
    p = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    p.add_argument("spec", help="the sweep, as crank sweep reads it")
    p.add_argument("--master", help="of the cluster, such as spark://host:7077; without it that of spark-submit, else this machine")
    p.add_argument("--crank", required=True, help="the program, from CGO_ENABLED=0 go build ./cmd/crank, for the workers' kind of machine and for this one")
    p.add_argument("--data", help="folder with data sets that are not built in, which is sent to the workers")
    p.add_argument("--store", default="off", help="folder that all workers share, by this name, to keep cells and trainings in; without it they keep none")
    p.add_argument("--lines", help="file of results, which grows as they come; without it one that is named after the sweep, the program and the data")
    p.add_argument("-o", "--out", default="-", help="file of the table, .json or .csv; - is standard output")
    p.add_argument("--per-task", type=int, default=1, help="cells of a task: more where they are very many and short")
    p.add_argument("--retries", type=int, default=8, help="how often a task may be lost with its worker before the run ends")
    p.add_argument("--conf", action="append", default=[], metavar="NAME=VALUE", help="a setting of Spark")
    return p.parse_args()


class Crank:
    """The program on this machine."""

    def __init__(self, path, environment):
        self.path, self.environment = os.path.abspath(path), environment

    def __call__(self, *args):
        done = subprocess.run([self.path, *args], env=self.environment, text=True, stdout=subprocess.PIPE)
        if done.returncode:
            sys.exit(done.returncode)  # it has said why
        if args[:2] == ("sweep", "show"):
            sys.stdout.write(done.stdout)
        return done.stdout


def key(cells, args):
    """Names what determines the results: with other cells, another program or other data they are others."""
    h = hashlib.sha256("\n".join(cells).encode())
    for path in [Path(args.crank), *files(args.data)]:
        h.update(hashlib.sha256(path.read_bytes()).digest())
    return h.hexdigest()[:12]


def files(folder):
    return sorted(p for p in Path(folder).rglob("*") if p.is_file()) if folder else []


class Lines:
    """The file of results. A line that was cut when the driver died is dropped."""

    def __init__(self, path):
        self.path, self.good = Path(path), set()
        text = self.path.read_bytes() if self.path.exists() else b""
        whole = text[: text.rfind(b"\n") + 1]
        self.file = open(self.path, "ab")
        self.file.truncate(len(whole))
        for line in whole.splitlines():
            self.count(line)

    def count(self, line):
        row = json.loads(line)
        if not row.get("Error"):
            self.good.add(row["Cell"])

    def add(self, lines):
        for line in lines:
            self.file.write(line.encode() + b"\n")
            self.count(line)
        self.file.flush()
        os.fsync(self.file.fileno())


class Joined(AccumulatorParam):
    """Lists, one after the other: Spark brings those of each task as soon as it ends."""

    def zero(self, value):
        return []

    def addInPlace(self, a, b):
        a.extend(b)
        return a


def run(args, cells, lines):
    """Has the cluster train the cells, the largest first, and writes each result as it comes."""
    conf = SparkConf().setAppName("crank sweep " + Path(args.spec).name)
    conf.set("spark.task.maxFailures", args.retries + 1).set("spark.driver.maxResultSize", 0).set("spark.ui.showConsoleProgress", "false")
    for setting in args.conf:
        conf.set(*setting.split("=", 1))
    submitted = "PYSPARK_GATEWAY_PORT" in os.environ  # by spark-submit, which knows the master
    if args.master or not submitted:
        conf.setMaster(args.master or "local[*]")
    with SparkContext(conf=conf) as sc, tempfile.TemporaryDirectory() as folder:
        command, environment = ship(sc, args, folder)
        results = sc.accumulator([], Joined())
        groups = ["\n".join(cells[k : k + args.per_task]) for k in range(0, len(cells), args.per_task)]
        rdd = sc.parallelize(groups, len(groups)).pipe(command, environment, checkCode=True)
        wait(sc, lambda: rdd.foreachPartition(lambda some: results.add(list(some))), results.value, lines, len(cells))


def ship(sc, args, folder):
    """Sends the program and the data to the workers, and returns the command for them and its environment."""
    sc.addFile(shutil.copy(args.crank, str(Path(folder, "crank"))))
    # Workers run tasks where Spark puts the files. Tasks in this process do not.
    there = SparkFiles.getRootDirectory() if sc.master.startswith("local") else "."
    cpus = sc.getConf().get("spark.task.cpus", "1")
    environment = {"GOMAXPROCS": cpus}
    if args.data:
        sc.addArchive(shutil.make_archive(str(Path(folder, "data")), "zip", args.data) + "#data")
        environment["CRANK_DATA"] = there + "/data"
    return shlex.join([there + "/crank", "sweep", "cell", "-apart", "-workers", cpus, "-store", args.store]), environment


def wait(sc, job, arrived, lines, total):
    """Runs the job in a thread. Meanwhile it writes what has arrived, and tells how far the work is."""
    failed = []

    def work():
        try:
            job()
        except Exception as error:
            failed.append(error)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    begin, done, told = time.monotonic(), 0, 0.0
    while True:
        thread.join(0.2)
        working = thread.is_alive()
        some = arrived[:]
        del arrived[: len(some)]
        if some:
            lines.add(some)
            done += len(some)
        now = time.monotonic()
        if not working or now - told > 5:
            told = now
            print(progress(sc, done, total, now - begin), file=sys.stderr, flush=True)
        if not working:
            break
    if failed:
        sys.exit(f"Spark has given up: {reason(failed[0])}\nThe results so far are in {lines.path}, and the same command goes on from there; "
                 "the standard error of the executors says more")


def reason(error):
    """Returns the line of an error of Spark that says why, without the stacks of two languages."""
    told = [line for line in str(error).splitlines() if "PIPE_FUNCTION_EXITED" in line or "Job aborted" in line]
    return told[-1] if told else str(error)


def progress(sc, done, total, seconds):
    text = f"{done} of {total} cells after {seconds:.1f} s"
    if 0 < done < total:
        text += f", about {seconds / done * (total - done):.0f} s left"
    tracker = sc.statusTracker()
    stages = [tracker.getStageInfo(s) for j in tracker.getJobIdsForGroup() for s in tracker.getJobInfo(j).stageIds]
    lost = sum(s.numFailedTasks for s in stages if s)
    return text + (f"; {lost} tasks were lost and run again" if lost else "")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        print("interrupted; the same command goes on from there", file=sys.stderr)
        sys.exit(130)
