"""Runs sweeps on a real cluster, kills parts of it, and compares the tables with those of crank sweep run.

    make spark-test

builds the program, which CRANK names, and runs this.
"""

import contextlib
import gzip
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from cluster import SHORT_LIVED, Cluster, gone, until

HERE = Path(__file__).parent
CRANK = os.environ["CRANK"]
WORKERS = 2

# Cells of a second or so.
SPEC = {
    "methods": [{"method": "crank", "Lambda": 0.001, "Gap": 0.001}],
    "vary": [{"field": "Restarts", "values": [2, 4]}],
    "sets": ["flags", {"name": "planted", "planted": {"N": 12, "Noise": 0.1}, "train": 400, "test": 200}],
    "seeds": 4,
}
# Cells of a millisecond.
TINY = {"methods": [{"method": "empty", "Lambda": 1}], "sets": [{"name": "p", "planted": {"N": 2, "D": 2}, "train": 5, "test": 5}], "seeds": 300}


class SweepTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = Path(temporary.name)
        cls.cluster = Cluster(cls.folder, WORKERS)
        cls.addClassCleanup(cls.cluster.stop)
        cls.data = other_flags(cls.folder / "data")
        cls.spec = cls.write("spec", SPEC)
        cls.wanted = cls.folder / "wanted.json"
        subprocess.run([CRANK, "sweep", "run", "-store", "off", "-o", cls.wanted, cls.spec], check=True, env=dict(os.environ, CRANK_DATA=str(cls.data)))
        cls.cells = len(json.loads(cls.wanted.read_text())["Rows"])

    @classmethod
    def write(cls, name, spec):
        path = cls.folder / (name + ".json")
        path.write_text(json.dumps(spec))
        return path

    def start(self, name, spec, *args):
        """Starts the driver. Its results, its words and its table go to files of that name."""
        with open(self.folder / (name + ".log"), "wb") as log:
            driver = subprocess.Popen(
                [sys.executable, HERE / "sweep.py", "--master", self.cluster.url, "--crank", CRANK, "--data", self.data, "--lines", self.lines(name),
                 "--conf", "spark.executor.memory=700m", "--conf", "spark.driver.memory=700m", "--conf", "spark.driver.host=127.0.0.1",
                 "--conf", "spark.ui.enabled=false", "--conf", f"spark.driver.extraJavaOptions={SHORT_LIVED}", "--conf", f"spark.executor.extraJavaOptions={SHORT_LIVED}", "-o", self.folder / (name + "-table.json"), *args, spec],
                env=self.cluster.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.addCleanup(lambda: (driver.kill(), driver.wait()))
        return driver

    def lines(self, name):
        return self.folder / (name + ".lines")

    def arrived(self, name):
        return self.lines(name).read_bytes().count(b"\n") if self.lines(name).exists() else 0

    def log(self, name):
        return (self.folder / (name + ".log")).read_text()

    def ends(self, driver, name, status=0):
        self.assertEqual(driver.wait(timeout=300), status, self.log(name))
        return (self.folder / (name + "-table.json")).read_text()

    def assert_same(self, table):
        self.assertEqual(without_times(table), without_times(self.wanted.read_text()))

    def test_1_killed_executor_and_worker(self):
        """An executor dies, then a worker, each with a cell under way."""
        begin = time.monotonic()
        driver = self.start("kills", self.spec)
        until(lambda: self.arrived("kills") >= 2, "the second result")
        _, executor, cell = self.cluster.stop_a_cell()
        kill(executor, cell)
        until(lambda: self.arrived("kills") >= 6, "the sixth result")
        worker, executor, cell = self.cluster.stop_a_cell()
        worker.kill()
        worker.wait()
        until(lambda: gone(executor), "the end of the worker's executor")
        kill(cell)
        self.assert_same(self.ends(driver, "kills"))
        lost = int(re.findall(r"(\d+) tasks were lost", self.log("kills"))[-1])
        self.assertIn(lost, (1, 2), "a death costs the cells in flight, and no others")
        self.cluster.workers.remove(worker)
        self.cluster.add_worker(WORKERS)
        print(f"\n{self.cells} cells, an executor and a worker killed, {lost} tasks run again: the table is that of crank sweep run, {time.monotonic() - begin:.0f} s")

    def test_2_killed_driver(self):
        """The driver dies, then the process of a cell; each time the same command goes on. A shared store has it all."""
        store = self.folder / "store"
        again = lambda: self.start("again", self.spec, "--store", store, "--per-task", "2")
        driver = again()
        until(lambda: self.arrived("again") >= 3, "the third result")
        driver.kill()
        driver.wait()
        kept = self.arrived("again")
        with open(self.lines("again"), "ab") as f:
            f.write(b'{"Cell": 3, "Set": "fla')  # as if it had died while it was writing
        driver = again()
        until(lambda: self.arrived("again") > kept, "another result")
        killed, failures = 0, lambda: self.lines("again").read_bytes().count(b"signal: killed")
        while not failures():
            before = self.arrived("again")
            kill(self.cluster.stop_a_cell()[2])
            killed += 1
            until(lambda: self.arrived("again") > before, "what has come of it, or of another cell")
        rows = json.loads(self.ends(driver, "again", status=1))["Rows"]
        failed = failures()  # the result that arrived may have been another cell's, and that of the killed one have come later
        self.assertLessEqual(failed, killed)
        self.assertIn(f"{self.cells} cells, {kept} of them in ", self.log("again"))
        self.assertEqual([r["Error"] for r in rows if r.get("Error")], failed * ["its process ended without a result: signal: killed"])
        table = self.ends(again(), "again")
        self.assert_same(table)
        self.assertIn(f"{self.cells} cells, {self.cells - failed} of them in ", self.log("again"))
        show = [CRANK, "sweep", "show", "-store", store, "-format", "json", self.spec]
        shown = subprocess.run(show, check=True, env=dict(os.environ, CRANK_DATA=str(self.data)), stdout=subprocess.PIPE, text=True).stdout
        self.assertEqual(json.loads(table)["Rows"], json.loads(shown)["Rows"], "what is kept comes back with its times")

    def test_3_overhead(self):
        """Measures what a cell costs beside its own work."""
        driver = self.start("tiny", self.write("tiny", TINY))
        first = until(lambda: self.arrived("tiny") if self.arrived("tiny") >= 50 else None, "fifty results")
        both = lambda: [self.cluster.processor_time(), self.cluster.processor_time("SparkSubmit", "sweep.py")]
        begin, before = time.monotonic(), both()
        until(lambda: self.arrived("tiny") == TINY["seeds"], "the last result")
        seconds = time.monotonic() - begin
        used, driver_used = [b - a for a, b in zip(before, both())]
        self.ends(driver, "tiny")
        each = 1000 / (TINY["seeds"] - first)
        print(f"\n{TINY['seeds']} cells without work on {WORKERS} executors: {WORKERS * seconds * each:.0f} ms of an executor each, "
              f"{used * each:.0f} ms of processor time in the whole cluster, {driver_used * each:.0f} of them in the driver")


def kill(*pids):
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):  # a cell may end with its executor
            os.kill(pid, signal.SIGKILL)
        until(lambda: gone(pid), "the end of a process")


def other_flags(folder):
    """Writes a set Flags with less rows than that which is built in: cells that miss the data sent to them get other numbers."""
    built_in = HERE.parent.parent / "crankpkg/internal/mulandata/flags"
    target = folder / "flags"
    target.mkdir(parents=True)
    for path in built_in.iterdir():
        text = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        if "train" in path.name:
            text = b"".join(text.splitlines(keepends=True)[:-20])
        (target / path.name.removesuffix(".gz")).write_bytes(text)
    return folder


def without_times(table):
    return re.sub(r'^ *"(Train|Select)Seconds": .*\n', "", table, flags=re.M)


if __name__ == "__main__":
    unittest.main(verbosity=2)
